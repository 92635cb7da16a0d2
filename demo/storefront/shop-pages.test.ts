import type { Hono } from 'hono'
import { beforeEach, expect, test } from 'vitest'
import { createStorefront } from './app.ts'
import { products } from './catalog.ts'
import type { StorefrontConfig } from './config.ts'
import { openShop } from './shop.ts'

const config: StorefrontConfig = {
  port: 8080,
  bff: 'http://127.0.0.1:8787',
  origin: 'http://127.0.0.1:8080',
  publicKey: 'pk_live_1',
  apiKey: 'ak_1',
  apiSecret: 'sk_1',
  webhookSecret: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
  journalPath: null,
  scriptPath: '/nowhere/stablecoin-checkout.js',
  networks: [{ shortName: 'devnet', name: 'Devnet', chainId: 31337, rpcUrl: 'http://127.0.0.1:1', tokens: {} }],
  customerPrivateKey: '0x1',
  links: { dashboard: 'http://localhost:8787/dashboard#demo=token', paymentLink: 'http://127.0.0.1:8787/pay/pl_1' },
}

const refuse = () => Promise.reject(new Error('not asked'))

let app: Hono
/** As the browser keeps it. */
let cookie: string

beforeEach(() => {
  cookie = ''
  app = createStorefront({
    config,
    shop: openShop(null),
    customer: { pay: refuse },
    payFromElsewhere: refuse,
    wallet: { request: refuse, describe: refuse },
    readRecord: refuse,
  })
})

async function post(form: Record<string, string>) {
  const answer = await app.request('/cart', { method: 'POST', headers: { cookie }, body: new URLSearchParams(form) })
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/cart'])
  cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? ''
}

const read = async (path: string) => await (await app.request(path, { headers: { cookie } })).text()

test('the shop comes first: every article with its picture and price, and no payment', async () => {
  const html = await read('/')
  for (const { name, price } of products) {
    expect(html).toContain(`<h2>${name}</h2>`)
    expect(html).toContain(`<span class="price">$${price}</span>`)
  }
  expect(html.match(/<svg class="picture"/g)).toHaveLength(products.length)
  expect(html).not.toContain('<stablecoin-checkout')
  expect(html).not.toContain('{{')
})

test('a customer fills the cart, changes it, and the order has its articles and their sum', async () => {
  await post({ add: 'beans' })
  await post({ add: 'beans' })
  await post({ add: 'filters' })
  expect(await read('/cart')).toContain('<strong>$54.80</strong>')
  await post({ product: 'beans', quantity: '1' })
  expect(await read('/')).toContain('data-cart-count>2<')
  const id = /data-order-id="([^"]+)"/.exec(await read('/checkout'))?.[1]
  expect(JSON.parse(await read(`/orders/${id}`))).toMatchObject({ items: 'beans-1.filters-1', amount: '29.80' })
  const open = await app.request(`/orders/${id}`, { headers: { cookie } })
  expect(open.headers.getSetCookie()).toEqual([])
  await post({ product: 'beans', quantity: '0' })
  await post({ product: 'filters', quantity: 'x' })
  expect(await read('/cart')).toContain('Your cart is empty')
})

test('the developer’s drawer is closed at first, stays as it was left, and leads to the rest of the demo', async () => {
  for (const path of ['/', '/cart', '/checkout?product=beans']) {
    cookie = ''
    expect(await read(path)).not.toContain('data-developer="open"')
    cookie = 'developer=open'
    const html = await read(path)
    expect(html).toContain('data-developer="open"')
    expect(html).toContain('aria-expanded="true"')
    for (const { href, name } of [
      { href: config.links?.dashboard, name: 'Dashboard' },
      { href: config.links?.paymentLink, name: 'A payment link' },
      { href: `${config.bff}/docs`, name: 'API reference' },
      { href: '/gallery', name: 'Every state of the checkout' },
    ])
      expect(html).toContain(`<a href="${href}">${name}</a>`)
  }
})
