// The calls of shops' plug-ins, with the bodies that their sources build, and what they do with the responses.
import { openStoreStage, type StoreStage } from '@stablecoin-checkout/rig/store-stage'
import { afterAll, beforeAll, expect, test } from 'vitest'

let shop: StoreStage
beforeAll(async () => {
  shop = await openStoreStage()
})
afterAll(() => shop.bff.close())

type Body = Record<string, unknown>

const usual = ['canviewinvoices', 'cancreateinvoice', 'canviewstoresettings', 'webhooks.canmodifywebhooks']

/** Of BTCPay's PHP library: options that are not set are null. */
const noOptions = {
  speedPolicy: null,
  paymentMethods: null,
  expirationMinutes: null,
  monitoringMinutes: null,
  paymentTolerance: null,
  redirectURL: null,
  redirectAutomatically: null,
  defaultLanguage: null,
}

/** Calls with a key that has these permissions. Plug-ins take 200 for success, and nothing else. */
async function plugIn(permissions: readonly string[]) {
  const asked = permissions.map((one) => `btcpay.store.${one}`)
  const { apiKey } = await shop.pair(asked)
  async function call(method: string, path: string, body?: unknown): Promise<never> {
    const answer = await shop.ask(method, path, body, apiKey)
    expect([path, answer.status, answer.body]).toEqual([path, 200, expect.anything()])
    return answer.body
  }
  const { permissions: granted } = (await call('GET', '/api-keys/current')) as { permissions: string[] }
  expect(granted).toEqual(asked.map((one) => `${one}:${shop.merchantId}`))
  return { call, store: shop.store, webhooks: `${shop.store}/webhooks`, invoices: `${shop.store}/invoices` }
}

/** btcpayserver/magento2-plugin 4d161f8: `Model/BTCPay/BTCPayService.php`, `Controller/Apikey/Save.php`. */
test('Magento: one store, an order id with zeros, a placeholder in the path, and its invoices by the order id', async () => {
  const { call, webhooks, invoices } = await plugIn([...usual, 'canmodifyinvoices'])
  expect(await call('GET', '/stores')).toMatchObject([{ id: shop.merchantId }])
  const url = 'https://shop.example/rest/V2/btcpay/webhook'
  expect((await call('GET', webhooks)) as Body[]).not.toContainEqual(expect.objectContaining({ url }))
  const secret = 'a1'.repeat(32)
  const authorizedEvents = { everything: true }
  const made = await call('POST', webhooks, { enabled: true, automaticRedelivery: true, url, authorizedEvents, secret })
  expect(made).toMatchObject({ url, secret })
  expect((await call('GET', webhooks)) as Body[]).toContainEqual(expect.objectContaining({ url }))
  const back = 'https://shop.example/btcpay/redirect/returnafterpayment/orderId/1/invoiceId/{InvoiceId}/hash/ab49/'
  const invoice = {
    amount: '166',
    currency: 'EUR',
    metadata: {
      buyerName: 'ACME Corp, Test Tester',
      buyerState: null,
      physical: true,
      taxIncluded: false,
      magentoOrderId: '1',
      magentoStoreId: 1,
      orderId: '000000001',
      buyerEmail: 'guest@shop.example',
    },
    checkout: { ...noOptions, redirectURL: back, redirectAutomatically: true, defaultLanguage: 'de-DE' },
  }
  const created = (await call('POST', invoices, invoice)) as Body & { id: string; checkout: Body }
  expect(created).toMatchObject({ amount: '166.00', metadata: invoice.metadata })
  expect(created.checkout['redirectURL']).toBe(back.replace('{InvoiceId}', created.id))
  // At the expiry it cancels the order where each of its invoices is expired.
  const second = (await call('POST', invoices, invoice)) as Body
  shop.bff.advance(15 * 60_000)
  const found = (await call('GET', `${invoices}?orderId=000000001`)) as Body[]
  expect(found.map(({ id, status }) => [id, status])).toEqual([
    [second['id'], 'Expired'],
    [created.id, 'Expired'],
  ])
})

/** coincharge-io/CoinchargeBTCPayShopware ae77ae8: `Configuration/`, `Webhook/BTCPayWebhookService.php`, `PaymentHandler/`. */
test('Shopware: a webhook of which only the address is said, and an amount that is a number', async () => {
  const { call, webhooks, invoices } = await plugIn(usual)
  expect(Array.isArray(await call('GET', invoices))).toBe(true)
  const { id, secret } = (await call('POST', webhooks, { url: 'https://shop.example/api/_action/endpoint' })) as Body
  expect(secret).toMatch(/^[\w-]+$/)
  const all = { everything: true, specificEvents: [] }
  expect(await call('GET', `${webhooks}/${id}`)).toMatchObject({ enabled: true, authorizedEvents: all })
  expect(Array.isArray(await call('GET', `${shop.store}/payment-methods`))).toBe(true)
  const metadata = { orderId: '0190c2', orderNumber: '10007', transactionId: '0190c3' }
  const checkout = { redirectURL: 'https://shop.example/account/order', redirectAutomatically: true }
  // The sum of prices in PHP's floating point.
  const created = (await call('POST', invoices, { amount: 19.99 + 0.02, currency: 'EUR', metadata, checkout })) as Body
  expect(created).toMatchObject({ amount: '20.01', checkoutLink: expect.stringContaining('/pay/pl_') })
  expect(await call('GET', `${invoices}/${created['id']}`)).toMatchObject({ metadata, status: 'New' })
})

/** btcpayserver/opencart 9e87e5e: `catalog/controller/payment/btcpay.php`, `admin/controller/payment/btcpay.php`. */
test('OpenCart: a total with eight decimals, whose invoice it finds again by the total that it rounds', async () => {
  const { call, webhooks, invoices } = await plugIn(usual)
  const specificEvents = ['InvoiceReceivedPayment', 'InvoicePaymentSettled', 'InvoiceProcessing', 'InvoiceSettled']
  const authorizedEvents = { everything: false, specificEvents }
  const url = 'https://shop.example/index.php?route=extension/btcpay/payment/btcpay|callback'
  const hook = await call('POST', webhooks, { enabled: true, automaticRedelivery: true, url, authorizedEvents })
  expect(hook).toMatchObject({ url, authorizedEvents, secret: expect.any(String) })
  const total = '19.98765400'
  const checkout = { ...noOptions, redirectURL: 'https://shop.example/index.php?route=success&token=5f' }
  const body = { amount: total, currency: 'EUR', metadata: { orderId: '42' }, checkout }
  const { id } = (await call('POST', invoices, body)) as Body
  const { amount, status } = (await call('GET', `${invoices}/${id}`)) as Body
  expect([Number(amount), status]).toEqual([Math.round(Number(total) * 100) / 100, 'New'])
  await call('DELETE', `${webhooks}/${(hook as Body)['id']}`)
})

/** btcpayserver/givewp 9093971: `src/Admin/Settings.php`, `src/Gateway/BtcpayGateway.php`. */
test('GiveWP: a key that was pasted, and a donation found by the metadata', async () => {
  const { call, store, webhooks, invoices } = await plugIn(usual)
  expect(await call('GET', store)).toMatchObject({ id: shop.merchantId, name: 'Corner Coffee' })
  const authorizedEvents = { everything: false, specificEvents: ['InvoiceExpired', 'InvoiceSettled'] }
  const url = 'https://shop.example/?give-listener=give-gateway&give-gateway-id=btcpay-gateway'
  const { id: hook } = (await call('POST', webhooks, { enabled: true, url, authorizedEvents })) as Body
  expect((await call('GET', webhooks)) as Body[]).toContainEqual(expect.objectContaining({ id: hook }))
  const metadata = { orderUrl: 'https://shop.example/wp-admin/edit.php?id=55', orderId: '55' }
  const created = (await call('POST', invoices, {
    amount: '25',
    currency: 'USD',
    metadata,
    checkout: noOptions,
  })) as Body
  expect(await call('GET', `${invoices}/${created['id']}`)).toMatchObject({ metadata: { orderId: '55' } })
})

/** xenforo of Brivium Studio 446f102: `Payment/BTCPayServer.php`, `Payment/Concerns/Webhook.php`. */
test('XenForo: an invoice without an order id, which its webhooks name by the metadata', async () => {
  const { call, store, invoices } = await plugIn(usual)
  await call('GET', store)
  await shop.hook({ url: 'https://forum.example/payment_callback.php?_xfProvider=btcPayServer' })
  const metadata = { request_key: 'Zk3v', purchase_request_id: 12, itemDesc: 'Account upgrade: Gold' }
  const checkout = { ...noOptions, redirectURL: 'https://forum.example/account/upgrades', redirectAutomatically: true }
  const created = (await call('POST', invoices, { amount: '5', currency: 'USD', metadata, checkout })) as { id: string }
  await shop.reports()
  await shop.pay(await shop.choose(created.id), 5_000_000n)
  const settled = (await shop.reports()).find(({ type }) => type === 'InvoiceSettled')
  expect(settled?.body).toMatchObject({ metadata, overPaid: false, invoiceId: created.id })
})

/** btcpayserver/prestashop-plugin f9b2914: `Server/Client.php`, `Server/Webhook.php`, `Server/Factory.php`, `Invoice/Processor.php`. */
test('PrestaShop: its checks at each page, its own secret back, and each payment as text that bcmath can multiply', async () => {
  const { call, store, webhooks, invoices } = await plugIn([...usual.slice(0, 3), 'canmodifystoresettings'])
  expect(await call('GET', '/server/info')).toMatchObject({ fullySynched: true })
  expect(await call('GET', store)).toMatchObject({ name: 'Corner Coffee' })
  for (const method of ['OnChain', 'LightningNetwork'])
    expect(await call('GET', `${store}/payment-methods/${method}`)).toEqual([])
  const secret = '0f'.repeat(24)
  const url = 'https://shop.example/module/btcpay/webhook'
  const hook = await call('POST', webhooks, { enabled: true, url, authorizedEvents: { everything: true }, secret })
  expect(hook).toMatchObject({ secret })
  const metadata = {
    posData: 'd41d8cd98f00b204e9800998ecf8427e',
    itemCode: 'invoice-reference-aB3',
    itemDesc: 'Purchase from Shop',
    taxIncluded: '3.3333333333333',
    orderId: 'aB3',
    buyerEmail: 'guest@shop.example',
  }
  const checkout = {
    ...noOptions,
    speedPolicy: 'MediumSpeed',
    redirectURL: 'https://shop.example/module/btcpay/validation',
  }
  const created = (await call('POST', invoices, { amount: '20', currency: 'EUR', metadata, checkout })) as {
    id: string
  }
  expect(await call('GET', `${invoices}/${created.id}`)).toMatchObject({ metadata, status: 'New' })
  const { txId } = await shop.pay(await shop.choose(created.id), 25_000_000n)
  const methods = (await call('GET', `${invoices}/${created.id}/payment-methods`)) as (Body & { payments: Body[] })[]
  const [paid] = methods.filter(({ payments }) => payments.length > 0)
  const [payment] = paid?.payments ?? []
  // Its library cuts the transaction off at the first dash.
  expect(String(payment?.['id']).split('-')[0]).toBe(txId)
  expect([payment?.['status'], payment?.['value'], paid?.['rate']]).toEqual(['Settled', '25.00', '0.8'])
})
