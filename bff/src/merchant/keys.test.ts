import { type AppFixture, openApp } from '@stablecoin-checkout/rig/test-app'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createAuthenticator } from '../access/callers/authenticate.ts'
import { createKey, readKeys, revokeKey, rotateKey } from './keys.ts'

let bff: AppFixture
beforeEach(async () => {
  bff = await openApp()
})
afterEach(() => bff.close())

/** What the service remembers of a key. */
const cacheMs = 1_000
const hourMs = 3_600_000

const statusWith = async (headers: Record<string, string>) => (await bff.read('/api/v1/networks', headers)).status
const publicKey = (key: string) => statusWith({ 'X-Public-Key': key })
const apiKey = (key: string, secret: string | null) => statusWith({ 'X-API-Key': key, 'X-API-Secret': secret ?? '' })

test('a key that was rotated is good until its time is over, and the new one at once', async () => {
  const { apiKey: old, apiSecret } = bff.merchant
  const { key, secret, kind, oldEndsAtMs } = await bff.deps.db.write((tx) =>
    rotateKey(tx, bff.deps.runtime, old, 2 * hourMs),
  )
  expect(kind).toBe('api')
  expect(oldEndsAtMs).toBe(bff.nowMs() + 2 * hourMs)
  expect(await apiKey(key, secret)).toBe(200)
  expect(await apiKey(old, apiSecret)).toBe(200)
  expect(await apiKey(key, apiSecret)).toBe(401)
  bff.advance(2 * hourMs - 1)
  expect(await apiKey(old, apiSecret)).toBe(200)
  bff.advance(cacheMs)
  expect(await apiKey(old, apiSecret)).toBe(401)
  expect(await apiKey(key, secret)).toBe(200)
})

test('a key that was rotated cannot be rotated again, but ended at once', async () => {
  const { publicKey: old } = bff.merchant
  const { key } = await bff.deps.db.write((tx) => rotateKey(tx, bff.deps.runtime, old, hourMs))
  await expect(bff.deps.db.write((tx) => rotateKey(tx, bff.deps.runtime, old, hourMs))).rejects.toThrow(
    /ends 2026-11-21T13:00:00.000Z already/,
  )
  await bff.deps.db.write((tx) => revokeKey(tx, bff.deps.runtime, old))
  bff.advance(cacheMs)
  expect(await publicKey(old)).toBe(401)
  expect(await publicKey(key)).toBe(200)
  expect(await bff.deps.db.write((tx) => revokeKey(tx, bff.deps.runtime, old))).toEqual({
    key: old,
    endedAtMs: bff.nowMs() - cacheMs,
  })
})

test('an API key without its secret opens nothing, under whichever header its id is sent', async () => {
  const { apiKey: id, publicKey: page } = bff.merchant
  expect(await publicKey(id)).toBe(401)
  expect(await apiKey(id, '')).toBe(401)
  expect(await apiKey(page, '')).toBe(401)
  const { status } = await bff.create(undefined, { 'X-Public-Key': id })
  expect(status).toBe(401)
})

test('a key that was revoked is refused within a second, though the clock was set back', async () => {
  const { publicKey: old } = bff.merchant
  expect(await publicKey(old)).toBe(200)
  bff.advance(-hourMs)
  await bff.deps.db.write((tx) => revokeKey(tx, bff.deps.runtime, old))
  expect(await publicKey(old)).toBe(401)
})

test('a key that takes the place of another has its name', async () => {
  const { db, runtime, merchant } = { ...bff.deps, merchant: bff.merchant.merchantId }
  const terms = { kind: 'api', name: 'Warehouse' } as const
  const old = await db.write((tx) => createKey(tx, runtime, merchant, terms))
  const { key } = await db.write((tx) => rotateKey(tx, runtime, old.key, hourMs))
  const names = (await readKeys(db, merchant)).filter(({ name }) => name !== null).map(({ id, name }) => [id, name])
  expect(new Map(names as [string, string][])).toEqual(
    new Map([
      [old.key, 'Warehouse'],
      [key, 'Warehouse'],
    ]),
  )
})

test('each kind of key is made for what it is for', async () => {
  const { merchantId } = bff.merchant
  const made = await Promise.all(
    (['public', 'test', 'api'] as const).map((kind) =>
      bff.deps.db.write((tx) => createKey(tx, bff.deps.runtime, merchantId, { kind })),
    ),
  )
  expect(made.map(({ key, secret }) => [key.replace(/_[^_]*$/, ''), secret !== null])).toEqual([
    [expect.stringMatching(/^pk_live/), false],
    [expect.stringMatching(/^pk_test/), false],
    [expect.stringMatching(/^ak/), true],
  ])
  const [live, test] = made
  const create = (key: string) => bff.create(undefined, { 'X-Public-Key': key })
  expect((await create(live?.key ?? '')).body.payment['isTest']).toBe(false)
  expect((await create(test?.key ?? '')).body.payment['isTest']).toBe(true)
  expect(await readKeys(bff.deps.db, merchantId)).toHaveLength(6)
})

test.each<[string, Parameters<typeof createKey>[3]]>([
  ['scope is for keys of kind api', { kind: 'public', scope: 'agent', agentId: 'bot' }],
  ['a key with the scope agent needs the id of its agent', { kind: 'api', scope: 'agent' }],
  ['an agent is for keys with the scope agent', { kind: 'api', agentId: 'bot' }],
])('%s', async (rule, terms) => {
  const { merchantId } = bff.merchant
  await expect(bff.deps.db.write((tx) => createKey(tx, bff.deps.runtime, merchantId, terms))).rejects.toThrow(rule)
  expect(await readKeys(bff.deps.db, merchantId)).toHaveLength(3)
})

test('keys of nobody are refused', async () => {
  await expect(bff.deps.db.write((tx) => createKey(tx, bff.deps.runtime, 'nobody', { kind: 'api' }))).rejects.toThrow(
    'there is no merchant "nobody"',
  )
  await expect(readKeys(bff.deps.db, 'nobody')).rejects.toThrow('there is no merchant "nobody"')
  await expect(bff.deps.db.write((tx) => rotateKey(tx, bff.deps.runtime, 'pk_live_x', hourMs))).rejects.toThrow(
    'there is no key "pk_live_x"',
  )
  await expect(bff.deps.db.write((tx) => revokeKey(tx, bff.deps.runtime, 'pk_live_x'))).rejects.toThrow(
    'there is no key "pk_live_x"',
  )
})

test('a flood of keys that are none is remembered no more than ten thousand deep', async () => {
  const { db, runtime } = bff.deps
  const { authenticate } = createAuthenticator(db, runtime)
  const withKey = (key: string) => authenticate((name) => (name === 'x-public-key' ? key : undefined))
  const { publicKey: own } = bff.merchant
  await withKey(own)
  await db.write((tx) => revokeKey(tx, runtime, own))
  expect((await withKey(own)).id, 'it is remembered').toBe(own)
  // In parts: a read that fails because too many wait for the database is not remembered.
  for (let first = 0; first < 10_000; first += 100) {
    const keys = Array.from({ length: 100 }, (_, nth) => `pk_live_${first + nth}`)
    const reasons = await Promise.all(keys.map((key) => withKey(key).catch((error: { code?: string }) => error.code)))
    expect(new Set(reasons)).toEqual(new Set(['UNAUTHORIZED']))
  }
  await expect(withKey(own)).rejects.toThrow('credentials')
})
