import { type AppFixture, openApp, order, transferTo } from '@stablecoin-checkout/rig/test-app'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PaymentId } from '../payment/payment.ts'

let bff: AppFixture
beforeAll(async () => {
  bff = await openApp()
})
afterAll(() => bff.close())

const path = (id: string) => `/api/v1/payments/${id}/accept-late`
const asMerchant = (id: string) => bff.call(path(id), { method: 'POST', headers: bff.keys.secret })

/** A payment of 25.00 that expired, and then received the given amount. */
async function late(amount: bigint): Promise<PaymentId> {
  const { payment } = (await bff.create(order, { 'Idempotency-Key': crypto.randomUUID() })).body
  const id = payment['id'] as PaymentId
  const blockTimeMs = bff.nowMs() + 3_600_000
  await bff.deps.ledger.apply(id, { type: 'window.ended', blockTimeMs, atMs: bff.nowMs() })
  const transfer = { ...transferTo(id, amount), blockTimeMs }
  if (amount > 0n) await bff.deps.ledger.apply(id, { type: 'transfer.confirmed', transfer, atMs: bff.nowMs() })
  return id
}

test('the merchant accepts the full late amount once, also when repeated', async () => {
  const id = await late(25_000_000n)
  const before = await bff.read(`/api/v1/payments/public/${id}`)
  expect(before.body.payment).toMatchObject({ outcome: 'failed', refund: { state: 'held' }, excessOwed: '25.00' })
  const nothing = { amountRemaining: '0.00', excessOwed: '0.00' }
  const taken = { status: 'sweeping', outcome: 'paid', paymentState: 'completed', isFinal: true, ...nothing }
  expect(await asMerchant(id)).toMatchObject({ status: 200, body: { payment: taken } })
  const sequence = (await asMerchant(id)).body.payment['sequence']
  expect(await asMerchant(id)).toMatchObject({ status: 200, body: { payment: { ...taken, sequence } } })
})

test('each refusal has its reason', async () => {
  const short = await late(24_999_999n)
  expect(await asMerchant(short)).toMatchObject({
    status: 409,
    body: { code: 'LATE_AMOUNT_SHORT', message: 'Only 24.999999 of at least 25.00 has arrived and is confirmed.' },
  })
  const { payment } = (await bff.create(order, { 'Idempotency-Key': crypto.randomUUID() })).body
  expect((await asMerchant(String(payment['id']))).body).toMatchObject({ code: 'PAYMENT_OPEN' })
  const id = payment['id'] as PaymentId
  const transfer = transferTo(id, 25_000_000n)
  await bff.deps.ledger.apply(id, { type: 'transfer.confirmed', transfer, atMs: bff.nowMs() })
  expect((await asMerchant(id)).body).toMatchObject({ code: 'ALREADY_PAID' })
})

test('what has arrived is what came in time and late together', async () => {
  const { payment } = (await bff.create(order, { 'Idempotency-Key': crypto.randomUUID() })).body
  const id = payment['id'] as PaymentId
  const confirmed = (amount: bigint, blockTimeMs: number, txId: string) => {
    const transfer = { ...transferTo(id, amount), txId, blockTimeMs }
    return bff.deps.ledger.apply(id, { type: 'transfer.confirmed', transfer, atMs: bff.nowMs() })
  }
  const lateMs = bff.nowMs() + 3_600_000
  await confirmed(10_000_000n, bff.nowMs(), `0x${'1'.repeat(64)}`)
  await bff.deps.ledger.apply(id, { type: 'window.ended', blockTimeMs: lateMs, atMs: bff.nowMs() })
  await confirmed(5_000_000n, lateMs, `0x${'2'.repeat(64)}`)
  const message = 'Only 15.00 of at least 25.00 has arrived and is confirmed.'
  expect((await asMerchant(id)).body).toMatchObject({ code: 'LATE_AMOUNT_SHORT', message })
})

test('only its own merchant, by API key and secret', async () => {
  const id = await late(25_000_000n)
  expect(await bff.post(path(id), {})).toMatchObject({ status: 403, body: { code: 'API_SECRET_REQUIRED' } })
  expect((await bff.call(path(id), { method: 'POST' })).status).toBe(401)
  const secret = { 'X-API-Key': bff.other.apiKey, 'X-API-Secret': bff.other.apiSecret }
  expect((await bff.call(path(id), { method: 'POST', headers: secret })).status).toBe(404)
  expect((await asMerchant('no-uuid')).status).toBe(400)
  expect((await bff.read(`/api/v1/payments/public/${id}`)).body.payment).toMatchObject({ outcome: 'failed' })
})
