import { openRequests, thief, wallet } from '@stablecoin-checkout/rig/access-stage'
import { accept, type DashboardPage, inviteTo, openPage, signedIn } from '@stablecoin-checkout/rig/dashboard-stage'
import { type AppFixture, openApp, order, transferTo } from '@stablecoin-checkout/rig/test-app'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../db/db.ts'
import { nameOf } from '../context/operation.ts'

let bff: AppFixture
/** The owner of the first merchant, who has something of everything, and the owner of the other one, who has nothing. */
let owner: DashboardPage
let stranger: DashboardPage
/** The stranger's answers while the first merchant had nothing, by request. */
let before: Map<string, string>
/** Ids of the first merchant, by the name of the parameter. */
const ids: Record<string, string> = {}

/** Lists and sums, which have no id in their path. */
const lists = [
  '/payments?search=order-of-ada',
  '/payments?search=order-of',
  '/payments?search=guest@ada.example',
  '/payments?search=guest',
  '/payments?search=0xrefund-of-ada',
  `/payments?search=${wallet}`,
  '/payments?attention=refund_address',
  '/payments?status=paid&from=2026-11-01T00:00:00Z',
  '/payments',
  '/payments/merchant/list',
  '/payments/merchant/stats',
  '/links',
  '/refunds',
  '/merchants/key-origins',
  '/merchants/agent-policies',
  '/merchants/agent-policies/agent-of-ada',
  '/merchants/agent-policies/agent-of-ada/decisions',
  '/events',
  '/webhooks/endpoints',
  '/webhooks/deliveries',
  '/webhooks/deliveries?state=failed',
  '/reports/summary?from=2026-11-20&to=2026-11-22&timeZone=UTC',
  '/reports/attention',
  '/reports/month?month=2026-11&timeZone=UTC',
  '/reports/month.csv?month=2026-11&timeZone=UTC',
  '/reports/errors',
  '/dashboard/sessions',
  '/dashboard/people',
  '/dashboard/people/invitations',
  '/dashboard/audit',
  '/dashboard/tills',
  '/dashboard/keys',
  '/dashboard/settings',
  '/dashboard/wallets',
  '/dashboard/notices',
]
const modes = ['live', 'test']

/** Lists of what belongs to one thing. */
const listsOfOne = [
  '/payments?search={paymentId}',
  '/payments?search={depositAddress}',
  '/payments?search={transactionId}',
  '/webhooks/deliveries?paymentId={paymentId}',
  '/webhooks/deliveries?endpointId={endpointId}',
]

/** @returns status and body, without what differs from call to call. */
async function read(page: DashboardPage, path: string, mode = 'live'): Promise<string> {
  const response = await bff.fetch(`/api/v1${path}`, {
    headers: { Cookie: page.cookie(), 'Sec-Fetch-Site': 'same-origin', 'X-Mode': mode },
  })
  return `${response.status} ${(await response.text()).replace(/"requestId":"[^"]*"/g, '')}`
}

async function readLists(page: DashboardPage): Promise<Map<string, string>> {
  const answers = new Map<string, string>()
  for (const path of lists) for (const mode of modes) answers.set(`${mode} ${path}`, await read(page, path, mode))
  return answers
}

beforeAll(async () => {
  bff = await openApp()
  stranger = openPage(bff)
  const invited = { merchantId: bff.other.merchantId, role: 'owner', name: 'Eve' } as const
  expect((await accept(stranger, await inviteTo(bff, invited))).status).toBe(200)
  await fillStranger()
  before = await readLists(stranger)
  owner = await signedIn(bff, 'owner', 'Ada')
  await fill()
})
afterAll(() => bff.close())

/** What the stranger has must not be added up with what the first merchant has: an agent of the same name, a paid payment, a mistake. */
async function fillStranger(): Promise<void> {
  const keys = { 'X-API-Key': bff.other.apiKey, 'X-API-Secret': bff.other.apiSecret }
  const { ask, make, pay } = openRequests(() => bff)
  await confirmed(stranger, 'POST', '/webhooks/endpoints', { url: 'https://eve.example/hooks' })
  await confirmed(stranger, 'PUT', '/merchants/agent-policies/agent-of-ada', { dailyBudget: '60.00' })
  const ofAgent = { agentId: 'agent-of-ada', agentOwner: 'eve' }
  await pay((await make(keys, ofAgent)).id)
  expect((await ask('POST', '/deposits/create', keys, { ...order, amount: '61.00', ...ofAgent })).status).toBe(403)
  // Adds up the month, and keeps its sums.
  await read(stranger, '/reports/month?month=2026-11&timeZone=UTC')
}

async function confirmed(page: DashboardPage, method: string, path: string, body: unknown) {
  const answer = await page.confirm(method, path, body)
  expect([answer.status, answer.body['message']]).toEqual([200, answer.body['message']])
  return answer.body
}

/** Makes everything that a merchant can have. */
async function fill(): Promise<void> {
  const { ask, make, endShort, pay } = openRequests(() => bff)
  const { secret, test: testKey } = bff.keys
  const asOwner = (method: string, path: string, body?: unknown) => confirmed(owner, method, path, body)
  const endpoint = (await asOwner('POST', '/webhooks/endpoints', { url: 'https://ada.example/hooks' }))['endpoint']
  ids['endpointId'] = (endpoint as { id: string }).id
  await asOwner('PUT', '/merchants/agent-policies/agent-of-ada', { maxPerTransaction: '30.00' })
  const attached = {
    orderId: 'order-of-ada',
    customerEmail: 'guest@ada.example',
    agentId: 'agent-of-ada',
    agentOwner: 'ada',
  }
  const paid = await make(secret, attached)
  await pay(paid.id)
  ids['paymentId'] = paid.id
  ids['depositAddress'] = paid.depositAddress
  ids['transactionId'] = transferTo(paid.id, 1n).txId
  const { body: requested } = await ask('POST', `/payments/${paid.id}/refunds`, secret, { amount: '1.00' })
  ids['refundId'] = (requested['refund'] as { id: string }).id
  await endShort(await make(secret))
  await make(testKey)
  const tooMuch = await ask('POST', '/deposits/create', secret, { ...order, ...attached, amount: '31.00' })
  expect([tooMuch.status, (await ask('POST', '/deposits/create', secret, {})).status]).toEqual([403, 400])
  const link = await owner.ask('POST', '/links', { amount: '31.41', currency: 'USDC', network: 'devnet' })
  ids['linkId'] = (link.body['link'] as { id: string }).id
  await asOwner('POST', '/dashboard/people/invitations', { name: 'Bea', role: 'viewer' })
  await asOwner('POST', '/dashboard/keys', { kind: 'public' })
  const made = await asOwner('POST', '/dashboard/tills', { name: 'Counter', pin: '204816' })
  ids['tillId'] = (made['till'] as { id: string }).id
  await asOwner('PUT', '/merchants/key-origins', { origins: ['https://ada.example'] })
  const { body: listed } = await owner.ask('GET', '/webhooks/deliveries')
  ids['deliveryId'] = String((listed['deliveries'] as { id: string }[])[0]?.id)
  const channel = { kind: 'email', email: 'ada@ada.example', kinds: ['paid'], language: 'en' }
  ids['channelId'] = String((await asOwner('POST', '/dashboard/notices', channel))['id'])
  const passkeys = (await owner.ask('GET', '/dashboard/passkeys')).body['passkeys'] as { id: string }[]
  ids['passkeyId'] = String(passkeys[0]?.id)
  const people = (await owner.ask('GET', '/dashboard/people')).body['people'] as { id: string }[]
  ids['personId'] = String(people[0]?.id)
  const invitations = (await owner.ask('GET', '/dashboard/people/invitations')).body['invitations'] as { id: string }[]
  ids['invitationId'] = String(invitations[0]?.id)
  const sessions = (await owner.ask('GET', '/dashboard/sessions')).body['sessions'] as { id: string }[]
  ids['sessionId'] = String(sessions[0]?.id)
  ids['key'] = bff.merchant.publicKey
  const { merchantId } = bff.merchant
  ids['promptId'] = bff.deps.runtime.newUuid()
  await bff.deps.db.write(async (tx) => {
    await tx.run(sql`
        insert into refund_prompts (id, refund_id, account, asked_by, asked_at_ms)
        values (${ids['promptId'] ?? ''}, ${ids['refundId'] ?? ''}, ${wallet}, 'ada', 0)`)
    await tx.run(sql`
        insert into outgoing_transactions (id, network, sender, nonce, tx_id, raw, state, created_at_ms)
        values ('x', 'devnet', 'x', 0, '0xrefund-of-ada', 'x', 'confirmed', 0)`)
    await tx.run(sql`
        insert into outgoing_payouts (transaction_id, kind, payment_id, network, token, state)
        values ('x', 'sweep', ${ids['paymentId'] ?? ''}, 'devnet', 'x', 'confirmed')`)
    await tx.run(sql`update deliveries set state = 'failed' where number = ${Number(ids['deliveryId'])}`)
    await tx.run(sql`update settlement_wallets set address = ${thief} where merchant_id = ${merchantId}`)
  })
}

/** The path with the id that the first merchant has, and with one of the same form that nothing has. */
function pathsOf(path: string) {
  const id = ids[/\{(\w+)\}/.exec(path)?.[1] ?? ''] ?? 'missing'
  const unknownId = id.length < 10 ? '999999' : id.slice(0, -1) + (id.endsWith('0') ? '1' : '0')
  return { id, unknownId, known: path.replace(/\{\w+\}/, id), unknown: path.replace(/\{\w+\}/, unknownId) }
}

/** Operations on one thing, which its id in the path names. */
const operationsOnOne = (isRead: boolean) =>
  bff.operations.filter(
    ({ method, path, access }) =>
      (method === 'get') === isRead &&
      /\{(?!agentId|networkId|network\})/.test(path) &&
      // `till.test.ts` has one till ask for the sales of another.
      !['open', 'till'].includes(access),
  )

/** Bodies that would change something where no field is required: the document's examples have only fields that are. */
const bodies: Record<string, object> = {
  'post /payments/{paymentId}/refunds': { amount: '1.00' },
  'post /refunds/prompts/{promptId}': { isRejected: true },
  'patch /webhooks/endpoints/{endpointId}': { description: 'x' },
  'patch /dashboard/notices/{channelId}': { kinds: [], language: 'en' },
  'patch /dashboard/passkeys/{passkeyId}': { name: 'x' },
  'patch /dashboard/people/{personId}': { role: 'viewer' },
  'patch /dashboard/keys/{key}': { name: 'x' },
  'post /dashboard/keys/{key}/rotate': { overlapHours: 1 },
  'patch /dashboard/tills/{tillId}': { unblock: true },
  'post /dashboard/stores/{storeKeyId}/webhooks': { url: 'https://shop.example/hooks' },
}

/** What each operation is sent, by its name. */
async function readBodies(): Promise<(name: string) => object | undefined> {
  type Documented = { requestBody?: { content: Record<string, { example: object }> } }
  const document = (await bff.read('/api/openapi.json')).body as unknown as {
    paths: Record<string, Record<string, Documented>>
  }
  return (name) => {
    const [method = '', path = ''] = name.split(' ')
    const shown = document.paths[path]?.[method]?.requestBody?.content['application/json']?.example
    return bodies[name] ?? shown
  }
}

describe('another merchant', () => {
  test('has lists and sums as if nobody else were there', async () => {
    expect(await readLists(stranger)).toEqual(before)
    // And the first one has something in each.
    const own = await readLists(owner)
    expect(lists.filter((path) => own.get(`live ${path}`) === before.get(`live ${path}`))).toEqual([])
  })

  test('reads nothing by its id, and does not learn that it is there', async () => {
    const reads = operationsOnOne(true).filter(({ role }) => role !== 'none' && role !== undefined)
    expect(reads.length).toBeGreaterThan(8)
    for (const { path } of reads) {
      const { id, unknownId, known, unknown } = pathsOf(path)
      const refusal = await read(stranger, known)
      expect(refusal, path).toMatch(/^404 /)
      expect(refusal, path).toBe((await read(stranger, unknown)).replaceAll(unknownId, id))
      expect(await read(owner, known), path).not.toMatch(/^404 /)
    }
  })

  test('finds nothing by what belongs to somebody else', async () => {
    for (const path of listsOfOne) {
      const { id, unknownId, known, unknown } = pathsOf(path)
      const none = await read(stranger, unknown)
      expect(await read(stranger, known), path).toBe(none.replaceAll(unknownId, id))
      expect(await read(owner, known), path).not.toBe(none.replaceAll(unknownId, id))
    }
  })

  test('has nobody else’s events sent to its endpoint', async () => {
    const since = '2026-11-21T00:00:00Z'
    const { body } = await stranger.ask('GET', '/webhooks/deliveries')
    const { length } = body['deliveries'] as unknown[]
    expect((await stranger.ask('POST', '/webhooks/replay', { since })).body).toMatchObject({ replayed: length })
    expect((await owner.ask('POST', '/webhooks/replay', { since })).body['replayed']).toBeGreaterThan(length)
  })

  test('changes nothing by its id, signed with a passkey or with API key and secret', async () => {
    const own = await readLists(owner)
    const keys = { 'X-API-Key': bff.other.apiKey, 'X-API-Secret': bff.other.apiSecret }
    const { ask } = openRequests(() => bff)
    const writes = operationsOnOne(false)
    expect(writes.length).toBeGreaterThan(14)
    const bodyOf = await readBodies()
    for (const operation of writes) {
      const { method, path, role, access } = operation
      const { known, unknown } = pathsOf(path)
      const name = nameOf(operation)
      const body = bodyOf(name)
      const verb = method.toUpperCase()
      if (role !== 'none' && role !== undefined) {
        const { status, body: refusal } = await stranger.confirm(verb, known, body)
        const like = await stranger.confirm(verb, unknown, body)
        expect([status, refusal['code']], `${name} by session`).toEqual([like.status, like.body['code']])
        const said = `${refusal['code']}: ${refusal['message']}`
        const advice = `${name} was sent ${JSON.stringify(body)}: name a valid body in \`bodies\` of this file, or give its fields examples`
        expect.soft(said, advice).toMatch(/NOT_FOUND|There is no key/i)
      }
      if (access === 'session') continue
      expect.soft((await ask(verb, known, keys, body)).status, `${name} by key, sent ${JSON.stringify(body)}`).toBe(404)
    }
    for (const [path, body] of [
      ['/payments/fail', { paymentId: ids['paymentId'] }],
      ['/webhooks/replay', { endpointId: ids['endpointId'], since: '2026-11-21T00:00:00Z' }],
    ] as const) {
      expect((await ask('POST', path, keys, body)).status, path).toBe(404)
    }
    // It is the stranger's own that goes.
    expect((await ask('DELETE', '/merchants/agent-policies/agent-of-ada', keys)).status).toBe(200)
    const verified = async (paymentId: string) => (await ask('POST', '/payments/verify-qr', keys, { paymentId })).text
    const { id, unknownId } = pathsOf('{paymentId}')
    expect(await verified(id)).toBe((await verified(unknownId)).replaceAll(unknownId, id))
    expect(await readLists(owner)).toEqual(own)
  })
})
