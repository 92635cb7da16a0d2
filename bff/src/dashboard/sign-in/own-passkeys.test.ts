import { accept, inviteTo, openPage, pageOrigin, signedIn } from '@stablecoin-checkout/rig/dashboard-stage'
import { newPasskey } from '@stablecoin-checkout/rig/software-passkey'
import { type AppFixture, openApp } from '@stablecoin-checkout/rig/test-app'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

let bff: AppFixture
beforeEach(async () => {
  bff = await openApp()
})
afterEach(() => bff.close())

type Page = Awaited<ReturnType<typeof signedIn>>
type Listed = { id: string; name: string | null; createdAt: string; lastUsedAt: string | null }
const passkeysOf = async (page: Page) => (await page.ask('GET', '/dashboard/passkeys')).body['passkeys'] as Listed[]

/** Adds a second passkey, as on another device. */
async function addSecond(page: Page) {
  // Passkeys of the same time are ordered by their ids.
  bff.advance(1)
  const second = newPasskey()
  const { body } = await page.ask('POST', '/dashboard/passkeys/options')
  const response = second.register(body['options'] as { challenge: string }, pageOrigin)
  expect((await page.confirm('POST', '/dashboard/passkeys', { response })).status).toBe(200)
  return second
}

test('a person lists, names and removes passkeys; the removed one no longer signs in', async () => {
  const page = await signedIn(bff)
  const second = await addSecond(page)
  const [first, other] = await passkeysOf(page)
  expect(first).toMatchObject({ name: null, createdAt: '2026-11-21T12:00:00.000Z' })
  expect((await page.ask('PATCH', `/dashboard/passkeys/${other?.id}`, { name: ' Blue stick ' })).status).toBe(200)
  expect((await passkeysOf(page))[1]?.name).toBe('Blue stick')
  const unsigned = await page.ask('DELETE', `/dashboard/passkeys/${other?.id}`)
  expect(unsigned.body).toMatchObject({ code: 'CONFIRMATION_REQUIRED' })
  expect((await openPage(bff, second).signIn()).status).toBe(200)
  expect((await page.confirm('DELETE', `/dashboard/passkeys/${other?.id}`)).status).toBe(200)
  expect(await passkeysOf(page)).toHaveLength(1)
  expect((await openPage(bff, second).signIn()).body).toMatchObject({ code: 'PASSKEY_REFUSED' })
  const { body } = await page.ask('GET', '/dashboard/audit')
  expect((body['entries'] as object[])[0]).toMatchObject({ action: 'passkey.removed', before: 'Blue stick' })
})

/** Runs `meanwhile` before the next commit, or before the one after `commits` others. */
function beforeCommit(meanwhile: () => Promise<unknown>, commits = 0) {
  const { db } = bff.deps
  const write = db.write.bind(db)
  const spy = vi.spyOn(db, 'write')
  for (let count = 0; count < commits; count++) spy.mockImplementationOnce(write)
  spy.mockImplementationOnce(async (unit) => {
    spy.mockRestore()
    await meanwhile()
    return await write(unit)
  })
}

describe('a passkey that is removed while a request with its signature is under way', () => {
  const remove = (page: Page, signed: object) => async () => {
    const { id } = signed as { id: string }
    expect((await page.confirm('DELETE', `/dashboard/passkeys/${id}`)).status).toBe(200)
  }

  test('opens no session', async () => {
    const page = await signedIn(bff)
    const lost = openPage(bff, await addSecond(page))
    const { body } = await lost.ask('POST', '/dashboard/sign-in/options')
    const response = lost.passkey.sign(body['options'] as { challenge: string }, pageOrigin)
    beforeCommit(remove(page, response))
    expect((await lost.ask('POST', '/dashboard/sign-in', { response })).body).toMatchObject({ code: 'PASSKEY_REFUSED' })
    expect((await lost.ask('GET', '/dashboard/session')).status).toBe(401)
  })

  test('confirms nothing', async () => {
    const page = await signedIn(bff)
    const lost = openPage(bff, await addSecond(page))
    await lost.signIn()
    const asked = { method: 'POST', path: '/dashboard/keys', body: JSON.stringify({ kind: 'public' }) }
    const { body } = await lost.ask('POST', '/dashboard/confirmations', asked)
    const signed = lost.passkey.sign(body['options'] as { challenge: string }, pageOrigin)
    const confirmation = { 'X-Confirmation': Buffer.from(JSON.stringify(signed)).toString('base64url') }
    beforeCommit(remove(page, signed))
    const answer = await lost.ask('POST', '/dashboard/keys', { kind: 'public' }, confirmation)
    expect(answer.body).toMatchObject({ code: 'PASSKEY_REFUSED' })
  })
})

test('a challenge that created a passkey creates no second one, on any device', async () => {
  const page = await signedIn(bff)
  const { body } = await page.ask('POST', '/dashboard/passkeys/options')
  const options = body['options'] as { challenge: string }
  const add = () =>
    page.confirm('POST', '/dashboard/passkeys', { response: newPasskey().register(options, pageOrigin) })
  expect((await add()).status).toBe(200)
  expect(await add()).toMatchObject({ status: 403, body: { code: 'PASSKEY_REFUSED' } })
  expect(await passkeysOf(page)).toHaveLength(2)
})

test('whoever holds a lost passkey adds no other one while the person replaces it', async () => {
  const thief = await signedIn(bff)
  const { session } = (await thief.ask('GET', '/dashboard/session')).body as { session: { person: { id: string } } }
  const token = await inviteTo(bff, { personId: session.person.id })
  const own = openPage(bff)
  const { body } = await thief.ask('POST', '/dashboard/passkeys/options')
  const response = newPasskey().register(body['options'] as { challenge: string }, pageOrigin)
  const asked = { method: 'POST', path: '/dashboard/passkeys', body: JSON.stringify({ response }) }
  const { body: answered } = await thief.ask('POST', '/dashboard/confirmations', asked)
  const signed = thief.passkey.sign(answered['options'] as { challenge: string }, pageOrigin)
  const confirmation = { 'X-Confirmation': Buffer.from(JSON.stringify(signed)).toString('base64url') }
  beforeCommit(async () => expect((await accept(own, token)).status).toBe(200), 1)
  const added = await thief.ask('POST', '/dashboard/passkeys', { response }, confirmation)
  expect(added.body).toMatchObject({ code: 'SESSION_ENDED' })
  expect(await passkeysOf(own)).toHaveLength(1)
})

test('nobody can remove the last passkey, or one of another person', async () => {
  const page = await signedIn(bff)
  const [own] = await passkeysOf(page)
  expect((await page.confirm('DELETE', `/dashboard/passkeys/${own?.id}`)).body).toMatchObject({ code: 'LAST_PASSKEY' })
  const bea = await signedIn(bff, 'owner', 'Bea')
  await addSecond(bea)
  expect((await bea.confirm('DELETE', `/dashboard/passkeys/${own?.id}`)).status).toBe(404)
  expect((await bea.ask('PATCH', `/dashboard/passkeys/${own?.id}`, { name: 'x' })).status).toBe(404)
  expect(await passkeysOf(page)).toMatchObject([{ name: null }])
})

test('a signature by another key opens no session and confirms nothing, although it names a known passkey', async () => {
  const page = await signedIn(bff)
  const forger = newPasskey()
  // Its counter is ahead of the known passkey's.
  for (let count = 0; count < 10; count++) forger.sign({ challenge: '' }, pageOrigin)
  const forge = (options: unknown) => {
    const response = forger.sign(options as { challenge: string }, pageOrigin)
    return { ...response, id: page.passkey.id, rawId: page.passkey.id }
  }
  const stranger = openPage(bff, forger)
  const { body } = await stranger.ask('POST', '/dashboard/sign-in/options')
  const answer = await stranger.ask('POST', '/dashboard/sign-in', { response: forge(body['options']) })
  expect(answer).toMatchObject({ status: 403, body: { code: 'PASSKEY_REFUSED' } })
  expect((await stranger.ask('GET', '/dashboard/session')).status).toBe(401)

  const asked = { method: 'POST', path: '/dashboard/keys', body: JSON.stringify({ kind: 'public' }) }
  const { body: confirming } = await page.ask('POST', '/dashboard/confirmations', asked)
  const header = Buffer.from(JSON.stringify(forge(confirming['options']))).toString('base64url')
  const changed = await page.ask('POST', '/dashboard/keys', { kind: 'public' }, { 'X-Confirmation': header })
  expect(changed).toMatchObject({ status: 403, body: { code: 'PASSKEY_REFUSED' } })
})

test('a person has at most ten passkeys, each with the time of its last use, and each addition is in the audit log', async () => {
  const page = await signedIn(bff)
  for (let count = 1; count < 10; count++) await addSecond(page)
  expect(await passkeysOf(page)).toHaveLength(10)
  const { body } = await page.ask('POST', '/dashboard/passkeys/options')
  const response = newPasskey().register(body['options'] as { challenge: string }, pageOrigin)
  const refused = await page.confirm('POST', '/dashboard/passkeys', { response })
  expect(refused).toMatchObject({ status: 409, body: { code: 'TOO_MANY_PASSKEYS' } })

  const known = await passkeysOf(page)
  expect(known).toHaveLength(10)
  // The first one has signed each addition, the newest one nothing.
  const usedAt = new Date(bff.nowMs()).toISOString()
  expect([known[0]?.lastUsedAt, known[9]?.lastUsedAt]).toEqual([usedAt, null])
  const { body: audit } = await page.ask('GET', '/dashboard/audit')
  const added = (audit['entries'] as { action: string; subject: string }[]).filter(
    ({ action }) => action === 'passkey.added',
  )
  expect(added.map(({ subject }) => subject)).toEqual(Array(9).fill('Ada'))
})

test('a device is asked to sign with a passkey of the person, and to create none that it has', async () => {
  const page = await signedIn(bff)
  const second = await addSecond(page)
  const own = [page.passkey.id, second.id].map((id) => expect.objectContaining({ id }))
  const creating = (await page.ask('POST', '/dashboard/passkeys/options')).body['options']
  expect(creating).toMatchObject({ excludeCredentials: own })
  const asked = { method: 'POST', path: '/dashboard/keys', body: '' }
  const signing = (await page.ask('POST', '/dashboard/confirmations', asked)).body['options']
  expect(signing).toMatchObject({ allowCredentials: own })
  const anybody = (await openPage(bff).ask('POST', '/dashboard/sign-in/options')).body['options']
  expect(anybody, 'names no passkey to strangers').not.toHaveProperty('allowCredentials')
})

test('a person without a passkey was last there when the session began', async () => {
  const page = await signedIn(bff)
  bff.advance(60_000)
  const token = await inviteTo(bff, { isDemo: true, name: 'Demo' })
  expect((await openPage(bff).ask('POST', '/dashboard/demo-sign-in', { token })).status).toBe(200)
  const { body } = await page.ask('GET', '/dashboard/people')
  expect(body['people']).toMatchObject([{ name: 'Ada' }, { name: 'Demo', seenAt: '2026-11-21T12:01:00.000Z' }])
})

test('people have the time of their last activity', async () => {
  const page = await signedIn(bff)
  bff.advance(60_000)
  await accept(openPage(bff), await inviteTo(bff, { role: 'viewer', name: 'Bea' }))
  bff.advance(60_000)
  await page.signIn()
  const { body } = await page.ask('GET', '/dashboard/people')
  expect(body['people']).toMatchObject([
    { name: 'Ada', seenAt: '2026-11-21T12:02:00.000Z' },
    { name: 'Bea', seenAt: '2026-11-21T12:01:00.000Z' },
  ])
})

test('a key has a name and the time of its last use, which is stored at most once an hour', async () => {
  const page = await signedIn(bff)
  const { body } = await page.confirm('POST', '/dashboard/keys', { kind: 'public', name: 'Shop page' })
  const key = body['key'] as string
  const listed = async () =>
    ((await page.ask('GET', '/dashboard/keys')).body['keys'] as { key: string }[]).find((one) => one.key === key)
  expect(await listed()).toMatchObject({ name: 'Shop page', lastUsedAt: null })
  const use = () => bff.call('/api/v1/networks/payable', { headers: { 'X-Public-Key': key } })
  await use()
  await expect.poll(listed).toMatchObject({ lastUsedAt: '2026-11-21T12:00:00.000Z' })
  bff.advance(59 * 60_000)
  await use()
  expect(await listed()).toMatchObject({ lastUsedAt: '2026-11-21T12:00:00.000Z' })
  bff.advance(60_000)
  await use()
  await expect.poll(listed).toMatchObject({ lastUsedAt: '2026-11-21T13:00:00.000Z' })
  const rotated = await page.confirm('POST', `/dashboard/keys/${key}/rotate`, {})
  const keys = (await page.ask('GET', '/dashboard/keys')).body['keys'] as { key: string; name: string }[]
  expect(keys.find((one) => one.key === rotated.body['key'])?.name).toBe('Shop page')
})
