import { accept, inviteTo, openPage, pageOrigin, signedIn } from '@stablecoin-checkout/rig/dashboard-stage'
import { type AppFixture, openApp, order } from '@stablecoin-checkout/rig/test-app'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '../../db/db.ts'
import type { MerchantId } from '../../payment/payment.ts'
import { isSessionGood, listSessions } from './session-store.ts'

let bff: AppFixture
beforeEach(async () => {
  bff = await openApp()
})
afterEach(() => bff.close())

const hour = 3_600_000

describe('an invitation', () => {
  test('creates a person with a passkey, who is signed in and can sign in again with it', async () => {
    const page = await signedIn(bff, 'staff', 'Grace')
    const { body } = await page.ask('GET', '/dashboard/session')
    expect(body).toMatchObject({
      session: { person: { name: 'Grace' }, role: 'staff', merchant: { name: 'Corner Coffee' }, hasPasskey: true },
    })
    await page.ask('DELETE', '/dashboard/session')
    expect(await page.ask('GET', '/dashboard/session')).toMatchObject({ status: 401, body: { code: 'SESSION_ENDED' } })
    expect((await page.signIn()).status).toBe(200)
    expect((await page.ask('GET', '/dashboard/session')).status).toBe(200)
  })

  test('is valid once', async () => {
    const token = await inviteTo(bff)
    expect((await accept(openPage(bff), token)).status).toBe(200)
    const replayed = await accept(openPage(bff), token)
    expect([replayed.status, replayed.body['code']]).toEqual([403, 'INVITATION_ENDED'])
  })

  test('is valid once, also when two accept it concurrently', async () => {
    const token = await inviteTo(bff)
    const answers = await Promise.all([accept(openPage(bff), token), accept(openPage(bff), token)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403])
  })

  test('ends after ten minutes', async () => {
    const token = await inviteTo(bff)
    bff.advance(10 * 60_000)
    expect((await accept(openPage(bff), token)).body['code']).toBe('INVITATION_ENDED')
  })

  test('for a lost passkey invalidates the old one and its sessions', async () => {
    const old = await signedIn(bff)
    const { person } = (await old.ask('GET', '/dashboard/session')).body['session'] as { person: { id: string } }
    const token = await inviteTo(bff, { personId: person.id })
    expect((await old.ask('GET', '/dashboard/session')).status).toBe(200)
    const next = openPage(bff)
    expect((await accept(next, token)).status).toBe(200)
    expect((await next.ask('GET', '/dashboard/session')).body).toMatchObject({ session: { person } })
    expect(await old.ask('GET', '/dashboard/session')).toMatchObject({ status: 401, body: { code: 'SESSION_ENDED' } })
    expect(await old.signIn()).toMatchObject({ status: 403, body: { code: 'PASSKEY_REFUSED' } })
  })

  test('stores neither its token nor the cookie’s value in the database', async () => {
    const token = await inviteTo(bff)
    const page = openPage(bff)
    await accept(page, token)
    const dump = await bff.database.dump()
    expect(dump).toContain('Ada')
    expect(dump).not.toContain(token)
    expect(dump).not.toContain(page.cookie().split('=')[1])
  })
})

describe('a passkey of somebody else', () => {
  test('cannot be registered again, and stays that person’s', async () => {
    const page = await signedIn(bff)
    const token = await inviteTo(bff, { name: 'Eve' })
    const refused = await accept(openPage(bff, page.passkey), token)
    expect([refused.status, refused.body['code']]).toEqual([403, 'PASSKEY_REFUSED'])
    const eve = openPage(bff)
    expect((await accept(eve, token)).status).toBe(200)

    const { body } = await eve.ask('POST', '/dashboard/passkeys/options')
    const response = page.passkey.register(body['options'] as { challenge: string }, pageOrigin)
    const added = await eve.confirm('POST', '/dashboard/passkeys', { response })
    expect([added.status, added.body['code']]).toEqual([403, 'PASSKEY_REFUSED'])
    expect((await page.signIn()).status).toBe(200)
    expect((await page.ask('GET', '/dashboard/session')).body).toMatchObject({ session: { person: { name: 'Ada' } } })
  })
})

describe('a session', () => {
  test('has a new id at every sign-in, whatever cookie is sent', async () => {
    const page = await signedIn(bff)
    const first = page.cookie()
    const forced = `checkout-session=${'A'.repeat(43)}`
    const { body } = await page.ask('POST', '/dashboard/sign-in/options', undefined, { Cookie: forced })
    const response = page.passkey.sign(body['options'] as { challenge: string }, pageOrigin)
    const { headers } = await page.ask('POST', '/dashboard/sign-in', { response }, { Cookie: forced })
    const [cookie = ''] = headers.getSetCookie()
    expect(cookie).not.toContain('AAAA')
    expect(page.cookie()).not.toBe(first)
    expect(await page.ask('GET', '/dashboard/session', undefined, { Cookie: forced })).toMatchObject({
      status: 401,
      body: { code: 'SESSION_ENDED' },
    })
  })

  test('has a cookie that no script and no other site can use', async () => {
    const page = openPage(bff)
    const { headers } = await accept(page, await inviteTo(bff))
    expect(headers.getSetCookie()[0]).toMatch(
      /^checkout-session=[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Strict$/,
    )
  })

  test('that was signed out of is invalid for a copied cookie too', async () => {
    const page = await signedIn(bff)
    const Cookie = page.cookie()
    expect((await page.ask('DELETE', '/dashboard/session')).status).toBe(200)
    for (const path of ['/dashboard/session', '/payments/merchant/list']) {
      const { status, body } = await openPage(bff).ask('GET', path, undefined, { Cookie })
      expect([path, status, body['code']]).toEqual([path, 401, 'SESSION_ENDED'])
    }
  })

  test('gets responses that no cache stores, as do requests before it', async () => {
    const page = await signedIn(bff)
    for (const [method, path] of [
      ['GET', '/dashboard/session'],
      ['GET', '/payments/merchant/list'],
      ['POST', '/dashboard/sign-in/options'],
    ] as const) {
      const { status, headers } = await page.ask(method, path)
      expect([path, status, headers.get('Cache-Control')]).toEqual([path, 200, 'no-store'])
    }
  })

  test('ends after twelve hours', async () => {
    const page = await signedIn(bff)
    bff.advance(12 * hour - 1)
    expect((await page.ask('GET', '/payments/merchant/list')).status).toBe(200)
    bff.advance(1)
    const ended = await page.ask('GET', '/payments/merchant/list')
    expect([ended.status, ended.body['code']]).toEqual([401, 'SESSION_ENDED'])
  })

  test.each<[string, Record<string, string>]>([
    ['another site', { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' }],
    ['a sister domain', { 'Sec-Fetch-Site': 'same-site' }],
    ['another port', { Origin: 'http://localhost:9' }],
    ['no origin', { Origin: 'null' }],
  ])('is not valid for requests of %s', async (_, headers) => {
    const page = await signedIn(bff)
    for (const [method, path, body] of [
      ['POST', '/payments/fail', {}],
      ['DELETE', '/dashboard/session', undefined],
      ['GET', '/payments/merchant/list', undefined],
    ] as const) {
      const { status, body: refused } = await page.ask(method, path, body, headers)
      expect([method, status, refused['code']]).toEqual([method, 403, 'CROSS_ORIGIN'])
    }
    expect((await page.ask('GET', '/dashboard/session')).status).toBe(200)
  })

  test('is not valid for writes without an origin', async () => {
    const page = await signedIn(bff)
    const response = await bff.fetch('/api/v1/dashboard/session', {
      method: 'DELETE',
      headers: { Cookie: page.cookie() },
    })
    expect([response.status, await response.json()]).toMatchObject([403, { code: 'CROSS_ORIGIN' }])
  })

  test('cannot be started by another site either', async () => {
    const page = openPage(bff)
    const headers = { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' }
    for (const path of ['/dashboard/sign-in/options', '/dashboard/sign-in', '/dashboard/invitation/options']) {
      const token = 'A'.repeat(43)
      expect((await page.ask('POST', path, { token }, headers)).body['code']).toBe('CROSS_ORIGIN')
    }
  })

  test('is ignored if a key is sent too', async () => {
    const page = await signedIn(bff)
    const { body } = await page.ask('GET', '/dashboard/session', undefined, bff.keys.secret)
    expect(body['code']).toBe('SESSION_REQUIRED')
  })

  test('sees its own merchant’s payments only, live or test', async () => {
    const live = (await bff.create(order, bff.keys.secret)).body.payment['id']
    const test = (await bff.create(order, bff.keys.test)).body.payment['id']
    const page = await signedIn(bff)
    const idsOf = async (headers: Record<string, string>, query = '') => {
      const { body } = await page.ask('GET', `/payments/merchant/list${query}`, undefined, headers)
      return (body['payments'] as { data: { id: string }[] }).data.map(({ id }) => id)
    }
    expect(await idsOf({})).toEqual([live])
    expect(await idsOf({ 'X-Mode': 'test' })).toEqual([test])
    // A stream sends no custom headers.
    expect(await idsOf({}, '?mode=test')).toEqual([test])
    expect(await idsOf({ 'X-Mode': 'live' }, '?mode=test')).toEqual([live])
    // The 500 of these two routes is for older clients of the API.
    for (const path of [`/payments/${live}`, `/deposits/status/${live}`]) {
      const { status, body } = await page.ask('GET', path, undefined, { 'X-Mode': 'test' })
      expect([path, status, body['code']]).toEqual([path, 404, 'PAYMENT_NOT_FOUND'])
    }
    const stranger = openPage(bff)
    await accept(stranger, await inviteTo(bff, { merchantId: bff.other.merchantId }))
    expect(await stranger.ask('GET', `/payments/${live}/status`)).toMatchObject({
      status: 404,
      body: { code: 'PAYMENT_NOT_FOUND' },
    })
  })
})

describe('a signature of a passkey', () => {
  test('is valid once', async () => {
    const page = await signedIn(bff)
    const { body } = await page.ask('POST', '/dashboard/sign-in/options')
    const response = page.passkey.sign(body['options'] as { challenge: string }, pageOrigin)
    expect((await page.ask('POST', '/dashboard/sign-in', { response })).status).toBe(200)
    const replayed = await page.ask('POST', '/dashboard/sign-in', { response })
    expect([replayed.status, replayed.body['code']]).toEqual([403, 'PASSKEY_REFUSED'])
  })

  test('is valid for five minutes', async () => {
    const page = await signedIn(bff)
    const { body } = await page.ask('POST', '/dashboard/sign-in/options')
    bff.advance(5 * 60_000)
    const response = page.passkey.sign(body['options'] as { challenge: string }, pageOrigin)
    expect(await page.ask('POST', '/dashboard/sign-in', { response })).toMatchObject({
      status: 403,
      body: { code: 'PASSKEY_REFUSED' },
    })
  })

  test('for another page is refused', async () => {
    const page = await signedIn(bff)
    const { body } = await page.ask('POST', '/dashboard/sign-in/options')
    const response = page.passkey.sign(body['options'] as { challenge: string }, 'https://evil.example')
    expect(await page.ask('POST', '/dashboard/sign-in', { response })).toMatchObject({
      status: 403,
      body: { code: 'PASSKEY_REFUSED' },
    })
  })

  test('confirms only the request that it was made for', async () => {
    const page = await signedIn(bff)
    const path = '/webhooks/rotate-secret'
    const asked = await page.ask('POST', path, {})
    expect([asked.status, asked.body['code']]).toEqual([403, 'CONFIRMATION_REQUIRED'])
    const sign = async (method: string, path: string, body: string) => {
      const { body: answered } = await page.ask('POST', '/dashboard/confirmations', { method, path, body })
      const signed = page.passkey.sign(answered['options'] as { challenge: string }, pageOrigin)
      return { 'X-Confirmation': Buffer.from(JSON.stringify(signed)).toString('base64url') }
    }
    for (const [method, signedPath, body] of [
      ['POST', '/webhooks/endpoints', '{}'],
      ['PUT', path, '{}'],
      ['POST', path, '{"overlapHours":1}'],
    ] as const) {
      const refused = await page.ask('POST', path, {}, await sign(method, signedPath, body))
      expect([refused.status, refused.body['code']]).toEqual([403, 'PASSKEY_REFUSED'])
    }
    const confirmation = await sign('POST', path, '{}')
    const other = await signedIn(bff, 'owner', 'Eve')
    expect((await other.ask('POST', path, {}, confirmation)).body['code']).toBe('PASSKEY_REFUSED')
    expect((await page.ask('POST', path, {}, confirmation)).status).toBe(200)
    expect((await page.ask('POST', path, {}, confirmation)).body['code']).toBe('PASSKEY_REFUSED')
  })
})

test('a session is good for its role, until its time, and while its person is not removed', async () => {
  await signedIn(bff, 'staff')
  const { db } = bff.deps
  const [row] = await db.read((tx) =>
    tx.all<{ id: string; ends: number }>(sql`select id, ends_at_ms as "ends" from dashboard_sessions`),
  )
  const { id = '', ends = 0 } = row ?? {}
  const isGood = (role: 'owner' | 'staff', nowMs: number) => db.read((tx) => isSessionGood(tx, { id, role }, nowMs))
  expect([await isGood('staff', ends - 1), await isGood('staff', ends), await isGood('owner', ends - 1)]).toEqual([
    ...[true, false, false],
  ])
  await db.write((tx) => tx.run(sql`update people set removed_at_ms = 1`))
  expect(await isGood('staff', ends - 1)).toBe(false)
})

test('the sessions of the merchant’s people are listed until they end, the newest first', async () => {
  const { db } = bff.deps
  for (const name of ['Ada', 'Grace', 'Joan']) {
    await signedIn(bff, 'staff', name)
    bff.advance(1)
  }
  const rows = await db.read((tx) => tx.all<{ ends: number }>(sql`select ends_at_ms as "ends" from dashboard_sessions`))
  const [first = 0, second = 0] = rows.map(({ ends }) => ends).toSorted((a, b) => a - b)
  const listed = async (nowMs: number, limit = 9) => {
    const found = await db.read((tx) => listSessions(tx, bff.merchant.merchantId as MerchantId, nowMs, limit))
    return found.map(({ personName }) => personName)
  }
  expect(await listed(first - 1)).toEqual(['Joan', 'Grace', 'Ada'])
  expect(await listed(first - 1, 2)).toEqual(['Joan', 'Grace'])
  expect([await listed(first), await listed(second)]).toEqual([['Joan', 'Grace'], ['Joan']])
  expect(await db.read((tx) => listSessions(tx, 'another' as MerchantId, 0, 9))).toEqual([])
})
