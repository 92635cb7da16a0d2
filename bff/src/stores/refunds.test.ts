import { openStoreStage, type StoreStage } from '@stablecoin-checkout/rig/store-stage'
import { HDKey } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { xpubAddress } from '../chain/evm/deposit/xpub-addresses.ts'
import type { EvmNetwork } from '../core/families.ts'
import { sql } from '../db/db.ts'
import { saveWallet } from '../merchant/merchant-store.ts'
import type { MerchantId } from '../payment/payment.ts'
import { lessPercentage } from './refunds.ts'

let shop: StoreStage
beforeAll(async () => {
  shop = await openStoreStage()
})
afterAll(() => shop.bff.close())

type Body = Record<string, unknown>

/** An invoice over 20 EUR that was paid with 25 USDC. */
async function paid(orderId: string): Promise<string> {
  const id = await shop.invoice({ metadata: { orderId } })
  await shop.pay(await shop.choose(id), 25_000_000n)
  return id
}

const refund = (id: string, body: object) => shop.ask('POST', `${shop.store}/invoices/${id}/refund`, body)
const pull = (body: object) => shop.ask('POST', `${shop.store}/pull-payments`, body)

/** Refunds of a payment, as its merchant reads them. */
async function refundsOf(payment: string): Promise<Body[]> {
  const { body } = await shop.bff.read(`/api/v1/payments/${payment}/refunds`, shop.bff.keys.secret)
  return body['refunds'] as Body[]
}

/** The tokens of a refund, as its merchant reads them. */
async function tokensOf(body: unknown): Promise<unknown> {
  const { id } = body as { id: string }
  return (await shop.bff.read(`/api/v1/refunds/${id}`, shop.bff.keys.secret)).body['refund']
}

test('a refund in the name of an order goes to the invoice that was paid, not to one that the customer left', async () => {
  const left = await shop.invoice({ metadata: { orderId: '7004' } })
  await shop.choose(left)
  await paid('7004')
  const { status } = await pull({ name: 'Refund of order 7004; broken', amount: '10.00', currency: 'EUR' })
  expect(status).toBe(200)
})

test('WooCommerce’s refund names its order, and leads to the page where the customer names an address', async () => {
  await paid('7001')
  const { status, body } = await pull({
    name: 'Refund of order 7001; broken',
    description: null,
    amount: '10.00',
    currency: 'EUR',
    autoApproveClaims: false,
    payoutMethods: ['USDC_devnet'],
  })
  expect(status).toBe(200)
  expect(body).toEqual({
    id: expect.any(String),
    name: 'Refund of order 7001; broken',
    description: '',
    amount: '10.00',
    currency: 'EUR',
    viewLink: expect.stringMatching(/^http:\/\/localhost\/refund\/[\w-]+#client_secret=cs_/),
    archived: false,
    autoApproveClaims: false,
  })
  expect(await tokensOf(body)).toMatchObject({ status: 'awaiting_address', amount: '12.50', currency: 'USDC' })
})

test('a refund that names no paid order, or several, refunds nothing', async () => {
  await shop.invoice({ metadata: { orderId: '7002' } })
  for (const name of ['Refund of order 7002; unpaid', 'Refund of order 1; unknown', ''])
    expect(await pull({ name, amount: '1.00', currency: 'EUR' })).toMatchObject({
      status: 400,
      body: { code: 'non-refundable' },
    })
  await paid('7003')
  await paid('7003')
  const twice = await pull({ name: 'Refund of order 7003', amount: '1.00', currency: 'EUR' })
  expect(twice).toMatchObject({ status: 400, body: { code: 'ambiguous-order' } })
  expect(await pull({ amount: '1.00', currency: 'EUR' })).toMatchObject({ status: 422, body: [{ path: 'name' }] })
  expect(await pull({ name: 'x', amount: '-1', currency: 'EUR' })).toMatchObject({ status: 422 })
})

test.each([
  ['RateThen', {}, { amount: '25.00', price: '20.00', rateOf: 'then' }],
  ['CurrentRate', {}, { amount: '25.00', price: '20.00', rateOf: 'now' }],
  ['Fiat', { subtractPercentage: 10 }, { amount: '22.50', price: '18.00' }],
  ['Custom', { customAmount: '4', customCurrency: 'EUR' }, { amount: '5.00', price: '4.00' }],
  ['Custom', { customAmount: 7.5, customCurrency: 'usdc' }, { amount: '7.50', price: null }],
  ['Custom', { customAmount: 8, customCurrency: 'USDC', subtractPercentage: 25 }, { amount: '6.00', price: null }],
])('an invoice is refunded by %s %j', async (refundVariant, more, expected) => {
  const id = await paid(`variant ${refundVariant} ${JSON.stringify(more)}`)
  const { status, body } = await refund(id, { name: 'Refund', refundVariant, payoutMethods: null, ...more })
  expect(status).toBe(200)
  expect(await tokensOf(body)).toMatchObject(expected)
})

test('the reason of a refund names no order, whichever other order stands in it', async () => {
  await paid('7010')
  await shop.invoice({ metadata: { orderId: '7011' } })
  const name = 'Refund of order 7011; paid twice, see 7010'
  expect(await pull({ name, amount: '1.00', currency: 'EUR' })).toMatchObject({ body: { code: 'non-refundable' } })
  await paid('A 7012')
  const spaced = await pull({ name: 'Erstattung A 7012; 7010', amount: '8.00', currency: 'EUR' })
  expect(await tokensOf(spaced.body)).toMatchObject({ amount: '10.00' })
})

test('what was paid too much is returned by the service, to whoever paid: the shop gets the page, not its secret', async () => {
  const id = await shop.invoice({ metadata: { orderId: '7020' } })
  const payment = await shop.choose(id)
  await shop.pay(payment, 30_000_000n)
  expect(await refund(id, { name: 'Too much', refundVariant: 'OverpaidAmount' })).toEqual({
    status: 200,
    body: {
      id: payment,
      name: 'Too much',
      description: '',
      amount: '5.00',
      currency: 'USDC',
      viewLink: `http://localhost/pay/${id}`,
      archived: false,
      autoApproveClaims: false,
    },
  })
  const less = await refund(id, { refundVariant: 'OverpaidAmount', subtractPercentage: 5 })
  expect(less).toMatchObject({ status: 422, body: [{ path: 'subtractPercentage' }] })
})

test('what was paid too much to an address of the merchant is paid back by his wallet, once', async () => {
  const { networks, db } = shop.bff.deps
  const service = networks.get('devnet') as EvmNetwork
  networks.set('devnet', { ...service, deposits: 'xpub' })
  const { publicExtendedKey } = HDKey.fromMasterSeed(new Uint8Array(32).fill(1)).derive("m/44'/60'/0'")
  const address = xpubAddress({ source: publicExtendedKey, number: 0 })
  await db.write((tx) =>
    saveWallet(tx, shop.merchantId as MerchantId, { network: 'devnet', address, source: publicExtendedKey }),
  )
  const id = await shop.invoice({ metadata: { orderId: '7030' } })
  const payment = await shop.choose(id)
  await shop.pay(payment, 30_000_000n)
  const { status, body } = await refund(id, { name: 'Too much', refundVariant: 'OverpaidAmount' })
  expect([status, body]).toEqual([200, expect.objectContaining({ amount: '5.00', currency: 'USDC' })])
  expect((body as Body)['viewLink']).toContain('/refund/')
  expect(await refundsOf(payment)).toMatchObject([{ id: (body as Body)['id'], amount: '5.00', reason: 'Too much' }])
  const again = await refund(id, { refundVariant: 'OverpaidAmount' })
  expect(again).toMatchObject({ status: 400, body: { code: 'non-refundable' } })
  // What was refunded of the price is not taken from what is paid too much later.
  const later = await shop.invoice({ metadata: { orderId: '7031' } })
  const twice = await shop.choose(later)
  await shop.pay(twice, 25_000_000n)
  await refund(later, { refundVariant: 'Custom', customAmount: '4', customCurrency: 'USDC' })
  await shop.pay(twice, 10_000_000n, { nth: 1 })
  expect(await refund(later, { refundVariant: 'OverpaidAmount' })).toMatchObject({ body: { amount: '10.00' } })
  networks.set('devnet', service)
})

test('a second payment in full is paid back by the merchant’s wallet, once', async () => {
  const id = await shop.invoice({ metadata: { orderId: '7021' } })
  const [one, other] = [await shop.choose(id, 'USDC'), await shop.choose(id, 'USDT')]
  await shop.pay(one, 25_000_000n)
  await shop.pay(other, 25_000_000n)
  const { body } = await refund(id, { refundVariant: 'OverpaidAmount' })
  const [usdc, usdt] = await Promise.all([one, other].map(async (payment) => await refundsOf(payment)))
  expect([usdc, usdt]).toContainEqual([])
  expect([...(usdc ?? []), ...(usdt ?? [])]).toMatchObject([{ id: (body as Body)['id'], amount: '25.00' }])
  const again = await refund(id, { refundVariant: 'OverpaidAmount' })
  expect(again).toMatchObject({ status: 400, body: { code: 'non-refundable' } })
})

test('of three payments in full, two are paid back, one after the other', async () => {
  const id = await shop.invoice({ metadata: { orderId: '7023' } })
  const payments = [await shop.choose(id, 'USDC'), await shop.choose(id, 'USDT'), await shop.choose(id, 'USDC')]
  for (const payment of payments) await shop.pay(payment, 25_000_000n)
  for (const status of [200, 200, 400])
    expect(await refund(id, { refundVariant: 'OverpaidAmount' })).toMatchObject({ status })
  const refunds = await Promise.all(payments.map(async (payment) => await refundsOf(payment)))
  expect(refunds.map((some) => some.length).toSorted()).toEqual([0, 1, 1])
})

test.each([0, 1])(
  'of two payments in full, once the merchant has refunded one in the dashboard, the other is not refunded as paid too much: %i',
  async (refunded) => {
    const id = await shop.invoice({ metadata: { orderId: `twice ${refunded}` } })
    const payments = [await shop.choose(id, 'USDC'), await shop.choose(id, 'USDT')]
    for (const payment of payments) await shop.pay(payment, 25_000_000n)
    const headers = { 'Content-Type': 'application/json', ...shop.bff.keys.secret }
    const path = `/api/v1/payments/${payments[refunded]}/refunds`
    expect(await shop.bff.call(path, { method: 'POST', headers, body: '{}' })).toMatchObject({ status: 200 })
    const { status, body } = await refund(id, { refundVariant: 'OverpaidAmount' })
    expect([status, body]).toMatchObject([400, { code: 'non-refundable' }])
    expect(await refundsOf(payments[1 - refunded] ?? '')).toEqual([])
  },
)

test('a refund is reported to the shop, whoever asked for it', async () => {
  await shop.hook()
  const id = await paid('7022')
  await shop.reports()
  const { body } = await refund(id, { refundVariant: 'Custom', customAmount: '1', customCurrency: 'EUR' })
  const own = (await shop.reports()).map((one) => [one.type, one.body['invoiceId'], one.body['pullPaymentId']])
  expect(own).toEqual([['InvoiceRefund', id, (body as Body)['id']]])
  await pull({ name: 'Refund of order 7022;', amount: '2.00', currency: 'EUR' })
  expect(await shop.types()).toEqual(['Refund'])
  expect(await shop.types()).toEqual([])
})

test.each([
  ['the whole price', ['20.00'], ['23.50']],
  ['the price in two parts', ['10.00', '10.00'], ['12.50', '11.00']],
])(
  '%s is refunded of an invoice that was paid with as little as the tolerance allows: what came, and no more',
  async (_, prices, tokens) => {
    const id = await shop.invoice({ metadata: { orderId: `short ${prices.length}` } })
    const payment = await shop.choose(id)
    await shop.bff.deps.db.write((tx) => tx.run(sql`update payments set least = '23500000' where id = ${payment}`))
    await shop.pay(payment, 23_500_000n)
    for (const price of prices) {
      const custom = { refundVariant: 'Custom', customAmount: price, customCurrency: 'EUR' }
      expect(await refund(id, custom)).toMatchObject({ status: 200 })
    }
    expect((await refundsOf(payment)).map(({ amount }) => amount)).toEqual(tokens)
    const more = { refundVariant: 'Custom', customAmount: '0.01', customCurrency: 'EUR' }
    expect(await refund(id, more)).toMatchObject({ status: 400, body: { code: 'non-refundable' } })
  },
)

test('never more than was received is refunded, and nothing of an invoice that was not paid', async () => {
  const id = await paid('7004')
  expect((await refund(id, { refundVariant: 'RateThen' })).status).toBe(200)
  const again = await refund(id, { refundVariant: 'RateThen' })
  expect(again).toMatchObject({ status: 400, body: { code: 'non-refundable' } })
  const large = await paid('7005')
  const custom = { refundVariant: 'Custom', customAmount: '25.01', customCurrency: 'USDC' }
  expect(await refund(large, custom)).toMatchObject({ status: 400, body: { code: 'refund-too-large' } })
  const open = await shop.invoice()
  expect(await refund(open, { refundVariant: 'Fiat' })).toMatchObject({ status: 400, body: { code: 'non-refundable' } })
})

test.each([
  ['refundVariant', {}],
  ['refundVariant', { refundVariant: 'All' }],
  ['refundVariant', { refundVariant: 'OverpaidAmount' }],
  ['refundVariant', { refundVariant: 'Overpaid' }],
  ['customAmount', { refundVariant: 'Custom' }],
  ['customCurrency', { refundVariant: 'Custom', customAmount: '1' }],
  ['customAmount', { refundVariant: 'Custom', customAmount: '-1', customCurrency: 'EUR' }],
  ['subtractPercentage', { refundVariant: 'Fiat', subtractPercentage: 100 }],
  ['subtractPercentage', { refundVariant: 'Fiat', subtractPercentage: -1 }],
])('a refund is refused by 422 with the path %s: %j', async (path, body) => {
  const id = await paid(`refused ${JSON.stringify(body)}`)
  const answer = await refund(id, body)
  expect([answer.status, (answer.body as Body[])[0]]).toMatchObject([422, { path }])
})

test('a percentage is subtracted exactly, rounded down', () => {
  expect(lessPercentage('20.00', 0)).toBe('20.00')
  expect(lessPercentage('20.00', 2.5)).toBe('19.5000')
  expect(lessPercentage('0.0001', 50)).toBe('0.0000')
  expect(lessPercentage('123456789012345', 0.01)).toBe('123444443333443.7655')
})
