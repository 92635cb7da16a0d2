import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Hono } from 'hono'
import { Webhook } from 'standardwebhooks'
import { beforeEach, expect, test } from 'vitest'
import { createStorefront } from './app.ts'
import type { StorefrontConfig } from './config.ts'
import type { PayRequest, TestCustomer } from './customer.ts'
import { PayError } from './pay-error.ts'
import type { ReadRecord } from './payment-record.ts'
import { type Order, openShop, type ReceivedWebhook } from './shop.ts'
import type { TestWallet } from './wallet/test-wallet.ts'
import { WalletError } from './wallet/wallet-error.ts'
import { readPayment } from './webhook.ts'

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const paymentId = '3f2f5f1e-52a1-4a0e-9d3c-6a5c3c1f0001'

const token = { address: '0x1', decimals: 6 } as const
const tokens = { USDC: token, USDT: token, EURC: token }

const config: StorefrontConfig = {
  port: 8080,
  bff: 'http://127.0.0.1:8787',
  origin: 'http://127.0.0.1:8080',
  publicKey: 'pk_live_1',
  apiKey: 'ak_1',
  apiSecret: 'sk_1',
  webhookSecret: secret,
  journalPath: null,
  scriptPath: '/nowhere/stablecoin-checkout.js',
  networks: [
    { shortName: 'devnet', name: 'Devnet', chainId: 31337, rpcUrl: 'http://127.0.0.1:1', tokens },
    { shortName: 'devnet-b', name: 'Devnet <B>', chainId: 31338, rpcUrl: 'http://127.0.0.1:1', tokens },
    { shortName: 'devnet-c', name: 'Devnet C', chainId: 31339, rpcUrl: 'http://127.0.0.1:1', tokens: { USDT: token } },
  ],
  customerPrivateKey: '0x1',
}

let app: Hono
let asked: PayRequest[]
/** Methods that reached the wallet. */
let signedFor: string[]
let order: Order
/** The service's current state of the payment; undefined: the same as the event. */
let record: (() => ReturnType<ReadRecord>) | undefined

beforeEach(async () => {
  asked = []
  signedFor = []
  record = undefined
  app = openStorefront()
  order = await openOrder('/checkout?product=beans&currency=USDC&network=devnet')
})

test('an order is paid by a verified payment.completed for its amount and currency', async () => {
  const answer = await deliver({ type: 'payment.completed' })
  expect(answer.status).toBe(200)
  expect(await orderState()).toBe('paid')
  expect((await received())[0]).toMatchObject({
    ...{ type: 'payment.completed', verified: true, paymentId, orderId: order.id, outcome: 'paid', sequence: 3 },
    note: 'The order is paid: ship it.',
  })
})

test('the same amount in another notation is equal', async () => {
  await deliver({ data: { amount: '25' } })
  expect(await orderState()).toBe('paid')
})

test('the service’s current state decides, not the event', async () => {
  const said = { orderId: order.id, amount: '25.00', currency: 'USDC', outcome: 'paid', isTest: false }
  for (const [index, now] of [{ ...said, outcome: 'pending' }, { ...said, amount: '0.01' }, null].entries()) {
    record = async () => now
    await deliver({ id: `msg_${index}`, data: { sequence: index } })
  }
  expect(await orderState()).toBe('awaiting')
  expect((await received()).every(({ note }) => note.endsWith('nothing is shipped.'))).toBe(true)
})

test('while the service is unreachable, the event is refused and delivered again', async () => {
  record = () => Promise.reject(new Error('down'))
  expect((await deliver({})).status).toBe(503)
  expect(await received()).toEqual([])
  record = undefined
  expect((await deliver({})).status).toBe(200)
  expect(await orderState()).toBe('paid')
})

test('no other event ships anything, whatever its outcome says', async () => {
  const types = [
    'payment.created',
    'payment.detected',
    'payment.underpaid',
    'payment.overpaid',
    'payment.late',
    'deposit.swept',
  ]
  for (const [index, type] of types.entries()) await deliver({ type, id: `msg_${index}`, data: { sequence: index } })
  expect(await orderState()).toBe('awaiting')
  expect(await received()).toHaveLength(types.length)
})

test('a payment of another amount or currency, a test payment and an unpaid one ship nothing', async () => {
  const wrong = [
    { amount: '24.99' },
    { amount: '0.01' },
    { amount: '25.000001' },
    { amount: 'NaN' },
    { currency: 'USDT' },
    { isTest: true },
    { isTest: undefined },
    { outcome: 'pending' },
    { orderId: 'order-of-somebody-else' },
    { orderId: null },
  ]
  for (const [index, data] of wrong.entries()) {
    const answer = await deliver({ id: `msg_${index}`, data: { ...data, sequence: index } })
    expect(answer.status).toBe(200)
  }
  expect(await orderState()).toBe('awaiting')
  expect((await received()).every(({ note }) => note.endsWith('nothing is shipped.'))).toBe(true)
})

test('a forged, altered, old, future or unsigned webhook is refused and changes nothing', async () => {
  const body = eventBody({})
  const nowMs = Date.now()
  const attempts = [
    { headers: signed(body, { secret: `whsec_${Buffer.alloc(32, 8).toString('base64')}` }), body },
    { headers: signed(body), body: body.replace('"devnet"', '"devnet-b"') },
    { headers: signed(body), body: `${body} ` },
    { headers: { ...signed(body), 'webhook-id': 'msg_other' }, body },
    { headers: signed(body, { atMs: nowMs - 6 * 60_000 }), body },
    { headers: signed(body, { atMs: nowMs + 6 * 60_000 }), body },
    { headers: { ...signed(body), 'webhook-signature': '' }, body },
    { headers: { ...signed(body), 'webhook-signature': 'v1,' }, body },
    { headers: {}, body },
    { headers: signed('not json'), body: 'not json' },
    { headers: signed('{"type":"payment.completed"}'), body: '{"type":"payment.completed"}' },
  ]
  for (const attempt of attempts) {
    const answer = await app.request('/webhooks', { method: 'POST', headers: attempt.headers, body: attempt.body })
    expect(answer.status).toBe(401)
  }
  expect(await orderState()).toBe('awaiting')
  const lines = await received()
  expect(lines).toHaveLength(attempts.length)
  expect(lines.every(({ verified, type, note }) => !verified && type === null && note.startsWith('Refused: '))).toBe(
    true,
  )
})

test('a flood of forgeries does not displace verified events', async () => {
  await deliver({ type: 'payment.created' })
  for (let index = 0; index < 300; index += 1) await app.request('/webhooks', { method: 'POST', body: '{}' })
  expect((await received()).filter(({ verified }) => verified)).toHaveLength(1)
})

test('a repeat gets the first response, is counted, and changes nothing', async () => {
  await deliver({ id: 'msg_1' })
  await deliver({ id: 'msg_2', type: 'payment.reorged', data: { sequence: 4, outcome: 'pending' } })
  const again = await deliver({ id: 'msg_1' })
  expect(again.status).toBe(200)
  expect(await orderState()).toBe('taken-back')
  expect((await received()).find(({ id }) => id === 'msg_1')).toMatchObject({ deliveries: 2 })
  expect(await received()).toHaveLength(2)
})

test('a completed event older than the reorg that undid it is ignored; the next one counts', async () => {
  await deliver({ id: 'msg_6', type: 'payment.reorged', data: { sequence: 6, outcome: 'pending' } })
  await deliver({ id: 'msg_5', data: { sequence: 5 } })
  expect(await orderState()).toBe('awaiting')
  expect((await received()).find(({ id }) => id === 'msg_5')).toMatchObject({ stale: true })
  await deliver({ id: 'msg_7', data: { sequence: 7 } })
  expect(await orderState()).toBe('paid')
})

test('a late event does not undo newer state, and a late completed is not lost', async () => {
  await deliver({ id: 'msg_9', type: 'deposit.swept', data: { sequence: 9 } })
  await deliver({ id: 'msg_5', data: { sequence: 5 } })
  await deliver({ id: 'msg_2', type: 'payment.underpaid', data: { sequence: 2, outcome: 'pending' } })
  expect(await orderState()).toBe('paid')
  const stale = (await received()).filter((line) => line.stale)
  expect(stale.map(({ id }) => id).sort()).toEqual(['msg_2', 'msg_5'])
})

test('a second payment for a paid order is detected', async () => {
  await deliver({ id: 'msg_1' })
  await deliver({ id: 'msg_2', data: { id: '3f2f5f1e-52a1-4a0e-9d3c-6a5c3c1f0002' } })
  expect((await received()).find(({ id }) => id === 'msg_2')?.note).toBe('Paid a second time: refund this one.')
})

test('only the last two hundred are remembered', async () => {
  for (let index = 0; index < 205; index += 1)
    await deliver({ id: `msg_${index}`, type: 'payment.detected', data: { sequence: index } })
  const lines = await received()
  expect(lines).toHaveLength(200)
  expect(lines.some(({ id }) => id === 'msg_4')).toBe(false)
})

test('orders and received webhooks survive a restart, and repeats are still detected', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'storefront-'))
  try {
    const journalPath = join(folder, 'journal.jsonl')
    app = openStorefront(journalPath)
    order = await openOrder('/checkout?product=beans&currency=USDT&network=devnet-b')
    await deliver({ id: 'msg_1', data: { currency: 'USDT' } })
    app = openStorefront(journalPath)
    expect(await orderState()).toBe('paid')
    await deliver({ id: 'msg_1', data: { currency: 'USDT' } })
    expect(await received()).toMatchObject([{ id: 'msg_1', deliveries: 2 }])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('the page contains the tag with the order’s terms, and a CSP without inline code', async () => {
  const page = await app.request(`/checkout?order=${order.id}`)
  const html = await page.text()
  expect(html).toContain('api-base="http://127.0.0.1:8787"')
  expect(html).toContain('amount="25.00"')
  expect(html).toContain(`order-id="${order.id}"`)
  expect(html).toContain('callback-url="http://127.0.0.1:8080/webhooks"')
  expect(html).toContain('Devnet &lt;B&gt;')
  expect(html).not.toContain('{{')
  expect(html).not.toMatch(/<script(?![^>]* src=)|<style| style=| on\w+=/)
  expect(page.headers.get('content-security-policy')).toBe(
    "default-src 'none'; script-src 'self' http://127.0.0.1:8787; connect-src 'self' http://127.0.0.1:8787; style-src 'self'; img-src 'self' http://127.0.0.1:8787 data:; " +
      "require-trusted-types-for 'script'; trusted-types lit-html; base-uri 'none'; form-action 'self'",
  )
})

test('invalid query values fall back to the first choice, never to text in the page', async () => {
  const page = '/checkout?items=%3Cscript%3E.beans-1&currency=DOGE&network=mainnet&lang=%3Cb%3E&theme=%22red&by=%3Ci%3E'
  order = await openOrder(page)
  expect(order).toMatchObject({ items: 'beans-1', currency: 'USDC', network: 'devnet' })
  expect(await (await app.request(`${page}&order=%3Cu%3E`)).text()).not.toMatch(/<script>|<b>|<i>|<u>|"red/)
  for (const nothing of ['product=%3Cscript%3E', 'items=', 'items=beans-0', 'items=cheese-1', ''])
    expect((await app.request(`/checkout?${nothing}`)).headers.get('location'), nothing).toBe('/cart')
})

test('an order in the address stays as it is, until another token or network is chosen', async () => {
  const again = async (choice: string) => (await openOrder(`/checkout?items=beans-1&order=${order.id}&${choice}`)).id
  expect(await again('currency=USDC&network=devnet&lang=de&theme=dark')).toBe(order.id)
  expect(await again('currency=USDT&network=devnet')).not.toBe(order.id)
  expect(await again('currency=USDC&network=devnet-b')).not.toBe(order.id)
})

test('a token that the network does not have is out of reach, and is never replaced without a word', async () => {
  const page = async (choice: string) =>
    (await app.request(`/checkout?items=beans-1&order=${order.id}&${choice}`)).text()
  const html = await page('currency=EURC&network=devnet-c')
  expect(html).toContain('Devnet C has no EURC: this order is paid in USDT.</p>')
  expect(html).toContain('<option disabled>EURC, at prices in euros (not on Devnet C)</option>')
  expect(html).toContain('<option value="USDT" selected>USDT</option>')
  // A network alone is chosen: the order's token is replaced, too.
  expect(await page('network=devnet-c')).toContain('Devnet C has no USDC: this order is paid in USDT.</p>')
  const replaced = await openOrder('/checkout?items=beans-1&currency=EURC&network=devnet-c')
  const again = `/checkout?items=beans-1&order=${replaced.id}&currency=EURC&network=devnet-c`
  expect(await openOrder(again)).toMatchObject({ id: replaced.id, currency: 'USDT', network: 'devnet-c' })
  for (const choice of ['currency=USDT&network=devnet-c', 'currency=EURC&network=devnet', 'currency=DOGE'])
    expect(await page(choice), choice).not.toContain('this order is paid in')
})

test('the developer chooses language and theme of the element, which keeps its other terms', async () => {
  const html = await (await app.request(`/checkout?order=${order.id}&lang=ar&theme=dark&by=page`)).text()
  const [tag = ''] = /<stablecoin-checkout[^>]*>/.exec(html) ?? []
  expect(tag).toContain('lang="ar"')
  expect(tag).toContain('theme="dark"')
  expect(tag).toContain('amount="25.00"')
  expect(html).toContain('<html lang="en" data-theme="dark">')
})

test('the test customer pays the requested amount, and its errors reach the page', async () => {
  const paid = await pay({ paymentId, amount: '12.50' })
  expect(await paid.json()).toMatchObject({ hash: '0xabc', amount: '12.50' })
  expect(asked).toEqual([{ paymentId, amount: '12.50' }])
  expect((await pay({ paymentId: 'gone' })).status).toBe(404)
  expect((await pay({ paymentId, amount: 12.5 })).status).toBe(400)
  expect((await pay({})).status).toBe(400)
})

test('the test customer pays an order of the shop from another chain, and no other order', async () => {
  const ask = (orderId: unknown) =>
    app.request('/demo/pay-from-elsewhere', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ orderId }),
    })
  const paid = (await (await ask(order.id)).json()) as object
  expect(paid).toMatchObject({ hash: '0xabc', amount: order.amount, network: 'devnet-b', destination: 'devnet' })
  expect((await ask('nobody')).status).toBe(404)
  expect((await ask(undefined)).status).toBe(404)
})

test('a page of another origin can neither make the test customer pay nor its wallet sign', async () => {
  const json = { 'Content-Type': 'application/json' }
  const foreign = [
    { 'Content-Type': 'text/plain', Origin: 'https://evil.example' },
    { ...json, Origin: 'https://evil.example' },
    { ...json, Origin: 'http://evil.example:8080' },
    { ...json, Origin: 'http://127.0.0.1:9000' },
    { ...json, Origin: 'null' },
    { 'Content-Type': 'text/plain' },
  ]
  for (const headers of foreign) {
    for (const [path, body] of [
      ['/demo/pay', { paymentId }],
      ['/demo/pay-from-elsewhere', { orderId: order.id }],
      ['/demo/wallet', walletRequest],
      ['/demo/wallet/describe', walletRequest],
      ['/demo/bridge', { outcome: 'refund' }],
    ] as const) {
      const answer = await app.request(path, { method: 'POST', headers, body: JSON.stringify(body) })
      expect(answer.status).toBe(403)
    }
  }
  expect(asked).toEqual([])
  expect(signedFor).toEqual([])
})

test('the shop’s own page reaches the test wallet by both local host names, and shows its errors', async () => {
  for (const origin of [config.origin, 'http://localhost:8080']) {
    const answer = await askWallet(walletRequest, { Origin: origin })
    expect(await answer.json()).toEqual({ result: '0xabc' })
  }
  const refused = await askWallet({ ...walletRequest, method: 'eth_sign' })
  expect(await refused.json()).toEqual({ error: { code: 4200, message: 'No.' } })
  for (const body of [null, {}, { ...walletRequest, account: 'operator' }, { ...walletRequest, behaviour: 'steal' }]) {
    expect((await askWallet(body)).status).toBe(400)
  }
})

test('the element’s script and its chunks are served, and nothing outside the folder', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'element-'))
  try {
    mkdirSync(join(folder, 'dist'))
    writeFileSync(join(folder, 'secret.js'), 'secret')
    writeFileSync(join(folder, 'dist', 'wallet-1a.js'), 'export {}')
    app = openStorefront(null, join(folder, 'dist', 'stablecoin-checkout.js'))
    expect(await (await app.request('/wallet-1a.js')).text()).toBe('export {}')
    for (const path of ['/stablecoin-checkout.js', '/..%2Fsecret.js', '/%2e%2e/secret.js', '/..%5csecret.js']) {
      const answer = await app.request(path)
      expect(answer.status).toBe(404)
      expect(await answer.text()).not.toBe('secret')
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('a body that is too large is refused before it is read', async () => {
  const answer = await app.request('/webhooks', { method: 'POST', body: 'x'.repeat(70_000) })
  expect(answer.status).toBe(413)
})

function openStorefront(journalPath: string | null = null, scriptPath = config.scriptPath): Hono {
  const customer: TestCustomer = {
    async pay(request) {
      if (request.paymentId === 'gone') throw new PayError(404, 'There is no payment gone.')
      asked.push(request)
      return { hash: '0xabc', amount: request.amount ?? '25.00', currency: 'USDC', network: 'devnet' }
    },
  }
  const wallet: TestWallet = {
    async request(request) {
      if (request.method === 'eth_sign') throw new WalletError(4200, 'No.')
      signedFor.push(request.method)
      return '0xabc'
    },
    describe: async ({ method }) => ({ title: method, facts: [] }),
  }
  const readRecord: ReadRecord = async () => (record ? await record() : readPayment(lastSent.data))
  return createStorefront({
    config: { ...config, scriptPath },
    shop: openShop(journalPath),
    customer,
    payFromElsewhere: async ({ amount, currency, network }) => ({
      ...{ paymentId, hash: '0xabc', amount, currency, network: 'devnet-b', destination: network },
    }),
    wallet,
    readRecord,
  })
}

const walletRequest = { account: 'customer', chainId: 31337, behaviour: 'honest', method: 'eth_accounts', params: [] }

const askWallet = (body: unknown, headers: Record<string, string> = {}) =>
  app.request('/demo/wallet', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

async function openOrder(path: string): Promise<Order> {
  const id = /data-order-id="([^"]+)"/.exec(await (await app.request(path)).text())?.[1]
  return (await (await app.request(`/orders/${id}`)).json()) as Order
}

let lastSent: { data?: unknown } = {}

type Delivery = { id?: string; type?: string; data?: Record<string, unknown> }

async function deliver(delivery: Delivery) {
  const body = eventBody(delivery)
  lastSent = JSON.parse(body) as typeof lastSent
  return await app.request('/webhooks', { method: 'POST', headers: signed(body, delivery), body })
}

function eventBody({ type = 'payment.completed', data = {} }: Delivery): string {
  const payment = {
    ...{ id: paymentId, sequence: 3, orderId: order.id, amount: '25.00', currency: 'USDC', network: 'devnet' },
    ...{ outcome: 'paid', isTest: false, metadata: {} },
    ...data,
  }
  return JSON.stringify({ type, timestamp: new Date().toISOString(), data: payment })
}

function signed(body: string, { id = 'msg_1', secret: key = secret, atMs = Date.now() } = {}): Record<string, string> {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(atMs / 1_000)),
    'webhook-signature': new Webhook(key).sign(id, new Date(atMs), body),
  }
}

const received = async () => (await (await app.request('/webhooks')).json()) as ReceivedWebhook[]
const orderState = async () => ((await (await app.request(`/orders/${order.id}`)).json()) as Order).state

const pay = (request: object) =>
  app.request('/demo/pay', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(request),
  })
