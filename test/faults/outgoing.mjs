// Whose nonces and queue rows are read and changed: by network, account, token and payment.

const transactions = 'bff/src/payout/outgoing-store.ts'
const queue = 'bff/src/payout/payout-queue-store.ts'
const networks =
  'an account of one key has its own nonces on every network, and no network touches the transactions of another'
const tokens = 'the returns of two tokens of one payment are apart: one that is'
const atTransactions = 'bff/src/payout/outgoing-store.test.ts'
const atQueue = 'bff/src/payout/payout-queue-store.test.ts'
const where = 'where payment_id = ${paymentId} and kind = ${kind} and network = ${network} and token = ${token}'
const anyToken = 'where payment_id = ${paymentId} and kind = ${kind} and network = ${network} and token <> ${kind}'

/** @type {import('./faults.mjs').Fault[]} */
export const outgoing = [
  {
    name: 'The next nonce follows those of other networks',
    file: transactions,
    from: "where network = ${network} and sender = ${sender} and state <> 'failed'`",
    to: "where sender = ${sender} and state <> 'failed'`",
    test: atTransactions,
    fails: networks,
  },
  {
    name: 'Transactions of other networks fill the bound of open ones',
    file: transactions,
    from: "where network = ${network} and sender = ${sender} and state = 'stored' limit",
    to: "where sender = ${sender} and state = 'stored' limit",
    test: atTransactions,
    fails: networks,
  },
  {
    name: 'A missing nonce is not filled because another network has it',
    file: transactions,
    from: "where network = ${network} and sender = ${sender} and nonce = ${nonce} and state in ('stored', 'replaced')",
    to: "where sender = ${sender} and nonce = ${nonce} and state in ('stored', 'replaced')",
    test: atTransactions,
    fails: networks,
  },
  {
    name: 'A missing nonce opens the final transaction of another network',
    file: transactions,
    from: "where network = ${network} and sender = ${sender} and nonce = ${nonce} and state = 'confirmed'`",
    to: "where sender = ${sender} and nonce = ${nonce} and state = 'confirmed'`",
    test: atTransactions,
    fails: networks,
  },
  {
    name: "A missing nonce opens another account's final transaction",
    file: transactions,
    from: "where network = ${network} and sender = ${sender} and nonce = ${nonce} and state = 'confirmed'`",
    to: "where network = ${network} and nonce = ${nonce} and state = 'confirmed'`",
    test: atTransactions,
    fails: networks,
  },
  {
    name: 'Final transactions of other networks are looked for on this one, and undone',
    file: transactions,
    from: "where network = ${network} and recheck_block is not null and state = 'confirmed'",
    to: "where recheck_block is not null and state = 'confirmed'",
    test: atTransactions,
    fails: networks,
  },
  {
    name: "One return takes the payment's other tokens along",
    file: queue,
    from: `update payouts set state = 'sent', transaction_id = \${transactionId}\n       ${where}`,
    to: `update payouts set state = 'sent', transaction_id = \${transactionId}\n       ${anyToken}`,
    test: atQueue,
    fails: `${tokens} sent`,
  },
  {
    name: "One return postpones the payment's other tokens",
    file: queue,
    from: `update payouts set due_at_ms = \${dueAtMs}\n       ${where}`,
    to: `update payouts set due_at_ms = \${dueAtMs}\n       ${anyToken}`,
    test: atQueue,
    fails: `${tokens} postponed`,
  },
  {
    name: "One return's failure counts for the payment's other tokens",
    file: queue,
    from: `set failures = failures + 1, due_at_ms = \${dueAtMs}\n       ${where}`,
    to: `set failures = failures + 1, due_at_ms = \${dueAtMs}\n       ${anyToken}`,
    test: atQueue,
    fails: `${tokens} failed`,
  },
  {
    name: "One return's end deletes the payment's other returns",
    file: queue,
    from: `delete from payouts\n       ${where}`,
    to: `delete from payouts\n       ${anyToken}`,
    test: atQueue,
    fails: `${tokens} deleted`,
  },
  {
    name: "One return queues the payment's other tokens again",
    file: queue,
    from: `failures = \${failures}, due_at_ms = \${dueAtMs}\n       ${where}\n         and state = 'sent'`,
    to: `failures = \${failures}, due_at_ms = \${dueAtMs}\n       ${anyToken}\n         and state = 'sent'`,
    test: atQueue,
    fails: `${tokens} queued again`,
  },
  {
    name: "A return has the failures of the payment's other tokens",
    file: queue,
    from: 'on q.payment_id = o.payment_id and q.kind = o.kind and q.network = o.network and q.token = o.token',
    to: 'on q.payment_id = o.payment_id and q.kind = o.kind and q.network = o.network',
    test: atQueue,
    fails: 'the returns of two tokens of one payment count their failures apart',
  },
  {
    name: 'The end of one sweep is that of all in its transaction',
    file: queue,
    from: 'where transaction_id = ${transactionId} and kind = ${kind} and payment_id = ${paymentId}`',
    to: 'where transaction_id = ${transactionId} and kind = ${kind}`',
    test: atQueue,
    fails: 'one transaction settles many payments, and each has its own end',
  },
  {
    name: 'Failed deposits of other networks are looked for on this one',
    file: queue,
    from: "where network = ${network} and number > ${after} and mode = 'deposit'",
    to: "where number > ${after} and mode = 'deposit'",
    test: atQueue,
    fails: 'the failed deposits of a network are those of every end that a person has to see',
  },
  {
    name: 'The returns of other networks are examined with the keys of this one',
    file: queue,
    from: "where q.network = ${network} and q.kind in ('refund', 'return')",
    to: "where q.kind in ('refund', 'return')",
    test: atQueue,
    fails: 'the terms of deposits to send back are those of the queued refunds and returns of the network',
  },
  {
    name: 'A refund is counted from a block that the chain replaced',
    file: 'bff/src/chain/evm/payout/external-refund.ts',
    from: 'if (!isFinal || !(await sender.isCanonical(found))) return',
    to: 'if (!isFinal) return',
    test: 'bff/src/chain/evm/payout/missing-receipt.test.ts',
    fails: 'a refund given up although it was mined is not counted from a block that a reorg may remove',
  },
  {
    name: 'A refund found on chain is counted before it is final',
    file: 'bff/src/chain/evm/payout/external-refund.ts',
    from: 'if (!isFinal || !(await sender.isCanonical(found))) return',
    to: 'if (!(await sender.isCanonical(found))) return',
    test: 'bff/src/chain/evm/payout/missing-receipt.test.ts',
    fails: 'a refund given up although it was mined is not counted from a block that a reorg may remove',
  },
  {
    name: 'A second missing receipt undoes a settlement that was found in between',
    file: 'bff/src/chain/evm/payout/recheck-settlements.ts',
    from: `    memory.missingSinceMs.delete(row.paymentId)
    return await noteBlock`,
    to: '    return await noteBlock',
    test: 'bff/src/chain/evm/payout/recheck.test.ts',
    fails: 'missing receipts of an external settlement do not accumulate across a found one',
  },
  {
    name: 'Events are deleted hours after they happened',
    file: 'bff/src/webhook/outbox/prune-deliveries.ts',
    from: 'runtime.nowMs() - keepDays * dayMs',
    to: 'runtime.nowMs() - keepDays * dayMs / 24',
    test: 'bff/src/webhook/outbox/prune-deliveries.test.ts',
    fails: 'the service keeps events for the days of its setting',
  },
  {
    name: 'The key of a node is logged with an error that it caused',
    file: 'bff/src/core/fault-text.ts',
    from: 'if (!isOfNode(error)) return whole(error)',
    to: 'if (!isNodeError(error)) return whole(error)',
    test: 'bff/src/core/fault-text.test.ts',
    fails: 'unless an error of a node is among its causes',
  },
  {
    name: 'The key of a node is in the text of its error',
    file: 'bff/src/core/fault-text.ts',
    from: "if (isNodeError(error)) return [error.shortMessage, error.details].filter(Boolean).join(' ')\n",
    to: '',
    test: 'bff/src/core/fault-text.test.ts',
    fails: 'an error of a node is one line without the URL',
  },
  {
    name: 'A lost sweep to a merchant who is the platform too is paid again',
    file: 'bff/src/chain/solana/payout/solana-sweeps.ts',
    from: 'const isBoth = merchantAccount === platformAccount',
    to: 'const isBoth = false',
    test: 'bff/src/chain/solana/payout/solana-sweeps.test.ts',
    fails:
      'to a merchant who is the platform too that a restored database has lost is not sent again from what is owed back',
  },
  {
    name: 'A deployment that another replica has sent at a higher price is reported as failed',
    file: 'bff/src/chain/evm/deploy/deployer.ts',
    from: '(isUnderpriced(error) || error.walk',
    to: '(error.walk',
    test: 'bff/src/chain/evm/deploy/deployer.test.ts',
    fails: 'the same deployment, sent by another replica in the same instant',
  },
  {
    name: 'A deployment is given up before that of another replica is mined',
    file: 'bff/src/chain/evm/deploy/deployer.ts',
    from: '!isNonceUsed(error) || performance.now() > endsAtMs',
    to: '!isNonceUsed(error) || performance.now() > endsAtMs - 119_970',
    test: 'bff/src/chain/evm/deploy/deployer.test.ts',
    fails: 'a deployment that another replica has sent is awaited by nodes that count no pending transactions too',
  },
]
