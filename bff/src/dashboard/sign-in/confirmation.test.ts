import { type DashboardPage, inviteTo, openPage, pageOrigin, signedIn } from '@stablecoin-checkout/rig/dashboard-stage'
import { type AppFixture, openApp } from '@stablecoin-checkout/rig/test-app'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

let bff: AppFixture
/** Two sessions of one person, with one passkey. */
let page: DashboardPage
let second: DashboardPage
beforeAll(async () => {
  bff = await openApp()
  page = await signedIn(bff)
  second = openPage(bff, page.passkey)
  expect((await second.signIn()).status).toBe(200)
})
afterAll(() => bff.close())

const path = '/dashboard/keys'
const body = { kind: 'public' }
const inTest = { 'X-Mode': 'test' }

type Request = { method: string; path: string; body: string }

/** The header that signs a request of the first session, or of another one. @param mode - The page's mode, live or test. */
async function sign(request: Request, mode: Record<string, string> = {}, by = page): Promise<Record<string, string>> {
  const { body: answered } = await by.ask('POST', '/dashboard/confirmations', request, mode)
  const signed = by.passkey.sign(answered['options'] as { challenge: string }, pageOrigin)
  return { 'X-Confirmation': Buffer.from(JSON.stringify(signed)).toString('base64url') }
}
const request: Request = { method: 'POST', path, body: JSON.stringify(body) }
const refused = { status: 403, body: expect.objectContaining({ code: 'PASSKEY_REFUSED' }) }

test('a signed request is accepted once, in the session that got the challenge', async () => {
  const confirmation = await sign(request)
  expect(await second.ask('POST', path, body, confirmation)).toMatchObject(refused)
  expect(await page.ask('POST', path, body, confirmation)).toMatchObject({ status: 200 })
  expect(await page.ask('POST', path, body, confirmation)).toMatchObject(refused)
})

const countKeys = async () => ((await page.ask('GET', path)).body['keys'] as object[]).length

test('of five concurrent requests with one signature, one succeeds', async () => {
  const [before, confirmation] = [await countKeys(), await sign(request)]
  const answers = await Promise.all(Array.from({ length: 5 }, () => page.ask('POST', path, body, confirmation)))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 403, 403, 403, 403])
  expect(await countKeys()).toBe(before + 1)
})

test('a request that fails between its signature and its change changes nothing, and succeeds when signed again', async () => {
  const [before, confirmation] = [await countKeys(), await sign(request)]
  const { db } = bff.deps
  const write = db.write.bind(db)
  const spy = vi.spyOn(db, 'write').mockImplementationOnce(write).mockRejectedValueOnce(new Error('killed'))
  expect((await page.ask('POST', path, body, confirmation)).status).toBe(500)
  expect(spy.mock.calls.length).toBe(2)
  spy.mockRestore()
  expect(await page.ask('POST', path, body, confirmation)).toMatchObject(refused)
  expect(await countKeys()).toBe(before)
  expect(await page.ask('POST', path, body, await sign(request))).toMatchObject({ status: 200 })
  expect(await countKeys()).toBe(before + 1)
})

test.each<[string, Partial<Request>]>([
  ['method', { method: 'PUT' }],
  ['path', { path: '/dashboard/people/invitations' }],
  ['query', { path: `${path}?kind=api` }],
  ['body', { body: JSON.stringify({ kind: 'api' }) }],
  ['body, with the same fields in other bytes', { body: JSON.stringify(body, null, 1) }],
])('a signature for another %s confirms nothing', async (_, other) => {
  const confirmation = await sign({ ...request, ...other })
  expect(await page.ask('POST', path, body, confirmation)).toMatchObject(refused)
})

test('a field sent as null is signed as null, and then counts as absent', async () => {
  const url = 'https://shop.example/webhooks'
  const { status, body: made } = await page.confirm('POST', '/webhooks/endpoints', { url, eventTypes: null })
  expect([status, made]).toMatchObject([200, { endpoint: { url, eventTypes: null } }])
  const confirmation = await sign({ method: 'POST', path: '/webhooks/endpoints', body: JSON.stringify({ url }) })
  expect(await page.ask('POST', '/webhooks/endpoints', { url, eventTypes: null }, confirmation)).toMatchObject(refused)
})

test('a signature without a query confirms no request with one', async () => {
  expect(await page.ask('POST', `${path}?kind=api`, body, await sign(request))).toMatchObject(refused)
})

test('a signature for test payments confirms nothing for live ones, nor the other way round', async () => {
  const [live, asTest] = [await sign(request), await sign(request, inTest)]
  expect(await page.ask('POST', path, body, { ...live, ...inTest })).toMatchObject(refused)
  expect(await page.ask('POST', path, body, asTest)).toMatchObject(refused)
  expect(await page.ask('POST', path, body, { ...asTest, ...inTest })).toMatchObject({ status: 200 })
})

test('a signature for signing in, or an unreadable one, confirms nothing', async () => {
  const { body: answered } = await page.ask('POST', '/dashboard/sign-in/options')
  const signed = page.passkey.sign(answered['options'] as { challenge: string }, pageOrigin)
  const header = (value: string) => ({ 'X-Confirmation': Buffer.from(value).toString('base64url') })
  for (const value of [JSON.stringify(signed), '{}', 'no JSON'])
    expect(await page.ask('POST', path, body, header(value))).toMatchObject(refused)
  const none = { status: 403, body: expect.objectContaining({ code: 'CONFIRMATION_REQUIRED' }) }
  expect(await page.ask('POST', path, body)).toMatchObject(none)
})

test('a person without any passkey may create the first one, but nothing that a passkey must confirm', async () => {
  const demo = openPage(bff)
  const token = await inviteTo(bff, { isDemo: true, name: 'Demo' })
  expect((await demo.ask('POST', '/dashboard/demo-sign-in', { token })).status).toBe(200)
  const asked = [
    ['POST', path, body],
    ['PATCH', '/dashboard/settings', { latePayments: 'accept' }],
    ['POST', '/webhooks/rotate-secret', {}],
  ] as const
  const required = { status: 403, body: expect.objectContaining({ code: 'CONFIRMATION_REQUIRED' }) }
  for (const [method, at, sent] of asked) expect([at, await demo.ask(method, at, sent)]).toMatchObject([at, required])
  const { body: answered } = await demo.ask('POST', '/dashboard/passkeys/options')
  const options = answered['options'] as { challenge: string; rp: { id: string } }
  const response = demo.passkey.register(options, pageOrigin)
  expect((await demo.ask('POST', '/dashboard/passkeys', { response })).status).toBe(200)
  // From now on, another one requires a signature of this one.
  expect(await demo.ask('POST', '/dashboard/passkeys', { response })).toMatchObject(required)
})

test.each<[string, string, (id: string, sessionId: string) => Promise<{ status: number }>]>([
  ['became a viewer', 'ROLE_NOT_ALLOWED', (id) => page.confirm('PATCH', `/dashboard/people/${id}`, { role: 'viewer' })],
  ['was signed out', 'SESSION_ENDED', (_, sessionId) => page.ask('DELETE', `/dashboard/sessions/${sessionId}`)],
])('a slow request is not accepted from an owner who %s meanwhile', async (_, code, change) => {
  const ben = await signedIn(bff, 'owner', 'Ben')
  const { session } = (await ben.ask('GET', '/dashboard/session')).body as { session: { person: { id: string } } }
  const { sessions } = (await ben.ask('GET', '/dashboard/sessions')).body as {
    sessions: { id: string; isThis: boolean }[]
  }
  const { id } = session.person
  const asked = { method: 'PATCH', path: `/dashboard/people/${id}`, body: JSON.stringify({ role: 'owner' }) }
  const headers = { ...(await sign(asked, {}, ben)), Cookie: ben.cookie(), Origin: pageOrigin }
  const { isRead, send, answer } = slowly(asked, headers)
  await isRead
  expect((await change(id, sessions.find(({ isThis }) => isThis)?.id ?? '')).status).toBe(200)
  send()
  expect(await (await answer).json()).toMatchObject({ success: false, code })
})

/** A request whose body is sent when `send` is called. `isRead` resolves when the service waits for it. */
function slowly({ method, path: to, body: text }: Request, headers: Record<string, string>) {
  let send = () => {}
  let read = () => {}
  const isRead = new Promise<void>((resolve) => {
    read = resolve
  })
  // Without a buffer, so that nothing is pulled before the service reads.
  const stream = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        send = () => {
          controller.enqueue(new TextEncoder().encode(text))
          controller.close()
        }
      },
      pull: () => read(),
    },
    { highWaterMark: 0 },
  )
  const init = { method, headers: { ...headers, 'Content-Type': 'application/json' }, body: stream, duplex: 'half' }
  return { isRead, send, answer: bff.fetch(`/api/v1${to}`, init as RequestInit) }
}
