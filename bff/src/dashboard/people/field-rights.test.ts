import { type DashboardPage, pageOrigin, signedIn } from '@stablecoin-checkout/rig/dashboard-stage'
import { openApp, order, transferTo } from '@stablecoin-checkout/rig/test-app'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PaymentId } from '../../payment/payment.ts'

const bff = await openApp({ publicUrl: 'http://localhost' })
const viewer = await signedIn(bff, 'viewer', 'Vic')
const staff = await signedIn(bff, 'staff', 'Sam')
let paymentId: string
let linkId: string
let deliveryId: string
let endpointId: string
let refundId: string

/** What the URL of a customer’s page contains, and its client secret. The id of a link is in its URL. */
const secrets = /cs_[\w-]{20,}|client_secret|\/pay\/|pl_[\w-]{10,}/

beforeAll(async () => {
  const [owner, { secret }] = [await signedIn(bff), bff.keys]
  const hooks = await owner.confirm('POST', '/webhooks/endpoints', { url: 'https://shop.example/hooks' })
  endpointId = (hooks.body['endpoint'] as { id: string }).id
  const callbackUrl = 'https://shop.example/call'
  await bff.create({ ...order, callbackUrl }, secret)
  const { body } = await owner.confirm('POST', '/links', { amount: '25.00', orderId: 'table-7', callbackUrl })
  linkId = (body['link'] as { id: string }).id
  const choice = { network: 'devnet', currency: 'USDC' }
  const made = await owner.ask('POST', `/links/public/${linkId}/create`, choice)
  paymentId = (made.body['payment'] as { id: string }).id
  const id = paymentId as PaymentId
  const atMs = bff.nowMs()
  const transfer = transferTo(id, 30_000_000n)
  await bff.deps.ledger.apply(id, { type: 'transfer.confirmed', transfer, atMs })
  const refund = await owner.confirm('POST', `/payments/${id}/refunds`, {})
  refundId = (refund.body['refund'] as { id: string }).id
  const { body: found } = await owner.ask('GET', '/webhooks/deliveries')
  deliveryId = (found['deliveries'] as { id: string }[])[0]?.id ?? ''
})
afterAll(() => bff.close())

/** The response's whole text; of a stream, its first event. */
async function textOf(page: DashboardPage, path: string): Promise<{ status: number; text: string }> {
  const headers = { Cookie: page.cookie(), Origin: pageOrigin, 'Sec-Fetch-Site': 'same-origin' }
  const response = await bff.fetch(`/api/v1${path}`, { headers })
  if (!response.headers.get('Content-Type')?.startsWith('text/event-stream'))
    return { status: response.status, text: await response.text() }
  const reader = response.body?.getReader()
  const { value } = (await reader?.read()) ?? {}
  await reader?.cancel()
  return { status: response.status, text: new TextDecoder().decode(value) }
}

/** Every response that a viewer can read, of a shop with a payment, a link and webhooks. */
const { session } = (await viewer.ask('GET', '/dashboard/session')).body as unknown as {
  session: { operations: string[] }
}
const reads = session.operations
  .filter((operation) => operation.startsWith('get '))
  .map((operation) => [operation.slice('get '.length)] as const)

/** Required queries of routes, so that none of them responds with a refusal. */
const queries: Readonly<Record<string, string>> = {
  '/reports/summary': '?from=2026-11-01&to=2026-11-21',
  '/reports/month': '?month=2026-11',
  '/reports/month.csv': '?month=2026-11',
}

describe('a viewer, who may neither set the address of a refund nor end a payment', () => {
  test.each(reads)('gets no client secret and no payment link from GET %s', async (template) => {
    const path = template
      .replace('{paymentId}', paymentId)
      .replace('{deliveryId}', deliveryId)
      .replace('{networkId}', 'devnet')
      .replace('{network}', 'devnet')
      .replace('{agentId}', 'somebody')
      .replace('{endpointId}', endpointId)
      .replace('{refundId}', refundId)
    const { status, text } = await textOf(viewer, path + (queries[template] ?? ''))
    expect([template, status]).toEqual([template, 200])
    expect(text).not.toMatch(secrets)
  })

  test('gets the rest of the payment and of the link', async () => {
    const { body } = await viewer.ask('GET', `/payments/${paymentId}`)
    expect(body['payment']).toMatchObject({ id: paymentId, excessOwed: '5.00', paymentLink: null })
    expect(body['payment']).not.toHaveProperty('clientSecret')
    const { body: listed } = await viewer.ask('GET', '/links')
    const first = `${linkId.slice(0, 9)}…`
    expect(listed['links']).toMatchObject([{ id: first, url: null, opened: 0, orderId: 'table-7' }])
    expect(body['payment']).toMatchObject({ linkId: first })
    expect((await viewer.ask('GET', `/links/${linkId}`)).status).toBe(403)
  })
})

describe('staff, who may set the address of a refund with the passkey', () => {
  /** Every response of the dashboard in which staff could find a client secret. */
  const shownTo = async (page: DashboardPage) =>
    await Promise.all(
      [`/payments/${paymentId}`, `/payments/${paymentId}/refunds`, '/refunds', `/refunds/${refundId}`].map((path) =>
        textOf(page, path),
      ),
    )

  test('reads no client secret, which sets that address without the passkey', async () => {
    for (const page of [staff, await signedIn(bff)])
      for (const { status, text } of await shownTo(page)) {
        expect(status).toBe(200)
        expect(text).not.toMatch(/cs_[\w-]{20,}|client_secret/)
      }
  })

  test('gets the links for the customer with the passkey, and the audit log says so', async () => {
    for (const [path, pattern] of [
      [`/payments/${paymentId}/customer-link`, `^http://localhost/pay/${paymentId}#client_secret=cs_`],
      [`/refunds/${refundId}/customer-link`, `^http://localhost/refund/${refundId}#client_secret=cs_`],
    ] as const) {
      expect((await staff.ask('POST', path)).body['code']).toBe('CONFIRMATION_REQUIRED')
      expect((await viewer.confirm('POST', path)).body['code']).toBe('ROLE_NOT_ALLOWED')
      expect((await staff.confirm('POST', path)).body['link']).toMatch(new RegExp(pattern))
    }
    const { body } = await (await signedIn(bff)).ask('GET', '/dashboard/audit')
    const entries = body['entries'] as { action: string; subject: string; person: { name: string } }[]
    const shown = entries.filter(({ action }) => action.endsWith('.linkShown'))
    expect(shown.map(({ action, subject, person }) => [action, subject, person.name])).toEqual([
      ['merchantRefund.linkShown', refundId, 'Sam'],
      ['payment.linkShown', paymentId, 'Sam'],
    ])
  })

  test('gets no payment of the shop’s server by its order id, and takes none from it', async () => {
    const create = async (terms: object) => {
      const headers = { 'Content-Type': 'application/json', ...bff.keys.secret }
      const made = await bff.call('/api/v1/deposits/create', { method: 'POST', headers, body: JSON.stringify(terms) })
      expect([made.status, made.body['message']]).toEqual([200, undefined])
      return made.body.payment['id']
    }
    const sold = { ...order, orderId: 'table-8' }
    const id = await create(sold)
    const repeated = await staff.ask('POST', '/deposits/create', sold)
    expect([repeated.status, repeated.headers.get('Idempotent-Replayed')]).toEqual([200, null])
    expect((repeated.body['payment'] as { id: string }).id).not.toBe(id)
    const next = { ...order, orderId: 'table-9' }
    expect((await staff.ask('POST', '/deposits/create', { ...next, amount: '0.01' })).status).toBe(200)
    await create(next)
  })

  test('reads the links of payment links, to give them to the customer', async () => {
    const { body: listed } = await staff.ask('GET', '/links')
    expect(listed['links']).toMatchObject([{ id: linkId, url: `http://localhost/pay/${linkId}` }])
    expect((await staff.ask('GET', `/payments/${paymentId}`)).body['payment']).toMatchObject({ linkId })
  })

  test('gets no payment link of the shop’s server by its order id, and takes none from it', async () => {
    const create = async (terms: object) => {
      const headers = { 'Content-Type': 'application/json', ...bff.keys.secret }
      const made = await bff.call('/api/v1/links', { method: 'POST', headers, body: JSON.stringify(terms) })
      expect([made.status, made.body['message']]).toEqual([200, undefined])
      return (made.body['link'] as { id: string }).id
    }
    const id = await create({ amount: '25.00', orderId: 'table-10' })
    const repeated = await staff.ask('POST', '/links', { amount: '25.00', orderId: 'table-10' })
    expect([repeated.status, repeated.headers.get('Idempotent-Replayed')]).toEqual([200, null])
    expect((repeated.body['link'] as { id: string }).id).not.toBe(id)
    expect((await staff.ask('POST', '/links', { amount: '0.01', orderId: 'table-11' })).status).toBe(200)
    await create({ amount: '25.00', orderId: 'table-11' })
  })
})
