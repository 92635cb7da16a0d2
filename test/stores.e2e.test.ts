import { InvoicesService, OpenAPI } from 'btcpay-greenfield-node-client'
import { afterAll, expect, test } from 'vitest'
import { expectAccessible } from './harness/accessible.ts'
import { runBeside } from './harness/bff.ts'
import { expectBooksToClose } from './harness/books.ts'
import { openBrowser } from './harness/browser.ts'
import { confirmationsRequired } from './harness/chain.ts'
import { holdAuthenticator, openDashboard } from './harness/dashboard.ts'
import { openGreenfieldShop } from './harness/greenfield-shop.ts'
import { openStory } from './harness/story.ts'

const rates = { USDC: { EUR: 0.8, USD: 1 }, USDT: { EUR: 0.8, USD: 1 } }
const story = await openStory('stores', {
  settings: { parts: { stores: true }, rates: { fixed: { asOf: new Date().toISOString(), ...rates } } },
})
const { bff, chain, files } = story
const browser = await openBrowser()
const owner = await openDashboard(story)
const secret = 'a secret of the shop'
const shop = await openGreenfieldShop(secret)
afterAll(() => shop.close())

const storeId = bff.merchant.merchantId
const permissions = ['canviewinvoices', 'cancreateinvoice', 'canviewstoresettings', 'webhooks.canmodifywebhooks']

/** What the client of BTCPay has no call for. */
async function ask(method: string, path: string, body?: object) {
  const response = await fetch(`${bff.url()}/btcpay/api/v1${path}`, {
    method,
    headers: { authorization: `token ${shop.key()}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  expect(response.status).toBe(200)
  return (await response.json()) as Record<string, unknown>
}

type Invoice = { id: string; status: string; additionalStatus: string; checkoutLink: string }

/** An invoice over 20 EUR, which are 25 USDC. */
async function newInvoice(): Promise<Invoice> {
  const requestBody = { amount: '20.00', currency: 'EUR', metadata: { orderId: '1000' } }
  return (await InvoicesService.invoicesCreateInvoice({ storeId, requestBody: requestBody as never })) as never
}

const readInvoice = async (invoiceId: string) =>
  (await InvoicesService.invoicesGetInvoice({ storeId, invoiceId })) as unknown as Invoice

/** The customer chooses a token. @returns the address. */
async function choose(invoiceId: string): Promise<string> {
  const response = await fetch(`${bff.url()}/api/v1/links/public/${invoiceId}/create`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ network: 'devnet', currency: 'USDC' }),
  })
  const { payment } = (await response.json()) as { payment: { depositAddress: string } }
  return payment.depositAddress
}

/** The page that a plug-in opens. */
function authorizeUrl(shopOrigin: string): string {
  const query = new URLSearchParams(permissions.map((one) => ['permissions', `btcpay.store.${one}`]))
  query.set('applicationName', 'My shop <b>')
  query.set('strict', 'true')
  query.set('selectiveStores', 'true')
  query.set('redirect', `${shopOrigin}/callback`)
  return `${owner.url}/btcpay/api-keys/authorize?${query}`
}

test('an owner without a passkey adds one on the page that connects a shop, and connects it', async () => {
  const own = await openGreenfieldShop(secret)
  const run = await runBeside(['dashboard', 'invite', '--demo', '--json'], files.env, files.program)
  const { hash } = new URL((JSON.parse(run.stdout) as { link: string }).link)
  const url = `${owner.url}/dashboard${hash}`
  const site = { url, origins: [owner.url, own.origin], prepare: holdAuthenticator }
  await browser.visit(site, async ({ page, reads, press, portray }) => {
    await page.waitForURL(`${owner.url}/dashboard/`)
    await page.goto(authorizeUrl(own.origin))
    await reads('You have no passkey yet. Add one')
    const connect = page.getByRole('button', { name: 'Connect' })
    expect(await connect.isDisabled()).toBe(true)
    await expectAccessible(page)
    await portray('59-store-pairing-no-passkey')
    await press('Add a passkey')
    await connect.click()
    await page.waitForURL(`${own.origin}/callback`)
    await reads(`btcpay.store.canviewinvoices:${storeId}`)
  })
  await own.close()
})

test('an owner pairs a shop with the passkey, and the shop gets a key for exactly what it asked for', async () => {
  const url = authorizeUrl(shop.origin)
  await browser.visit({ ...owner.site(), url, origins: [owner.url, shop.origin] }, async (visit) => {
    await visit.reads('wants to connect to')
    await visit.reads(`The key is sent to ${'\u2068'}${new URL(shop.origin).host}`)
    await expectAccessible(visit.page)
    await visit.portray('60-store-pairing')
    await visit.press('Connect')
    await visit.page.waitForURL(`${shop.origin}/callback`)
    await visit.reads(permissions.map((one) => `btcpay.store.${one}:${storeId}`).join(' '))
  })
  OpenAPI.BASE = `${bff.url()}/btcpay`
  OpenAPI.TOKEN = shop.key()
  expect(await ask('GET', '/stores')).toMatchObject([{ id: storeId, name: 'Corner Coffee' }])
  await ask('POST', `/stores/${storeId}/webhooks`, { url: `${shop.origin}/hook`, secret })
  await browser.visit(owner.site('stores'), async (visit) => {
    await visit.reads('My shop <b>')
    await visit.reads('Connected')
    // A plug-in that registers no webhook: the owner does, and the secret is shown once.
    await visit.page.getByLabel('Address for notifications').fill(`${shop.origin}/by-hand`)
    await visit.press('Create a webhook')
    await visit.reads('The secret of')
    await visit.reads('It is shown only once')
    await expectAccessible(visit.page)
    await visit.portray('61-stores')
  })
})

test('the commands list the webhooks of stores with their store, and post test deliveries to them', async () => {
  const command = (name: string, ...rest: string[]) =>
    runBeside(['webhooks', name, storeId, ...rest, '--json'], files.env, files.program)
  const { endpoints } = JSON.parse((await command('list')).stdout) as { endpoints: { id: string; url: string }[] }
  const hook = { url: `${shop.origin}/hook`, store: 'My shop <b>', types: null, disabledReason: null }
  expect(endpoints).toMatchObject([hook, { url: `${shop.origin}/by-hand`, store: 'My shop <b>' }])
  expect(await command('test', endpoints[0]?.id ?? '')).toMatchObject({ exitCode: 0 })
  expect(shop.tests()).toMatchObject([{ type: 'InvoiceProcessing', isSigned: true }])
  expect(await command('test', 'we_1')).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('we_1') })
})

test('an invoice in euros is paid in the overlay of the shop’s page, and is settled when the webhook says so', async () => {
  const invoice = await newInvoice()
  await expect.poll(() => shop.types(invoice.id)).toEqual(['Created'])
  shop.show(`<script src="${bff.url()}/btcpay/modal/btcpay.js"></script><script>
    window.messages = []
    btcpay.onModalReceiveMessage(({ data }) => messages.push(data))
    btcpay.setApiUrlPrefix('${bff.url()}/btcpay/')
    btcpay.showInvoice('${invoice.id}')
  </script>`)
  const messages = () => page().evaluate(() => (window as never as { messages: unknown[] }).messages)
  let page = () => undefined as never as import('playwright-core').Page
  await browser.visit({ url: `${shop.origin}/pay`, origins: [shop.origin, bff.url()] }, async (visit) => {
    page = () => visit.page
    await expect.poll(messages).toEqual(['loaded'])
    const frame = visit.page.frameLocator('iframe[name=btcpay]')
    await frame.getByRole('button', { name: /\d USDC on Devnet Conf/ }).click()
    await frame.getByRole('status').getByText('Waiting for your payment').waitFor({ state: 'attached' })
    const methods = await InvoicesService.invoicesGetInvoicePaymentMethods({ storeId, invoiceId: invoice.id })
    const [usdc] = methods as never as { destination: string; amount: string; rate: string }[]
    expect(usdc).toMatchObject({ amount: '25.00', rate: '0.8' })
    await chain.pay(usdc?.destination ?? '', '25.00')
    await expect.poll(() => shop.types(invoice.id)).toEqual(['Created', 'ReceivedPayment', 'Processing'])
    await chain.mine(confirmationsRequired)
    await expect
      .poll(() => shop.types(invoice.id))
      .toEqual(['Created', 'ReceivedPayment', 'Processing', 'PaymentSettled', 'Settled'])
    await expect.poll(messages).toContainEqual({ invoiceId: invoice.id, status: 'Settled' })
    await frame.getByRole('button', { name: 'Close' }).click()
    await expect.poll(messages).toContain('close')
    await expect.poll(() => visit.page.locator('iframe[name=btcpay]').isVisible()).toBe(false)
  })
  expect(await readInvoice(invoice.id)).toMatchObject({ status: 'Settled', additionalStatus: 'None' })
  expect(shop.heard(invoice.id).every(({ isSigned }) => isSigned)).toBe(true)
})

test('another page cannot frame the payment page', async () => {
  const { id } = await newInvoice()
  const response = await fetch(`${bff.url()}/btcpay/invoice?id=${id}&view=modal`)
  expect(response.headers.get('content-security-policy')).toContain(`frame-ancestors ${shop.origin};`)
  const plain = await fetch(`${bff.url()}/pay/${id}`)
  expect(plain.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
})

test('a customer who has paid is led back to the shop, where the plug-in asked for that', async () => {
  const checkout = { redirectURL: `${shop.origin}/thanks/{OrderId}`, redirectAutomatically: true }
  const metadata = { orderId: '1001' }
  const requestBody = { amount: '20.00', currency: 'EUR', metadata, checkout }
  const invoice: Invoice = (await InvoicesService.invoicesCreateInvoice({
    storeId,
    requestBody: requestBody as never,
  })) as never
  await browser.visit({ url: invoice.checkoutLink, origins: [shop.origin, bff.url()] }, async (visit) => {
    await visit.page.getByRole('button', { name: /\d USDC on Devnet Conf/ }).click()
    await visit.page.getByRole('status').getByText('Waiting for your payment').waitFor({ state: 'attached' })
    const methods = await InvoicesService.invoicesGetInvoicePaymentMethods({ storeId, invoiceId: invoice.id })
    const [usdc] = methods as never as { destination: string }[]
    await chain.pay(usdc?.destination ?? '', '25.00')
    await chain.mine(confirmationsRequired)
    await visit.page.waitForURL(`${shop.origin}/thanks/1001`)
  })
})

test('too little and too much have BTCPay’s statuses', async () => {
  const [short, over] = [await newInvoice(), await newInvoice()]
  await chain.pay(await choose(short.id), '5.00')
  await chain.pay(await choose(over.id), '30.00')
  await chain.mine(confirmationsRequired)
  await expect.poll(() => shop.types(over.id).at(-1)).toBe('Settled')
  expect(await readInvoice(over.id)).toMatchObject({ status: 'Settled', additionalStatus: 'PaidOver' })
  await expect.poll(() => shop.types(short.id).at(-1)).toBe('PaymentSettled')
  expect(await readInvoice(short.id)).toMatchObject({ status: 'New', additionalStatus: 'PaidPartial' })
})

test('the books equal the chains', async () => {
  await expectBooksToClose(story)
})
