// Rows that cannot be read, or always fail, must not hold up those behind or beside them.

const evm = 'bff/src/chain/evm/payout'

/** @type {import('./faults.mjs').Fault[]} */
export const rowsInFront = [
  {
    name: 'Authorizations that always fail are attempted before all others',
    file: 'bff/src/chain/queued-authorizations.ts',
    from: 'if (!isOfNodes(error)) faulty.add(id)',
    to: '',
    test: `${evm}/send-authorizations.test.ts`,
    fails: 'behind more than a pass attempts that cannot be read',
  },
  {
    name: 'Parked shares that cannot be read keep back those behind them',
    file: `${evm}/parked-shares.ts`,
    from: '      await db.write((tx) => postponeShare(tx, key, { dueAtMs, reason: null }))\n      fault ??= error',
    to: '      fault ??= error',
    test: `${evm}/parked-shares.test.ts`,
    fails: 'behind more than a pass attempts that cannot be read',
  },
  {
    name: 'Held windows that cannot be read are retried before all others',
    file: 'bff/src/chain/evm/watch/held-windows.ts',
    from: 'if (broken.length > 0) await storeFaults({ db, network: name, runtime, log }, broken)',
    to: '',
    test: 'bff/src/chain/evm/watch/held-windows.test.ts',
    fails: 'windows that cannot be read do not hold up those behind them',
  },
  {
    name: 'One payment that cannot be read keeps every window of its network from being held',
    file: 'bff/src/chain/evm/watch/held-windows.ts',
    from: 'endingDeposits(tx, ids, logUnreadable(log, name))',
    to: 'endingDeposits(tx, ids)',
    test: 'bff/src/chain/evm/watch/held-windows.test.ts',
    fails: 'keeps no other window from being held, retried and ended',
  },
  {
    name: 'One stored search that cannot be read keeps all others of a network',
    file: 'bff/src/chain/evm/watch/late-search-store.ts',
    from: 'parseEach(rows, searches.parse, () => undefined)',
    to: 'rows.map(searches.parse)',
    test: 'bff/src/chain/evm/watch/held-windows.test.ts',
    fails: 'keeps no other window from being held, retried and ended',
  },
  {
    name: 'One refund whose amount cannot be read stops the refunds of its network',
    file: 'bff/src/payment/store/merchant-refund-store.ts',
    from: '/^\\d+$/.test(text) ? BigInt(text) : 0n',
    to: 'BigInt(text)',
    test: 'bff/src/payment/merchant-refund-rows.test.ts',
    fails: 'are found although the sums of one cannot be read',
  },
  {
    name: 'One payout whose amount cannot be read keeps the others of its transaction uncounted',
    file: 'bff/src/payout/payout-queue-store.ts',
    from: '    get sending() {\n      return address === null || amount === null ? null : { address, amount: BigInt(amount) }\n    },',
    to: '    sending: address === null || amount === null ? null : { address, amount: BigInt(amount) },',
    test: 'bff/src/chain/evm/payout/broken-payments.test.ts',
    fails: 'a payout whose stored amount cannot be read does not block the others of its transaction',
  },
  {
    name: 'Windows end although the nodes return no transaction',
    file: 'bff/src/chain/solana/split/unreadable-transactions.ts',
    from: 'isServing: (): boolean => isServing,',
    to: 'isServing: (): boolean => true,',
    test: 'bff/src/chain/solana/split/split-watcher.test.ts',
    fails: 'every transaction, for however long',
  },
  {
    name: 'An account that strangers flood keeps open the windows of all others',
    file: 'bff/src/chain/solana/split/split-accounts.ts',
    from: 'const limit = limits.get(accountOf(splitTerms))',
    to: 'const limit = accountOf(splitTerms) && Math.min(...limits.values())',
    test: 'bff/src/chain/solana/split/split-watcher.test.ts',
    fails:
      'a payment in time is not expired, however long the transactions before it are read, and delays no other account',
  },
  {
    name: 'Windows end although less was seen of their own money',
    file: 'bff/src/chain/watch-window.ts',
    from: 'const blockTimeMs = Math.min(seenMs, held.get(id) ?? seenMs)',
    to: 'const blockTimeMs = seenMs',
    test: 'bff/src/chain/watch-window.test.ts',
    fails: 'a window ends at the time up to which its own money was seen',
  },
  {
    name: 'A window that could not be ended before ends although its payment is held',
    file: 'bff/src/chain/watch-window.ts',
    from: 'const blockTimeMs = Math.min(seenMs, held.get(fault.id) ?? seenMs)',
    to: 'const blockTimeMs = seenMs',
    test: 'bff/src/chain/watch-window.test.ts',
    fails: 'a window that could not be ended before is not ended while its payment is held',
  },
]
