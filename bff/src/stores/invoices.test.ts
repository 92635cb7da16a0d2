import { openStoreStage, type StoreStage } from '@stablecoin-checkout/rig/store-stage'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { PaymentError } from '../core/errors.ts'
import type { Network, Token } from '../core/families.ts'
import { sql } from '../db/db.ts'

let shop: StoreStage
beforeEach(async () => {
  shop = await openStoreStage()
})
afterEach(() => shop.bff.close())

type Body = Record<string, unknown>

const create = (body: unknown) => shop.ask('POST', `${shop.store}/invoices`, body)
const read = async (id: string) => (await shop.ask('GET', `${shop.store}/invoices/${id}`)).body as Body
const methodsOf = async (id: string) =>
  (await shop.ask('GET', `${shop.store}/invoices/${id}/payment-methods`)).body as (Body & { payments: Body[] })[]

/** What WooCommerce's plug-in sends: every option that is not set is null. */
const wooInvoice = {
  amount: '20.00',
  currency: 'EUR',
  metadata: {
    taxIncluded: '0',
    posData: '{"WooCommerce":{"Order ID":1000}}',
    orderUrl: 'https://shop.example/o',
    orderId: '1000',
  },
  checkout: {
    speedPolicy: null,
    paymentMethods: ['USDC_devnet', 'usdt-DEVNET'],
    expirationMinutes: null,
    monitoringMinutes: null,
    paymentTolerance: null,
    redirectURL: 'https://shop.example/thanks/?key=1',
    redirectAutomatically: null,
    defaultLanguage: null,
  },
}

const minute = 60_000

test('a token of the price’s currency has its rate, 1, also while every other rate is too old', async () => {
  const readRates = () => Promise.reject(new PaymentError('RATES_UNAVAILABLE', 'The newest rates are old.'))
  const euros = await openStoreStage({ readRates })
  const devnet = euros.bff.deps.networks.get('devnet') as Network
  const eurc = { ...devnet.tokens[0], symbol: 'EURC', currency: 'EUR', address: `0x${'e'.repeat(40)}` } as Token
  euros.bff.deps.networks.set('devnet', { ...devnet, tokens: [...devnet.tokens, eurc] } as Network)
  const id = await euros.invoice()
  const { body } = await euros.ask('GET', `${euros.store}/invoices/${id}/payment-methods`)
  const rates = (body as Body[]).map(({ paymentMethodId, rate }) => [paymentMethodId, rate])
  expect(rates).toEqual([
    ['USDC-devnet', '0'],
    ['USDT-devnet', '0'],
    ['EURC-devnet', '1'],
  ])
  await euros.bff.close()
})

describe('an invoice', () => {
  test('as WooCommerce creates it, is a payment link that the customer pays with one of its tokens', async () => {
    const { status, body } = await create(wooInvoice)
    expect(status).toBe(200)
    const { id } = body as { id: string }
    const seconds = Math.floor(shop.bff.nowMs() / 1000)
    expect(body).toEqual({
      id,
      storeId: shop.merchantId,
      amount: '20.00',
      paidAmount: '0',
      currency: 'EUR',
      type: 'Standard',
      checkoutLink: `http://localhost/pay/${id}`,
      createdTime: seconds,
      expirationTime: seconds + 900,
      monitoringExpiration: seconds + 900 + 7 * 86_400,
      status: 'New',
      additionalStatus: 'None',
      availableStatusesForManualMarking: ['Settled', 'Invalid'],
      archived: false,
      metadata: wooInvoice.metadata,
      checkout: {
        ...wooInvoice.checkout,
        paymentMethods: ['USDC-devnet', 'USDT-devnet'],
        expirationMinutes: 15,
        redirectAutomatically: false,
        speedPolicy: 'MediumSpeed',
        monitoringMinutes: 10_080,
        paymentTolerance: 0,
      },
    })
    expect(await read(id)).toEqual(body)
    const payment = await shop.choose(id, 'USDT')
    const { body: known } = await shop.bff.read(`/api/v1/payments/${payment}`, shop.bff.keys.secret)
    expect(known.payment).toMatchObject({
      amount: '25.00',
      currency: 'USDT',
      price: '20.00',
      orderId: '1000',
      linkId: id,
    })
  })

  test('takes only the tokens that the store named', async () => {
    const id = await shop.invoice({ checkout: { paymentMethods: ['USDC-devnet'] } })
    const init = { method: 'POST', headers: { 'Content-Type': 'application/json' } }
    const choice = JSON.stringify({ network: 'devnet', currency: 'USDT' })
    const { status } = await shop.bff.call(`/api/v1/links/public/${id}/create`, { ...init, body: choice })
    expect(status).toBe(400)
    const { body } = await shop.bff.call(`/api/v1/links/public/${id}/stablecoins`)
    expect((body['stablecoins'] as Body[]).map(({ symbol }) => symbol)).toEqual(['USDC'])
    expect((await methodsOf(id)).map(({ paymentMethodId }) => paymentMethodId)).toEqual(['USDC-devnet'])
  })

  test('keeps any metadata as it was, to the letter, and finds its order by it', async () => {
    const metadata =
      '{ "orderId":12345678901234567890, "n":[1.0,1e2,-0.10,{"c":"é\\u00e9"}],"__proto__":{"x":1},"empty":{},"a":1,"a":2,"nul":null,"t":"}],\\"\\\\"}'
    const text = `{"metadata":{"orderId":"not this one"},"amount":"1","currency":"USD","metadata":${metadata}}`
    const webhook = await shop.hook()
    const init = { method: 'POST', headers: { Authorization: `token ${shop.apiKey}` }, body: text }
    const created = await (await shop.bff.fetch(`/btcpay/api/v1${shop.store}/invoices`, init)).text()
    expect(created).toContain(`"metadata":${metadata},`)
    const { id } = JSON.parse(created) as { id: string }
    await shop.reports()
    const { db } = shop.bff.deps
    const bodies = () => db.read((tx) => tx.all<{ body: string }>(sql`select body from events order by number`))
    expect((await bodies()).at(-1)?.body).toContain(`"metadata":${metadata}`)
    await shop.ask('POST', `${shop.store}/webhooks/${webhook.id}/deliveries/${id}.1/redeliver`)
    expect((await bodies()).at(-1)?.body).toContain(`"metadata":${metadata}`)
    expect((await shop.ask('GET', `${shop.store}/invoices?orderId=12345678901234567890`)).body).toHaveLength(1)
  })

  test('is found by the ids of orders, by its status and its metadata of now', async () => {
    const { body } = await create({ amount: '1', currency: 'USD', metadata: { orderId: 7 } })
    const { id } = body as { id: string }
    const list = await shop.ask('GET', `${shop.store}/invoices?orderId=7&orderId=8&status=New`)
    expect((list.body as Body[]).map((one) => one['id'])).toEqual([id])
    const changed = await shop.ask('PUT', `${shop.store}/invoices/${id}`, { metadata: { orderId: '9' } })
    expect(changed).toMatchObject({ status: 200, body: { id, metadata: { orderId: '9' } } })
    expect((await shop.ask('GET', `${shop.store}/invoices?orderId=7`)).body).toEqual([])
    expect((await shop.ask('GET', `${shop.store}/invoices?status=Settled`)).body).toEqual([])
    const unchanged = await shop.ask('PUT', `${shop.store}/invoices/${id}`, { metadata: null })
    expect(unchanged).toMatchObject({ status: 200, body: { metadata: { orderId: '9' } } })
    for (const text of [id, '9'])
      expect((await shop.ask('GET', `${shop.store}/invoices?textSearch=${text}`)).body).toMatchObject([{ id }])
    expect((await shop.ask('GET', `${shop.store}/invoices?textSearch=7`)).body).toEqual([])
  })

  test('that is archived is left out of lists, and is paid and reported all the same', async () => {
    const id = await shop.invoice()
    const one = `${shop.store}/invoices/${id}`
    const refusal = { status: 400, body: { code: 'already-unarchived' } }
    expect(await shop.ask('POST', `${one}/unarchive`)).toMatchObject(refusal)
    expect(await shop.ask('DELETE', one)).toEqual({ status: 200, body: {} })
    expect(await read(id)).toMatchObject({ archived: true })
    expect((await shop.ask('GET', `${shop.store}/invoices`)).body).toEqual([])
    const all = await shop.ask('GET', `${shop.store}/invoices?includeArchived=true&includePaymentMethods=true`)
    expect(all.body).toMatchObject([{ id, paymentMethods: await methodsOf(id) }])
    await shop.pay(await shop.choose(id), 25_000_000n)
    expect(await shop.status(id)).toEqual(['Settled', 'None'])
    expect(await shop.ask('POST', `${one}/unarchive`)).toMatchObject({ status: 200, body: { archived: false } })
  })

  test('has the settings of the store where it asks for no other', async () => {
    const { db } = shop.bff.deps
    await db.write((tx) => tx.run(sql`update merchants set tolerance_bps = 150, tolerance_max_micros = '1000000'`))
    expect((await shop.ask('GET', shop.store)).body).toMatchObject({
      speedPolicy: 'MediumSpeed',
      invoiceExpiration: 900,
      monitoringExpiration: 604_800,
      paymentTolerance: 1.5,
    })
    const id = await shop.invoice()
    const paymentMethods = ['USDC-devnet', 'USDT-devnet']
    expect(await read(id)).toMatchObject({ checkout: { paymentTolerance: 1.5, expirationMinutes: 15, paymentMethods } })
    await shop.pay(await shop.choose(id), 24_625_000n)
    expect(await shop.status(id)).toEqual(['Settled', 'None'])
    const strict = await shop.invoice({ checkout: { paymentTolerance: 0 } })
    await shop.pay(await shop.choose(strict), 24_999_999n)
    expect(await shop.status(strict)).toEqual(['New', 'PaidPartial'])
  })

  test('is another one for each call, whatever the order id', async () => {
    expect(await shop.invoice()).not.toBe(await shop.invoice())
    const list = (await shop.ask('GET', `${shop.store}/invoices?orderId=1000`)).body as Body[]
    expect(list).toHaveLength(2)
  })

  test.each([
    ['19.98765400', 'EUR', '19.99'],
    ['19.98499999', 'EUR', '19.98'],
    ['19.985', 'EUR', '19.99'],
    ['0.995', 'USD', '1.00'],
    ['0.00500000', 'EUR', '0.01'],
    [0.1 + 0.2, 'EUR', '0.30'],
  ])('over %s %s is rounded to the unit of the currency, as BTCPay rounds: %s', async (amount, currency, expected) => {
    expect((await create({ amount, currency })).body).toMatchObject({ amount: expected })
  })

  test('has eight decimals where they are zeros, a number as amount, and placeholders filled in', async () => {
    const magento = { amount: '20.00000000', currency: 'eur', metadata: { orderId: '10/7' } }
    const redirectURL = 'https://shop.example/{OrderId}/return?i={InvoiceId}'
    const { body } = await create({ ...magento, checkout: { redirectURL, redirectAutomatically: true } })
    const { id, amount, checkout, checkoutLink } = body as Body & { checkout: Body }
    expect([amount, checkout['redirectURL']]).toEqual(['20.00', `https://shop.example/10%2F7/return?i=${id}`])
    expect(checkoutLink).toBe(`http://localhost/pay/${id}?return=auto`)
    expect((await create({ amount: 20.5, currency: 'EUR' })).body).toMatchObject({ amount: '20.50' })
  })

  test('leads to a page in the language of the shop', async () => {
    const id = await shop.invoice({ checkout: { defaultLanguage: 'de-DE' } })
    expect(await read(id)).toMatchObject({ checkoutLink: `http://localhost/pay/${id}?lang=de` })
    const other = await shop.invoice({ checkout: { defaultLanguage: 'xx' } })
    expect(await read(other)).toMatchObject({ checkoutLink: `http://localhost/pay/${other}` })
    const response = await shop.bff.fetch(`/btcpay/i/${id}`)
    expect([response.status, response.headers.get('location')]).toEqual([302, `http://localhost/pay/${id}?lang=de`])
  })

  test.each([
    ['amount', {}],
    ['amount', { amount: null }],
    ['amount', { amount: '0' }],
    ['amount', { amount: '-1' }],
    ['amount', { amount: '1e3' }],
    ['amount', { amount: '0.0049' }],
    ['amount', { amount: '1,50' }],
    ['amount', { amount: '99999999999999999999' }],
    ['currency', { currency: 978 }],
    ['currency', { currency: 'BTC' }],
    ['currency', { currency: 'SATS' }],
    ['currency', { currency: 'JPY' }],
    ['metadata', { metadata: 'text' }],
    ['metadata', { metadata: [] }],
    ['metadata', { metadata: { x: 'é'.repeat(16_500) } }],
    ['metadata.orderId', { metadata: { orderId: 'x'.repeat(300) } }],
    ['checkout.paymentMethods[0]', { checkout: { paymentMethods: ['BTC'] } }],
    ['checkout.paymentMethods[1]', { checkout: { paymentMethods: ['USDC-devnet', 'BTC-LightningNetwork'] } }],
    ['checkout.speedPolicy', { checkout: { speedPolicy: 'Fast' } }],
    ['checkout.expirationMinutes', { checkout: { expirationMinutes: 0 } }],
    ['checkout.expirationMinutes', { checkout: { expirationMinutes: 1e9 } }],
    ['checkout.paymentTolerance', { checkout: { paymentTolerance: 50 } }],
    ['checkout.paymentTolerance', { checkout: { paymentTolerance: -1 } }],
    ['checkout.redirectURL', { checkout: { redirectURL: 'javascript:alert(1)' } }],
    ['checkout.redirectURL', { checkout: { redirectURL: 'http://shop.example/' } }],
  ])('is refused by 422 with the path %s: %j', async (path, changes) => {
    const given = 'amount' in changes || Object.keys(changes).length === 0 ? changes : { amount: '1', ...changes }
    const { status, body } = await create({ currency: 'EUR', ...given })
    expect([status, body]).toEqual([422, [{ path, message: expect.any(String) }]])
  })

  test.each(['', '[]', 'null', '"x"', '{', '{"a":'.repeat(5_000)])(
    'is refused where the body is no object: %s',
    async (text) => {
      expect((await create(text)).status).toBe(422)
    },
  )

  test('of another store, and one that is none, are not found', async () => {
    const missing = { status: 404, body: { code: 'invoice-not-found', message: 'The invoice was not found' } }
    const id = await shop.invoice()
    const { db } = shop.bff.deps
    await db.write((tx) => tx.run(sql`update store_invoices set merchant_id = ${shop.bff.other.merchantId}`))
    for (const one of [id, 'x', 'pl_', '%27']) {
      expect(await shop.ask('GET', `${shop.store}/invoices/${one}`)).toEqual(missing)
      expect(await shop.ask('POST', `${shop.store}/invoices/${one}/status`, { status: 'Invalid' })).toEqual(missing)
    }
  })

  test('accepts exactly the tolerance that the store names, whatever the merchant’s own', async () => {
    const id = await shop.invoice({ checkout: { paymentTolerance: 2 } })
    const payment = await shop.choose(id)
    await shop.pay(payment, 24_499_999n)
    expect(await shop.status(id)).toEqual(['New', 'PaidPartial'])
    expect((await methodsOf(id))[0]).toMatchObject({ due: '0.500001' })
    await shop.pay(payment, 1n, { nth: 1 })
    expect(await shop.status(id)).toEqual(['Settled', 'None'])
    expect((await methodsOf(id))[0], 'nothing is still to be paid').toMatchObject({ totalPaid: '24.50', due: '0.00' })
  })
})

describe('the status of an invoice', () => {
  test('follows the money: new, processing, settled', async () => {
    const id = await shop.invoice()
    const payment = await shop.choose(id)
    expect(await shop.status(id)).toEqual(['New', 'None'])
    const { txId } = await shop.pay(payment, 25_000_000n, { isSeen: true })
    expect(await shop.status(id)).toEqual(['Processing', 'None'])
    await shop.pay(payment, 25_000_000n)
    expect(await read(id)).toMatchObject({ status: 'Settled', additionalStatus: 'None', paidAmount: '20.00' })
    const [usdc, usdt] = await methodsOf(id)
    expect(usdc).toEqual({
      paymentMethodId: 'USDC-devnet',
      currency: 'USDC',
      destination: expect.stringMatching(/^0x[0-9a-fA-F]{40}$/),
      paymentLink: `http://localhost/pay/${id}`,
      rate: '0.8',
      paymentMethodPaid: '25.00',
      totalPaid: '25.00',
      due: '0.00',
      amount: '25.00',
      paymentMethodFee: '0',
      networkFee: '0',
      activated: true,
      payments: [
        {
          id: `${txId}-0`,
          receivedDate: 10,
          value: '25.00',
          fee: '0',
          status: 'Settled',
          destination: usdc?.['destination'],
        },
      ],
    })
    expect(txId).not.toContain('-')
    expect(usdt).toMatchObject({ activated: false, destination: '', rate: '0.8', totalPaid: '0', payments: [] })
  })

  test('is over or partial by the money of one payment; tokens are never added up', async () => {
    const over = await shop.invoice()
    await shop.pay(await shop.choose(over), 30_000_000n)
    expect(await read(over)).toMatchObject({ status: 'Settled', additionalStatus: 'PaidOver', paidAmount: '24.00' })
    const split = await shop.invoice()
    await shop.pay(await shop.choose(split, 'USDC'), 13_000_000n)
    await shop.pay(await shop.choose(split, 'USDT'), 13_000_000n)
    expect(await read(split)).toMatchObject({ status: 'New', additionalStatus: 'PaidPartial', paidAmount: '10.40' })
  })

  test('is paid over when the customer pays twice, in two tokens', async () => {
    const id = await shop.invoice()
    const [one, other] = [await shop.choose(id, 'USDC'), await shop.choose(id, 'USDT')]
    await shop.pay(one, 25_000_000n)
    expect(await shop.status(id)).toEqual(['Settled', 'None'])
    await shop.pay(other, 25_000_000n)
    expect(await shop.status(id)).toEqual(['Settled', 'PaidOver'])
  })

  test('expires with its last payment, not before', async () => {
    const id = await shop.invoice()
    shop.bff.advance(14 * minute)
    const payment = await shop.choose(id)
    shop.bff.advance(2 * minute)
    expect(await read(id)).toMatchObject({
      status: 'New',
      expirationTime: Math.floor(shop.bff.nowMs() / 1000) + 13 * 60,
    })
    await shop.end(payment)
    expect(await shop.status(id)).toEqual(['Expired', 'None'])
    const untouched = await shop.invoice()
    shop.bff.advance(15 * minute)
    expect(await shop.status(untouched)).toEqual(['Expired', 'None'])
  })

  test('stays expired when too little came, and is paid late when enough came late', async () => {
    const id = await shop.invoice()
    const payment = await shop.choose(id)
    await shop.pay(payment, 5_000_000n)
    shop.bff.advance(16 * minute)
    await shop.end(payment)
    expect(await shop.status(id)).toEqual(['Expired', 'PaidPartial'])
    await shop.pay(payment, 20_000_000n, { isLate: true, nth: 1 })
    expect(await shop.status(id)).toEqual(['Expired', 'PaidLate'])
    await shop.apply(payment, { type: 'late.accepted', atMs: shop.bff.nowMs() })
    expect(await shop.status(id)).toEqual(['Settled', 'PaidLate'])
  })

  test('is invalid when a reorg takes the money of a settled invoice, and settled when it is there again', async () => {
    await shop.hook()
    const id = await shop.invoice()
    const payment = await shop.choose(id)
    const transfer = await shop.pay(payment, 25_000_000n)
    expect(await shop.types()).toEqual(['Created', 'ReceivedPayment', 'Processing', 'PaymentSettled', 'Settled'])
    await shop.apply(payment, { type: 'transfer.reverted', transfer, atMs: shop.bff.nowMs() })
    expect(await shop.status(id)).toEqual(['Invalid', 'None'])
    expect(await shop.types()).toEqual(['Invalid'])
    expect(await shop.status(id)).toEqual(['Invalid', 'None'])
    await shop.pay(payment, 25_000_000n)
    expect(await shop.status(id)).toEqual(['Settled', 'None'])
    expect((await shop.types()).at(-1)).toBe('Settled')
  })

  test('can be marked, as BTCPay allows it', async () => {
    const id = await shop.invoice()
    const payment = await shop.choose(id)
    const markAs = (status: unknown) => shop.ask('POST', `${shop.store}/invoices/${id}/status`, { status })
    expect(await markAs('Expired')).toMatchObject({ status: 422, body: [{ path: 'status' }] })
    expect(await markAs('Invalid')).toMatchObject({
      status: 200,
      body: { status: 'Invalid', additionalStatus: 'Marked' },
    })
    expect(await markAs('Invalid')).toMatchObject({ status: 422, body: [{ path: 'status' }] })
    const { body } = await shop.bff.read(`/api/v1/payments/${payment}`, shop.bff.keys.secret)
    expect(body.payment).toMatchObject({ outcome: 'failed' })
    const again = await shop.bff.call(`/api/v1/links/public/${id}/create`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ network: 'devnet', currency: 'USDC' }),
    })
    expect(again.status).toBe(409)
    expect(await markAs('Settled')).toMatchObject({
      status: 200,
      body: { status: 'Settled', additionalStatus: 'Marked' },
    })
  })

  test('that is settled asks for no second payment, and marked as invalid stays invalid, whatever money made it settled', async () => {
    const id = await shop.invoice()
    await shop.pay(await shop.choose(id), 25_000_000n)
    expect(await shop.status(id)).toEqual(['Settled', 'None'])
    expect(await shop.choose(id)).toBeUndefined()
    await shop.ask('POST', `${shop.store}/invoices/${id}/status`, { status: 'Invalid' })
    expect(await shop.status(id)).toEqual(['Invalid', 'Marked'])
  })

  test('shows no money that a reorg took', async () => {
    const id = await shop.invoice()
    const payment = await shop.choose(id)
    const transfer = await shop.pay(payment, 25_000_000n)
    await shop.apply(payment, { type: 'transfer.reverted', transfer, atMs: shop.bff.nowMs() })
    expect((await methodsOf(id)).flatMap(({ payments }) => payments)).toEqual([])
  })

  test('is settled by its payment, however many others the customer has opened since', async () => {
    const id = await shop.invoice()
    const paid = await shop.choose(id)
    for (let opened = 0; opened < 50; opened++) await shop.choose(id)
    await shop.pay(paid, 25_000_000n)
    expect(await shop.status(id)).toEqual(['Settled', 'None'])
  })

  test('shows of two payments in part the one that is nearer to the whole', async () => {
    const id = await shop.invoice()
    const [one, other] = [await shop.choose(id, 'USDC'), await shop.choose(id, 'USDT')]
    await shop.pay(one, 20_000_000n)
    await shop.pay(other, 5_000_000n)
    expect(await read(id)).toMatchObject({ additionalStatus: 'PaidPartial', paidAmount: '16.00' })
  })

  test('marked as invalid while money was on its way, is settled by that money', async () => {
    const id = await shop.invoice()
    const payment = await shop.choose(id)
    await shop.pay(payment, 25_000_000n, { isSeen: true })
    await shop.ask('POST', `${shop.store}/invoices/${id}/status`, { status: 'Invalid' })
    expect(await shop.status(id)).toEqual(['Invalid', 'Marked'])
    shop.bff.advance(1)
    await shop.pay(payment, 25_000_000n)
    expect(await shop.status(id)).toEqual(['Settled', 'None'])
  })
})
