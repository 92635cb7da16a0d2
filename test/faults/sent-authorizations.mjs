// What the operator spends gas on for a customer's signature.

const sending = 'bff/src/chain/evm/payout/send-authorizations.ts'
const monitor = 'bff/src/chain/evm/payout/monitor.ts'
const test = 'bff/src/chain/evm/payout/send-authorizations.test.ts'

/** @type {import('./faults.mjs').Fault[]} */
export const sentAuthorizations = [
  {
    name: 'An authorization is sent although its time is over',
    file: sending,
    from: 'if (runtime.nowMs() > one.sendBeforeMs) return',
    to: 'if (runtime.nowMs() > 2 * one.sendBeforeMs) return',
    test,
    fails: 'no gas is spent on an authorization whose time is over',
  },
  {
    name: 'An authorization is sent for another amount than is due',
    file: sending,
    from: 'if (payment === undefined || signableAmount(payment) !== one.value) {',
    to: 'if (payment === undefined) {',
    test,
    fails: 'no gas is spent on an authorization for an amount other than the one still due',
  },
  {
    name: 'An authorization is sent for a payment that ended meanwhile',
    file: sending,
    from: 'if (now === undefined || signableAmount(now) !== one.value) throw',
    to: 'if (now === undefined) throw',
    test,
    fails: 'no gas is spent on an authorization whose payment ends between the check and the commit',
  },
  {
    name: 'Two processes send one authorization',
    file: sending,
    from: 'if (!(await markAuthorizationSent(tx, one.id, transactionId))) throw new ConflictError()',
    to: 'await markAuthorizationSent(tx, one.id, transactionId)',
    test,
    fails: 'no gas is spent on an authorization that another process has taken between the check and the commit',
  },
  {
    name: 'An authorization is sent at any cost',
    file: sending,
    from: 'if (neededMicros > costGrowthMax * one.costMicros) {',
    to: 'if (neededMicros > 2 * costGrowthMax * one.costMicros) {',
    test,
    fails: 'no gas is spent on an authorization that costs more than twice what was planned for',
  },
  {
    name: "The chain's own fee is left out of what an authorization costs",
    file: sending,
    from: 'const neededWei = wholeCostMax({ ...measured, ...fees })',
    to: 'const neededWei = wholeCostMax({ gas, l1FeeWei: 0n, ...fees })',
    test,
    fails: 'no gas is spent on an authorization that costs too much by twice the chain’s own fee',
  },
  {
    name: 'A sent authorization counts with what was planned',
    file: sending,
    from: '    await raiseAuthorizationCost(tx, transactionId, neededMicros)\n',
    to: '',
    test,
    fails: 'an authorization is sent once, counts with its current cost',
  },
  {
    name: 'An authorization is sent without the gas for it',
    file: sending,
    from: 'if (neededWei > balanceWei) {',
    to: 'if (gas > balanceWei) {',
    test,
    fails: 'no gas is spent on an authorization while the account cannot pay for it, which fails nothing',
  },
  {
    name: 'A replacement leaves the daily gas budget as it is',
    file: 'bff/src/chain/evm/payout/nonce.ts',
    from: '    if (isSigned) await raiseAuthorizationCost(tx, id, costMicros(neededWei, network))\n',
    to: '',
    test,
    fails: 'an authorization that is stuck counts with the cost of its replacement',
  },
  {
    name: 'An authorization that reverted is confirmed',
    file: monitor,
    from: 'await finalizeAuthorization(tx, outgoing.id, !receipt.isReverted)',
    to: 'await finalizeAuthorization(tx, outgoing.id, true)',
    test,
    fails: 'an authorization whose transaction reverted has failed',
  },
  {
    name: 'An authorization whose nonce was taken stays sent for ever',
    file: monitor,
    from: '    await requeueAuthorization(tx, outgoing.id)\n',
    to: '',
    test,
    fails: 'an authorization whose nonce another transaction took is sent again',
  },
  {
    name: 'The operator signs whatever call is stored as an authorization',
    file: sending,
    from: 'recheckCall(network, payment, one)',
    to: 'void recheckCall',
    test,
    fails:
      'no gas is spent on an authorization whose stored call was changed: the operator signs nothing but the payment',
  },
  {
    name: 'The operator signs again what it has not signed before',
    file: 'bff/src/chain/evm/send/evm-transaction.ts',
    from: 'const isOwn = signer.toLowerCase() === account.toLowerCase()',
    to: 'const isOwn = signer.length === account.length',
    test,
    fails: 'a stuck transaction whose stored form was changed is not signed again by another account',
  },
  {
    name: 'The operator signs a stored transaction again for another chain',
    file: 'bff/src/chain/evm/send/evm-transaction.ts',
    from: 'transaction.chainId === chainId && ',
    to: '',
    test,
    fails: 'a stuck transaction whose stored form was changed is not signed again for another chain',
  },
]
