import { unknownId, wallet } from '@stablecoin-checkout/rig/access-stage'
import { type DashboardPage, openPage, signedIn } from '@stablecoin-checkout/rig/dashboard-stage'
import type { SoftwarePasskey } from '@stablecoin-checkout/rig/software-passkey'
import { openApp, order } from '@stablecoin-checkout/rig/test-app'
import { afterAll, describe, expect, test } from 'vitest'
import { type Role, roles } from '../../access/context/caller.ts'
import { isOpen, nameOf, type Operation } from '../../access/context/operation.ts'

const bff = await openApp()
const pages: Record<Role, DashboardPage> = {
  viewer: await signedIn(bff, 'viewer', 'Vic'),
  staff: await signedIn(bff, 'staff', 'Sam'),
  owner: await signedIn(bff, 'owner', 'Ada'),
}
const colleague = await signedIn(bff, 'owner', 'Eve')
afterAll(() => bff.close())

const endsSession = 'delete /dashboard/session'

describe('every operation, by every role, session and passkey', () => {
  /** The lowest role that may call it, and whether the person must sign the request; `nobody`: no session at all. */
  type Rule = 'anybody' | Role | `${Role} by passkey` | 'nobody' | 'tills alone'

  /** As declared by the operation. */
  function ruleOf(operation: Operation): Rule {
    const { role = 'none', passkey } = operation
    if (isOpen(operation)) return 'anybody'
    if (operation.access === 'till') return 'tills alone'
    if (role === 'none') return 'nobody'
    return passkey === 'always' || passkey === 'ifAny' ? `${role} by passkey` : role
  }

  /** Status and code of the response to an authorized caller with that body. For other operations only the guard is tested. */
  const answers: Readonly<Record<string, readonly [allowed: string, body?: object]>> = {
    'post /deposits/create': ['200', order],
    'post /payments/create': ['200', order],
    'post /payments/cross-chain/create': ['400 NO_ROUTE', { amount: 25, originChainId: 1, originCurrency: 'USDC' }],
    'post /sandbox/payments/create': ['200', order],
    'get /payments/{paymentId}': ['200'],
    'get /deposits/status/{paymentId}': ['200'],
    'get /payments/{paymentId}/status': ['200'],
    'get /payments/status/{paymentId}': ['200'],
    'get /deposits/balance/{paymentId}': ['200'],
    'get /payments/cross-chain/status/{paymentId}': ['200'],
    'get /payments/public/{paymentId}': ['200'],
    'get /payments/public/{paymentId}/events': ['200'],
    'post /payments/fail': ['404 PAYMENT_NOT_FOUND', { paymentId: unknownId }],
    'post /deposits/refund-request/{paymentId}': ['400 NOTHING_OWED', { address: wallet }],
    'post /payments/{paymentId}/accept-late': ['409 PAYMENT_OPEN'],
    'post /sandbox/payments/{paymentId}/simulate': ['400 NOT_A_SANDBOX_PAYMENT', { action: 'complete' }],
    'post /payments/{paymentId}/authorize': ['400 VALIDATION_FAILED', {}],
    'get /payments/solana-pay/{paymentId}': ['400 NOT_A_SOLANA_PAYMENT'],
    'post /payments/solana-pay/{paymentId}': ['400 VALIDATION_FAILED', {}],
    'get /payments': ['200'],
    'get /payments/events': ['200'],
    'get /payments/{paymentId}/history': ['200'],
    'post /payments/{paymentId}/receipt': ['200', {}],
    'post /links': ['400 VALIDATION_FAILED', {}],
    'get /links': ['200'],
    'get /links/{linkId}': ['400 VALIDATION_FAILED'],
    'post /links/{linkId}/end': ['400 VALIDATION_FAILED'],
    'get /links/public/{linkId}': ['400 VALIDATION_FAILED'],
    'get /links/public/{linkId}/stablecoins': ['400 VALIDATION_FAILED'],
    'post /links/public/{linkId}/create': ['400 VALIDATION_FAILED', {}],
    'get /payments/merchant/list': ['200'],
    'get /payments/merchant/stats': ['200'],
    'get /merchants/key-origins': ['200'],
    'put /merchants/key-origins': ['400 VALIDATION_FAILED', {}],
    'get /merchants/agent-policies': ['200'],
    'get /merchants/agent-policies/{agentId}': ['200'],
    'put /merchants/agent-policies/{agentId}': ['200', {}],
    'delete /merchants/agent-policies/{agentId}': ['404 AGENT_POLICY_NOT_FOUND'],
    'get /merchants/agent-policies/{agentId}/decisions': ['200'],
    'get /x402/{paymentId}': ['409 X402_NOT_OFFERED'],
    'post /x402/{paymentId}': ['409 X402_NOT_OFFERED'],
    'get /currency/rates': ['200'],
    'get /deposits/chains': ['200'],
    'get /payments/cross-chain/sources': ['200'],
    'get /payments/health': ['200'],
    'get /payments/contract/{chainId}': ['200'],
    'get /reports/summary': ['400 VALIDATION_FAILED'],
    'get /reports/attention': ['200'],
    'get /reports/month': ['400 VALIDATION_FAILED'],
    'get /reports/month.csv': ['400 VALIDATION_FAILED'],
    'get /reports/errors': ['200'],
    'get /system': ['403 SEVERAL_MERCHANTS'],
    'post /system/doctor': ['403 SEVERAL_MERCHANTS'],
    'get /networks': ['200'],
    'get /networks/stablecoins': ['200'],
    'get /networks/payable': ['200'],
    'get /networks/payable/stablecoins': ['200'],
    'get /networks/{networkId}/tokens': ['200'],
    'get /events': ['200'],
    'get /webhooks/endpoints': ['200'],
    'post /webhooks/endpoints': ['200', { url: 'https://shop.example/hooks' }],
    'get /webhooks/endpoints/{endpointId}': ['404 ENDPOINT_NOT_FOUND'],
    'patch /webhooks/endpoints/{endpointId}': ['404 ENDPOINT_NOT_FOUND', { description: 'x' }],
    'delete /webhooks/endpoints/{endpointId}': ['404 ENDPOINT_NOT_FOUND'],
    'post /webhooks/endpoints/{endpointId}/rotate-secret': ['404 ENDPOINT_NOT_FOUND', {}],
    'post /webhooks/endpoints/{endpointId}/test': ['404 ENDPOINT_NOT_FOUND'],
    'post /webhooks/rotate-secret': ['200', {}],
    'get /webhooks/deliveries': ['200'],
    'get /webhooks/deliveries/{deliveryId}/request': ['400 VALIDATION_FAILED'],
    'post /webhooks/deliveries/{deliveryId}/redeliver': ['400 VALIDATION_FAILED'],
    'post /webhooks/replay': ['404 ENDPOINT_NOT_FOUND', { endpointId: unknownId, since: '2026-11-21T00:00:00Z' }],
    'post /dashboard/sign-in/options': ['200'],
    'post /dashboard/sign-in': ['400 VALIDATION_FAILED', {}],
    'post /dashboard/invitation/options': ['400 VALIDATION_FAILED', {}],
    'post /dashboard/invitation/accept': ['400 VALIDATION_FAILED', {}],
    'post /dashboard/demo-sign-in': ['400 VALIDATION_FAILED', {}],
    'get /dashboard/session': ['200'],
    'post /dashboard/confirmations': ['400 VALIDATION_FAILED', {}],
    'post /dashboard/passkeys/options': ['200'],
    'post /dashboard/passkeys': ['400 VALIDATION_FAILED', {}],
    'get /dashboard/sessions': ['200'],
    'delete /dashboard/sessions/{sessionId}': ['404 NOT_FOUND'],
    'get /dashboard/people': ['200'],
    'get /dashboard/people/invitations': ['200'],
    'delete /dashboard/people/invitations/{invitationId}': ['400 VALIDATION_FAILED'],
    'post /dashboard/people/invitations': ['400 VALIDATION_FAILED', {}],
    'patch /dashboard/people/{personId}': ['404 NOT_FOUND', {}],
    'delete /dashboard/people/{personId}': ['404 NOT_FOUND'],
    'get /dashboard/audit': ['200'],
    'get /dashboard/tills': ['200'],
    'post /dashboard/tills': ['400 VALIDATION_FAILED', {}],
    'post /dashboard/tills/{tillId}/pairing': ['404 NOT_FOUND'],
    'patch /dashboard/tills/{tillId}': ['404 NOT_FOUND', {}],
    'delete /dashboard/tills/{tillId}': ['404 NOT_FOUND'],
    'post /till/pair': ['400 VALIDATION_FAILED', {}],
    'get /dashboard/keys': ['200'],
    'post /dashboard/keys': ['400 VALIDATION_FAILED', {}],
    'post /dashboard/keys/{key}/rotate': ['400 VALIDATION_FAILED', {}],
    'delete /dashboard/keys/{key}': ['400 VALIDATION_FAILED'],
    'get /dashboard/settings': ['200'],
    'patch /dashboard/settings': ['200', {}],
    'get /dashboard/wallets': ['200'],
    'get /dashboard/wallets/{network}/registration': ['400 VALIDATION_FAILED'],
    'post /dashboard/wallets/proofs': ['400 VALIDATION_FAILED', {}],
    'put /dashboard/wallets/{network}': ['400 VALIDATION_FAILED', {}],
    'delete /dashboard/session': ['200'],
  }

  const operations = bff.operations
    .filter(({ hide, servers }) => !hide && servers === undefined)
    .map((operation) => [nameOf(operation), ruleOf(operation), operation] as const)
    // The operation that ends the session comes last.
    .toSorted(([one], [other]) => Number(one === endsSession) - Number(other === endsSession))

  /** Codes of a guard's refusals. */
  const refusals = /UNAUTHORIZED|SESSION_|API_SECRET_REQUIRED|ROLE_NOT_ALLOWED|CONFIRMATION_REQUIRED|PASSKEY_REFUSED/

  type Asked = { method: string; path: string; body: object | undefined }

  /** With nonexistent ids, except for the payment, which is new. */
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

  test.each(operations)('%s: %s', async (operation, rule, { request }) => {
    const [allowed, body = request?.body && {}] = answers[operation] ?? [expect.not.stringMatching(refusals)]
    const asked = await askedOf(operation, body)
    const nobody = openPage(bff)
    const madeUp = { Cookie: `checkout-session=${'A'.repeat(43)}` }
    if (rule === 'tills alone') {
      for (const page of [nobody, ...roles.map((role) => pages[role])]) {
        expect(await answerTo(page, asked)).toBe('401 TILL_ENDED')
      }
      expect(await answerTo(nobody, asked, { Cookie: `checkout-till=${'A'.repeat(43)}` })).toBe('401 TILL_ENDED')
      return
    }
    const [least, , passkey] = rule.split(' ') as [Role | 'anybody' | 'nobody', string?, string?]
    const isOpen = least === 'anybody'
    expect(await answerTo(nobody, asked), 'no session').toEqual(isOpen ? allowed : '401 UNAUTHORIZED')
    expect(await answerTo(nobody, asked, madeUp), 'a made-up session').toEqual(isOpen ? allowed : '401 SESSION_ENDED')

    for (const role of roles) {
      // This operation ends the session.
      const page = operation === endsSession ? await signedIn(bff, role) : pages[role]
      const mayCall = isOpen || (least !== 'nobody' && isAtLeast(role, least))
      if (passkey === undefined || !mayCall) {
        expect(await answerTo(page, asked), role).toEqual(mayCall ? allowed : refused)
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
      expect(await answerTo(page, asked, own), `${role}, signed`).toEqual(allowed)
    }
  })

  test.each([
    ['/deposits/create', order],
    ['/payments/create', order],
    ['/payments/cross-chain/create', { amount: 25, originChainId: 1, originCurrency: 'USDC' }],
    ['/sandbox/payments/create', order],
    ['/links', { amount: '25.00' }],
  ])('an open session alone cannot use POST %s with a webhook address', async (path, terms) => {
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
