import { signedIn } from '@stablecoin-checkout/rig/dashboard-stage'
import { type AppFixture, openApp } from '@stablecoin-checkout/rig/test-app'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Db } from '../../db/db.ts'
import { createKey, readKeys } from '../../merchant/keys.ts'
import { createAuthenticator } from './authenticate.ts'

let bff: AppFixture
beforeAll(async () => {
  bff = await openApp({ lenientClients: true })
})
afterAll(() => bff.close())

test('a page that sends a key acts for the key, and not for the person who is signed in', async () => {
  const person = await signedIn(bff)
  const { payment } = (await bff.create()).body
  const path = `/payments/${payment['id']}`
  const other = { 'X-API-Key': bff.other.apiKey, 'X-API-Secret': bff.other.apiSecret }
  expect((await person.ask('GET', path)).status).toBe(200)
  expect((await person.ask('GET', path, undefined, other)).body['code']).toBe('PAYMENT_NOT_FOUND')
  expect((await person.ask('GET', path, undefined, { 'X-API-Secret': bff.merchant.apiSecret })).status).toBe(401)
})

test('where older clients need no key, a person who is signed in still reads only payments of the own merchant', async () => {
  const person = await signedIn(bff)
  const ofOther = (await bff.create(undefined, { 'X-Public-Key': bff.other.publicKey })).status
  expect(ofOther).toBe(200)
  const list = await bff.read('/api/v1/payments/merchant/list', {
    'X-API-Key': bff.other.apiKey,
    'X-API-Secret': bff.other.apiSecret,
  })
  const [{ id } = { id: '' }] = (list.body['payments'] as { data: { id: string }[] }).data
  const path = `/deposits/status/${id}`
  expect((await bff.read(`/api/v1${path}`, {})).status, 'an older client').toBe(200)
  expect((await person.ask('GET', path)).status).toBe(404)
})

test('the text that stands for the secret of a key that is unknown opens neither an unknown key nor a public one', async () => {
  for (const key of ['ak_unknown', bff.merchant.publicKey]) {
    const headers = { 'X-API-Key': key, 'X-API-Secret': 'no such key' }
    expect([key, (await bff.read('/api/v1/networks', headers)).status]).toEqual([key, 401])
  }
})

test('a use of a key is stored once an hour, whichever replica was called', async () => {
  const { db, runtime, merchant } = { ...bff.deps, merchant: bff.merchant.merchantId }
  const { key } = await db.write((tx) => createKey(tx, runtime, merchant, { kind: 'public' }))
  const lastUse = async () => (await readKeys(db, merchant)).find(({ id }) => id === key)?.lastUsedAtMs ?? null
  /** A call to a replica that was called by nobody before. */
  const use = async () => {
    await createAuthenticator(db, runtime).authenticate((name) => (name === 'x-public-key' ? key : undefined))
    // The use is stored in a commit before this one.
    await db.write(async () => undefined)
    return await lastUse()
  }
  const firstMs = bff.nowMs()
  expect(await use()).toBe(firstMs)
  bff.advance(60 * 60_000 - 1)
  expect(await use()).toBe(firstMs)
  bff.advance(1)
  expect(await use()).toBe(bff.nowMs())
})

test('a use of a key that the database did not take is stored with the next call', async () => {
  const { db, runtime } = bff.deps
  let isDown = true
  const write: Db['write'] = (work) => (isDown ? Promise.reject(new Error('down')) : db.write(work))
  const { authenticate } = createAuthenticator({ ...db, write }, runtime)
  const key = bff.merchant.testPublicKey
  const use = () => authenticate((name) => (name === 'x-public-key' ? key : undefined))
  const lastUse = async () =>
    (await readKeys(db, bff.merchant.merchantId)).find(({ id }) => id === key)?.lastUsedAtMs ?? null
  await use()
  await new Promise((resolve) => setImmediate(resolve))
  isDown = false
  expect(await lastUse()).toBeNull()
  await use()
  await expect.poll(lastUse).toBe(bff.nowMs())
})
