import { openMerchantDatabase } from '@stablecoin-checkout/rig/merchant-database'
import { newContractPayment, newPayment, transferOf } from '@stablecoin-checkout/rig/new-payment'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../../access/context/caller.ts'
import type { Network } from '../../core/families.ts'
import { systemRuntime } from '../../core/runtime.ts'
import { newBridge } from '../../payment/bridge.ts'
import type { BridgeTerms, PaymentId } from '../../payment/payment.ts'
import type { ExactScheme } from './exact-scheme.ts'
import { createFacilitator } from './facilitator.ts'
import { createX402Payments } from './x402-payments.ts'
import type { Proof, Requirements } from './x402-wire.ts'

let merchants: Awaited<ReturnType<typeof openMerchantDatabase>>
beforeAll(async () => {
  merchants = await openMerchantDatabase()
})
afterAll(() => merchants.remove())

const { merchantId, depositAddress: payTo, tokenAddress: asset, network } = newPayment()
const requirements: Requirements = {
  ...{ scheme: 'exact', network: 'eip155:1', asset, amount: '25000000', payTo, maxTimeoutSeconds: 300, extra: {} },
}
const proof = { x402Version: 2, accepted: requirements, payload: {} } as Proof
const caller = { merchantId, isTest: false, kind: 'api' } as Caller
const never = new AbortController().signal

/** @param state - What the settlement of the proof comes to. */
const settle = (state: 'paid' | 'pending') =>
  createFacilitator({
    ...{ db: merchants.db, networks: new Map(), schemes: new Map(), runtime: systemRuntime },
    x402: {
      offerOf: (payment: object) => ({ payment, requirements, scheme: { reasons: {} } }),
      settle: async () => ({ state, txId: '0x12', payer: '0x34' }),
    } as unknown as ReturnType<typeof createX402Payments>,
  }).settle(caller, { paymentPayload: proof, paymentRequirements: requirements }, 0, never)

test('a proof on its way is to be asked for again; one that paid is a success once, and not after the money has gone', async () => {
  const payment = newPayment()
  await merchants.db.write((tx) => merchants.ledger.createIn(tx, payment))
  const pending = { success: false, errorReason: 'settlement_pending', payer: '0x34', transaction: '0x12' }
  expect(await settle('pending')).toEqual({ ...pending, network: 'eip155:1' })
  const duplicate = { success: false, errorReason: 'duplicate_settlement' }
  // Its money has left the payment since: it pays for nothing.
  expect(await settle('paid')).toMatchObject(duplicate)
  const transfer = transferOf('25000000')
  await merchants.ledger.apply(payment.id, { type: 'transfer.confirmed', transfer, atMs: 1 })
  expect(await settle('paid')).toEqual({ success: true, payer: '0x34', transaction: '0x12', network: 'eip155:1' })
  expect(await settle('paid')).toMatchObject(duplicate)
})

test('x402 pays live deposits on their own network alone', () => {
  const evm = { shortName: network, family: 'evm', chainId: 1, tokens: [] } as unknown as Network
  const scheme = { extraOf: () => ({}) } as unknown as ExactScheme
  const { offerOf } = createX402Payments({
    ...{ networks: new Map([[network, evm]]), schemes: new Map([[network, scheme]]) },
  } as unknown as Parameters<typeof createX402Payments>[0])
  expect(offerOf(newPayment()).requirements).toMatchObject({ network: 'eip155:1', amount: '25000000', payTo, asset })
  const id = 'other' as PaymentId
  for (const payment of [
    newPayment({ id, isTest: true }),
    newPayment({ id, bridge: newBridge({} as BridgeTerms) }),
    newContractPayment({ id }),
  ])
    expect(() => offerOf(payment)).toThrow(expect.objectContaining({ code: 'X402_NOT_OFFERED' }))
})

test('a charge is refused before it is made, in a test and for a token that no signature pays, whatever its case', () => {
  const tokens = [
    { symbol: 'USDC', address: asset },
    { symbol: 'USDT', address: payTo },
  ]
  const evm = { shortName: network, family: 'evm', chainId: 1, tokens } as unknown as Network
  const extraOf = ({ currency }: { currency: string }) => (currency === 'USDC' ? {} : undefined)
  const { verifyOffered } = createX402Payments({
    ...{ networks: new Map([[network, evm]]), schemes: new Map([[network, { extraOf }]]) },
  } as unknown as Parameters<typeof createX402Payments>[0])
  const settings = { signatureGas: { maxMicros: 1 } }
  const verify =
    (currency: string, isTest = false) =>
    () =>
      verifyOffered({ isTest, settings } as unknown as Caller, network, currency)
  for (const currency of ['USDC', 'usdc', 'unknown']) expect(verify(currency)).not.toThrow()
  const notOffered = expect.objectContaining({ code: 'X402_NOT_OFFERED' })
  for (const refused of [verify('usdc', true), verify('USDT'), verify('usdt')]) expect(refused).toThrow(notOffered)
})
