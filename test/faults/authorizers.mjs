// What a payment by signature may cost the operator and its nodes before it is accepted.

const file = 'bff/src/chain/evm/authorization/evm-authorizer.ts'
const test = 'bff/src/chain/evm/authorization/evm-authorizer.test.ts'

/** @type {import('./faults.mjs').Fault[]} */
export const authorizers = [
  {
    name: 'The cost of a payment by signature is rounded down',
    file: file,
    from: ' + coinWei - 1n) / coinWei',
    to: ') / coinWei',
    test: test,
    fails: 'a cost in dollars is rounded up to a millionth',
  },
  {
    name: 'A payment by signature is accepted that the operator cannot pay',
    file: file,
    from: 'if (balanceWei < wei) {',
    to: 'if (balanceWei === 0n) {',
    test: test,
    fails: 'nothing is accepted that the operator’s balance may not pay',
  },
  {
    name: 'The cost of a payment by signature omits the priority fee',
    file: file,
    from: 'head.baseFeePerGas + fees.maxPriorityFeePerGas) + l1FeeWei',
    to: 'head.baseFeePerGas) + l1FeeWei',
    test: test,
    fails: 'the cost includes the priority fee, and at most a base fee that doubles',
  },
  {
    name: 'A data fee that rises costs the operator more than was checked',
    file: file,
    from: '+ 2n * l1FeeWei',
    to: '+ l1FeeWei',
    test: test,
    fails: 'the maximum cost is all gas at the maximum price, and twice the additional fee',
  },
  {
    name: 'One client reads accounts without end',
    file: file,
    from: `    if (!reads.take({ client: asker, merchantId })) throw tooManySignatures()
    const {`,
    to: '    const {',
    test: test,
    fails: 'a client reads at most 400 accounts a minute, also by asking for settlements',
  },
  {
    name: 'One client reads accounts without end by asking for settlements',
    file: file,
    from: `if (!reads.take({ client: asker, merchantId: own.merchantId })) throw tooManySignatures()
`,
    to: `
`,
    test: test,
    fails: 'a client reads at most 400 accounts a minute, also by asking for settlements',
  },
  {
    name: 'One client has transactions simulated without end',
    file: file,
    from: `if (!simulations.take({ client: asker, merchantId })) throw tooManySignatures()
`,
    to: `
`,
    test: test,
    fails: 'a client has at most 60 transactions simulated a minute',
  },
  {
    name: 'Accounts without money use up a client’s simulations',
    file: file,
    from: `    if (!reads.take({ client: asker, merchantId })) throw tooManySignatures()
    const {`,
    to: `    if (!simulations.take({ client: asker, merchantId })) throw tooManySignatures()
    if (!reads.take({ client: asker, merchantId })) throw tooManySignatures()
    const {`,
    test: test,
    fails: 'a client has at most 60 transactions simulated a minute',
  },
  {
    name: 'One client has contract signatures checked without end',
    file: file,
    from: `if (!contractChecks.take({ client: asker, merchantId })) throw tooManySignatures()
`,
    to: `
`,
    test: test,
    fails: 'a client has at most 20 signatures a minute checked for a contract',
  },
  {
    name: 'A transaction is sent without a margin of gas',
    file: file,
    from: '(measured * 6n) / 5n',
    to: 'measured',
    test: test,
    fails: 'a call that needs more than 600,000 gas with its margin is refused',
  },
  {
    name: 'A call may take any amount of the operator’s gas',
    file: file,
    from: 'return gas <= gasMax ? {',
    to: 'return gas > 0n ? {',
    test: test,
    fails: 'a call that needs more than 600,000 gas with its margin is refused',
  },
  {
    name: 'An account that holds a part of the payment is simulated',
    file: file,
    from: 'if (balance < checked.value) throw',
    to: 'if (balance === 0n) throw',
    test: test,
    fails: 'an account that lacks one unit is refused, and no transaction is simulated',
  },
  {
    name: 'A used authorization is simulated',
    file,
    from: "if (isUsed) throw refusedCall('AUTHORIZATION_USED', '')\n",
    to: '\n',
    test,
    fails: 'an authorization that a third party has submitted is refused without a simulation',
  },
  {
    name: 'Any refusal of a node is a contract’s word that a signature is wrong',
    file: 'bff/src/chain/evm/authorization/external-settlement.ts',
    from: 'if (refusal && isRevert(refusal)) return false',
    to: 'if (refusal) return false',
    test: 'bff/src/chain/evm/authorization/external-settlement.test.ts',
    fails: 'a contract refuses a signature by a revert; any other refusal of the node says nothing about it',
  },
  {
    name: 'A payment by signature is sent although the operator stopped paying for its gas',
    file: 'bff/src/checkout/authorization/authorize.ts',
    from: 'if (limits === null) throw',
    to: 'if (limits === undefined) throw',
    test: 'bff/src/checkout/authorization/authorize-rules.test.ts',
    fails: 'is refused without limits, and one that was accepted before is followed',
  },
  {
    name: 'A paid x402 charge is not served after signatureGas was removed',
    file: 'bff/src/checkout/x402/authorization-scheme.ts',
    from: 'formerExtraOf: (_, proof) => domainOf(proof)',
    to: 'formerExtraOf: (_, proof) => (network.signatureGas === null ? undefined : domainOf(proof))',
    test: 'bff/src/checkout/x402/signatures-switched-off.test.ts',
    fails: 'a charge that was paid before signatureGas was removed is served once, and only to its payer',
  },
]
