import { signedIn } from '@stablecoin-checkout/rig/dashboard-stage'
import { type AppFixture, openApp, order } from '@stablecoin-checkout/rig/test-app'
import { createTestDatabase, isOnPostgres } from '@stablecoin-checkout/rig/test-database'
import { openTillStage } from '@stablecoin-checkout/rig/till-stage'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { PaymentId } from '../../payment/payment.ts'
import type { Caller } from '../context/caller.ts'
import { createRateLimits, defaultLimits, type Limits } from './rate-limit.ts'
import { openSharedCounters } from './shared-counters.ts'

let fixture: AppFixture
let counters: ReturnType<typeof openSharedCounters> | undefined
// The clock stands still, because calls of one window may take longer than a window on a busy machine.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
afterEach(async () => {
  vi.useRealTimers()
  await counters?.close()
  await fixture.close()
})

/** On PostgreSQL, calls are counted where replicas share the counts. */
async function open(changes: Partial<Limits>, trustedProxies: string[] = [], more: { lenientClients?: boolean } = {}) {
  const given = { limits: { ...defaultLimits, ...changes }, trustedProxies }
  const database = await createTestDatabase()
  if (isOnPostgres) {
    counters = openSharedCounters(database.location, { nowMs: Date.now, digest: (name) => name, patienceMs: 20_000 })
  }
  fixture = await openApp({ ...more, limits: createRateLimits({ ...given, ...counters }) }, { database })
}

type Headers = Record<string, string>
type Answer = { code: string; message: string; payment: { id: PaymentId } }
/** A call from an address. */
async function from(address: string, path: string, init: RequestInit & { headers?: Headers } = {}) {
  const response = await fixture.app.request(path, init, { incoming: { socket: { remoteAddress: address } } } as never)
  return { status: response.status, headers: response.headers, body: (await response.json()) as Answer }
}
const create = (address: string, headers: Headers = fixture.keys.public, body: unknown = order) =>
  from(address, '/api/v1/deposits/create', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
const unknown = '/api/v1/payments/status/7f0f1f4e-6a43-4a2e-9d2b-0a9f6d9d0a11'
const read = (address: string, headers: Headers = fixture.keys.public) => from(address, unknown, { headers })

/** The statuses of so many calls, one after the other. */
async function statuses(count: number, call: () => Promise<{ status: number }>): Promise<number[]> {
  const seen: number[] = []
  for (let index = 0; index < count; index++) seen.push((await call()).status)
  return seen
}

describe('too many', () => {
  test('payments of a link from one address are refused, and those from another are not', async () => {
    await open({ creates: 2 })
    const headers = { 'Content-Type': 'application/json' }
    const made = await from('192.0.2.9', '/api/v1/links', {
      method: 'POST',
      headers: { ...headers, ...fixture.keys.secret },
      body: JSON.stringify({ amount: '5.00' }),
    })
    const { id } = (made.body as unknown as { link: { id: string } }).link
    const body = JSON.stringify({ network: 'devnet', currency: 'USDC' })
    const pay = (address: string) =>
      from(address, `/api/v1/links/public/${id}/create`, { method: 'POST', headers, body })
    expect(await statuses(3, () => pay('192.0.2.1'))).toEqual([200, 200, 429])
    expect((await pay('192.0.2.2')).status).toBe(200)
  })

  test('creates with a public key from one address are refused with the time to come back', async () => {
    await open({ creates: 2 })
    expect(await statuses(2, () => create('192.0.2.1'))).toEqual([200, 200])
    const { status, headers, body } = await create('192.0.2.1')
    expect(status).toBe(429)
    expect(Number(headers.get('Retry-After'))).toBe(60)
    expect(headers.get('X-Request-Id')).toBeTruthy()
    expect(body).toMatchObject({ success: false, error: 'Too many requests', code: 'RATE_LIMITED' })
    expect(body.message).toMatch(/At most 2 payments can be created from one address in 60 seconds; try again in/)
  })

  test('creates from one network of IPv6 are refused, which has addresses without number, and those of other networks are not', async () => {
    await open({ creates: 1 })
    const addresses = Array.from({ length: 11 }, (_, nth) => `2001:db8:1:${nth}::1`)
    const seen = []
    for (const address of addresses) seen.push((await create(address)).status)
    expect(seen).toEqual([...Array<number>(10).fill(200), 429])
    expect((await create('2001:db8:2:1::1')).status).toBe(200)
    expect((await create('2001:db8:1:11::1', fixture.keys.stranger)).status).toBe(200)
  })

  test('what a live public key simulates counts with its creates, because each stores as much', async () => {
    await open({ creates: 2 })
    const ask = (path: string, headers: Headers, body: object) => {
      const init = { method: 'POST', headers: { 'Content-Type': 'application/json', ...headers } }
      return from('192.0.2.1', `/api/v1/sandbox/payments/${path}`, { ...init, body: JSON.stringify(body) })
    }
    const { payment } = (await ask('create', fixture.keys.public, order)).body
    const simulate = (headers: Headers) => ask(`${payment.id}/simulate`, headers, { action: 'detect' })
    expect(await statuses(2, () => simulate(fixture.keys.public))).toEqual([200, 429])
    const tested = (await ask('create', fixture.keys.test, order)).body.payment.id
    const ofTester = () => ask(`${tested}/simulate`, fixture.keys.test, { action: 'detect' })
    expect(await statuses(3, ofTester)).toEqual([200, 200, 200])
  })

  test('creates with a public key have a bound of the day too, because each is stored for good', async () => {
    await open({ creates: 2, createsPerDay: 3 })
    expect(await statuses(3, () => create('192.0.2.1'))).toEqual([200, 200, 429])
    vi.setSystemTime(Date.now() + 60_001)
    expect(await statuses(2, () => create('192.0.2.1'))).toEqual([200, 429])
    vi.setSystemTime(Date.now() + 60_001)
    const { headers, body } = await create('192.0.2.1')
    expect([body.code, headers.get('Retry-After')]).toEqual(['RATE_LIMITED', String(24 * 3_600 - 121 + 1)])
    expect((await create('192.0.2.2')).status).toBe(200)
    expect((await create('192.0.2.1', fixture.keys.secret)).status).toBe(200)
    const inNetwork = Array.from({ length: 31 }, (_, nth) => `2001:db8:1:${nth}::1`)
    const seen = []
    for (const [nth, address] of inNetwork.entries()) {
      if (nth % 15 === 0) vi.setSystemTime(Date.now() + 60_001)
      seen.push((await create(address)).status)
    }
    expect(seen).toEqual([...Array<number>(30).fill(200), 429])
  })

  test('a shop whose server or unlisted proxy is one address sells to ten thousand a day, and then learns what to do', async () => {
    await open({})
    const limits = createRateLimits({ trustedProxies: [] })
    const values: Record<string, unknown> = { operation: { rate: 'creates' } }
    const request = { get: (name: string) => values[name], req: { header: () => undefined } }
    const call = { ...request, env: { incoming: { socket: { remoteAddress: '192.0.2.1' } } } }
    const sell = () => limits.called(call as never, { kind: 'public', id: 'pk_live_shop' } as Caller)
    const sales = 10_000
    for (let nth = 0; nth < sales; nth++) {
      vi.setSystemTime(Date.now() + 8_000)
      await sell()
    }
    await expect(async () => {
      for (let nth = 0; nth < sales; nth++) {
        if (nth % 50 === 0) vi.setSystemTime(Date.now() + 61_000)
        await sell()
      }
    }).rejects.toThrow(/ in a day; try again in \d+ seconds, or create with API key and secret\.$/)
  })

  test('creates leave reads alone, other addresses, other public keys, and the other path is no way around', async () => {
    await open({ creates: 1 })
    await create('192.0.2.1')
    const alias = { method: 'POST', headers: fixture.keys.public, body: '{}' }
    expect((await from('192.0.2.1', '/api/deposits/create', alias)).status).toBe(429)
    expect((await read('192.0.2.1')).status).toBe(404)
    expect((await create('192.0.2.2')).status).toBe(200)
    expect((await create('192.0.2.1', fixture.keys.stranger)).status).toBe(200)
  })

  test('other calls have a limit of their own', async () => {
    await open({ calls: 2 })
    expect(await statuses(3, () => read('192.0.2.1'))).toEqual([404, 404, 429])
  })

  test('devices that are no tills are slowed down as wrong credentials are, and a till by its own calls', async () => {
    await open({ failures: 2, secretCalls: 30 })
    const noTill = { headers: { Cookie: `checkout-till=${'A'.repeat(43)}`, Host: 'localhost' } }
    expect(await statuses(3, () => from('192.0.2.1', '/api/v1/till', noTill))).toEqual([401, 401, 429])
    const owner = await signedIn(fixture)
    const stage = openTillStage(
      () => fixture,
      () => owner,
    )
    const device = await stage.openTill()
    const seen = await statuses(31, () => device.ask('GET', '/till'))
    expect([seen[0], seen.at(-1)]).toEqual([200, 429])
    expect((await owner.ask('GET', '/dashboard/session')).status).toBe(200)
  })

  test('calls of API key and secret are counted by the key, from whatever address', async () => {
    await open({ creates: 1, secretCalls: 3 })
    let host = 0
    const call = () => create(`192.0.2.${++host}`, fixture.keys.secret)
    expect(await statuses(4, call)).toEqual([200, 200, 200, 429])
  })

  test('calls without a key are counted by address, on what anybody may read also those with one', async () => {
    await open({ openCalls: 2 })
    const made = { headers: { 'X-Public-Key': 'made-up' } }
    const paths = ['/api/v1/currency/rates', '/api/payments/public/x', '/api/health']
    const seen: number[] = []
    for (const path of paths) seen.push((await from('192.0.2.1', path, made)).status)
    expect(seen).toEqual([200, 400, 429])
    expect((await from('192.0.2.2', '/api/v1/currency/rates')).status).toBe(200)
  })

  test('calls to what anybody may read are counted before their work, whatever key came along', async () => {
    await open({ openCalls: 0 })
    const reads = vi.spyOn(fixture.deps.db, 'read')
    const headers = { 'X-Public-Key': 'made-up', Accept: 'application/json' }
    for (const path of ['/pay/', '/x402/', '/api/v1/payments/public/', '/api/x402/']) {
      expect((await from('192.0.2.1', path + id, { headers })).status, path).toBe(429)
    }
    for (const path of [
      '/docs',
      '/docs/reference.css',
      '/docs/webhooks',
      '/dashboard',
      '/dashboard/payments',
      '/api/openapi.json',
    ]) {
      expect((await from('192.0.2.1', path, { headers })).status, path).toBe(429)
    }
    expect(reads).not.toHaveBeenCalled()
  })

  const id = '7f0f1f4e-6a43-4a2e-9d2b-0a9f6d9d0a11'
  const madeUp = { Cookie: `checkout-session=${'A'.repeat(43)}` }
  const asOwnPage = { ...madeUp, Host: 'localhost', Origin: 'http://localhost' }
  const post = (body: object, headers: Headers) => ({
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  const bySecret = { address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', clientSecret: 'cs_made-up' }

  test.each<[string, string, () => RequestInit & { headers?: Headers }, number]>([
    ['a made-up cookie', `/api/v1/deposits/refund-request/${id}`, () => post(bySecret, asOwnPage), 403],
    ['a made-up cookie', '/api/v1/payments/fail', () => post({ paymentId: id, ...bySecret }, asOwnPage), 403],
    [
      'a made-up cookie at another address',
      `/api/v1/deposits/status/${id}`,
      () => ({ headers: { ...madeUp, Host: 'pay.example' } }),
      500,
    ],
    ['a made-up cookie', '/api/v1/nothing', () => ({ headers: madeUp }), 404],
    ['a made-up key', '/api/v1/nothing', () => ({ headers: { 'X-Public-Key': 'pk_live_x' } }), 404],
    ['a made-up API key', '/stablecoin-checkout.js', () => ({ headers: { 'X-API-Key': 'ak_x' } }), 404],
    ['the key of a page', '/api/v1/nothing', () => ({ headers: fixture.keys.public }), 404],
  ])('calls are counted as without a key, whatever came along: %s at %s', async (_, path, init, status) => {
    await open({ openCalls: 2 }, [], { lenientClients: true })
    expect(await statuses(3, () => from('192.0.2.1', path, init()))).toEqual([status, status, 429])
    expect((await from('192.0.2.1', '/api/v1/currency/rates')).status).toBe(429)
    // A caller who is known goes on, behind the same address.
    expect((await read('192.0.2.1')).status).toBe(404)
    expect((await create('192.0.2.1', fixture.keys.secret)).status).toBe(200)
  })

  test('a session that is good is counted as its person', async () => {
    await open({ openCalls: 10 })
    const page = await signedIn(fixture)
    await statuses(11, () => from('192.0.2.1', '/api/v1/currency/rates'))
    const headers = { Cookie: page.cookie(), Host: 'localhost', 'Sec-Fetch-Site': 'same-origin' }
    expect(await statuses(3, () => from('192.0.2.1', '/api/v1/payments', { headers }))).toEqual([200, 200, 200])
  })

  test('changes of a person that the audit log records are refused, also those that change nothing; reads and other people go on', async () => {
    await open({ changes: 2 })
    const [viewer, owner] = [await signedIn(fixture, 'viewer', 'Vic'), await signedIn(fixture)]
    const change = async (page: typeof viewer) =>
      (await page.ask('PATCH', `/dashboard/notices/${crypto.randomUUID()}`, { kinds: [], language: 'en' })).status
    expect([await change(viewer), await change(viewer), await change(viewer)]).toEqual([404, 404, 429])
    expect((await viewer.ask('GET', '/dashboard/notices')).status).toBe(200)
    expect(await change(owner)).toBe(404)
    const { body } = await owner.ask('GET', '/dashboard/audit')
    const recorded = (body['entries'] as { action: string }[]).filter(
      ({ action }) => action === 'noticeChannel.changed',
    )
    expect(recorded).toHaveLength(3)
  })

  test('wrong credentials slow their address down, and lock nobody else behind it out', async () => {
    await open({ failures: 2 })
    const wrong = { 'X-API-Key': fixture.merchant.apiKey, 'X-API-Secret': 'sk_wrong' }
    expect(await statuses(3, () => read('192.0.2.1', wrong))).toEqual([401, 401, 429])
    expect((await read('192.0.2.1')).status).toBe(404)
    expect((await read('192.0.2.2', wrong)).status).toBe(401)
  })

  test("creates of one agent are counted by key: a public key does not use up the server's", async () => {
    await open({ agentCalls: 1 })
    const body = { ...order, agentId: 'a1', agentOwner: 'me' }
    expect((await create('192.0.2.1', fixture.keys.public, body)).status).toBe(200)
    const again = await create('192.0.2.2', fixture.keys.public, body)
    expect([again.status, again.body.code]).toEqual([429, 'RATE_LIMITED'])
    expect((await create('192.0.2.1', fixture.keys.secret, body)).status).toBe(200)
    expect((await create('192.0.2.1', fixture.keys.public, { ...body, agentId: 'a2' })).status).toBe(200)
  })

  test('quotes of the bridge for pages are counted by the network of the client, and those for servers are not', async () => {
    await open({ quotes: 2, merchantQuotes: 8 })
    const { limits } = fixture.deps
    const quote = (kind: 'public' | 'api', address: string) =>
      limits.quoted({ kind, address, merchantId: 'm' } as Caller).then(
        () => 200,
        ({ status }: { status: number }) => status,
      )
    const pages = ['2001:db8:1:2::/64', '2001:db8:1:3::/64', '2001:db8:1:4::/64', '2001:db8:2:2::/64']
    const seen: number[] = []
    for (const address of pages) seen.push(await quote('public', address))
    expect(seen).toEqual([200, 200, 429, 200])
    const servers: number[] = []
    for (let index = 0; index < 5; index++) servers.push(await quote('api', ''))
    expect(servers).toEqual([200, 200, 200, 200, 200])
    expect(await quote('api', ''), 'the merchant has its share').toBe(429)
  })

  test('calls name the second after which they are answered, and not one before it', async () => {
    await open({ creates: 1 })
    await create('192.0.2.1')
    vi.setSystemTime(Date.now() + 30_500)
    expect((await create('192.0.2.1')).headers.get('Retry-After')).toBe('30')
  })

  test('calls with a client secret do nothing, also with a made-up cookie', async () => {
    await open({ openCalls: 1 })
    const { payment } = (await create('192.0.2.9')).body
    await from('192.0.2.1', '/api/v1/currency/rates')
    const body = { paymentId: payment.id, clientSecret: fixture.clientSecretOf(payment.id) }
    const init = {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Cookie: 'checkout-session=x' },
      body: JSON.stringify(body),
    }
    expect((await from('192.0.2.1', '/api/v1/payments/fail', init)).status).toBe(429)
    const { body: after } = await fixture.read(`/api/v1/payments/public/${payment.id}`)
    expect(after.payment).toMatchObject({ status: 'pending' })
  })

  test('are too many for their window only', async () => {
    await open({ creates: 1 })
    expect(await statuses(2, () => create('192.0.2.1'))).toEqual([200, 429])
    vi.setSystemTime(Date.now() + 60_001)
    expect((await create('192.0.2.1')).status).toBe(200)
  })
})

describe('open payments of a public key', () => {
  test('are bounded for one address until some of them end; other addresses, keys and the server go on', async () => {
    await open({ openPaymentsPerAddress: 2 })
    const first = await create('192.0.2.1')
    await create('192.0.2.1')
    const { status, headers, body } = await create('192.0.2.1')
    expect([status, body.code, headers.get('Retry-After')]).toEqual([429, 'TOO_MANY_OPEN_PAYMENTS', '60'])
    expect(body.message).toMatch(/^This address has 2 payments that are still open/)
    expect((await create('192.0.2.2')).status).toBe(200)
    expect((await create('192.0.2.1', fixture.keys.secret)).status).toBe(200)
    expect((await create('192.0.2.1', fixture.keys.stranger)).status).toBe(200)
    const ended = { type: 'window.ended', blockTimeMs: fixture.nowMs() + 1_000_000, atMs: fixture.nowMs() } as const
    await fixture.deps.ledger.apply(first.body.payment.id, ended)
    expect(await statuses(2, () => create('192.0.2.1'))).toEqual([200, 429])
  })

  test('of one IPv6 network of 64 bits count as those of one address', async () => {
    await open({ openPaymentsPerAddress: 2 })
    let host = 0
    const call = () => create(`2001:db8:1:2::${++host}`)
    expect(await statuses(3, call)).toEqual([200, 200, 429])
    expect((await create('2001:db8:1:3::1')).status).toBe(200)
  })

  test('behind a trusted proxy count by the address that the proxy names, and nobody else’s word counts', async () => {
    await open({ openPaymentsPerAddress: 1 }, ['10.0.0.0/8'])
    const via = (proxy: string, client: string) => create(proxy, { ...fixture.keys.public, 'X-Forwarded-For': client })
    const seen: number[] = []
    for (const [proxy, client] of [
      ['10.0.0.1', '198.51.100.1'],
      ['10.0.0.2', '198.51.100.1'],
      ['10.0.0.1', '198.51.100.2'],
      ['192.0.2.1', '198.51.100.3'],
      ['192.0.2.1', '198.51.100.4'],
    ] as const) {
      seen.push((await via(proxy, client)).status)
    }
    expect(seen).toEqual([200, 429, 200, 200, 429])
  })

  test('never pass the bound, however many creates arrive at once, and a repeat is answered all the same', async () => {
    await open({ openPaymentsPerAddress: 5 })
    const keyed = { ...fixture.keys.public, 'Idempotency-Key': 'k1' }
    expect((await create('192.0.2.1', keyed)).status).toBe(200)
    const seen = await Promise.all(Array.from({ length: 30 }, () => create('192.0.2.1')))
    expect(seen.filter(({ status }) => status === 200)).toHaveLength(4)
    expect((await create('192.0.2.1', keyed)).headers.get('Idempotent-Replayed')).toBe('true')
  })
})
