import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { unknownId, wallet } from '../../../test/access-stage.ts'
import { type DashboardPage, signedIn } from '../../../test/dashboard-stage.ts'
import { versionedOperations } from '../../../test/declared-operations.ts'
import { type AppFixture, openApp, order } from '../../../test/test-app.ts'
import { roles } from '../../merchant/caller.ts'

let bff: AppFixture
let pages: DashboardPage[]
beforeAll(async () => {
  bff = await openApp()
  pages = [await signedIn(bff, 'viewer'), await signedIn(bff, 'staff'), await signedIn(bff, 'owner')]
})
afterAll(() => bff.close())

describe('every route by every role', () => {
  /** The least role that may call it; `passkey` where an owner must sign the request too, `ownPasskey` where everybody must; `nobody`: no session at all. */
  type Expected = 'ownPasskey' | 'viewer' | 'staff' | 'owner' | 'passkey' | 'nobody' | 'anybody'

  const routes: [operation: string, Expected, body?: object][] = [
    ['post /deposits/create', 'staff', order],
    ['post /payments/create', 'staff', order],
    ['post /payments/cross-chain/create', 'staff', { amount: 25, originChainId: 1, originCurrency: 'USDC' }],
    ['post /sandbox/payments/create', 'staff', order],
    ['get /payments/{paymentId}', 'viewer'],
    ['get /deposits/status/{paymentId}', 'viewer'],
    ['get /payments/{paymentId}/status', 'viewer'],
    ['get /payments/status/{paymentId}', 'viewer'],
    ['get /deposits/balance/{paymentId}', 'viewer'],
    ['get /payments/cross-chain/status/{paymentId}', 'viewer'],
    ['get /payments/public/{paymentId}', 'anybody'],
    ['get /payments/public/{paymentId}/events', 'anybody'],
    ['post /payments/verify-qr', 'nobody', {}],
    ['post /payments/fail', 'staff', { paymentId: unknownId }],
    ['post /deposits/refund-request/{paymentId}', 'staff', { address: wallet }],
    ['post /payments/{paymentId}/accept-late', 'staff'],
    ['post /sandbox/payments/{paymentId}/simulate', 'staff', { action: 'complete' }],
    ['post /payments/process', 'nobody', {}],
    ['post /payments/{paymentId}/authorize', 'anybody', {}],
    ['get /payments/solana-pay/{paymentId}', 'anybody'],
    ['post /payments/solana-pay/{paymentId}', 'anybody', {}],
    ['get /payments', 'viewer'],
    ['get /payments/events', 'viewer'],
    ['get /payments/{paymentId}/history', 'viewer'],
    ['post /links', 'staff', {}],
    ['get /links', 'viewer'],
    ['get /links/{linkId}', 'viewer'],
    ['post /links/{linkId}/end', 'staff'],
    ['get /links/public/{linkId}', 'anybody'],
    ['get /links/public/{linkId}/stablecoins', 'anybody'],
    ['post /links/public/{linkId}/create', 'anybody', {}],
    ['get /payments/merchant/list', 'viewer'],
    ['get /payments/merchant/stats', 'viewer'],
    ['get /merchants/key-origins', 'viewer'],
    ['put /merchants/key-origins', 'owner', {}],
    ['get /merchants/agent-policies', 'viewer'],
    ['get /merchants/agent-policies/{agentId}', 'viewer'],
    ['put /merchants/agent-policies/{agentId}', 'owner', {}],
    ['delete /merchants/agent-policies/{agentId}', 'owner'],
    ['get /merchants/agent-policies/{agentId}/decisions', 'viewer'],
    ['get /x402/supported', 'nobody'],
    ['post /x402/charge', 'nobody', {}],
    ['post /x402/verify', 'nobody', {}],
    ['post /x402/settle', 'nobody', {}],
    ['get /x402/{paymentId}', 'anybody'],
    ['post /x402/{paymentId}', 'anybody'],
    ['get /currency/rates', 'anybody'],
    ['get /deposits/chains', 'anybody'],
    ['get /payments/cross-chain/sources', 'anybody'],
    ['get /payments/health', 'anybody'],
    ['get /payments/contract/{chainId}', 'anybody'],
    ['get /reports/summary', 'viewer'],
    ['get /reports/attention', 'viewer'],
    ['get /reports/month', 'viewer'],
    ['get /reports/month.csv', 'viewer'],
    ['get /reports/errors', 'viewer'],
    ['get /system', 'owner'],
    ['post /system/doctor', 'owner'],
    ['get /networks', 'viewer'],
    ['get /networks/stablecoins', 'viewer'],
    ['get /networks/payable', 'viewer'],
    ['get /networks/payable/stablecoins', 'viewer'],
    ['get /networks/{networkId}/tokens', 'viewer'],
    ['get /events', 'viewer'],
    ['get /webhooks/endpoints', 'viewer'],
    ['post /webhooks/endpoints', 'passkey', { url: 'https://shop.example/hooks' }],
    ['get /webhooks/endpoints/{endpointId}', 'viewer'],
    ['patch /webhooks/endpoints/{endpointId}', 'owner', { description: 'x' }],
    ['delete /webhooks/endpoints/{endpointId}', 'owner'],
    ['post /webhooks/endpoints/{endpointId}/rotate-secret', 'passkey', {}],
    ['post /webhooks/endpoints/{endpointId}/test', 'staff'],
    ['post /webhooks/rotate-secret', 'passkey', {}],
    ['get /webhooks/deliveries', 'viewer'],
    ['get /webhooks/deliveries/{deliveryId}/request', 'viewer'],
    ['post /webhooks/deliveries/{deliveryId}/redeliver', 'staff'],
    ['post /webhooks/replay', 'staff', { endpointId: unknownId, since: '2026-11-21T00:00:00Z' }],
    ['post /dashboard/sign-in/options', 'anybody'],
    ['post /dashboard/sign-in', 'anybody', {}],
    ['post /dashboard/invitation/options', 'anybody', {}],
    ['post /dashboard/invitation/accept', 'anybody', {}],
    ['post /dashboard/demo-sign-in', 'anybody', {}],
    ['get /dashboard/session', 'viewer'],
    ['post /dashboard/confirmations', 'viewer', {}],
    ['post /dashboard/passkeys/options', 'viewer'],
    ['post /dashboard/passkeys', 'ownPasskey', {}],
    ['get /dashboard/sessions', 'viewer'],
    ['delete /dashboard/sessions/{sessionId}', 'viewer'],
    ['get /dashboard/people', 'owner'],
    ['post /dashboard/people/invitations', 'passkey', {}],
    ['patch /dashboard/people/{personId}', 'passkey', {}],
    ['delete /dashboard/people/{personId}', 'passkey'],
    ['get /dashboard/audit', 'owner'],
    ['get /dashboard/keys', 'owner'],
    ['post /dashboard/keys', 'passkey', {}],
    ['post /dashboard/keys/{key}/rotate', 'passkey', {}],
    ['delete /dashboard/keys/{key}', 'passkey'],
    ['get /dashboard/settings', 'viewer'],
    ['patch /dashboard/settings', 'owner', {}],
    ['get /dashboard/wallets', 'viewer'],
    ['post /dashboard/wallets/proofs', 'owner', {}],
    ['put /dashboard/wallets/{network}', 'passkey', {}],
    ['delete /dashboard/session', 'viewer'],
  ]

  test('the table holds every operation of the document', async () => {
    const { paths } = (await bff.read('/api/openapi.json', {})).body as unknown as {
      paths: Record<string, Record<string, object>>
    }
    const operations = versionedOperations(paths).map(({ method, path }) => `${method} ${path}`)
    expect(routes.map(([operation]) => operation).sort()).toEqual(operations.sort())
  })

  /** What the role is refused by; `passed` when the handler or its validation answered. */
  async function answerTo(page: DashboardPage, operation: string, body?: object): Promise<string> {
    const [method = '', template = ''] = operation.split(' ')
    const made = (await bff.create(order, bff.keys.secret)).body.payment['id']
    const path = template
      .replace('{paymentId}', String(made))
      .replace('{agentId}', 'somebody')
      .replace('{chainId}', '31337')
      .replace('{networkId}', 'devnet')
      .replace(/\{\w+\}/, unknownId)
    const { status, body: answer } = await page.ask(method.toUpperCase(), path, body)
    const code = String(answer['code'])
    return ['ROLE_NOT_ALLOWED', 'CONFIRMATION_REQUIRED', 'SESSION_REQUIRED', 'SESSION_ENDED', 'UNAUTHORIZED'].includes(
      code,
    )
      ? `${status} ${code}`
      : 'passed'
  }

  test.each(routes)('%s: %s', async (operation, expected, body) => {
    const refused = '403 ROLE_NOT_ALLOWED'
    const byRole: Record<Expected, string[]> = {
      anybody: ['passed', 'passed', 'passed'],
      viewer: ['passed', 'passed', 'passed'],
      staff: [refused, 'passed', 'passed'],
      owner: [refused, refused, 'passed'],
      ownPasskey: ['403 CONFIRMATION_REQUIRED', '403 CONFIRMATION_REQUIRED', '403 CONFIRMATION_REQUIRED'],
      passkey: [refused, refused, '403 CONFIRMATION_REQUIRED'],
      nobody: [refused, refused, refused],
    }
    // The last one ends the session.
    const asked =
      operation === 'delete /dashboard/session'
        ? await Promise.all(roles.toReversed().map((role) => signedIn(bff, role)))
        : pages
    const answers: string[] = []
    for (const page of asked) answers.push(await answerTo(page, operation, body))
    expect(answers).toEqual(byRole[expected])
  })
})
