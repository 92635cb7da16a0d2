import type { MerchantId } from '@stablecoin-checkout/bff/testing/payment'
import { invite, type Role } from '@stablecoin-checkout/bff/testing/service'
import { expect } from 'vitest'
import { newPasskey, type SoftwarePasskey } from './software-passkey.ts'
import type { AppFixture } from './test-app.ts'

/** Origin of the tests' requests, which call the application without a socket. */
export const pageOrigin = 'http://localhost'

type Answered = { status: number; headers: Headers; body: Record<string, unknown> }

/** A browser with the dashboard's page: its cookie, and its person's passkey. For tests. */
export type DashboardPage = {
  passkey: SoftwarePasskey
  cookie: () => string
  /** @param headers - In addition to those that a browser sends for the page's requests. */
  ask(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answered>
  /** `ask`, signed with the passkey. */
  confirm(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answered>
  signIn(): Promise<Answered>
}

/** An application with a merchant, from any stage. */
type Served = Pick<AppFixture, 'fetch'> & {
  deps: Pick<AppFixture['deps'], 'db' | 'runtime'>
  merchant: Pick<AppFixture['merchant'], 'merchantId'>
}

/** A page where nobody is signed in. */
export function openPage(bff: Pick<AppFixture, 'fetch'>, passkey = newPasskey()): DashboardPage {
  let cookie = ''

  async function ask(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    const response = await bff.fetch(`/api/v1${path}`, {
      method,
      headers: {
        ...(cookie !== '' && { Cookie: cookie }),
        ...(method !== 'GET' && { Origin: pageOrigin }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        'Sec-Fetch-Site': 'same-origin',
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const set = response.headers.getSetCookie()[0]
    if (set !== undefined) cookie = set.split(';')[0] ?? ''
    const isStream = response.headers.get('Content-Type')?.startsWith('text/event-stream')
    if (isStream) await response.body?.cancel()
    const text = isStream ? '' : await response.text()
    const json = text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {}
    return { status: response.status, headers: response.headers, body: json }
  }

  return {
    passkey,
    cookie: () => cookie,
    ask,
    async confirm(method, path, body, headers) {
      const text = body === undefined ? '' : JSON.stringify(body)
      const { body: asked } = await ask('POST', '/dashboard/confirmations', { method, path, body: text })
      const signed = passkey.sign(asked['options'] as { challenge: string }, pageOrigin)
      const header = Buffer.from(JSON.stringify(signed)).toString('base64url')
      return await ask(method, path, body, { ...headers, 'X-Confirmation': header })
    },
    async signIn() {
      const { body } = await ask('POST', '/dashboard/sign-in/options')
      const response = passkey.sign(body['options'] as { challenge: string }, pageOrigin)
      return await ask('POST', '/dashboard/sign-in', { response })
    },
  }
}

/** The token of a new invitation. */
export async function inviteTo(
  bff: Served,
  asked: {
    role?: Role
    name?: string
    personId?: string
    merchantId?: string
    isDemo?: boolean
    invitedBy?: string
  } = {},
): Promise<string> {
  const { role = 'owner', name = 'Ada', personId = null, invitedBy = null, isDemo = false } = asked
  const merchantId = (asked.merchantId ?? bff.merchant.merchantId) as MerchantId
  const { db, runtime } = bff.deps
  return (await db.write((tx) => invite(tx, runtime, { merchantId, role, name, personId, invitedBy, isDemo }))).token
}

/** Accepts an invitation as the page does. */
export async function accept(page: DashboardPage, token: string): Promise<Answered> {
  const { body } = await page.ask('POST', '/dashboard/invitation/options', { token })
  const options = body['options'] as { challenge: string } | undefined
  const response = page.passkey.register(options ?? { challenge: 'AAAA', rp: { id: 'localhost' } }, pageOrigin)
  return await page.ask('POST', '/dashboard/invitation/accept', { token, response })
}

/** A signed-in person with that role. */
export async function signedIn(bff: Served, role: Role = 'owner', name = 'Ada'): Promise<DashboardPage> {
  const page = openPage(bff)
  const { status, body } = await accept(page, await inviteTo(bff, { role, name }))
  expect([status, body['message']]).toEqual([200, undefined])
  return page
}
