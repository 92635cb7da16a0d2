import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type AppFixture, openApp, transferTo } from '@stablecoin-checkout/rig/test-app'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createRateLimits, defaultLimits } from '../../access/limits/rate-limit.ts'
import { sql } from '../../db/db.ts'
import type { PaymentId } from '../../payment/payment.ts'
import { endSurplus } from '../end-surplus.ts'
import { openElementFiles } from '../pay-page/element-files.ts'

const folder = mkdtempSync(join(tmpdir(), 'element-'))
writeFileSync(join(folder, 'stablecoin-checkout.js'), 'void 0')
writeFileSync(join(folder, 'stablecoin-checkout-element-B1a2c3d4.js'), 'export {}')

let bff: AppFixture
beforeAll(async () => {
  bff = await openApp({ elementFiles: openElementFiles(folder), publicUrl: 'https://pay.example' })
})
afterAll(async () => {
  await bff.close()
  rmSync(folder, { recursive: true, force: true })
})

type Shown = Record<string, unknown> & { id: string }

async function call(method: string, path: string, body?: object, headers: Record<string, string> = {}) {
  const answer = await bff.call(`/api/v1${path}`, {
    method,
    headers: { ...(body && { 'Content-Type': 'application/json' }), ...headers },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { ...answer, link: answer.body['link'] as Shown }
}

const make = (terms: object = {}) => call('POST', '/links', { amount: '25.00', ...terms }, bff.keys.secret)
const read = async (id: string) => (await call('GET', `/links/${id}`, undefined, bff.keys.secret)).link
const choice = { network: 'devnet', currency: 'USDC' }
const pay = (id: string, body: object = choice, headers: Record<string, string> = {}) =>
  call('POST', `/links/public/${id}/create`, body, headers)

async function confirm(id: unknown, units: bigint) {
  const transfer = transferTo(id as PaymentId, units)
  const { ledger } = bff.deps
  await ledger.apply(id as PaymentId, { type: 'transfer.seen', transfer, atMs: bff.deps.runtime.nowMs() })
  await ledger.apply(id as PaymentId, { type: 'transfer.confirmed', transfer, atMs: bff.deps.runtime.nowMs() })
}

describe('a payment link', () => {
  test('is made with API key and secret alone, and shows where it is opened', async () => {
    const { status, link } = await make({ description: 'Table 7', returnUrl: 'https://shop.example/' })
    expect(status).toBe(200)
    expect(link).toMatchObject({
      ...{ id: expect.stringMatching(/^pl_[\w-]{24}$/), url: `https://pay.example/pay/${link.id}`, state: 'open' },
      ...{ amount: '25.00', price: null, description: 'Table 7', maxPayments: 1, opened: 0, paid: 0, network: null },
    })
    expect((await call('POST', '/links', { amount: '25.00' }, bff.keys.public)).status).toBe(403)
    const { body } = await call('GET', `/links/${link.id}?include=qr`, undefined, bff.keys.secret)
    expect(body['link']).toMatchObject({ qr: { size: expect.any(Number), modules: expect.any(String) } })
  })

  test.each<[object, RegExp]>([
    [{ amount: undefined }, /amount is required/],
    [{ price: '1', priceCurrency: 'USD' }, /amount and price must not be sent together/],
    [{ amount: '0.0000001' }, /amount has more than the 6 decimals/],
    [{ amount: undefined, price: '1', priceCurrency: 'EUR' }, /no rate of USDC in EUR/],
    [{ network: 'nowhere' }, /network "nowhere" is not supported/],
    [{ network: 'elsewhere' }, /No settlement wallet is configured on elsewhere/],
    [{ description: ' ' }, /description must not be empty/],
    [{ description: 'x'.repeat(501) }, /description must be at most 500/],
    [{ maxPayments: 0 }, /maxPayments must be at least 1/],
    [{ maxPayments: 10_001 }, /maxPayments must be at most 10000/],
    [{ expiresAt: 'tomorrow' }, /expiresAt must be a time/],
    [{ expiresAt: '2020-01-01T00:00:00Z' }, /expiresAt must be in the future/],
    [{ returnUrl: 'javascript:alert(1)' }, /returnUrl/],
    [{ callbackUrl: 'ftp://shop.example' }, /callbackUrl/],
  ])('is refused with %o, in a sentence that names the field', async (terms, message) => {
    const { status, body } = await make(terms)
    expect([status, body['message']]).toEqual([400, expect.stringMatching(message)])
  })

  test('is listed newest first, page by page, to its own merchant', async () => {
    const made = [await make(), await make(), await make()].map(({ link }) => link.id).reverse()
    const first = (await call('GET', '/links?limit=2', undefined, bff.keys.secret)).body
    const second = (await call('GET', `/links?limit=1&before=${first['next']}`, undefined, bff.keys.secret)).body
    const ids = [first, second].flatMap(({ links }) => (links as Shown[]).map(({ id }) => id))
    expect(ids).toEqual(made)
    const refused = await call('GET', '/links', undefined, bff.keys.stranger)
    expect([refused.status, refused.body['code']]).toEqual([403, 'API_SECRET_REQUIRED'])
    const other = { 'X-API-Key': bff.other.apiKey, 'X-API-Secret': bff.other.apiSecret }
    expect((await call('GET', '/links', undefined, other)).body['links']).toEqual([])
    for (const path of ['', '/end']) {
      const method = path === '' ? 'GET' : 'POST'
      expect((await call(method, `/links/${made[0]}${path}`, undefined, other)).status).toBe(404)
    }
  })

  test('shows to whoever holds it what it asks for, and nothing of the order', async () => {
    const { link } = await make({ orderId: 'o-7', callbackUrl: 'https://shop.example/hook', metadata: { table: 7 } })
    const { body } = await call('GET', `/links/public/${link.id}`)
    expect(body['link']).toMatchObject({ id: link.id, amount: '25.00', Merchant: { businessName: 'Corner Coffee' } })
    expect(JSON.stringify(body)).not.toMatch(/o-7|hook|table|opened/)
    const { stablecoins } = (await call('GET', `/links/public/${link.id}/stablecoins`)).body as never
    expect(stablecoins).toMatchObject([{ symbol: 'USDC', Network: { shortName: 'devnet', confirmations: 3 } }])
    expect(stablecoins).toMatchObject([{ amount: '25.00' }])
    expect((await call('GET', `/links/public/pl_${'x'.repeat(24)}`)).status).toBe(404)
    expect((await call('GET', '/links/public/seven')).status).toBe(400)
  })
})

describe('a customer of a link', () => {
  test('sees what a price comes to in each token before choosing one', async () => {
    const { link } = await make({ amount: undefined, price: '25.005', priceCurrency: 'USD' })
    const { stablecoins } = (await call('GET', `/links/public/${link.id}/stablecoins`)).body as never
    expect(stablecoins).toMatchObject([{ symbol: 'USDC', amount: '25.01' }])
  })

  test('gets a payment of their own, on the terms of the link, which webhooks name', async () => {
    const terms = { orderId: 'o-8', metadata: { table: 8 }, returnUrl: 'https://shop.example/' }
    const { link } = await make({ ...terms, maxPayments: 3 })
    const first = await pay(link.id, { ...choice, amount: '0.01' })
    expect([first.status, first.body.payment]).toMatchObject([200, { amount: '25.00', network: 'devnet' }])
    const { id, clientSecret } = first.body.payment
    expect(clientSecret).toMatch(/^cs_/)
    expect(JSON.stringify(first.body)).not.toContain('o-8')
    expect((await pay(link.id)).body.payment['id']).not.toBe(id)
    const record = (await call('GET', `/payments/${id}`, undefined, bff.keys.secret)).body.payment
    expect(record).toMatchObject({ linkId: link.id, orderId: 'o-8', metadata: { table: 8 } })
    const events = (await call('GET', '/events?limit=100', undefined, bff.keys.secret)).body['events'] as Shown[]
    expect(events.find(({ data }) => (data as Shown).id === id)).toMatchObject({ data: { linkId: link.id } })
  })

  test('gets the same payment for the same key, at the first rate', async () => {
    const { link } = await make({ amount: undefined, price: '25.005', priceCurrency: 'USD' })
    const headers = { 'Idempotency-Key': crypto.randomUUID() }
    const first = (await pay(link.id, choice, headers)).body.payment
    expect(first).toMatchObject({ amount: '25.01', price: '25.005', priceCurrency: 'USD', rate: '1' })
    const again = await pay(link.id, choice, headers)
    expect([again.body.payment['id'], again.headers.get('Idempotent-Replayed')]).toEqual([first['id'], 'true'])
  })

  test.each([
    [{ network: 'elsewhere', currency: 'USDC' }, /No settlement wallet/],
    [{ network: 'devnet', currency: 'USDT' }, /currency must be USDC, as the payment link says/],
    [{ network: 'devnet' }, /currency is required: the symbol of a token/],
  ])('cannot choose %o where the shop has none of it, or has decided', async (chosen, message) => {
    const { link } = await make({ currency: 'USDC' })
    const { status, body } = await pay(link.id, chosen)
    expect([status, body['message']]).toEqual([400, expect.stringMatching(message)])
  })

  test('cannot end what another customer of the link pays, nor can the public key', async () => {
    const { link } = await make()
    const { id } = (await pay(link.id)).body.payment
    const fail = { paymentId: id, status: 'cancelled' }
    expect((await call('POST', '/payments/fail', fail, bff.keys.public)).body['skipped']).toBe(true)
    expect((await call('POST', '/payments/fail', fail, { 'X-Public-Key': link.id })).status).toBe(401)
  })
})

describe('a link takes no more payments', () => {
  test('once it was paid as often as it may be: open payments without money are cancelled', async () => {
    const { link } = await make({ maxPayments: 2 })
    const ids = [await pay(link.id), await pay(link.id), await pay(link.id)].map(({ body }) => body.payment['id'])
    await confirm(ids[0], 25_000_000n)
    expect(await read(link.id)).toMatchObject({ paid: 1, state: 'open' })
    expect(await endSurplus(bff.deps)).toBe(false)
    await confirm(ids[1], 25_000_000n)
    expect(await read(link.id)).toMatchObject({ paid: 2, state: 'paid' })
    const late = await pay(link.id)
    expect([late.status, late.body['code']]).toEqual([409, 'LINK_CLOSED'])
    await endSurplus(bff.deps)
    const outcomes = await Promise.all(
      ids.map(async (id) => (await call('GET', `/payments/public/${id}`)).body.payment['status']),
    )
    expect(outcomes).toEqual(['sweeping', 'sweeping', 'cancelled'])
  })

  test('also when one of its open payments cannot be changed: the others are cancelled', async () => {
    const { link } = await make({ maxPayments: 1 })
    const ids = [await pay(link.id), await pay(link.id), await pay(link.id)].map(({ body }) => body.payment['id'])
    await confirm(ids[0], 25_000_000n)
    const setMetadata = (metadata: string | null) =>
      bff.deps.db.write((tx) => tx.run(sql`update payments set metadata = ${metadata} where id = ${String(ids[1])}`))
    await setMetadata('{')
    await expect(endSurplus(bff.deps)).rejects.toThrow('JSON')
    const statusOf = async (id: unknown) => (await call('GET', `/payments/public/${id}`)).body.payment['status']
    expect(await statusOf(ids[2])).toBe('cancelled')
    await setMetadata(null)
    await endSurplus(bff.deps)
    expect(await statusOf(ids[1])).toBe('cancelled')
  })

  test('while the last one is under way', async () => {
    const { link } = await make()
    const { id } = (await pay(link.id)).body.payment
    const transfer = transferTo(id as PaymentId, 25_000_000n)
    const atMs = bff.deps.runtime.nowMs()
    await bff.deps.ledger.apply(id as PaymentId, { type: 'transfer.seen', transfer, atMs })
    const { status, body } = await pay(link.id)
    expect([status, body['message']]).toEqual([409, expect.stringContaining('is being paid by another customer')])
  })

  test('after its end, whoever asks for it first, and says so', async () => {
    const { link } = await make()
    const end = () => call('POST', `/links/${link.id}/end`, undefined, bff.keys.secret)
    const ended = (await end()).link
    expect(ended).toMatchObject({ state: 'ended', endedAt: expect.any(String) })
    expect((await end()).link['endedAt']).toBe(ended['endedAt'])
    expect((await pay(link.id)).body['message']).toContain('was ended by the shop')
  })

  test('after its expiry', async () => {
    const expiresAt = new Date(bff.deps.runtime.nowMs() + 1_000).toISOString()
    const { link } = await make({ expiresAt })
    expect((await pay(link.id)).status).toBe(200)
    bff.advance(1_000)
    expect((await read(link.id))['state']).toBe('expired')
    expect((await pay(link.id)).body['message']).toContain('has expired')
  })
})

describe('the page of a link', () => {
  const open = (id: string, headers: Record<string, string> = {}) => bff.fetch(`/pay/${id}`, { headers })

  test('holds the element with the terms of the link, and counts that it was opened', async () => {
    const { link } = await make({ description: '<b>Table</b> 7' })
    const answer = await open(link.id)
    const text = await answer.text()
    expect([answer.status, answer.headers.get('Cache-Control')]).toEqual([200, 'no-store'])
    expect(text).toContain(`<stablecoin-checkout public-key="${link.id}" amount="25.00">`)
    expect(text).toContain('<title>Pay 25.00 USDC to Corner Coffee</title>')
    expect(text).toContain('<span dir="auto">Corner Coffee</span>')
    expect(text).toContain('<h1><bdi>&lt;b&gt;Table&lt;/b&gt; 7</bdi></h1>')
    expect(answer.headers.get('Content-Security-Policy')).toContain("frame-ancestors 'none'")
    await open(link.id)
    await open(link.id, { 'Sec-Purpose': 'prefetch' })
    expect((await bff.fetch(`/pay/${link.id}`, { method: 'HEAD' })).status).toBe(200)
    expect((await read(link.id))['opened']).toBe(2)
  })

  test('says the price', async () => {
    const { link } = await make({ amount: undefined, price: '25.50', priceCurrency: 'USD' })
    const text = await (await open(link.id)).text()
    expect(text).toContain(`public-key="${link.id}" price="25.50" price-currency="USD">`)
    expect(text).toContain('<title>Pay $25.50 to Corner Coffee</title>')
  })

  test('says so where there is no such link', async () => {
    const answer = await open(`pl_${'x'.repeat(24)}`)
    expect([answer.status, await answer.text()]).toEqual([404, expect.stringContaining('There is no such payment')])
  })
})

test('one address cannot open more than ten payments of a link, and others still can', async () => {
  const limits = createRateLimits({ limits: defaultLimits, trustedProxies: ['127.0.0.1'] })
  const limited = await openApp({ limits })
  const headers = { 'Content-Type': 'application/json' }
  const post = (path: string, body: object, more: Record<string, string>) =>
    limited.call(`/api/v1${path}`, { method: 'POST', headers: { ...headers, ...more }, body: JSON.stringify(body) })
  const { link } = (await post('/links', { amount: '5', maxPayments: 100 }, limited.keys.secret)).body as never as {
    link: Shown
  }
  const visit = () => post(`/links/public/${link.id}/create`, choice, {})
  for (let opened = 0; opened < 10; opened++) expect((await visit()).status).toBe(200)
  const { status, body } = await visit()
  expect([status, body['code']]).toEqual([429, 'TOO_MANY_OPEN_PAYMENTS'])
  await limited.close()
})
