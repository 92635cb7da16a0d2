// Which Solana transaction is a payout, what its fee payer spends, and what is read of a deposit's account.

const sender = 'bff/src/chain/solana/payout/solana-sender.ts'
const sending = 'bff/src/chain/solana/payout/send-transaction.ts'
const store = 'bff/src/chain/solana/payout/solana-outgoing-store.ts'
const reader = 'bff/src/chain/solana/watch/read-account.ts'
const senderTest = 'bff/src/chain/solana/payout/solana-sender.test.ts'
const balanceTest = 'bff/src/chain/solana/payout/fee-payer-balance.test.ts'
const storeTest = 'bff/src/chain/solana/payout/solana-outgoing-store.test.ts'
const readerTest = 'bff/src/chain/solana/watch/read-account.test.ts'

/** @type {import('./faults.mjs').Fault[]} */
export const solanaPayouts = [
  {
    name: 'A transaction with two recipients counts as a refund to the first',
    file: sender,
    from: 'gained.length === 1 && ',
    to: '',
    test: senderTest,
    fails: 'a transaction in which two accounts gain is not a refund',
  },
  {
    name: 'A refund counts in full although its recipient gained another amount',
    file: sender,
    from: ' && only.after - only.before === amount',
    to: '',
    test: senderTest,
    fails: 'a transaction whose recipient gains another amount than the deposit’s account loses is not a refund',
  },
  {
    name: 'A gain in another token counts as a refund, or hides one',
    file: sender,
    from: 'one.mint === mint && one.after',
    to: 'one.after',
    test: senderTest,
    fails: 'gains in another token are no refund, and hide none',
  },
  {
    name: 'A transaction that cannot be read counts as no payout',
    file: sender,
    from: 'if (transaction === undefined) throw new Error(`${chain.network}: transaction ${txId} could not be read`)',
    to: 'if (transaction === undefined) continue',
    test: senderTest,
    fails: 'while one transaction cannot be read, no older one is taken for the payout',
  },
  {
    name: 'A search for a lost payout reads transactions without end',
    file: sender,
    from: 'index < searchedPayoutsMax ? await chain',
    to: 'true ? await chain',
    test: senderTest,
    fails: 'a payout behind more than 200 transactions is not searched for',
  },
  {
    name: 'A larger gain counts as the payout',
    file: sender,
    from: ' || gain > to.most) continue',
    to: ') continue',
    test: senderTest,
    fails:
      'a payout is the transaction that took money from the deposit’s account and added an amount within the bounds',
  },
  {
    name: 'A stranger’s transfer to the merchant counts as the payout',
    file: sender,
    from: 'changeOf(transaction, account) >= 0n || ',
    to: '',
    test: senderTest,
    fails:
      'a payout is the transaction that took money from the deposit’s account and added an amount within the bounds',
  },
  {
    name: 'One node decides that a payout of high value landed',
    file: sender,
    from: `if (isHighValue) await requireAttested(transaction)
        return { txId, gain }`,
    to: 'return { txId, gain }',
    test: senderTest,
    fails: 'a payout of high value is found only if two nodes have the same transaction',
  },
  {
    name: 'The fee payer pays any price per compute unit',
    file: sender,
    from: 'Math.min(unitPriceMax, sorted',
    to: 'Math.max(0, sorted',
    test: senderTest,
    fails: 'the price of a compute unit is the upper quartile of recent prices, and at most one lamport',
  },
  {
    name: 'Statuses come with the height of a block that may be undone',
    file: sender,
    from: "commitment: 'finalized' }])",
    to: "commitment: 'processed' }])",
    test: senderTest,
    fails: 'the height that comes with statuses is that of the newest final block',
  },
  {
    name: 'An empty fee payer is asked for in each pass',
    file: sending,
    from: 'untilMs: nowMs + retryDelayMs',
    to: 'untilMs: nowMs',
    test: balanceTest,
    fails: 'after an insufficient balance, the same work and what costs more wait 15 seconds',
  },
  {
    name: 'A payout that the fee payer cannot pay delays cheaper ones',
    file: sending,
    from: 'other <= kind',
    to: 'other >= kind',
    test: balanceTest,
    fails: 'after an insufficient balance, the same work and what costs more wait 15 seconds',
  },
  {
    name: 'An empty fee payer is logged in each pass',
    file: sending,
    from: 'nowMs - before.warnedAtMs < warnEveryMs',
    to: 'false',
    test: balanceTest,
    fails: 'an insufficient balance is logged once a minute',
  },
  {
    name: 'Accounts that are being created do not count against their client',
    file: store,
    from: `
           or a.state = 'wanted' and exists (`,
    to: `
           or a.state = 'none' and exists (`,
    test: storeTest,
    fails: 'an account that is being created counts as unpaid, a wanted or closed one does not',
  },
  {
    name: 'Accounts that wait to be created count against their client',
    file: store,
    from: `and x.state = 'stored'))
       group`,
    to: `))
       group`,
    test: storeTest,
    fails: 'an account that is being created counts as unpaid, a wanted or closed one does not',
  },
  {
    name: 'After a withdrawal, the same amount is not read again',
    file: store,
    from: 'due_at_ms = ${dueAtMs}, read_amount = null where',
    to: 'due_at_ms = ${dueAtMs} where',
    test: storeTest,
    fails: 'an account from which the service withdrew is read again, although its balance may be the same',
  },
  {
    name: 'Dust makes an account count as paid',
    file: store,
    from: '(length(p.seen), p.seen) < (length(p.least), p.least) and ',
    to: "p.seen = '0' and ",
    test: storeTest,
    fails: 'an account counts as unpaid until the whole minimum has arrived, in time or late',
  },
  {
    name: 'Late money in full leaves an account unpaid',
    file: store,
    from: ` and (length(p.late), p.late) < (length(p.least), p.least)
`,
    to: `
`,
    test: storeTest,
    fails: 'an account counts as unpaid until the whole minimum has arrived, in time or late',
  },
  {
    name: 'Amounts are compared as words',
    file: store,
    from: '(length(p.seen), p.seen) < (length(p.least), p.least)',
    to: 'p.seen < p.least',
    test: storeTest,
    fails: 'an account counts as unpaid until the whole minimum has arrived, in time or late',
  },
  {
    name: 'A transaction that the node lists but does not return counts as read',
    file: reader,
    from: `if (isWanted && transaction === undefined) return false
`,
    to: `
`,
    test: readerTest,
    fails: 'an account is not read while the node lists a transaction that it does not return',
  },
  {
    name: 'An unreadable transaction is never read again',
    file: reader,
    from: 'if (!unreadable) to = signature',
    to: 'to = signature',
    test: readerTest,
    fails: 'an unreadable transaction is read again, and delays no later transfer',
  },
  {
    name: 'A failing node makes a transaction unreadable',
    file: reader,
    from: 'if (signal.aborted || isOfNodes(error)) throw error',
    to: 'if (signal.aborted) throw error',
    test: readerTest,
    fails: 'a failing node is not an unreadable transaction: nothing is read',
  },
  {
    name: 'Money from before the payment’s creation pays it',
    file: reader,
    from: 'if (credit && credit.blockTimeMs >= account.createdAtMs - clockSkewMs)',
    to: 'if (credit)',
    test: readerTest,
    fails: 'money counts from fifteen minutes before the payment’s creation',
  },
  {
    name: 'Money just after the creation is refused where the clocks differ',
    file: reader,
    from: 'account.createdAtMs - clockSkewMs',
    to: 'account.createdAtMs',
    test: readerTest,
    fails: 'money counts from fifteen minutes before the payment’s creation',
  },
  {
    name: 'An account with too many transactions counts as read',
    file: reader,
    from: 'left: listed.length - batch.length',
    to: 'left: 0',
    test: readerTest,
    fails: 'transfers are read in order from the last one read, at most the limit',
  },
  {
    name: 'An account is closed while its creation is pending',
    file: store,
    from: '(exists (select 1 from outgoing_accounts o\n',
    to: '(1 = 0 and exists (select 1 from outgoing_accounts o\n',
    test: storeTest,
    fails: 'due accounts are listed by time, without those of a pending transaction of their network',
  },
  {
    name: 'An account is closed while its refund is pending',
    file: store,
    from: 'or exists (select 1 from outgoing_payouts o\n',
    to: 'or 1 = 0 and exists (select 1 from outgoing_payouts o\n',
    test: storeTest,
    fails: 'due accounts are listed by time, without those of a pending transaction of their network',
  },
  {
    name: 'A transaction to a recipient that nobody names counts as a refund',
    file: 'bff/src/chain/solana/payout/solana-sender.ts',
    from: 'if (!isOne || only.ownerAfter === null) continue',
    to: 'if (!isOne) continue',
    test: 'bff/src/chain/solana/payout/solana-sender.test.ts',
    fails: 'a transaction whose recipient a node does not name is not a refund',
  },
  {
    name: 'The rent of a swept deposit waits for its window',
    file: 'bff/src/chain/solana/payout/token-accounts.ts',
    from: "payment.sweep !== 'confirmed' && ",
    to: '',
    test: 'bff/src/chain/solana/payout/token-accounts.test.ts',
    fails: 'the empty account of a swept deposit is closed at once',
  },
]
