import { type AppFixture, openApp, order, transferTo } from '@stablecoin-checkout/rig/test-app'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Network } from '../../core/families.ts'
import type { PaymentId } from '../../payment/payment.ts'
import { loadMerchantRefund } from '../../payment/store/merchant-refund-store.ts'

const customer = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
let bff: AppFixture
beforeAll(async () => {
  bff = await openApp({
    readRates: async () => ({ rates: { USDC: { EUR: '2' } }, provider: 'test', asOfMs: 0 }) as never,
  })
})
afterAll(() => bff.close())

type Refund = Record<string, unknown> & { id: string }
type Body = { refund: Refund; code?: string }

async function ask(path: string, body?: object, headers: Record<string, string> = bff.keys.secret) {
  const answer = await bff.call(`/api/v1${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: answer.status, body: answer.body as unknown as Body }
}

async function paid(more: object = {}): Promise<PaymentId> {
  const { payment } = (await bff.create({ ...order, ...more }, { 'Idempotency-Key': crypto.randomUUID() })).body
  const id = payment['id'] as PaymentId
  const transfer = transferTo(id, 25_000_000n)
  await bff.deps.ledger.apply(id, { type: 'transfer.confirmed', transfer, atMs: bff.nowMs() })
  return id
}

const request = (id: string, body: object = {}, key: string = crypto.randomUUID()) =>
  ask(`/payments/${id}/refunds`, body, { ...bff.keys.secret, 'Idempotency-Key': key })
const codeOf = async (answer: Promise<{ status: number; body: Body }>) => {
  const { status, body } = await answer
  return `${status} ${body.code}`
}
const stored = (id: string) => bff.deps.db.read((tx) => loadMerchantRefund(tx, id))

test('a refund waits for as many confirmations as its own amount needs, not that of its payment', async () => {
  const networks = bff.deps.networks as Map<string, Network>
  const devnet = networks.get('devnet') as Network
  networks.set('devnet', { ...devnet, highValue: { amount: '20.00', confirmations: 30 } })
  try {
    const id = await paid()
    const [small, large] = [await request(id, { amount: '2.00' }), await request(id, { amount: '20.00' })]
    expect((await stored(small.body.refund.id))?.confirmations).toBeNull()
    expect((await stored(large.body.refund.id))?.confirmations).toBe(30)
  } finally {
    networks.set('devnet', devnet)
  }
})

test('no transfer of a block before the request pays a refund', async () => {
  const id = await paid()
  bff.deps.heads.set('devnet', { number: 41, hash: '0xb41', parentHash: '0xb40', timeMs: bff.nowMs() })
  expect((await stored((await request(id)).body.refund.id))?.afterBlock).toBe(41)
})

test('the address of a refund is none that any payment was given', async () => {
  const id = await paid()
  const other = await bff.create(order, { 'Idempotency-Key': crypto.randomUUID() })
  const address = other.body.payment['depositAddress']
  expect(await codeOf(request(id, { address }))).toBe('400 VALIDATION_FAILED')
  const { refund } = (await request(id)).body
  expect(await codeOf(ask(`/refunds/${refund.id}/address`, { address }))).toBe('400 VALIDATION_FAILED')
})

test('another merchant names no address of a refund', async () => {
  const { refund } = (await request(await paid())).body
  const other = { 'X-API-Key': bff.other.apiKey, 'X-API-Secret': bff.other.apiSecret }
  const path = `/refunds/${refund.id}/address`
  expect(await codeOf(ask(path, { address: customer }, other))).toBe('404 REFUND_NOT_FOUND')
  expect((await stored(refund.id))?.place).toBeNull()
})

test('a refund whose money was seen is not cancelled, though it is not confirmed', async () => {
  const { refund } = (await request(await paid(), { address: customer })).body
  const transfer = transferTo(refund.id as PaymentId, 25_000_000n)
  const event = { type: 'transfer.seen', transfer, atMs: bff.nowMs() } as const
  await bff.deps.ledger.apply(refund.id as PaymentId, event)
  expect(await codeOf(ask(`/refunds/${refund.id}/cancel`, {}))).toBe('409 REFUND_STARTED')
})

test('a price above what came too late to pay is refused, and not cut to what came', async () => {
  const priced = { currency: 'USDC', network: 'devnet', price: '50.00', priceCurrency: 'EUR' }
  const { payment } = (await bff.create(priced, { 'Idempotency-Key': crypto.randomUUID() }, '/api/v1/payments/create'))
    .body
  const id = payment['id'] as PaymentId
  const blockTimeMs = bff.nowMs() + 24 * 60 * 60 * 1000
  await bff.deps.ledger.apply(id, { type: 'window.ended', blockTimeMs, atMs: bff.nowMs() })
  const transfer = { ...transferTo(id, 10_000_000n), blockTimeMs }
  await bff.deps.ledger.apply(id, { type: 'transfer.confirmed', transfer, atMs: bff.nowMs() })
  expect(await codeOf(request(id, { price: '30.00' }))).toBe('409 REFUND_TOO_LARGE')
  expect((await request(id, { price: '20.00' })).body.refund).toMatchObject({ amount: '10.00' })
})

test('a key that was used for one payment makes another refund of another one, and none with another reason', async () => {
  const [one, other, key] = [await paid(), await paid(), crypto.randomUUID()]
  const first = await request(one, { amount: '5.00', reason: 'Sold out' }, key)
  const second = await request(other, { amount: '5.00', reason: 'Sold out' }, key)
  expect(second).toMatchObject({ status: 200, body: { refund: { paymentId: other } } })
  expect((await request(one, { amount: '5.00', reason: 'Sold out' }, key)).body.refund.id).toBe(first.body.refund.id)
  expect(await codeOf(request(one, { amount: '5.00', reason: 'Broken' }, key))).toBe('400 IDEMPOTENCY_MISMATCH')
})

test('the rate of the payment converts no price in another currency', async () => {
  const id = await paid({ amount: undefined, price: '50.00', priceCurrency: 'EUR' })
  const asked = { price: '10.00', priceCurrency: 'USD', rate: 'then' }
  expect(await codeOf(request(id, asked))).toBe('400 NO_RATE')
  expect((await request(id, { ...asked, priceCurrency: 'EUR' })).body.refund).toMatchObject({ amount: '5.00' })
})

test('no wallet is asked to pay a refund for which nothing is left, because a cancelled one was paid all the same', async () => {
  const id = await paid()
  const first = (await request(id, { address: customer })).body.refund
  await ask(`/refunds/${first.id}/cancel`, {})
  const second = (await request(id, { address: customer })).body.refund
  expect(second).toMatchObject({ call: expect.anything(), paymentUri: expect.any(String) })
  const transfer = transferTo(first.id as PaymentId, 25_000_000n)
  const event = { type: 'transfer.confirmed', transfer, atMs: bff.nowMs() } as const
  await bff.deps.ledger.apply(first.id as PaymentId, event)
  expect((await ask(`/refunds/${second.id}`)).body.refund).toMatchObject({ call: null, paymentUri: null })
})

test('the transfers of a refund are shown with their confirmations, and those that a reorg took away are not', async () => {
  const { refund } = (await request(await paid(), { address: customer })).body
  const transfer = transferTo(refund.id as PaymentId, 5_000_000n)
  const apply = (type: 'transfer.seen' | 'transfer.reverted') =>
    bff.deps.ledger.apply(refund.id as PaymentId, { type, transfer, atMs: bff.nowMs() })
  await apply('transfer.seen')
  bff.deps.heads.set('devnet', { number: 11, hash: '0xb11', parentHash: '0xb10', timeMs: bff.nowMs() })
  const shown = async () => (await ask(`/refunds/${refund.id}`)).body.refund['transactions']
  expect(await shown()).toMatchObject([{ amount: '5.00', confirmations: 2, isFinal: false }])
  await apply('transfer.reverted')
  expect(await shown()).toEqual([])
})
