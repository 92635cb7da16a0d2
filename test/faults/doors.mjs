// Where it is decided who pays by a signature, and what is served for it.

/** @type {import('./faults.mjs').Fault[]} */
export const doors = [
  {
    name: 'An id of another wallet counts as registered',
    file: 'bff/src/chain/evm/virtual/registry.ts',
    from: 'if (master?.toLowerCase() === address.toLowerCase()) return',
    to: 'if (master !== null) return',
    test: 'bff/src/chain/evm/setup/register-master.test.ts',
    fails: 'an id of another wallet is refused',
  },
  {
    name: 'Virtual addresses are given out on a chain without the registry',
    file: 'bff/src/chain/evm/virtual/registry.ts',
    from: 'if (answer.length !== 66) {',
    to: "if (answer === '0x') return masterId.padEnd(42, '0') as Hex\n  if (answer.length !== 66) {",
    test: 'bff/src/chain/evm/setup/register-master.test.ts',
    fails: 'on a chain without the registry nothing is searched, and no address is given out',
  },
  {
    name: 'A deposit is created although no node confirms the wallet',
    file: 'bff/src/checkout/deposit/account-refusal.ts',
    from: ": new PaymentError('NETWORK_UNAVAILABLE'",
    to: ": undefined && new PaymentError('NETWORK_UNAVAILABLE'",
    test: 'bff/src/checkout/deposit/account-refusal.test.ts',
    fails: 'while no node answers, no address is given out',
  },
  {
    name: 'x402 settles an expired payment as paid',
    file: 'bff/src/checkout/x402/x402-payments.ts',
    from: `if (outcome === 'failed') throw tooLate(txId)
`,
    to: `if (outcome === 'failed') return { state: 'paid', txId, payer: parsed.payer }
`,
    test: 'bff/src/checkout/x402/facilitator.test.ts',
    fails: 'a payment that ended before its proof came into a block is no success',
  },
  {
    name: 'An x402 proof whose money came too late is asked for again for ever',
    file: 'bff/src/checkout/x402/x402-payments.ts',
    from: "if (outcome === 'failed') throw tooLate(txId)\n      return { state: outcome, txId",
    to: "return { state: outcome === 'paid' ? 'paid' : 'pending', txId",
    test: 'bff/src/checkout/x402/charge-uses.test.ts',
    fails: 'a proof whose transfer came too late is not followed for ever, and its client is asked anew',
  },
  {
    name: "A charge takes another resource's payment",
    file: 'bff/src/checkout/x402/claim.ts',
    from: 'update(`${id} ${random} ${resource}`)',
    to: 'update(`${id} ${random}`)',
    test: 'bff/src/checkout/x402/charge.test.ts',
    fails: 'the payment of a request pays no request with another resource',
  },
  {
    name: "An authorization outlives the payment's window",
    file: 'bff/src/chain/evm/authorization/check-authorization.ts',
    from: 'const endsAtMs = Math.min(Number(validBefore) * 1000, windowEndsAtMs)',
    to: 'const endsAtMs = Number(validBefore) * 1000',
    test: 'bff/src/chain/evm/authorization/check-authorization.test.ts',
    fails:
      'a customer’s authorization for a deposit is sent before the payment’s window ends, however long it is valid',
  },
  {
    name: 'What was sent and is in no block is not promised',
    file: 'bff/src/payment/store/authorization-store.ts',
    from: `a.state in ('queued', 'sent')
         and p.seen = '0'`,
    to: `a.state in ('queued')
         and p.seen = '0'`,
    test: 'bff/src/checkout/authorization/authorization-attempts.test.ts',
    fails: 'money signed away counts while its authorization is sent',
  },
  {
    name: 'Reverted gas is free of the daily budget',
    file: 'bff/src/payment/store/authorization-store.ts',
    from: "(a.state <> 'failed' or a.transaction_id is not null)`)",
    to: "a.state <> 'failed'`)",
    test: 'bff/src/checkout/authorization/authorization-attempts.test.ts',
    fails: 'a reverted transaction uses gas of the daily budget, for everybody',
  },
  {
    name: 'A charge is paid on another network',
    file: 'bff/src/checkout/x402/charge.ts',
    from: 'payment.network === charge.network.toLowerCase() &&',
    to: '',
    test: 'bff/src/checkout/x402/charge.test.ts',
    fails: 'the payment of a request pays no request with another network',
  },
  {
    name: 'A charge is paid at another price',
    file: 'bff/src/checkout/x402/charge.ts',
    from: `isSameMoney(payment, charge)
`,
    to: `true
`,
    test: 'bff/src/checkout/x402/charge.test.ts',
    fails: 'the payment of a request pays no request with another amount',
  },
  {
    name: 'A payment that was used up is found again',
    file: 'bff/src/checkout/x402/charge.ts',
    from: "if (made.isUsed) return 'duplicate_settlement'",
    to: '',
    test: 'bff/src/checkout/x402/charge.test.ts',
    fails: 'the payment of a request pays one request, and says so after it',
  },
  {
    name: "A charge takes another merchant's payment",
    file: 'bff/src/checkout/x402/charge.ts',
    from: 'if (!found?.made || !isOfCaller(caller, found.payment)) return',
    to: 'if (!found?.made) return',
    test: 'bff/src/checkout/x402/charge.test.ts',
    fails: 'the payment of a request is of the caller, live or test as the caller is, and was made for a request',
  },
  {
    name: 'A client opens one charge more',
    file: 'bff/src/checkout/x402/charge-room.ts',
    from: 'own.length >= openMax.perClient',
    to: 'own.length > openMax.perClient',
    test: 'bff/src/checkout/x402/charge.test.ts',
    fails: 'a further request of a client with twenty open charges meets its own, and at another price none',
  },
  {
    name: 'A charge that is being paid is offered to another',
    file: 'bff/src/checkout/x402/charge-store.ts',
    from: `
         and not exists (select 1 from authorizations a where a.payment_id = c.payment_id and a.state <> 'failed')`,
    to: '',
    test: 'bff/src/checkout/x402/charge.test.ts',
    fails: 'a further request is offered none that has seen money, ends soon, is being paid, or was used',
  },
  {
    name: 'A charge is served without its claim',
    file: 'bff/src/checkout/x402/charge.ts',
    from: "return presenter === undefined ? 'invalid_payment_requirements' : { payment, presenter }",
    to: "return { payment, presenter: presenter ?? '' }",
    test: 'bff/src/checkout/x402/charge.test.ts',
    fails: 'the payment of a request is not found by the claim on another payment, by a changed one, or by none',
  },
  {
    name: 'An unpaid payment is used up',
    file: 'bff/src/checkout/x402/use-payment.ts',
    from: " || outcomeOf(payment) !== 'paid') return false",
    to: ') return false',
    test: 'bff/src/checkout/x402/charge.test.ts',
    fails: 'the payment of a request pays one request, and says so after it',
  },
  {
    name: 'A payment is used up twice',
    file: 'bff/src/checkout/x402/charge-store.ts',
    from: ` where x402_charges.used_at_ms is null\`)
  return changed === 1`,
    to: `\`)
  return changed === 1`,
    test: 'bff/src/checkout/x402/charge.test.ts',
    fails: 'the payment of a request pays one request, and says so after it',
  },
  {
    name: "A merchant's open charges have no bound",
    file: 'bff/src/checkout/x402/charge-room.ts',
    from: 'if (open.length < openMax.perMerchant) return undefined',
    to: 'return undefined',
    test: 'bff/src/checkout/x402/charge.test.ts',
    fails:
      'a further request of a merchant with a thousand is refused, but that a flood gives way to a client who has none',
  },
  {
    name: 'A claim is good for every payment',
    file: 'bff/src/checkout/x402/claim.ts',
    from: 'update(`${id} ${random} ${resource}`)',
    to: 'update(`${random} ${resource}`)',
    test: 'bff/src/checkout/x402/charge.test.ts',
    fails: 'the payment of a request is not found by the claim on another payment, by a changed one, or by none',
  },
  {
    name: 'The facilitator serves whoever reads the proof on the chain',
    file: 'bff/src/checkout/x402/settlement-store.ts',
    from: 'and call_id <> ${callId} and ends_at_ms > ${nowMs}',
    to: 'and call_id = ${callId} and ends_at_ms > ${nowMs}',
    test: 'bff/src/checkout/x402/facilitator.test.ts',
    fails: 'who reads a proof on the chain while its client waits has no success by it',
  },
  {
    name: 'A later call takes the place of the one that settles a payment',
    file: 'bff/src/checkout/x402/settlement-store.ts',
    from: 'where x402_settlements.ends_at_ms <= ${nowMs}',
    to: 'where x402_settlements.ends_at_ms > 0',
    test: 'bff/src/checkout/x402/facilitator.test.ts',
    fails: 'who reads a proof on the chain while its client waits has no success by it',
  },
  {
    name: 'A Permit2 nonce that was used for something else counts as paid',
    file: 'bff/src/chain/evm/authorization/external-settlement.ts',
    from: 'return !(await isNonceUsed(client, own, receipt.blockNumber - 1n))',
    to: 'return await isNonceUsed(client, own, receipt.blockNumber)',
    test: 'bff/src/chain/evm/authorization/external-settlement.test.ts',
    fails:
      'by Permit2, which has no event for a nonce a transfer of the same amount to the same address counts only in the block in which the nonce was used',
  },
]
