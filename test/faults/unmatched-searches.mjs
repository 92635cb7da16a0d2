// Which blocks and balances are read for unmatched money, which token accounts Solana gets, and what a sweep waits for.

const unmatched = 'bff/src/chain/evm/watch/unmatched-watcher.ts'
const unmatchedTest = 'bff/src/chain/evm/watch/unmatched-watcher.test.ts'
const accounts = 'bff/src/chain/solana/payout/token-accounts.ts'
const accountsTest = 'bff/src/chain/solana/payout/token-accounts.test.ts'
const sweeps = 'bff/src/chain/evm/payout/send-sweeps.ts'
const deferTest = 'bff/src/chain/evm/payout/defer-sweeps.test.ts'

/** @type {import('./faults.mjs').Fault[]} */
export const unmatchedSearches = [
  {
    name: 'Unmatched money that a reorg moves is not found',
    file: unmatched,
    from: 'return await adapter.block(Math.max(0, cursor.number - network.finalityBlocks), signal)',
    to: 'return await adapter.block(cursor.number, signal)',
    test: unmatchedTest,
    fails: 'after a reorg, blocks are read again as deep as it can go',
  },
  {
    name: 'After a reorg, one block is read again for unmatched money',
    file: unmatched,
    from: 'cursor.number - network.finalityBlocks',
    to: 'cursor.number - 1',
    test: unmatchedTest,
    fails: 'after a reorg, blocks are read again as deep as it can go',
  },
  {
    name: 'Logs of a replaced block count as read for unmatched money',
    file: unmatched,
    from: '?.hash !== to.hash)',
    to: '?.number !== to.number)',
    test: unmatchedTest,
    fails: 'logs of blocks that are replaced while they are read do not count',
  },
  {
    name: 'Unmatched money that a reorg removed stays in the books',
    file: unmatched,
    from: '...(await reversibleBalances(at))',
    to: '',
    test: unmatchedTest,
    fails: 'unmatched money that a reorg removes no longer counts',
  },
  {
    name: 'Blocks that a node may have omitted are not read again for unmatched money',
    file: unmatched,
    from: `if (!isProven)
`,
    to: `if (false)
`,
    test: unmatchedTest,
    fails: 'logs that a node omits from many blocks are found when these are read a second time',
  },
  {
    name: 'The same node is asked again at once for the logs that it omitted',
    file: unmatched,
    from: 'until: from.number }',
    to: 'until: to.number }',
    test: unmatchedTest,
    fails: 'logs that a node omits from many blocks are found when these are read a second time',
  },
  {
    name: 'Unmatched money is searched for after the creation by a clock that is ahead',
    file: unmatched,
    from: 'createdAtMs - clockSkewMs',
    to: 'createdAtMs',
    test: unmatchedTest,
    fails: 'on a first start, money is found in blocks that the chain’s slow clock dates before the payment',
  },
  {
    name: 'A removed token that does not respond ends the search for unmatched money',
    file: 'bff/src/chain/evm/watch/known-tokens.ts',
    from: 'if (signal.aborted || !isFormer(token)) throw error',
    to: 'throw error',
    test: unmatchedTest,
    fails: 'a removed token that does not respond delays nothing, and a configured one is not passed over',
  },
  {
    name: 'Unmatched money whose balance a node refuses is passed over',
    file: 'bff/src/chain/evm/watch/known-tokens.ts',
    from: 'if (signal.aborted || !isFormer(token)) throw error',
    to: 'if (signal.aborted) throw error',
    test: unmatchedTest,
    fails: 'a removed token that does not respond delays nothing, and a configured one is not passed over',
  },
  {
    name: 'An empty fee payer is asked for in each pass by new accounts',
    file: accounts,
    from: `if (nowMs < pausedUntilMs(context, 'open')) return 0
`,
    to: `
`,
    test: accountsTest,
    fails: 'without lamports nothing is lost',
  },
  {
    name: 'An account is created for a window that is over',
    file: accounts,
    from: "payment === undefined || timeMs > payment.windowEndsAtMs || payment.status !== 'pending'",
    to: "payment === undefined || payment.status !== 'pending'",
    test: accountsTest,
    fails: 'no account is created once no payment is expected',
  },
  {
    name: 'An account is created for a payment that has ended',
    file: accounts,
    from: "timeMs > payment.windowEndsAtMs || payment.status !== 'pending'",
    to: 'timeMs > payment.windowEndsAtMs',
    test: accountsTest,
    fails: 'no account is created once no payment is expected',
  },
  {
    name: 'More accounts are created than a transaction has room for',
    file: accounts,
    from: 'return planned.slice(0, openedMax)',
    to: 'return planned',
    test: accountsTest,
    fails: 'nine new accounts take two transactions, and so do six that are closed',
  },
  {
    name: 'More accounts are closed than a transaction has room for',
    file: accounts,
    from: 'empty.slice(0, closedMax)',
    to: 'empty',
    test: accountsTest,
    fails: 'nine new accounts take two transactions, and so do six that are closed',
  },
  {
    name: 'The account of an open payment is closed',
    file: accounts,
    from: `payment?.status === 'pending' ||
`,
    to: `false ||
`,
    test: accountsTest,
    fails: 'the account of a payment that has not ended in the books is not closed',
  },
  {
    name: 'Two processes pay for the same account',
    file: accounts,
    from: `if (!batch.every(({ id }) => still.has(id))) throw new ConflictError()
`,
    to: `
`,
    test: accountsTest,
    fails: 'two processes create an account by one transaction',
  },
  {
    name: 'An account that is refused is sent in each pass',
    file: accounts,
    from: `const dueAtMs = runtime.nowMs() + refusedMs
    await db.write(async (tx) => {
      for (const { id } of batch)`,
    to: `const dueAtMs = runtime.nowMs()
    await db.write(async (tx) => {
      for (const { id } of batch)`,
    test: accountsTest,
    fails: 'an account that cannot be created keeps no other deposit without one',
  },
  {
    name: 'A sweep ignores the priority fee when it decides whether it is worth its gas',
    file: sweeps,
    from: 'head.baseFeePerGas + fees.maxPriorityFeePerGas',
    to: 'head.baseFeePerGas',
    test: deferTest,
    fails: 'a deposit also waits while the priority fee would exceed its share',
  },
  {
    name: 'A deposit in any token is worth its gas like dollars',
    file: sweeps,
    from: 'dollarMicros(terms.amount, tokenDecimals, dollarRate)',
    to: "dollarMicros(terms.amount, tokenDecimals, '1')",
    test: deferTest,
    fails: 'waits at a fee that a dollar is worth',
  },
  {
    name: 'After refusals, unmatched money is searched for in short ranges for ever',
    file: unmatched,
    from: 'rangeBlocks = Math.min(rangeMaxBlocks, rangeBlocks * 2)',
    to: '',
    test: unmatchedTest,
    fails: 'after refusals, the ranges grow again',
  },
  {
    name: 'An empty account is closed while late money may come from an exchange',
    file: accounts,
    from: "payment.sweep !== 'confirmed' && timeMs < closesAtMs",
    to: 'false',
    test: accountsTest,
    fails: 'the empty account of a cancelled payment stays until an hour after the window',
  },
  {
    name: 'A process whose account another one creates fails its pass',
    file: 'bff/src/chain/solana/payout/send-transaction.ts',
    from: 'if (error instanceof ConflictError) return undefined\n',
    to: '\n',
    test: accountsTest,
    fails: 'two processes create an account by one transaction',
  },
  {
    name: 'An account with money in it is proposed for closing every ten minutes',
    file: accounts,
    from: '&& token.amount === 0n && !isWaiting',
    to: '&& !isWaiting',
    test: accountsTest,
    fails: 'an account with money in it is never closed',
  },
]
