import { type AppFixture, openApp } from '@stablecoin-checkout/rig/test-app'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../db/db.ts'
import { deleteExpiredLinkKeys } from './link-key-store.ts'

let bff: AppFixture
beforeAll(async () => {
  bff = await openApp()
})
afterAll(() => bff.close())

type Shown = Record<string, unknown> & { id: string }

async function call(method: string, path: string, body?: object, headers: Record<string, string> = bff.keys.secret) {
  const answer = await bff.call(`/api/v1${path}`, {
    method,
    headers: { ...(body && { 'Content-Type': 'application/json' }), ...headers },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { ...answer, link: answer.body['link'] as Shown }
}

const make = (terms: object = {}) => call('POST', '/links', { amount: '25.00', ...terms })
const repeated = (answer: Awaited<ReturnType<typeof make>>) => answer.headers.get('Idempotent-Replayed') === 'true'
const makeWith = (terms: object, key: string) =>
  call('POST', '/links', { amount: '25.00', ...terms }, { ...bff.keys.secret, 'Idempotency-Key': key })

test('a repeat is answered with the same link under the same Idempotency-Key, word for word, and with another under another', async () => {
  const key = crypto.randomUUID()
  const first = await makeWith({ description: 'Table 9' }, key)
  await bff.fetch(`/pay/${first.link.id}`)
  const again = await makeWith({ amount: 25, description: 'Table 10' }, `"${key}"`)
  expect([again.status, again.body, repeated(first), repeated(again)]).toEqual([200, first.body, false, true])
  expect((await makeWith({}, crypto.randomUUID())).link.id).not.toBe(first.link.id)
  const headers = { 'X-API-Key': bff.other.apiKey, 'X-API-Secret': bff.other.apiSecret, 'Idempotency-Key': key }
  const other = await call('POST', '/links', { amount: '25.00' }, headers)
  expect([other.status, other.link.id === first.link.id]).toEqual([200, false])
})

test('a request makes one link when two come at once', async () => {
  const key = crypto.randomUUID()
  const made = await Promise.all([makeWith({}, key), makeWith({}, key), makeWith({}, key)])
  expect(new Set(made.map(({ link }) => link.id)).size).toBe(1)
  expect(made.filter(repeated)).toHaveLength(2)
})

test.each<[object, string]>([
  [{ amount: '24.00' }, '24.00 in any token on any network, paid at most 1 times'],
  [{ amount: undefined, price: '25', priceCurrency: 'USD' }, '25.00 USD in any token'],
  [{ currency: 'USDC' }, '25.00 in USDC on any network'],
  [{ network: 'devnet' }, '25.00 in any token on devnet'],
  [{ maxPayments: 2 }, 'paid at most 2 times'],
])('a repeat is refused with %o, which is other money', async (terms, asked) => {
  for (const name of ['Idempotency-Key', 'orderId']) {
    const value = crypto.randomUUID()
    const send = (more: object) =>
      name === 'orderId' ? make({ orderId: value, ...more }) : makeWith({ ...more }, value)
    await send({})
    const { status, body } = await send(terms)
    expect([status, body['code']]).toEqual([400, 'IDEMPOTENCY_MISMATCH'])
    expect(body['message']).toContain(`This ${name} was used before`)
    expect(body['message']).toContain(asked)
  }
})

test.each(['', 'x'.repeat(201), '\u00e9'])('a key is refused where it is %j', async (key) => {
  const { status, body } = await makeWith({}, key)
  expect([status, body['message']]).toEqual([400, 'Idempotency-Key must be 1 to 200 printable ASCII characters'])
})

test('a request is known for a day under a header, also when its link has ended', async () => {
  const key = crypto.randomUUID()
  const { link } = await makeWith({}, key)
  await call('POST', `/links/${link.id}/end`)
  bff.advance(24 * 3_600_000 - 1)
  expect((await makeWith({}, key)).link.id).toBe(link.id)
  bff.advance(1)
  const later = await makeWith({ amount: '30.00' }, key)
  expect([later.status, later.link.id === link.id]).toEqual([200, false])
})

test('a request is known by its order id until the link was ended or has expired', async () => {
  const orderId = crypto.randomUUID()
  const expiresAt = new Date(bff.deps.runtime.nowMs() + 1_000).toISOString()
  const first = await make({ orderId, expiresAt })
  const again = await make({ orderId, expiresAt })
  expect([again.body, repeated(again)]).toEqual([first.body, true])
  bff.advance(1_000)
  const second = await make({ orderId, amount: '30.00' })
  expect([repeated(second), second.link['amount']]).toEqual([false, '30.00'])
  await call('POST', `/links/${second.link.id}/end`)
  const third = await make({ orderId })
  expect(new Set([first, second, third].map(({ link }) => link.id)).size).toBe(3)
  expect((await makeWith({ orderId }, crypto.randomUUID())).link.id).not.toBe(third.link.id)
})

test('a key is forgotten when it has expired, so many at a time, and order ids are not', async () => {
  const stored = () =>
    bff.deps.db.read((tx) => tx.all<{ expires_at_ms: number | null }>(sql`select expires_at_ms from link_keys`))
  await makeWith({}, crypto.randomUUID())
  const expiring = (await stored()).filter((row) => row.expires_at_ms !== null).length
  bff.advance(24 * 3_600_000)
  const forget = (limit: number) =>
    bff.deps.db.write((tx) => deleteExpiredLinkKeys(tx, bff.deps.runtime.nowMs() + 1, limit))
  expect([await forget(1), await forget(1_000)]).toEqual([1, expiring - 1])
  expect((await stored()).length).toBeGreaterThan(0)
  expect((await stored()).every((row) => row.expires_at_ms === null)).toBe(true)
})
