import { accept, inviteTo, openPage, pageOrigin, signedIn } from '@stablecoin-checkout/rig/dashboard-stage'
import { type AppFixture, openApp } from '@stablecoin-checkout/rig/test-app'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { systemRuntime } from '../../core/runtime.ts'
import { sql } from '../../db/db.ts'
import { createVault } from '../../db/vault.ts'
import type { MerchantId } from '../../payment/payment.ts'
import type { PageOrigin } from '../page/page-origin.ts'
import { createPasskeys } from './passkeys.ts'
import { deleteEnded, endSession } from './session-store.ts'

const minuteMs = 60_000
const forgetEnded = (nowMs: number) => bff.deps.db.write((tx) => deleteEnded(tx, nowMs, 100))

let bff: AppFixture
beforeEach(async () => {
  bff = await openApp()
})
afterEach(() => bff.close())

describe('a challenge', () => {
  const page: PageOrigin = { origin: 'https://pay.example', rpId: 'pay.example', cookieName: 'c', isSecure: true }
  const clock = { nowMs: Date.parse('2026-11-21T12:00:00Z') }
  const runtime = { ...systemRuntime, nowMs: () => clock.nowMs }
  const passkeysWith = (key: number) =>
    createPasskeys({ db: bff.deps.db, vault: createVault(Buffer.alloc(32, key), runtime), runtime })

  test('is valid for one purpose and one binding, at the service that created it', async () => {
    const passkeys = passkeysWith(7)
    const nonce = passkeys.newNonce('0xwallet')
    expect(passkeys.isNonce(nonce, '0xwallet')).toBe(true)
    expect(passkeys.isNonce(nonce, '0xother')).toBe(false)
    expect(passkeysWith(8).isNonce(nonce, '0xwallet')).toBe(false)
    for (const purpose of ['sign-in', 'invitation', 'confirmation', 'passkey'] as const) {
      const { challenge } = await passkeys.signInOptions(page, purpose, '0xwallet')
      expect([purpose, passkeys.isNonce(challenge, '0xwallet')]).toEqual([purpose, false])
    }
  })

  test('is refused if it was invented or changed', () => {
    const passkeys = passkeysWith(7)
    const bytes = Buffer.from(passkeys.newNonce('x'), 'base64url')
    for (let place = 0; place < bytes.length; place++) {
      const changed = Buffer.from(bytes)
      changed.writeUInt8((bytes.readUInt8(place) + 1) % 256, place)
      expect([place, passkeys.isNonce(changed.toString('base64url'), 'x')]).toEqual([place, false])
    }
    for (const made of ['', 'AAAA', bytes.subarray(1).toString('base64url')])
      expect(passkeys.isNonce(made, 'x')).toBe(false)
  })

  test('ends after five minutes, and is used once', async () => {
    const passkeys = passkeysWith(7)
    const nonce = passkeys.newNonce('x')
    clock.nowMs += 5 * minuteMs - 1
    expect(passkeys.isNonce(nonce, 'x')).toBe(true)
    clock.nowMs += 1
    expect(passkeys.isNonce(nonce, 'x')).toBe(false)
    const use = () => bff.deps.db.write((tx) => passkeys.useNonce(tx, nonce))
    expect([await use(), await use()]).toEqual([true, false])
  })

  test('that was used is stored for as long as it would be valid', async () => {
    const passkeys = passkeysWith(7)
    const nonce = passkeys.newNonce('x')
    const use = () => bff.deps.db.write((tx) => passkeys.useNonce(tx, nonce))
    expect(await use()).toBe(true)
    clock.nowMs += 5 * minuteMs - 1
    await forgetEnded(clock.nowMs)
    expect([passkeys.isNonce(nonce, 'x'), await use()]).toEqual([true, false])
  })
})

describe('a passkey', () => {
  const refused = { status: 403, body: expect.objectContaining({ code: 'PASSKEY_REFUSED' }) }

  test('without user verification is not registered, and does not sign in', async () => {
    const weak = openPage(bff)
    weak.passkey.askNothing()
    expect(await accept(weak, await inviteTo(bff))).toMatchObject(refused)
    const page = await signedIn(bff)
    page.passkey.askNothing()
    expect(await page.signIn()).toMatchObject(refused)
    expect(await page.confirm('POST', '/dashboard/keys', { kind: 'public' })).toMatchObject(refused)
  })

  test('whose counter did not grow is treated as a copy and refused', async () => {
    const page = await signedIn(bff)
    const counter = async () =>
      (await bff.deps.db.read((tx) => tx.get<{ counter: number }>(sql`select counter from passkeys`)))?.counter ?? 0
    const before = await counter()
    expect((await page.signIn()).status).toBe(200)
    expect(await counter()).toBe(before + 1)
    // The holder of the other copy has signed more often.
    await bff.deps.db.write((tx) => tx.run(sql`update passkeys set counter = 1000`))
    expect(await page.signIn()).toMatchObject(refused)
    expect(await page.confirm('POST', '/dashboard/keys', { kind: 'public' })).toMatchObject(refused)
  })
})

test('a signature of a passkey without a counter is valid once, for signing in and for a change', async () => {
  const page = openPage(bff)
  page.passkey.countNothing()
  expect((await accept(page, await inviteTo(bff))).status).toBe(200)
  const refused = { status: 403, body: expect.objectContaining({ code: 'PASSKEY_REFUSED' }) }
  const { body: offered } = await page.ask('POST', '/dashboard/sign-in/options')
  const response = page.passkey.sign(offered['options'] as { challenge: string }, pageOrigin)
  expect((await page.ask('POST', '/dashboard/sign-in', { response })).status).toBe(200)
  bff.advance(5 * minuteMs - 1)
  await forgetEnded(bff.nowMs())
  expect(await page.ask('POST', '/dashboard/sign-in', { response })).toMatchObject(refused)
  const change = { method: 'POST', path: '/dashboard/keys', body: '{"kind":"public"}' }
  const { body: asked } = await page.ask('POST', '/dashboard/confirmations', change)
  const signed = page.passkey.sign(asked['options'] as { challenge: string }, pageOrigin)
  const confirmation = { 'X-Confirmation': Buffer.from(JSON.stringify(signed)).toString('base64url') }
  const repeat = () => page.ask('POST', change.path, { kind: 'public' }, confirmation)
  expect((await repeat()).status).toBe(200)
  expect(await repeat()).toMatchObject(refused)
})

test('an invitation that has ended shows nothing about its person', async () => {
  const token = await inviteTo(bff)
  const page = openPage(bff)
  expect((await page.ask('POST', '/dashboard/invitation/options', { token })).status).toBe(200)
  bff.advance(10 * minuteMs)
  expect(await page.ask('POST', '/dashboard/invitation/options', { token })).toMatchObject({
    ...{ status: 403, body: expect.objectContaining({ code: 'INVITATION_ENDED' }) },
  })
})

test('a person who was removed has no session, from the next request on', async () => {
  const [page, owner] = [await signedIn(bff, 'staff', 'Ben'), await signedIn(bff)]
  const id = await bff.deps.db.read((tx) => tx.get<{ id: string }>(sql`select id from people where name = 'Ben'`))
  // Like a removal by another replica that has not ended the sessions yet: the removed person is enough.
  await bff.deps.db.write((tx) => tx.run(sql`update people set removed_at_ms = 1 where id = ${id?.id ?? ''}`))
  const ended = { status: 401, body: expect.objectContaining({ code: 'SESSION_ENDED' }) }
  expect(await page.ask('GET', '/dashboard/session')).toMatchObject(ended)
  expect(await page.signIn()).toMatchObject({ status: 403, body: expect.objectContaining({ code: 'PASSKEY_REFUSED' }) })
  expect((await owner.ask('GET', '/dashboard/session')).status).toBe(200)
})

test('a session can be ended only within its merchant, whatever its id', async () => {
  const page = await signedIn(bff)
  const session = await bff.deps.db.read((tx) => tx.get<{ id: string }>(sql`select id from dashboard_sessions`))
  const end = (merchantId: string) =>
    bff.deps.db.write((tx) => endSession(tx, merchantId as MerchantId, session?.id ?? '', bff.nowMs()))
  expect(await end(bff.other.merchantId)).toBe(false)
  expect((await page.ask('GET', '/dashboard/session')).status).toBe(200)
  expect(await end(bff.merchant.merchantId)).toBe(true)
  expect(await page.ask('GET', '/dashboard/session')).toMatchObject({ status: 401, body: { code: 'SESSION_ENDED' } })
})
