import { openApp, order, transferTo } from '@stablecoin-checkout/rig/test-app'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../db/db.ts'
import type { PaymentId } from '../../payment/payment.ts'
import { stablezactSetting } from './stablezact-setting.ts'

/** What `confirm-payment.ts` of Cal.com compares of a payment that somebody names: its status, its booking and its amount, nothing else. */

const settings = stablezactSetting.parse({}) ?? { publicMetadata: [], usd: 'USDC' }
/** A service of two merchants; the clients are those of the first. */
const bff = await openApp({ stablezact: settings })
const { merchantId } = bff.merchant
beforeAll(() => {
  const devnet = bff.deps.networks.get('devnet')
  const [usdc] = devnet?.tokens ?? []
  if (!devnet || !usdc) throw new Error('The application has no devnet.')
  const brlx = { ...usdc, symbol: 'BRLX', currency: 'BRL', name: 'Real', address: `0x${'3'.repeat(40)}` }
  bff.deps.networks.set('devnet', { ...devnet, tokens: [usdc, brlx as never] })
})
afterAll(() => bff.close())

/** The booking that a payment of 25, made with the key and paid, proves to the app. */
async function provenBy(keys: Record<string, string>, currency = 'USDC'): Promise<unknown> {
  const body = { ...order, currency, metadata: { bookingId: 77 } }
  const { payment: made } = (await bff.post('/stablezact/api/deposits/create', body, keys)).body
  const id = made['id'] as PaymentId
  const transfer = transferTo(id, 25_000_000n)
  await bff.deps.ledger.apply(id, { type: 'transfer.confirmed', transfer, atMs: bff.nowMs() })
  const { payment } = (await bff.call(`/stablezact/api/payments/public/${id}`)).body
  expect(payment).toMatchObject({ status: 'completed', amount: '25.00' })
  return payment['metadata']
}

function merchantPosts(path: string, body: object) {
  const headers = { 'Content-Type': 'application/json', ...bff.keys.secret }
  return bff.call(`/api/v1/${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
}

const shownStatus = async (id: PaymentId) =>
  (await bff.call(`/stablezact/api/payments/public/${id}`)).body.payment['status']

test('a payment to another merchant, who may have paid himself, proves no booking', async () => {
  Object.assign(settings, { merchant: merchantId })
  expect(await provenBy(bff.keys.public)).toEqual({ bookingId: 77 })
  expect(await provenBy(bff.keys.stranger)).toBeUndefined()
})

test('where the service has several merchants and the setting names none, no payment proves a booking', async () => {
  Object.assign(settings, { merchant: undefined })
  expect(await provenBy(bff.keys.public)).toBeUndefined()
})

test('a payment of as many tokens that are worth less than dollars proves no booking', async () => {
  Object.assign(settings, { merchant: merchantId })
  expect(await provenBy(bff.keys.public, 'BRLX')).toBeUndefined()
})

test('an excess that the merchant’s wallet pays back leaves the booking confirmed, and a refund of the price does not', async () => {
  const { payment: made } = (await bff.post('/stablezact/api/payments/create', order, bff.keys.public)).body
  const id = made['id'] as PaymentId
  const transfer = transferTo(id, 60_000_000n)
  await bff.deps.ledger.apply(id, { type: 'transfer.confirmed', transfer, atMs: bff.nowMs() })
  const statusAfter = async (amount: string) => {
    await merchantPosts(`payments/${id}/refunds`, { amount })
    return await shownStatus(id)
  }
  expect([await statusAfter('35.00'), await statusAfter('25.00')]).toEqual(['completed', 'refunding'])
})

test('a booking is refunded once all is that came, also where a part went back before the late rest was accepted', async () => {
  const { payment: made } = (await bff.post('/stablezact/api/payments/create', order, bff.keys.public)).body
  const id = made['id'] as PaymentId
  const { db, ledger } = bff.deps
  await db.write((tx) => tx.run(sql`update payments set least = '24900000' where id = ${id}`))
  const [atMs, blockTimeMs] = [bff.nowMs(), bff.nowMs() + 3_600_000]
  await ledger.apply(id, { type: 'window.ended', blockTimeMs, atMs })
  await ledger.apply(id, {
    type: 'transfer.confirmed',
    transfer: { ...transferTo(id, 25_000_000n), blockTimeMs },
    atMs,
  })
  await merchantPosts(`payments/${id}/refunds`, { amount: '0.10' })
  await merchantPosts(`payments/${id}/accept-late`, {})
  expect(await shownStatus(id)).toBe('completed')
  await merchantPosts(`payments/${id}/refunds`, { amount: '24.90' })
  expect(await shownStatus(id)).toBe('refunding')
})
