// What one node says of a payout, where two must say it.

/** @type {import('./faults.mjs').Fault[]} */
export const twoNodes = [
  {
    name: 'One node says that a payout of high value was made',
    file: 'bff/src/chain/evm/payout/monitor.ts',
    from: '!receipt.isReverted && payouts.every(({ isHighValue }) => !isHighValue)',
    to: '!receipt.isReverted',
    test: 'bff/src/chain/evm/payout/missing-receipt.test.ts',
    fails: 'a refund of a high-value payment is counted once two nodes have its receipt',
  },
  {
    name: "One node says that a customer's authorization was reverted",
    file: 'bff/src/chain/evm/payout/monitor.ts',
    from: '!receipt.isReverted && payouts.every(({ isHighValue }) => !isHighValue)',
    to: 'payouts.every(({ isHighValue }) => !isHighValue)',
    test: 'bff/src/chain/evm/payout/send-authorizations.test.ts',
    fails: 'an authorization whose transaction reverted has failed',
  },
  {
    name: 'One node says that a payout on Solana failed, and it is paid again',
    file: 'bff/src/chain/solana/payout/earlier-payouts.ts',
    from: 'if (isComplete || landed.some((txId)',
    to: 'if (isComplete || listed.some(({ txId })',
    test: 'bff/src/chain/solana/payout/expired-payouts.test.ts',
    fails: 'a sweep that landed is not sent again from money that arrived since because one node reports it as failed',
  },
  {
    name: 'Of two nodes the second alone says that a payout on Solana failed',
    file: 'bff/src/chain/solana/payout/account-history.ts',
    from: 'if (known !== undefined && known.isFailed !== one.isFailed) contradicted.add(one.txId)',
    to: 'if (false) contradicted.add(one.txId)',
    test: 'bff/src/chain/solana/payout/expired-payouts.test.ts',
    fails: 'a refund given up although it landed is not paid again because the second node of two reports it as failed',
  },
  {
    name: 'One node says that a payout of high value on Solana landed',
    file: 'bff/src/chain/solana/payout/monitor-transactions.ts',
    from: 'payouts.every(({ isHighValue }) => !isHighValue)',
    to: 'payouts.length > 0',
    test: 'bff/src/chain/solana/payout/expired-payouts.test.ts',
    fails: 'a refund of high value counts as paid only once two nodes report that it landed',
  },
  {
    name: "One node says that a customer's transaction on Solana failed",
    file: 'bff/src/chain/solana/payout/monitor-transactions.ts',
    from: 'await sender.isFinalized({ txId, isFailed: true })',
    to: 'true',
    test: 'bff/src/chain/solana/payout/send-relayed.test.ts',
    fails: 'a transaction that one node reports as failed or expired is not given up while another response has it',
  },
  {
    name: "One node says that somebody else's transaction settled a deposit of high value",
    file: 'bff/src/chain/evm/payout/external-settlement.ts',
    from: 'if (!(await isBelieved(context, paymentId, { txId: found.txId, factory, isShown }))) {',
    to: 'if (factory === null) {',
    test: 'bff/src/chain/evm/payout/payout-plan.test.ts',
    fails: 'an externally settled deposit of high value is swept by it once two nodes have the receipt that shows it',
  },
  {
    name: 'One node says that a refund of high value, which the books do not have, was made',
    file: 'bff/src/chain/evm/payout/external-refund.ts',
    from: "if (!(await isBelieved(context, paymentId, { txId: found.txId, factory, isShown }))) return 'waiting'",
    to: '',
    test: 'bff/src/chain/evm/payout/missing-receipt.test.ts',
    fails: 'a high-value refund missing from the books is counted once two nodes show it',
  },
]
