import { pageOrigin, signedIn } from '@stablecoin-checkout/rig/dashboard-stage'
import { type AppFixture, openApp, transferTo } from '@stablecoin-checkout/rig/test-app'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Network, Token } from '../../core/families.ts'
import { sql } from '../../db/db.ts'
import { setMerchant } from '../../merchant/accounts.ts'
import { defaultSettings } from '../../merchant/merchant-settings.ts'
import type { PaymentId } from '../../payment/payment.ts'

/** Runs while the service reads the rates. */
let meanwhile = async (): Promise<unknown> => undefined
let bff: AppFixture
beforeAll(async () => {
  bff = await openApp({
    publicUrl: pageOrigin,
    async readRates() {
      await meanwhile()
      return { rates: { USDC: { USD: '1', EUR: '0.8' } }, provider: 'test', asOfMs: bff.nowMs() }
    },
  })
})
afterAll(() => bff.close())

type Shown = Record<string, unknown> & { id: string }

async function call(method: string, path: string, body?: object, headers: Record<string, string> = bff.keys.secret) {
  const answer = await bff.call(`/api/v1${path}`, {
    method,
    headers: { ...(body && { 'Content-Type': 'application/json' }), ...headers },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { ...answer, link: answer.body['link'] as Shown }
}

const make = (terms: object = {}) => call('POST', '/links', { amount: '25.00', ...terms })
const read = async (id: string) => (await call('GET', `/links/${id}`)).link
const pay = (id: string) => call('POST', `/links/public/${id}/create`, { network: 'devnet', currency: 'USDC' }, {})
const apply = (id: unknown, type: 'transfer.seen' | 'transfer.confirmed', units = 25_000_000n) =>
  bff.deps.ledger.apply(id as PaymentId, {
    type,
    transfer: transferTo(id as PaymentId, units),
    atMs: bff.nowMs(),
  })

test('a payment that is paid holds up no other one of its link', async () => {
  const { link } = await make({ maxPayments: 2 })
  await apply((await pay(link.id)).body.payment['id'], 'transfer.confirmed')
  expect((await pay(link.id)).status).toBe(200)
})

test('a payment within the merchant’s tolerance holds its link before its confirmations', async () => {
  const merchantId = bff.merchant.merchantId
  await setMerchant(bff.deps.db, merchantId, { tolerance: { bps: 1_000, maxMicros: 10_000_000n } })
  const { link } = await make()
  const { id } = (await pay(link.id)).body.payment
  await setMerchant(bff.deps.db, merchantId, { tolerance: defaultSettings.tolerance })
  await apply(id, 'transfer.seen', 22_500_000n)
  expect((await pay(link.id)).body['message']).toContain('is being paid by another customer')
})

test('an amount has no more decimals than any token that a customer may choose', async () => {
  const networks = bff.deps.networks as Map<string, Network>
  const devnet = networks.get('devnet') as Network
  const [usdc] = devnet.tokens as [Token]
  const dai = { ...usdc, symbol: 'DAI', address: `0x${'da'.repeat(20)}`, decimals: 18 }
  networks.set('devnet', { ...devnet, tokens: [dai, usdc] } as Network)
  try {
    expect((await make({ amount: '1.0000001' })).status).toBe(400)
    expect((await make({ amount: '1.0000001', currency: 'DAI' })).status).toBe(200)
  } finally {
    networks.set('devnet', devnet)
  }
})

test('a link does not expire at the moment in which it is made', async () => {
  expect((await make({ expiresAt: new Date(bff.nowMs()).toISOString() })).status).toBe(400)
})

test('a link is ended by its own merchant alone, and its end stays the first', async () => {
  const { link } = await make()
  const other = { 'X-API-Key': bff.other.apiKey, 'X-API-Secret': bff.other.apiSecret }
  const end = (headers?: Record<string, string>) => call('POST', `/links/${link.id}/end`, undefined, headers)
  expect((await end(other)).status).toBe(404)
  expect((await read(link.id))['state']).toBe('open')
  const { endedAt } = (await end()).link
  bff.advance(60_000)
  expect((await end()).link).toMatchObject({ state: 'ended', endedAt })
})

test('a link that ends while a customer’s price is converted creates no payment', async () => {
  const { link } = await make({ amount: undefined, price: '20.00', priceCurrency: 'EUR' })
  meanwhile = () => call('POST', `/links/${link.id}/end`)
  const { status, body } = await pay(link.id).finally(() => {
    meanwhile = async () => undefined
  })
  expect([status, body['code']]).toEqual([409, 'LINK_CLOSED'])
  const stored = await bff.deps.db.read((tx) => tx.all(sql`select id from payments where link_id = ${link.id} limit 9`))
  expect(stored).toEqual([])
})

test('an order id of a link that has ended is known for the next one, with its own terms', async () => {
  const orderId = crypto.randomUUID()
  const first = await make({ orderId })
  await call('POST', `/links/${first.link.id}/end`)
  const terms = { orderId, amount: '30.00' }
  const second = await make(terms)
  const again = await make(terms)
  expect([second.status, again.status]).toEqual([200, 200])
  expect(again.link).toMatchObject({ id: second.link.id, amount: '30.00' })
})

test('people, and the merchant’s server, make links of their own under the same order id', async () => {
  const [one, other] = [await signedIn(bff, 'owner'), await signedIn(bff, 'owner')]
  const terms = { amount: '25.00', orderId: crypto.randomUUID() }
  const made = [
    (await make(terms)).link.id,
    ((await one.confirm('POST', '/links', terms)).body['link'] as Shown).id,
    ((await other.confirm('POST', '/links', terms)).body['link'] as Shown).id,
  ]
  expect(new Set(made).size).toBe(3)
})
