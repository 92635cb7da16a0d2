import { type AppFixture, openApp, order, transferTo } from '@stablecoin-checkout/rig/test-app'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PaymentEvent } from '../payment/event.ts'
import type { PaymentId } from '../payment/payment.ts'

let bff: AppFixture
beforeAll(async () => {
  bff = await openApp()
})
afterAll(() => bff.close())

async function newPayment(): Promise<PaymentId> {
  const { payment } = (await bff.create(order, { 'Idempotency-Key': crypto.randomUUID() })).body
  return payment['id'] as PaymentId
}

async function fail(body: object, headers: Record<string, string>) {
  const init = { method: 'POST', headers: { 'Content-Type': 'application/json', ...headers } }
  return await bff.call('/api/v1/payments/fail', { ...init, body: JSON.stringify(body) })
}

const byServer = (body: object) => fail(body, bff.keys.secret)
const byPage = (body: object) => fail(body, bff.keys.public)
const transfer = (id: PaymentId, amount: bigint, type: 'transfer.seen' | 'transfer.confirmed' = 'transfer.confirmed') =>
  bff.deps.ledger.apply(id, { type, transfer: transferTo(id, amount), atMs: bff.nowMs() } as PaymentEvent)
const record = async (id: string) => (await bff.read(`/api/v1/payments/${id}`, bff.keys.secret)).body.payment

describe('the reason of a failure', () => {
  test('is what the merchant reads, and nobody else', async () => {
    const paymentId = await newPayment()
    expect(await byPage({ paymentId, status: 'cancelled', reason: ' changed my mind ' })).toMatchObject({
      status: 200,
      body: { skipped: false, status: 'cancelled' },
    })
    expect(await record(paymentId)).toMatchObject({ status: 'cancelled', failureReason: 'changed my mind' })
    const { payment } = (await bff.read(`/api/v1/payments/public/${paymentId}`)).body
    expect(payment).not.toHaveProperty('failureReason')
    expect((await bff.read(`/api/v1/payments/${paymentId}`)).body.payment['failureReason'] ?? null).toBeNull()
  })

  test('stays the first, whoever ends the payment again', async () => {
    const paymentId = await newPayment()
    await byPage({ paymentId, reason: 'first' })
    expect((await byServer({ paymentId, reason: 'second' })).body).toMatchObject({ skipped: true })
    expect(await record(paymentId)).toMatchObject({ failureReason: 'first' })
  })

  test.each([[7], [{ a: 1 }], [null], ['  ']])('that is no text is none, and the payment ends: %j', async (reason) => {
    const paymentId = await newPayment()
    expect(await byPage({ paymentId, reason })).toMatchObject({ status: 200, body: { skipped: false } })
    expect(await record(paymentId)).toMatchObject({ status: 'failed', failureReason: null })
  })

  test('is cut after 500 characters', async () => {
    const paymentId = await newPayment()
    await byPage({ paymentId, reason: '🙂'.repeat(501) })
    expect(await record(paymentId)).toMatchObject({ failureReason: '🙂'.repeat(500) })
  })
})

describe('a payment of which a part was paid', () => {
  test.each(['transfer.seen', 'transfer.confirmed'] as const)('is ended by API key and secret (%s)', async (type) => {
    const paymentId = await newPayment()
    await transfer(paymentId, 10_000_000n, type)
    expect(await byPage({ paymentId })).toMatchObject({ status: 200, body: { skipped: true, status: 'pending' } })
    expect(await byServer({ paymentId, status: 'cancelled' })).toMatchObject({
      status: 200,
      body: { skipped: false, status: 'cancelled' },
    })
    await transfer(paymentId, 10_000_000n)
    expect(await record(paymentId)).toMatchObject({
      ...{ outcome: 'failed', isFinal: true, paymentState: 'expired_refunding', excessOwed: '10.00' },
      refund: { state: 'address_needed' },
    })
  })

  test('is not ended once the whole amount is on its way', async () => {
    const paymentId = await newPayment()
    await transfer(paymentId, 25_000_000n, 'transfer.seen')
    expect(await byServer({ paymentId })).toMatchObject({ status: 200, body: { skipped: true, status: 'pending' } })
  })
})
