import {
  accept,
  type DashboardPage,
  inviteTo,
  openPage,
  pageOrigin,
  signedIn,
} from '@stablecoin-checkout/rig/dashboard-stage'
import { newPasskey } from '@stablecoin-checkout/rig/software-passkey'
import { type AppFixture, openApp, order, transferTo } from '@stablecoin-checkout/rig/test-app'
import { openTillStage } from '@stablecoin-checkout/rig/till-stage'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../db/db.ts'
import type { PaymentId } from '../payment/payment.ts'

const logged: unknown[] = []
const note = (...line: unknown[]) => void logged.push(line)
const log = { debug: note, info: note, warn: note, error: note }
const inTest = { 'X-Mode': 'test' }

let bff: AppFixture
let staff: DashboardPage
let paths: [payment: string, refund: string]
let others: [payment: string, refund: string]

/** A paid payment with a refund that waits for an address: the paths of their links. */
async function sell(): Promise<[string, string]> {
  const owner = await signedIn(bff)
  const made = await bff.create(order, bff.keys.secret)
  const id = made.body.payment['id'] as PaymentId
  await bff.deps.ledger.apply(id, {
    type: 'transfer.confirmed',
    transfer: transferTo(id, 25_000_000n),
    atMs: bff.nowMs(),
  })
  const { body } = await owner.confirm('POST', `/payments/${id}/refunds`, {})
  const refundId = (body['refund'] as { id: string }).id
  return [`/payments/${id}/customer-link`, `/refunds/${refundId}/customer-link`]
}

beforeAll(async () => {
  bff = await openApp({ publicUrl: 'http://localhost', log })
  staff = await signedIn(bff, 'staff', 'Sam')
  paths = await sell()
  others = await sell()
})
afterAll(() => bff.close())

async function sign(page: DashboardPage, path: string, mode: Record<string, string> = {}) {
  const { body } = await page.ask('POST', '/dashboard/confirmations', { method: 'POST', path, body: '' }, mode)
  const signed = page.passkey.sign(body['options'] as { challenge: string }, pageOrigin)
  return { 'X-Confirmation': Buffer.from(JSON.stringify(signed)).toString('base64url') }
}

test('a signature shows the link of one payment or refund, once, of five requests at once', async () => {
  for (const [index, path] of paths.entries()) {
    const confirmation = await sign(staff, path)
    for (const other of [...others, ...paths.filter((one) => one !== path)]) {
      const answer = await staff.ask('POST', other, undefined, confirmation)
      expect([other, answer.status, answer.body['code']]).toEqual([other, 403, 'PASSKEY_REFUSED'])
    }
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => staff.ask('POST', path, undefined, { ...confirmation, 'Idempotency-Key': 'k' })),
    )
    expect(answers.map(({ status }) => status).sort(), paths[index]).toEqual([200, 403, 403, 403, 403])
    const shown = answers.find(({ status }) => status === 200)
    expect(shown?.headers.get('Cache-Control')).toBe('no-store')
    expect(shown?.body['link']).toMatch(/#client_secret=cs_/)
    const again = await staff.ask('POST', path, undefined, { ...confirmation, 'Idempotency-Key': 'k' })
    expect(again.body).toMatchObject({ code: 'PASSKEY_REFUSED' })
  }
})

test('another shop’s owner, keys, a till and a stranger get no link', async () => {
  const owner = await signedIn(bff)
  const device = await openTillStage(
    () => bff,
    () => owner,
  ).openTill()
  const rival = openPage(bff)
  const token = await inviteTo(bff, { merchantId: bff.other.merchantId, name: 'Rival' })
  expect((await accept(rival, token)).status).toBe(200)
  for (const path of paths) {
    const askWith = (headers: Record<string, string>) => bff.call(`/api/v1${path}`, { method: 'POST', headers })
    const bySecret = { 'X-Client-Secret': bff.clientSecretOf(path.split('/')[2]) }
    const ofTest = { ...(await sign(staff, path, inTest)), ...inTest }
    const kind = path.startsWith('/payments') ? 'PAYMENT' : 'REFUND'
    for (const [answer, code] of [
      [await rival.confirm('POST', path), `${kind}_NOT_FOUND`],
      [await staff.ask('POST', path, undefined, ofTest), `${kind}_NOT_FOUND`],
      [await device.ask('POST', path), 'UNAUTHORIZED'],
      [await askWith({}), 'UNAUTHORIZED'],
      [await askWith(bySecret), 'UNAUTHORIZED'],
      [await askWith(bff.keys.secret), 'SESSION_REQUIRED'],
      [await askWith(bff.keys.public), 'SESSION_REQUIRED'],
      [await askWith(bff.keys.stranger), 'SESSION_REQUIRED'],
    ] as const) {
      expect(answer.body).toMatchObject({ success: false, code })
      expect(JSON.stringify(answer.body)).not.toContain('cs_')
    }
  }
})

test('a link shown is in no log, audit line or stored answer', async () => {
  for (const path of paths) expect((await staff.confirm('POST', path)).status).toBe(200)
  expect(logged.length).toBeGreaterThan(0)
  expect(JSON.stringify(logged)).not.toMatch(/cs_[\w-]{10}/)
  const owner = await signedIn(bff)
  const { body } = await owner.ask('GET', '/dashboard/audit')
  expect(JSON.stringify(body)).toContain('payment.linkShown')
  expect(JSON.stringify(body)).not.toMatch(/cs_[\w-]{10}/)
  const rows = await bff.deps.db.read((tx) => tx.all(sql`select * from idempotency_keys`))
  expect(JSON.stringify(rows)).not.toMatch(/cs_[\w-]{10}/)
})

test('a link is shown to nobody whose passkey was removed, or who became a viewer, since signing', async () => {
  const owner = await signedIn(bff)
  const ben = await signedIn(bff, 'staff', 'Ben')
  const second = newPasskey()
  const { body } = await ben.ask('POST', '/dashboard/passkeys/options')
  const response = second.register(body['options'] as { challenge: string }, pageOrigin) as { id: string }
  expect((await ben.confirm('POST', '/dashboard/passkeys', { response })).status).toBe(200)
  const lost = openPage(bff, second)
  await lost.signIn()
  const byLost = await sign(lost, paths[0])
  const byBen = await sign(ben, paths[0])
  expect((await ben.confirm('DELETE', `/dashboard/passkeys/${response.id}`)).status).toBe(200)
  expect((await lost.ask('POST', paths[0], undefined, byLost)).body).toMatchObject({ code: 'PASSKEY_REFUSED' })
  const { session } = (await ben.ask('GET', '/dashboard/session')).body as { session: { person: { id: string } } }
  const changed = await owner.confirm('PATCH', `/dashboard/people/${session.person.id}`, { role: 'viewer' })
  expect(changed.status).toBe(200)
  expect((await ben.ask('POST', paths[0], undefined, byBen)).body).toMatchObject({ code: 'ROLE_NOT_ALLOWED' })
  const sam = await sign(staff, paths[1])
  expect((await staff.ask('DELETE', '/dashboard/session')).status).toBe(200)
  expect((await staff.ask('POST', paths[1], undefined, sam)).status).toBe(401)
})
