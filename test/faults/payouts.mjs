// Where payouts are decided.

/** @type {import('./faults.mjs').Fault[]} */
export const payouts = [
  {
    name: 'A frozen platform account is not parked on Solana',
    file: 'bff/src/chain/solana/payout/solana-sweeps.ts',
    from: "platformAccount?.token?.isFrozen === true ? 'its account is frozen' : payeeFault(platform, platformWallet)",
    to: 'payeeFault(platform, platformWallet)',
    test: 'bff/src/chain/solana/payout/solana-sweeps.test.ts',
    fails:
      'a platform whose account is frozen has its share parked at the deposit address, and the merchant gets its full share',
  },
  {
    name: 'A payout is made again beside its replaced transaction',
    file: 'bff/src/payout/payout-queue-store.ts',
    from: `x.state in ('stored', 'replaced')
                  and (o.kind = q.kind`,
    to: `x.state in ('stored')
                  and (o.kind = q.kind`,
    test: 'bff/src/payout/payout-queue-store.test.ts',
    fails:
      'payouts that are due are not those that a transaction may still make: not even when the payout was cancelled and queued again',
  },
  {
    name: 'A refund is sent beside the sweep',
    file: 'bff/src/payout/payout-queue-store.ts',
    from: `
                    or o.kind = 'sweep' and q.kind = 'refund'))`,
    to: ')',
    test: 'bff/src/payout/payout-queue-store.test.ts',
    fails: 'payouts that are due are those of one kind on one network whose time has come',
  },
  {
    name: 'A payout is made of money that the node does not have',
    file: 'bff/src/payout/payout-queue-store.ts',
    from: 'p.is_test = 0 and coalesce(p.last_block, 0) <= ${head})',
    to: 'p.is_test = 0)',
    test: 'bff/src/payout/payout-queue-store.test.ts',
    fails: 'payouts that are due are not those of money in blocks that the node does not have yet',
  },
  {
    name: 'Two transactions make one payout',
    file: 'bff/src/payout/payout-queue-store.ts',
    from: `and token = \${token}
         and state = 'queued'\`)
  if (changed !== 1) throw new ConflictError()`,
    to: `and token = \${token}\`)
  if (changed !== 1) throw new ConflictError()`,
    test: 'bff/src/payout/payout-queue-store.test.ts',
    fails: 'a payout is taken by one transaction',
  },
  {
    name: 'One failure is counted twice',
    file: 'bff/src/payout/payout-queue-store.ts',
    from: "and state = 'queued' and failures = ${failures}`)",
    to: "and state = 'queued'`)",
    test: 'bff/src/payout/payout-queue-store.test.ts',
    fails: 'a payout fails once for all that found the same failure',
  },
  {
    name: "Another transaction's end queues a payout again",
    file: 'bff/src/payout/payout-queue-store.ts',
    from: "and state = 'sent' and transaction_id = ${transactionId}`)",
    to: "and state = 'sent'`)",
    test: 'bff/src/payout/payout-queue-store.test.ts',
    fails: 'a payout is queued again by its own transaction alone',
  },
  {
    name: 'A refund is counted twice',
    file: 'bff/src/payout/payout-finalize.ts',
    from: "payout.isCounted && result.result === 'paid' && payout.kind !== 'sweep'",
    to: 'payout.isCounted && false',
    test: 'bff/src/payout/payout-finalize.test.ts',
    fails: 'is not counted a second time where its transaction is final in another block',
  },
  {
    name: 'A refund that was counted is not known as counted',
    file: 'bff/src/payout/payout-queue-store.ts',
    from: "isCounted: state === 'confirmed'",
    to: 'isCounted: false',
    test: 'bff/src/payout/payout-queue-store.test.ts',
    fails: 'a payout is known as counted once its transaction was final',
  },
  {
    name: 'A refund that landed after all is not found',
    file: 'bff/src/payout/payout-queue-store.ts',
    from: "(o.kind <> 'refund' or o.state <> 'failed') limit 1000",
    to: '(1 = 1) limit 1000',
    test: 'bff/src/payout/payout-queue-store.test.ts',
    fails:
      'the known transactions of a payment are all but the refunds that were given up, which may be on the chain after all',
  },
  {
    name: 'A refund is larger than what is owed by now',
    file: 'bff/src/payout/payout-worker.ts',
    from: ' || now.amount < amount) throw',
    to: ') throw',
    test: 'bff/src/payout/payout-worker.test.ts',
    fails: 'a refund is not stored when the payment owes less by then',
  },
  {
    name: 'A refund goes to the address before',
    file: 'bff/src/payout/payout-worker.ts',
    from: ' || now.address !== address ||',
    to: ' ||',
    test: 'bff/src/payout/payout-worker.test.ts',
    fails: 'a refund is not stored when another address was named',
  },
  {
    name: 'A refund that was sent is not on its way',
    file: 'bff/src/payout/payout-worker.ts',
    from: `      await ledger.applyIn(tx, payout.paymentId, sent)
`,
    to: '',
    test: 'bff/src/payout/payout-worker.test.ts',
    fails: 'a refund is stored with its transaction, and the payment counts its amount as on its way',
  },
  {
    name: 'A refund that was dropped stays on its way',
    file: 'bff/src/payout/payout-finalize.ts',
    from: `    await ledger.applyIn(tx, paymentId, { type: 'refund.dropped', amount, atMs })
`,
    to: '',
    test: 'bff/src/payout/late-payout.test.ts',
    fails:
      'money that completes the amount while a part of it is on its way back: the chain keeps it, and it is taken after that',
  },
  {
    name: 'A refund of ours that landed late is a second row',
    file: 'bff/src/payout/payout-finalize.ts',
    from: 'if (own === undefined) await insert',
    to: 'await insert',
    test: 'bff/src/payout/payout-results.test.ts',
    fails: 'a refund of ours that was given up and landed after all is the row that it was, and is counted once',
  },
  {
    name: 'The books forget what a sweep paid',
    file: 'bff/src/payout/payout-finalize.ts',
    from: "{ type: 'sweep.confirmed', txId, ...swept, atMs }",
    to: "{ type: 'sweep.confirmed', txId, atMs }",
    test: 'bff/src/payout/payout-results.test.ts',
    fails: 'the books have what a sweep paid by the chain, also where that is less than what is due',
  },
  {
    name: 'A payout is never given up',
    file: 'bff/src/payout/payout-failure.ts',
    from: 'planAfterFailure(payout.failures + 1, atMs)',
    to: 'planAfterFailure(payout.failures, atMs)',
    test: 'bff/src/payout/payout-results.test.ts',
    fails: 'a payout that fails is tried again after twice the time, and hourly once it is given up: a sweep',
  },
  {
    name: 'A return that is worth nothing is sent',
    file: 'bff/src/payout/payout-plan.ts',
    from: 'return feeWei >= valueWei',
    to: 'return feeWei > valueWei',
    test: 'bff/src/payout/sending-plan.test.ts',
    fails: 'a return is too small when its fee is worth the whole of a token with 6 decimals',
  },
  {
    name: 'A payer of drops spends more of the gas',
    file: 'bff/src/payout/payout-plan.ts',
    from: 'count < promptMax ? 0',
    to: 'count <= promptMax ? 0',
    test: 'bff/src/payout/sending-plan.test.ts',
    fails: 'a payout of a payment is sent together with what comes within a day after 3 transactions',
  },
  {
    name: 'A refund goes to a frozen account',
    file: 'bff/src/chain/solana/payout/prepare-solana-refund.ts',
    from: 'if (account.token.isFrozen) return',
    to: 'if (false) return',
    test: 'bff/src/chain/solana/payout/prepare-solana-refund.test.ts',
    fails: 'a refund to a frozen account is refused',
  },
  {
    name: 'A refund on Solana goes to an account of somebody else',
    file: 'bff/src/chain/solana/payout/prepare-solana-refund.ts',
    from: 'account?.token?.owner !== payee.wallet',
    to: 'account?.token === undefined',
    test: 'bff/src/chain/solana/payout/prepare-solana-refund.test.ts',
    fails: 'a refund to an account of another owner is refused',
  },
  {
    name: 'A refund leaves before the deadline is over',
    file: 'bff/src/chain/solana/payout/prepare-solana-refund.ts',
    from: "!== 'paid' && leftMs >= 0",
    to: "!== 'paid' && leftMs > 0",
    test: 'bff/src/chain/solana/payout/prepare-solana-refund.test.ts',
    fails: 'a payment that is not paid is not refunded before its deadline, to the millisecond',
  },
  {
    name: 'A paid payment is refunded only after its deadline',
    file: 'bff/src/chain/solana/payout/prepare-solana-refund.ts',
    from: "outcomeOf(payment) !== 'paid' && leftMs >= 0",
    to: 'leftMs >= 0',
    test: 'bff/src/chain/solana/payout/prepare-solana-refund.test.ts',
    fails: 'a payment that is not paid is not refunded before its deadline, to the millisecond',
  },
  {
    name: 'A refund takes what is held for the merchant',
    file: 'bff/src/chain/solana/payout/prepare-solana-refund.ts',
    from: 'const spare = balance > kept ? balance - kept : 0n',
    to: 'const spare = balance',
    test: 'bff/src/chain/solana/payout/prepare-solana-refund.test.ts',
    fails: 'what is held for the merchant is never part of a refund, even when money is missing',
  },
]
