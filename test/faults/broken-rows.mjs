// One row that cannot be read or changed must not stop a worker for all others.

const evm = 'bff/src/chain/evm/payout'
const solana = 'bff/src/chain/solana/payout'
const broken = `${evm}/broken-payments.test.ts`

/** @type {import('./faults.mjs').Fault[]} */
export const brokenRows = [
  {
    name: 'One broken row ends the work on all others',
    file: 'bff/src/db/write-each.ts',
    from: `      if (isFaultOfAll(error)) throw error
      failed.set(row, error)`,
    to: '      throw error',
    test: 'bff/src/db/write-each.test.ts',
    fails: 'a row that fails is the only one that is not written',
  },
  {
    name: 'A lost lease is taken for a broken row',
    file: 'bff/src/db/write-each.ts',
    from: 'error instanceof LeaseLostError || isDatabaseFault(error)',
    to: 'isDatabaseFault(error)',
    test: 'bff/src/db/write-each.test.ts',
    fails: 'what every row would meet ends all',
  },
  {
    name: 'A fault of the sweeps keeps back refunds',
    file: 'bff/src/core/run-all.ts',
    from: 'fault ??= error',
    to: 'throw error',
    test: 'bff/src/payout/payout-worker.test.ts',
    fails: 'sends refunds and returns although the sweeps have a fault',
  },
  {
    name: 'One broken payment leaves the others of its sweep open',
    file: `${evm}/monitor.ts`,
    from: 'if (payouts.length > 1) await writeEach(db, payouts, count)',
    to: '',
    test: broken,
    fails: 'a payment that cannot be changed does not block the others of its sweep',
  },
  {
    name: 'A broken payment in a batch counts for all of them',
    file: 'bff/src/payout/payout-finalize.ts',
    from: 'if (only && (payout.paymentId !== only.paymentId || payout.kind !== only.kind)) continue',
    to: '',
    test: broken,
    fails: 'a payment that cannot be changed does not block the others of its sweep',
  },
  {
    name: 'A broken payment whose sweep is refused is due at once for ever',
    file: 'bff/src/payout/payout-failure.ts',
    from: 'for (const [payout, error] of unchanged) await postponeBroken({ db, network, runtime, log }, payout, error)',
    to: '',
    test: broken,
    fails: 'a refused sweep whose payment cannot be changed blocks no other',
  },
  {
    name: 'A broken deferred sweep is put into the batch',
    file: `${evm}/send-sweeps.ts`,
    from: 'if (sweep.waitingSinceMs !== null) await context.db.read((tx) => loadPayment(tx, sweep.paymentId))',
    to: '',
    test: broken,
    fails: 'a deferred sweep whose payment cannot be changed blocks neither the deferral nor the sweep of others',
  },
  {
    name: 'One broken authorization keeps back the others',
    file: `${evm}/send-authorizations.ts`,
    from: `    isOfNodes,
  )`,
    to: `    () => true,
  )`,
    test: `${evm}/send-authorizations.test.ts`,
    fails: 'whose payment cannot be read blocks no other',
  },
  {
    name: 'One broken transaction of a customer keeps back the others on Solana',
    file: `${solana}/send-relayed.ts`,
    from: `    isOfNodes,
  )`,
    to: `    () => true,
  )`,
    test: `${solana}/send-relayed.test.ts`,
    fails: 'an unreadable payment blocks neither the token accounts nor the transactions of others',
  },
  {
    name: 'The fee payer signs whatever is in the queue',
    file: `${solana}/send-relayed.ts`,
    from: 'recheckTransaction(payment, one.data, signer.feePayer.toBase58())',
    to: 'void recheckTransaction',
    test: `${solana}/send-relayed.test.ts`,
    fails: 'the fee payer signs no transaction that was changed in the database, whoever would profit',
  },
  {
    name: 'One broken payment keeps back all token accounts',
    file: `${solana}/token-accounts.ts`,
    from: 'if (isFaultOfAll(error)) throw error',
    to: 'throw error',
    test: `${solana}/send-relayed.test.ts`,
    fails: 'an unreadable payment blocks neither the token accounts nor the transactions of others',
  },
  {
    name: 'A table whose rows cannot be deleted lets others grow',
    file: 'bff/src/ops/serve/housekeeping.ts',
    from: 'await runAll(steps, isFaultOfAll)',
    to: 'for (const step of steps) await step()',
    test: 'bff/src/ops/serve/housekeeping.test.ts',
    fails: 'a table whose rows cannot be deleted lets no other one grow',
  },
  {
    name: 'A busy account of a refund on Solana is read whole in each pass',
    file: 'bff/src/chain/solana/refund/refund-watcher.ts',
    from: '++reads > readsPerPass',
    to: '++reads < 0',
    test: 'bff/src/chain/solana/refund/solana-refunds.test.ts',
    fails:
      'an account with many transactions is read in parts, from where the last pass ended, also past one that no node returns',
  },
  {
    name: 'An account of a refund on Solana that no node shows ends the pass',
    file: 'bff/src/chain/solana/refund/refund-watcher.ts',
    from: 'if (signal.aborted || isOfNodes(error) || isFaultOfAll(error)) throw error',
    to: 'throw error',
    test: 'bff/src/chain/solana/refund/solana-refunds.test.ts',
    fails: 'an account whose history no node returns delays no other refund',
  },
]
