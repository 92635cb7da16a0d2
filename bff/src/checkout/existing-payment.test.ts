import { type AppFixture, openApp, order, transferTo } from '@stablecoin-checkout/rig/test-app'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PaymentId } from '../payment/payment.ts'

let bff: AppFixture
beforeAll(async () => {
  bff = await openApp()
})
afterAll(() => bff.close())

/** @param existingPaymentId - The payment that the new one replaces. @returns the id of the new one. */
async function create(headers: Record<string, string>, existingPaymentId?: string): Promise<PaymentId> {
  const { status, body } = await bff.call('/api/v1/payments/create', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Idempotency-Key': crypto.randomUUID(), ...headers },
    body: JSON.stringify({ ...order, ...(existingPaymentId && { existingPaymentId }) }),
  })
  expect([status, body['message']]).toEqual([200, undefined])
  return body.payment['id'] as PaymentId
}
const statusOf = async (id: string) => (await bff.call(`/api/v1/payments/public/${id}`)).body.payment['status']

test('a payment that the same customer has chosen anew is cancelled by the one that replaces it', async () => {
  const first = await create(bff.keys.public)
  const second = await create(bff.keys.public, first)
  expect([await statusOf(first), await statusOf(second)]).toEqual(['cancelled', 'pending'])
})

test('nobody cancels a payment of another merchant by replacing it', async () => {
  const first = await create(bff.keys.public)
  await create(bff.keys.stranger, first)
  expect(await statusOf(first)).toBe('pending')
})

test('a public key replaces no payment that the merchant’s server has made, and its server does', async () => {
  const first = await create(bff.keys.secret)
  await create(bff.keys.public, first)
  expect(await statusOf(first)).toBe('pending')
  await create(bff.keys.secret, first)
  expect(await statusOf(first)).toBe('cancelled')
})

test('a payment that money was seen for stays, whoever replaces it', async () => {
  const first = await create(bff.keys.public)
  await bff.deps.ledger.apply(first, { type: 'transfer.seen', transfer: transferTo(first, 1n), atMs: bff.nowMs() })
  await create(bff.keys.public, first)
  await create(bff.keys.secret, first)
  expect(await statusOf(first)).toBe('pending')
})
