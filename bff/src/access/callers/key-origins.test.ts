import { type AppFixture, openApp, order } from '@stablecoin-checkout/rig/test-app'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { setMerchant } from '../../merchant/accounts.ts'
import { formatOriginList, parseOriginList, parseOrigins } from '../../merchant/origin-list.ts'

let bff: AppFixture
beforeAll(async () => {
  bff = await openApp()
})
afterAll(() => bff.close())

const shop = 'https://shop.example'
const evil = 'https://evil.example'

const put = (origins: unknown) =>
  bff.call('/api/v1/merchants/key-origins', {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json', ...bff.keys.secret },
    body: JSON.stringify({ origins }),
  })
const from = (origin: string | undefined, key: Record<string, string> = bff.keys.public, body: object = {}) =>
  bff.call('/api/v1/deposits/create', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...key, ...(origin !== undefined && { Origin: origin }) },
    body: JSON.stringify({ ...order, ...body }),
  })

/** A change takes effect once what was read of the key before is a second old. */
async function list(...origins: string[]) {
  const { status, body } = await put(origins)
  expect([status, body['origins']]).toEqual([200, origins])
  bff.advance(1_000)
}

describe('a public key', () => {
  test('is accepted from any page while no origin is listed', async () => {
    const read = await bff.call('/api/v1/merchants/key-origins', { headers: bff.keys.secret })
    expect(read.body['origins']).toEqual([])
    expect((await from(evil)).status).toBe(200)
  })

  test('is accepted from the listed origins alone, and a page may read why', async () => {
    await list(shop, 'http://localhost:8080')
    expect((await from(shop)).status).toBe(200)
    expect((await from('http://localhost:8080')).status).toBe(200)
    for (const other of [evil, 'https://shop.example.evil.example', 'http://shop.example', `${shop}:8443`, 'null']) {
      const { status, body, headers } = await from(other)
      expect([status, body['code']]).toEqual([403, 'ORIGIN_NOT_ALLOWED'])
      expect(body['message']).toContain(`from the origin "${other}": the merchant has listed the origins`)
      expect(headers.get('Access-Control-Allow-Origin')).toBe('*')
    }
    const networks = await bff.call('/api/v1/networks', { headers: { ...bff.keys.public, Origin: evil } })
    expect([networks.status, networks.body['code']]).toEqual([403, 'ORIGIN_NOT_ALLOWED'])
  })

  test('passes the preflight from anywhere, which does not say whose key will come', async () => {
    const headers = { Origin: evil, 'Access-Control-Request-Headers': 'x-public-key' }
    const answer = await bff.fetch('/api/v1/deposits/create', { method: 'OPTIONS', headers })
    expect([answer.status, answer.headers.get('Access-Control-Allow-Origin')]).toEqual([204, '*'])
  })

  test('is not asked for an origin where no browser sends one, nor are test keys, other merchants and servers', async () => {
    expect((await from(undefined)).status).toBe(200)
    expect((await from(evil, bff.keys.test)).status).toBe(200)
    expect((await from(evil, bff.keys.secret)).status).toBe(200)
    expect((await from(evil, bff.keys.stranger)).status).toBe(200)
  })

  test('leads nobody back to a page of another origin', async () => {
    const refused = await from(shop, bff.keys.public, { returnUrl: `${evil}/thanks` })
    expect(refused).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_FAILED', message: expect.stringContaining('returnUrl must have an origin') },
    })
    const lookalike = await from(shop, bff.keys.public, { returnUrl: `${shop}.evil.example/thanks` })
    expect([lookalike.status, lookalike.body['code']]).toEqual([400, 'VALIDATION_FAILED'])
    expect((await from(shop, bff.keys.public, { returnUrl: `${shop}/thanks` })).status).toBe(200)
    expect((await from(undefined, bff.keys.secret, { returnUrl: `${evil}/thanks` })).status).toBe(200)
  })

  test('does not bind where a payment link leads back to, which the merchant has set', async () => {
    const json = { 'Content-Type': 'application/json' }
    const made = await bff.call('/api/v1/links', {
      method: 'POST',
      headers: { ...json, ...bff.keys.secret },
      body: JSON.stringify({ amount: '25.00', returnUrl: `${evil}/thanks` }),
    })
    const { id } = made.body['link'] as { id: string }
    const paid = await bff.call(`/api/v1/links/public/${id}/create`, {
      method: 'POST',
      headers: json,
      body: JSON.stringify({ network: order.network, currency: order.currency, returnUrl: `${shop}/other` }),
    })
    expect([paid.status, paid.body.payment]).toMatchObject([
      200,
      { returnUrl: expect.stringContaining(`${evil}/thanks?`) },
    ])
  })

  test('is accepted from anywhere again once the list is empty', async () => {
    await list()
    expect((await from(evil)).status).toBe(200)
  })
})

describe('the list of origins', () => {
  test.each([
    [[`${shop}/`], [shop]],
    [['HTTPS://Shop.Example', shop], [shop]],
    [['https://shop.example:443'], [shop]],
    [['http://[::1]:8080'], ['http://[::1]:8080']],
  ])('%o is stored as a browser writes it', async (given, stored) => {
    expect((await put(given)).body['origins']).toEqual(stored)
  })

  test.each([
    [[`${shop}/path`], 'origins must each be a scheme and a host'],
    [['https://user@shop.example'], 'origins must each be'],
    [['*'], 'origins must each be'],
    [['https://*.shop.example'], 'origins must each be'],
    [['ftp://shop.example'], 'origins must each be'],
    [['null'], 'origins must each be'],
    [[7], 'origins must be a list of texts'],
    [shop, 'origins must be a list'],
    [Array.from({ length: 51 }, (_, at) => `https://shop-${at}.example`), 'origins must be at most 50'],
  ])('%o is refused in a sentence that says the rule', async (given, message) => {
    const { status, body } = await put(given)
    expect([status, body['message']]).toEqual([400, expect.stringContaining(message)])
  })

  test('is read and written by the command line in one spelling', async () => {
    expect(parseOriginList('any')).toEqual([])
    expect(parseOriginList(`${shop}, http://localhost:8080`)).toEqual([shop, 'http://localhost:8080'])
    expect(formatOriginList([shop, evil])).toBe(`${shop},${evil}`)
    const { keyOrigins } = await setMerchant(bff.deps.db, bff.merchant.merchantId, { keyOrigins: [shop] })
    expect(keyOrigins).toEqual([shop])
  })

  test('has up to fifty', () => {
    const origins = Array.from({ length: 50 }, (_, at) => `https://shop-${at}.example`)
    expect(parseOrigins(origins)).toEqual(origins)
  })
})
