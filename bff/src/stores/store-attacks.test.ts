// What somebody does with a link to the pairing page, or with the key of a shop.
import { signedIn } from '@stablecoin-checkout/rig/dashboard-stage'
import { openStoreStage, type StoreStage } from '@stablecoin-checkout/rig/store-stage'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createRateLimits, defaultLimits } from '../access/limits/rate-limit.ts'
import { dashboardFilesOf } from '../dashboard/page/page.routes.ts'
import { sql } from '../db/db.ts'

const file = { name: 'stablecoin-checkout-element-x.js', hashedName: 'stablecoin-checkout-element-x.js' }
const element = { ...file, integrity: 'sha384-x', body: async () => Buffer.from('') }

let shop: StoreStage
beforeAll(async () => {
  shop = await openStoreStage({
    dashboardFiles: dashboardFilesOf([['index.html', Buffer.from('<!doctype html>')]]),
    elementFiles: { element, files: [element], find: () => undefined },
    webhookTargets: { ports: [443] },
    publicUrl: 'http://localhost',
  })
})
afterAll(() => shop.bff.close())

describe('the page that connects a shop', () => {
  const open = (redirect: string) =>
    shop.bff.fetch(`/dashboard/stores/authorize?permissions=x&redirect=${encodeURIComponent(redirect)}`)

  test('is framed by nobody, and tells no other site where it was', async () => {
    const { status, headers } = await open('https://shop.example/callback?secret=1')
    expect(status).toBe(200)
    expect(headers.get('Content-Security-Policy')).toContain("frame-ancestors 'none'")
    expect([headers.get('X-Frame-Options'), headers.get('Referrer-Policy')]).toEqual(['DENY', 'no-referrer'])
  })

  test('posts to the origin that the owner reads there, and nowhere else', async () => {
    const policyOf = async (redirect: string) => (await open(redirect)).headers.get('Content-Security-Policy')
    expect(await policyOf('https://shop.example/callback?x=1')).toContain('form-action https://shop.example;')
    for (const redirect of [
      'https://a.example; script-src *',
      'https://shop.example@evil.example/',
      'https://*.example/',
      'http://shop.example/',
      'javascript:alert(1)',
      '//evil.example/',
      '',
    ])
      expect(await policyOf(redirect), redirect).toContain("form-action 'none';")
  })
})

describe('with the key of a shop', () => {
  test('no webhook goes into the private network', async () => {
    const { id } = await shop.hook()
    for (const url of [
      'https://127.0.0.1/',
      'https://10.0.0.1/',
      'https://0x7f.1/',
      'https://[::ffff:10.0.0.1]/',
      'https://169.254.169.254/latest/meta-data',
      'https://localhost/',
      'http://shop.example/',
      'https://shop.example:6379/',
      'https://user:password@shop.example/',
    ]) {
      const refusal = { status: 422, body: [{ path: 'url' }] }
      expect(await shop.ask('POST', `${shop.store}/webhooks`, { url }), url).toMatchObject(refusal)
      expect(await shop.ask('PUT', `${shop.store}/webhooks/${id}`, { url }), url).toMatchObject(refusal)
    }
  })

  test('a flood of invoices is slowed down, and a minute later the shop sells again', async () => {
    const first = await shop.invoice()
    const { db } = shop.bff.deps
    await db.write(async (tx) => {
      for (let nth = 1; nth < 600; nth++) {
        const id = `flood ${nth}`
        await tx.run(sql`
            insert into payment_links (id, merchant_id, price, price_currency, payments_max, created_at_ms)
            values (${id}, ${shop.merchantId}, '1', 'EUR', 1, 0)`)
        await tx.run(sql`
            insert into store_invoices (link_id, merchant_id, store_key_id, metadata, checkout, reported, created_at_ms)
            select ${id}, merchant_id, store_key_id, '{}', checkout, reported, created_at_ms
              from store_invoices where link_id = ${first}`)
      }
    })
    const init = {
      method: 'POST',
      headers: { Authorization: `token ${shop.apiKey}` },
      body: '{"amount":"1","currency":"EUR"}',
    }
    const create = () => shop.bff.fetch(`/btcpay/api/v1${shop.store}/invoices`, init)
    const refused = await create()
    expect([refused.status, refused.headers.get('Retry-After')]).toEqual([429, '60'])
    expect(await refused.json()).toMatchObject({ code: 'rate-limited' })
    const links = await db.read((tx) => tx.get(sql`select count(*) as count from payment_links`))
    expect(links, 'and leaves no link').toEqual({ count: 600 })
    const list = await shop.ask('GET', `${shop.store}/invoices?take=600`)
    expect(list.body, 'however many are asked for').toHaveLength(100)
    shop.bff.advance(59_999)
    expect((await create()).status).toBe(429)
    shop.bff.advance(1)
    expect((await create()).status).toBe(200)
  })

  test('webhooks that are sent again are slowed down, because each stores its body', async () => {
    const limits = createRateLimits({ limits: { ...defaultLimits, redeliveries: 2 }, trustedProxies: [] })
    const busy = await openStoreStage({ limits })
    const { id: hook } = await busy.hook()
    const id = await busy.invoice()
    await busy.reports()
    const again = () => busy.ask('POST', `${busy.store}/webhooks/${hook}/deliveries/${id}.1/redeliver`)
    expect([(await again()).status, (await again()).status, (await again()).status]).toEqual([200, 200, 429])
    expect((await busy.ask('GET', `${busy.store}/webhooks`)).status).toBe(200)
    await busy.bff.close()
  })

  test('its payment page is framed by its own shop, and by nobody once the key is revoked', async () => {
    const { apiKey } = await shop.pair()
    const { body } = await shop.ask('POST', `${shop.store}/invoices`, { amount: '1', currency: 'EUR' }, apiKey)
    const { id } = body as { id: string }
    const policy = async () =>
      (await shop.bff.fetch(`/btcpay/invoice?id=${id}&view=modal`)).headers.get('Content-Security-Policy')
    expect(await policy()).toContain('frame-ancestors https://shop.example;')
    await shop.ask('DELETE', '/api-keys/current', undefined, apiKey)
    expect(await policy()).toContain("frame-ancestors 'none';")
  })
})

test('the page of an invoice leads back by itself where the shop asked for it, and to its own address alone', async () => {
  const checkout = { redirectURL: 'https://shop.example/thanks?a=1&b=2', redirectAutomatically: true }
  const { body } = await shop.ask('POST', `${shop.store}/invoices`, { amount: '1', currency: 'EUR', checkout })
  const { id, checkoutLink } = body as { id: string; checkoutLink: string }
  const page = async (path: string) => await (await shop.bff.fetch(path)).text()
  const attribute = ' data-return="https://shop.example/thanks?a=1&amp;b=2"'
  expect(await page(checkoutLink.replace('http://localhost', ''))).toContain(attribute)
  expect(await page(`/pay/${id}`)).not.toContain('data-return=')
  const plain = await shop.invoice()
  expect(await page(`/pay/${plain}?return=auto`)).not.toContain('data-return=')
})

test('a viewer of the dashboard reads the webhooks of an invoice, and not its id, which is the address that customers open', async () => {
  await shop.hook()
  const id = await shop.invoice()
  await shop.reports()
  const [viewer, staff] = [await signedIn(shop.bff, 'viewer', 'Vic'), await signedIn(shop.bff, 'staff', 'Sam')]
  const read = async (page: typeof viewer) => {
    const { body } = await page.ask('GET', '/webhooks/deliveries')
    const [newest] = body['deliveries'] as { id: string }[]
    const { body: request } = await page.ask('GET', `/webhooks/deliveries/${newest?.id}/request`)
    return JSON.stringify([newest, request])
  }
  expect(await read(staff)).toContain(`msg_${id}_`)
  const shown = await read(viewer)
  expect(shown).toContain(`msg_${id.slice(0, 9)}…_`)
  expect(shown).not.toContain(id)
})

describe('an address that sends wrong keys', () => {
  /** The status of a call with the key, from the address. */
  async function statusOf({ bff }: StoreStage, address: string, key: string): Promise<number> {
    const headers = { Authorization: `token ${key}` }
    const socket = { incoming: { socket: { remoteAddress: address } } } as never
    return (await bff.app.request('http://localhost/btcpay/api/v1/stores', { headers }, socket)).status
  }

  test('is refused without a look at the database for each; the keys of shops go on there, and others are not concerned', async () => {
    const limits = { ...defaultLimits, failures: 2 }
    const busy = await openStoreStage({ limits: createRateLimits({ limits, trustedProxies: [] }) })
    const from = (address: string, key: string) => statusOf(busy, address, key)
    const { apiKey: fresh } = await busy.pair()
    expect(await from('192.0.2.1', busy.apiKey)).toBe(200)
    const wrong = []
    for (let nth = 0; nth < 4; nth++) wrong.push(await from('192.0.2.1', `${nth}`.repeat(43)))
    expect(wrong).toEqual([401, 401, 429, 429])
    expect(await from('192.0.2.1', fresh), 'a shop that never called, behind the same address').toBe(200)
    expect(await from('192.0.2.1', busy.apiKey)).toBe(200)
    expect(await from('192.0.2.2', fresh)).toBe(200)
    expect(await from('192.0.2.1', fresh)).toBe(200)
    busy.bff.advance(61_000)
    const { apiKey: later } = await busy.pair()
    expect(await from('192.0.2.1', later), 'after the window').toBe(200)
    await busy.ask('DELETE', '/api-keys/current', undefined, fresh)
    expect(await from('192.0.2.3', fresh), 'a key that was good, and is revoked').toBe(401)
    await busy.bff.close()
  })
})
