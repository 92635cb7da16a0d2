import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { unknownId, wallet } from '../../../test/access-stage.ts'
import { type DashboardPage, openPage, signedIn } from '../../../test/dashboard-stage.ts'
import { versionedOperations } from '../../../test/declared-operations.ts'
import type { SoftwarePasskey } from '../../../test/software-passkey.ts'
import { type AppFixture, openApp, order } from '../../../test/test-app.ts'
import { type Role, roles } from '../../merchant/caller.ts'

let bff: AppFixture
let pages: Record<Role, DashboardPage>
let colleague: DashboardPage
beforeAll(async () => {
  bff = await openApp()
  pages = {
    viewer: await signedIn(bff, 'viewer', 'Vic'),
    staff: await signedIn(bff, 'staff', 'Sam'),
    owner: await signedIn(bff, 'owner', 'Ada'),
  }
  colleague = await signedIn(bff, 'owner', 'Eve')
})
afterAll(() => bff.close())

describe('every operation, by every role, session and passkey', () => {
  /** The least role that may call it, and whether the person must sign the request; `nobody`: no session at all. */
  type Rule = 'anybody' | Role | `${Role} by passkey` | 'nobody'

  /** `allowed`: what is answered to whoever may call it with that body, by status and code. */
  const operations: [operation: string, rule: Rule, allowed: string, body?: object][] = [
    ['post /deposits/create', 'staff', '200', order],
    ['post /payments/create', 'staff', '200', order],
    [
      'post /payments/cross-chain/create',
      'staff',
      '400 NO_ROUTE',
      { amount: 25, originChainId: 1, originCurrency: 'USDC' },
    ],
    ['post /sandbox/payments/create', 'staff', '200', order],
    ['get /payments/{paymentId}', 'viewer', '200'],
    ['get /deposits/status/{paymentId}', 'viewer', '200'],
    ['get /payments/{paymentId}/status', 'viewer', '200'],
    ['get /payments/status/{paymentId}', 'viewer', '200'],
    ['get /deposits/balance/{paymentId}', 'viewer', '200'],
    ['get /payments/cross-chain/status/{paymentId}', 'viewer', '200'],
    ['get /payments/public/{paymentId}', 'anybody', '200'],
    ['get /payments/public/{paymentId}/events', 'anybody', '200'],
    ['post /payments/verify-qr', 'nobody', '?', {}],
    ['post /payments/fail', 'staff', '404 PAYMENT_NOT_FOUND', { paymentId: unknownId }],
    ['post /deposits/refund-request/{paymentId}', 'staff by passkey', '400 NOTHING_OWED', { address: wallet }],
    ['post /payments/{paymentId}/accept-late', 'staff by passkey', '409 PAYMENT_OPEN'],
    ['post /sandbox/payments/{paymentId}/simulate', 'staff', '400 NOT_A_SANDBOX_PAYMENT', { action: 'complete' }],
    ['post /payments/process', 'nobody', '?', {}],
    ['post /payments/{paymentId}/authorize', 'anybody', '400 VALIDATION_FAILED', {}],
    ['get /payments/solana-pay/{paymentId}', 'anybody', '400 NOT_A_SOLANA_PAYMENT'],
    ['post /payments/solana-pay/{paymentId}', 'anybody', '400 VALIDATION_FAILED', {}],
    ['get /payments', 'viewer', '200'],
    ['get /payments/events', 'viewer', '200'],
    ['get /payments/{paymentId}/history', 'viewer', '200'],
    ['post /links', 'staff', '400 VALIDATION_FAILED', {}],
    ['get /links', 'viewer', '200'],
    ['get /links/{linkId}', 'staff', '400 VALIDATION_FAILED'],
    ['post /links/{linkId}/end', 'staff', '400 VALIDATION_FAILED'],
    ['get /links/public/{linkId}', 'anybody', '400 VALIDATION_FAILED'],
    ['get /links/public/{linkId}/stablecoins', 'anybody', '400 VALIDATION_FAILED'],
    ['post /links/public/{linkId}/create', 'anybody', '400 VALIDATION_FAILED', {}],
    ['get /payments/merchant/list', 'viewer', '200'],
    ['get /payments/merchant/stats', 'viewer', '200'],
    ['get /merchants/key-origins', 'viewer', '200'],
    ['put /merchants/key-origins', 'owner by passkey', '400 VALIDATION_FAILED', {}],
    ['get /merchants/agent-policies', 'viewer', '200'],
    ['get /merchants/agent-policies/{agentId}', 'viewer', '200'],
    ['put /merchants/agent-policies/{agentId}', 'owner by passkey', '200', {}],
    ['delete /merchants/agent-policies/{agentId}', 'owner by passkey', '404 AGENT_POLICY_NOT_FOUND'],
    ['get /merchants/agent-policies/{agentId}/decisions', 'viewer', '200'],
    ['get /x402/supported', 'nobody', '?'],
    ['post /x402/charge', 'nobody', '?', {}],
    ['post /x402/verify', 'nobody', '?', {}],
    ['post /x402/settle', 'nobody', '?', {}],
    ['get /x402/{paymentId}', 'anybody', '409 X402_NOT_OFFERED'],
    ['post /x402/{paymentId}', 'anybody', '409 X402_NOT_OFFERED'],
    ['get /currency/rates', 'anybody', '200'],
    ['get /deposits/chains', 'anybody', '200'],
    ['get /payments/cross-chain/sources', 'anybody', '200'],
    ['get /payments/health', 'anybody', '200'],
    ['get /payments/contract/{chainId}', 'anybody', '200'],
    ['get /reports/summary', 'viewer', '400 VALIDATION_FAILED'],
    ['get /reports/attention', 'viewer', '200'],
    ['get /reports/month', 'viewer', '400 VALIDATION_FAILED'],
    ['get /reports/month.csv', 'viewer', '400 VALIDATION_FAILED'],
    ['get /reports/errors', 'viewer', '200'],
    ['get /system', 'owner', '403 SEVERAL_MERCHANTS'],
    ['post /system/doctor', 'owner', '403 SEVERAL_MERCHANTS'],
    ['get /networks', 'viewer', '200'],
    ['get /networks/stablecoins', 'viewer', '200'],
    ['get /networks/payable', 'viewer', '200'],
    ['get /networks/payable/stablecoins', 'viewer', '200'],
    ['get /networks/{networkId}/tokens', 'viewer', '200'],
    ['get /events', 'viewer', '200'],
    ['get /webhooks/endpoints', 'viewer', '200'],
    ['post /webhooks/endpoints', 'owner by passkey', '200', { url: 'https://shop.example/hooks' }],
    ['get /webhooks/endpoints/{endpointId}', 'viewer', '404 ENDPOINT_NOT_FOUND'],
    ['patch /webhooks/endpoints/{endpointId}', 'owner by passkey', '404 ENDPOINT_NOT_FOUND', { description: 'x' }],
    ['delete /webhooks/endpoints/{endpointId}', 'owner by passkey', '404 ENDPOINT_NOT_FOUND'],
    ['post /webhooks/endpoints/{endpointId}/rotate-secret', 'owner by passkey', '404 ENDPOINT_NOT_FOUND', {}],
    ['post /webhooks/endpoints/{endpointId}/test', 'staff', '404 ENDPOINT_NOT_FOUND'],
    ['post /webhooks/rotate-secret', 'owner by passkey', '200', {}],
    ['get /webhooks/deliveries', 'viewer', '200'],
    ['get /webhooks/deliveries/{deliveryId}/request', 'viewer', '400 VALIDATION_FAILED'],
    ['post /webhooks/deliveries/{deliveryId}/redeliver', 'staff', '400 VALIDATION_FAILED'],
    [
      'post /webhooks/replay',
      'staff',
      '404 ENDPOINT_NOT_FOUND',
      { endpointId: unknownId, since: '2026-11-21T00:00:00Z' },
    ],
    ['post /dashboard/sign-in/options', 'anybody', '200'],
    ['post /dashboard/sign-in', 'anybody', '400 VALIDATION_FAILED', {}],
    ['post /dashboard/invitation/options', 'anybody', '400 VALIDATION_FAILED', {}],
    ['post /dashboard/invitation/accept', 'anybody', '400 VALIDATION_FAILED', {}],
    ['post /dashboard/demo-sign-in', 'anybody', '400 VALIDATION_FAILED', {}],
    ['get /dashboard/session', 'viewer', '200'],
    ['post /dashboard/confirmations', 'viewer', '400 VALIDATION_FAILED', {}],
    ['post /dashboard/passkeys/options', 'viewer', '200'],
    ['post /dashboard/passkeys', 'viewer by passkey', '400 VALIDATION_FAILED', {}],
    ['get /dashboard/sessions', 'viewer', '200'],
    ['delete /dashboard/sessions/{sessionId}', 'viewer', '404 NOT_FOUND'],
    ['get /dashboard/people', 'owner', '200'],
    ['get /dashboard/people/invitations', 'owner', '200'],
    ['delete /dashboard/people/invitations/{invitationId}', 'owner', '400 VALIDATION_FAILED'],
    ['post /dashboard/people/invitations', 'owner by passkey', '400 VALIDATION_FAILED', {}],
    ['patch /dashboard/people/{personId}', 'owner by passkey', '404 NOT_FOUND', {}],
    ['delete /dashboard/people/{personId}', 'owner by passkey', '404 NOT_FOUND'],
    ['get /dashboard/audit', 'owner', '200'],
    ['get /dashboard/keys', 'owner', '200'],
    ['post /dashboard/keys', 'owner by passkey', '400 VALIDATION_FAILED', {}],
    ['post /dashboard/keys/{key}/rotate', 'owner by passkey', '400 VALIDATION_FAILED', {}],
    ['delete /dashboard/keys/{key}', 'owner by passkey', '400 VALIDATION_FAILED'],
    ['get /dashboard/settings', 'viewer', '200'],
    ['patch /dashboard/settings', 'owner by passkey', '200', {}],
    ['get /dashboard/wallets', 'viewer', '200'],
    ['post /dashboard/wallets/proofs', 'owner', '400 VALIDATION_FAILED', {}],
    ['put /dashboard/wallets/{network}', 'owner by passkey', '400 VALIDATION_FAILED', {}],
    ['delete /dashboard/session', 'viewer', '200'],
  ]

  test('the table holds every operation of the document', async () => {
    const { paths } = (await bff.read('/api/openapi.json', {})).body as unknown as {
      paths: Record<string, Record<string, object>>
    }
    const documented = versionedOperations(paths).map(({ method, path }) => `${method} ${path}`)
    expect(operations.map(([operation]) => operation).sort()).toEqual(documented.sort())
  })

  type Asked = { method: string; path: string; body: object | undefined }

  /** With ids that nothing has, but for the payment, which is new. */
  async function askedOf(operation: string, body: object | undefined): Promise<Asked> {
    const [method = '', template = ''] = operation.split(' ')
    const made = (await bff.create(order, bff.keys.secret)).body.payment['id']
    const path = template
      .replace('{paymentId}', String(made))
      .replace('{agentId}', method === 'put' ? 'somebody' : 'nobody')
      .replace('{chainId}', '31337')
      .replace('{networkId}', 'devnet')
      .replace(/\{\w+\}/, unknownId)
    return { method: method.toUpperCase(), path, body }
  }

  /** Status and code. */
  async function answerTo(page: DashboardPage, { method, path, body }: Asked, headers: Record<string, string> = {}) {
    const { status, body: answer } = await page.ask(method, path, body, headers)
    return [status, answer['code']].filter((part) => part !== undefined).join(' ')
  }

  /** A session's challenge for that request, signed with a passkey. */
  async function signed(page: DashboardPage, passkey: SoftwarePasskey, { method, path, body }: Asked, mode?: string) {
    const text = body === undefined ? '' : JSON.stringify(body)
    const asked = { method, path, body: text }
    const { body: answered } = await page.ask('POST', '/dashboard/confirmations', asked, mode ? { 'X-Mode': mode } : {})
    const assertion = passkey.sign(answered['options'] as { challenge: string }, 'http://localhost')
    return { 'X-Confirmation': Buffer.from(JSON.stringify(assertion)).toString('base64url') }
  }

  const refused = '403 ROLE_NOT_ALLOWED'
  const isAtLeast = (role: Role, least: Role) => roles.indexOf(role) <= roles.indexOf(least)

  test.each(operations)('%s: %s', async (operation, rule, allowed, body) => {
    const asked = await askedOf(operation, body)
    const nobody = openPage(bff)
    const madeUp = { Cookie: `checkout-session=${'A'.repeat(43)}` }
    const [least, , passkey] = rule.split(' ') as [Role | 'anybody' | 'nobody', string?, string?]
    const isOpen = least === 'anybody'
    expect(await answerTo(nobody, asked), 'no session').toBe(isOpen ? allowed : '401 UNAUTHORIZED')
    expect(await answerTo(nobody, asked, madeUp), 'a made-up session').toBe(isOpen ? allowed : '401 SESSION_ENDED')

    for (const role of roles) {
      // This one ends the session.
      const page = operation === 'delete /dashboard/session' ? await signedIn(bff, role) : pages[role]
      const mayCall = isOpen || (least !== 'nobody' && isAtLeast(role, least))
      if (passkey === undefined || !mayCall) {
        expect(await answerTo(page, asked), role).toBe(mayCall ? allowed : refused)
        continue
      }
      expect(await answerTo(page, asked), `${role}, unsigned`).toBe('403 CONFIRMATION_REQUIRED')
      const wrong = {
        'by a colleague’s passkey': await signed(page, colleague.passkey, asked),
        'for another path': await signed(page, page.passkey, { ...asked, path: `${asked.path}/x` }),
        'for another body': await signed(page, page.passkey, { ...asked, body: { other: true } }),
        'for test payments': await signed(page, page.passkey, asked, 'test'),
        'in another session': await signed(colleague, page.passkey, asked),
      }
      for (const [how, headers] of Object.entries(wrong)) {
        expect(await answerTo(page, asked, headers), `${role}, signed ${how}`).toBe('403 PASSKEY_REFUSED')
      }
      const own = await signed(page, page.passkey, asked)
      expect(await answerTo(page, asked, own), `${role}, signed`).toBe(allowed)
    }
  })

  test.each([
    ['/deposits/create', order],
    ['/payments/create', order],
    ['/payments/cross-chain/create', { amount: 25, originChainId: 1, originCurrency: 'USDC' }],
    ['/sandbox/payments/create', order],
    ['/links', { amount: '25.00' }],
  ])('an open session alone has POST %s send its news to no address of its own', async (path, terms) => {
    const body = { ...terms, callbackUrl: 'https://thief.example/news' }
    const asked = { method: 'POST', path, body }
    expect(await answerTo(pages.viewer, asked)).toBe(refused)
    expect(await answerTo(pages.staff, asked)).toBe('403 CONFIRMATION_REQUIRED')
    expect(await answerTo(pages.staff, asked, await signed(pages.staff, colleague.passkey, asked))).toBe(
      '403 PASSKEY_REFUSED',
    )
    const own = await signed(pages.staff, pages.staff.passkey, asked)
    expect(await answerTo(pages.staff, asked, own)).toBe(path.includes('cross-chain') ? '400 NO_ROUTE' : '200')
  })
})
