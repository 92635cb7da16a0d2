import { type AppFixture, openApp } from '@stablecoin-checkout/rig/test-app'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MerchantId, PaymentId } from '../../payment/payment.ts'
import { loadPayment } from '../../payment/store/payment-store.ts'

let bff: AppFixture
beforeAll(async () => {
  bff = await openApp({ publicUrl: 'https://pay.example' })
})
afterAll(() => bff.close())

const post = (path: string, body: object, headers: Record<string, string> = {}) =>
  bff.call(`/api/v1${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

test('a link that is for one network and one token takes no other, whatever the customer sends', async () => {
  const made = await post('/links', { amount: '25.00', network: 'devnet', currency: 'USDC' }, bff.keys.secret)
  const { id } = made.body['link'] as { id: string }
  const pay = (choice: object) => post(`/links/public/${id}/create`, choice)
  expect(await pay({ network: 'elsewhere', currency: 'USDC' })).toMatchObject({
    status: 400,
    body: { message: 'network must be devnet, as the payment link says' },
  })
  expect(await pay({ network: 'devnet', currency: 'USDT' })).toMatchObject({
    status: 400,
    body: { message: 'currency must be USDC, as the payment link says' },
  })
  expect(await pay({ network: 'devnet', currency: 'USDC' })).toMatchObject({ status: 200 })
})

test('a payment whose chain is ahead of this machine’s clock has its whole window there', async () => {
  const aheadMs = 600_000
  const head = { number: 10, hash: '0xb10', parentHash: '0xb9', timeMs: bff.nowMs() + aheadMs }
  const open = async (headers: Record<string, string>) => {
    const { body } = await post('/deposits/create', { amount: '1.00', currency: 'USDC', network: 'devnet' }, headers)
    const payment = await bff.deps.db.read((tx) => loadPayment(tx, body.payment['id'] as PaymentId))
    expect(payment?.merchantId).toBe(bff.merchant.merchantId as MerchantId)
    return { shown: (payment?.expiresAtMs ?? 0) - bff.nowMs(), judged: (payment?.windowEndsAtMs ?? 0) - bff.nowMs() }
  }
  const before = await open(bff.keys.secret)
  expect(before.judged).toBe(before.shown)
  bff.deps.heads.set('devnet', head)
  expect(await open(bff.keys.secret)).toEqual({ shown: before.shown, judged: before.shown + aheadMs })
  // No chain judges a test payment.
  expect(await open(bff.keys.test)).toEqual(before)
})
