import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { openRequests, unknownId, wallet } from '@stablecoin-checkout/rig/access-stage'
import { signedIn } from '@stablecoin-checkout/rig/dashboard-stage'
import { versionedOperations } from '@stablecoin-checkout/rig/declared-operations'
import { type AppFixture, openApp, order } from '@stablecoin-checkout/rig/test-app'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../db/db.ts'
import { createKey, rotateKey } from '../../merchant/keys.ts'
import { nameOf } from '../context/operation.ts'
import { type Listening, listenOn } from '../http/listen.ts'

let bff: AppFixture
let listening: Listening
let agent: Record<string, string>
beforeAll(async () => {
  bff = await openApp()
  listening = await listenOn(bff.app.fetch, { host: '127.0.0.1', port: 0 })
  agent = await agentKey()
})
afterAll(async () => {
  await listening?.close()
  await bff?.close()
})

const { ask, make, endShort } = openRequests(() => bff)

async function agentKey(agentId = 'bot'): Promise<Record<string, string>> {
  const { merchantId } = bff.merchant
  const { key, secret } = await bff.deps.db.write((tx) =>
    createKey(tx, bff.deps.runtime, merchantId, { kind: 'api', scope: 'agent', agentId }),
  )
  return { 'X-API-Key': key, 'X-API-Secret': secret ?? '' }
}

test('a key of an agent may call what its tools do, and nothing else, on every operation of the document', async () => {
  const { paths } = (await bff.read('/api/openapi.json', {})).body as unknown as {
    paths: Record<string, Record<string, object>>
  }
  const [taken, refused]: [string[], string[]] = [[], []]
  for (const { method, path: template } of versionedOperations(paths)) {
    const path = template
      .replace('{chainId}', '31337')
      .replace('{networkId}', 'devnet')
      .replace('{agentId}', 'bot')
      .replace(/\{\w+\}/g, unknownId)
    const body = method === 'get' || method === 'delete' ? undefined : {}
    const asksForKey = (await ask(method.toUpperCase(), path, {}, body)).status === 401
    // A till is no key either.
    if (!asksForKey || template.startsWith('/till')) continue
    const { status, body: answer } = await ask(method.toUpperCase(), path, agent, body)
    const isRefused = answer['code'] === 'KEY_SCOPE'
    if (isRefused) expect(status, template).toBe(403)
    ;(isRefused ? refused : taken).push(`${method} ${template}`)
    // The same path with a key from before, or with the scope `merchant`.
    const { body: full } = await ask(method.toUpperCase(), path, bff.keys.secret, body)
    expect(full['code'], template).not.toBe('KEY_SCOPE')
  }
  const allowed = bff.operations.filter(({ scope, hide }) => scope === 'agent' && !hide).map(nameOf)
  expect(taken.sort()).toEqual(allowed.sort())
  expect(refused).toEqual(
    expect.arrayContaining([
      'put /merchants/agent-policies/{agentId}',
      'delete /merchants/agent-policies/{agentId}',
      'post /deposits/refund-request/{paymentId}',
      'post /payments/{paymentId}/accept-late',
      'post /payments/fail',
      'post /webhooks/endpoints',
      'post /x402/charge',
      'post /x402/settle',
    ]),
  )
  // The older path is no way around, nor is x402 at the root.
  const older = { method: 'PUT', headers: { ...agent, 'Content-Type': 'application/json' }, body: '{}' }
  expect((await bff.fetch('/api/merchants/agent-policies/bot', older)).status).toBe(403)
  expect((await bff.fetch('/x402/supported', { headers: agent })).status).toBe(403)
})

test('its tools are those of an agent: none that moves money or lifts a limit', async () => {
  const client = new Client({ name: 'test', version: '1' })
  const url = new URL(`http://127.0.0.1:${listening.port}/mcp`)
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers: agent } }) as never)
  try {
    const names = (await client.listTools()).tools.map(({ name }) => name).sort()
    expect(names).toEqual([
      ...['create_payment', 'create_payment_link', 'get_agent_policy', 'get_payment', 'get_payment_link'],
      ...['list_agent_decisions', 'list_networks', 'wait_for_payment'],
    ])
    const lifted = await client.callTool({ name: 'set_agent_policy', arguments: { agentId: 'bot' } })
    expect(lifted.isError).toBe(true)
    const call = async (name: string, input: object) =>
      (await client.callTool({ name, arguments: { ...input } })).structuredContent as {
        payment: { id: string; paymentLink: string | null }
      }
    // The link of what it has made is for the person who pays it; of others' payments it would name the address of a refund.
    const made = await call('create_payment', { ...order, orderId: 'agent-1' })
    expect(made.payment.paymentLink).toContain('/pay/')
    const { id } = await make(bff.keys.secret, { orderId: 'shop-1' })
    expect((await call('get_payment', { paymentId: id })).payment.paymentLink).toBeNull()
  } finally {
    await client.close()
  }
})

test('it reads no client secret, ends no payment of others by a replacing one, and names no refund address', async () => {
  const existing = await make(bff.keys.secret, { orderId: 'shop-2' })
  const { body, text } = await ask('GET', `/payments/${existing.id}`, agent)
  expect(body.payment).toMatchObject({ id: existing.id })
  expect(text).not.toContain(existing.clientSecret)
  await make(agent, { orderId: 'agent-2', existingPaymentId: existing.id })
  expect((await ask('GET', `/payments/${existing.id}`, bff.keys.secret)).body.payment['outcome']).toBe('pending')
  await endShort(existing)
  const named = await ask('POST', `/deposits/refund-request/${existing.id}`, agent, { address: wallet })
  expect([named.status, named.body['code']]).toEqual([403, 'KEY_SCOPE'])
})

test('it reads the policy of its own agent and the decisions about it, and those of no other one', async () => {
  const path = '/merchants/agent-policies'
  for (const agentId of ['bot', 'rival']) {
    expect((await ask('PUT', `${path}/${agentId}`, bff.keys.secret, { maxPerTransaction: '500.00' })).status).toBe(200)
  }
  for (const part of ['', '/decisions']) {
    expect((await ask('GET', `${path}/bot${part}`, agent)).status).toBe(200)
    for (const other of ['rival', 'nobody', 'BOT']) {
      const { status, body } = await ask('GET', `${path}/${other}${part}`, agent)
      expect([status, body['code'], body['policy']], other + part).toEqual([403, 'KEY_SCOPE', undefined])
    }
  }
  const client = new Client({ name: 'test', version: '1' })
  const url = new URL(`http://127.0.0.1:${listening.port}/mcp`)
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers: agent } }) as never)
  try {
    for (const name of ['get_agent_policy', 'list_agent_decisions']) {
      const ask = async (agentId: string) => await client.callTool({ name, arguments: { agentId } })
      expect((await ask('bot')).isError).toBeFalsy()
      const refused = await ask('rival')
      expect([refused.isError, JSON.stringify(refused)]).toEqual([true, expect.not.stringContaining('500')])
    }
  } finally {
    await client.close()
  }
  await ask('DELETE', `${path}/bot`, bff.keys.secret)
})

test('it is not handed the secret of a payment whose order id it repeats, but that of its own', async () => {
  for (const path of ['/deposits/create', '/sandbox/payments/create']) {
    const repeat = async (keys: Record<string, string>) => {
      const { body } = await ask('POST', path, keys, { ...order, orderId: 'shop-3' })
      return [body.payment['id'], body.payment['clientSecret']]
    }
    const ofServer = await repeat(bff.keys.secret)
    const own = await repeat(agent)
    const ofOther = await repeat(await agentKey())
    expect(new Set([ofServer, own, ofOther].flat()).size, path).toBe(6)
    expect([await repeat(bff.keys.secret), await repeat(agent)], path).toEqual([ofServer, own])
  }
})

test('it is answered with no link of the server’s or of another agent’s whose order id or key it repeats, nor are they with its own', async () => {
  const terms = { amount: '25.00', metadata: { customer: 'ada' } }
  const makers = [agent, bff.keys.secret, await agentKey('rival')]
  for (const [name, more] of [
    ['orderId', {}],
    ['key', { 'Idempotency-Key': 'shop-5' }],
  ] as const) {
    const body = name === 'orderId' ? { ...terms, orderId: 'shop-5' } : terms
    const repeat = async (keys: Record<string, string>) => {
      const { status, body: answer } = await ask('POST', '/links', { ...keys, ...more }, body)
      return [status, (answer['link'] as { id: string } | undefined)?.id]
    }
    const first = []
    for (const keys of makers) first.push(await repeat(keys))
    expect(new Set(first.map(([, id]) => id)).size, name).toBe(3)
    const again = []
    for (const keys of makers) again.push(await repeat(keys))
    expect(again, name).toEqual(first)
  }
  // Another key of the same agent repeats its requests: links are of agents, as policies are.
  const repeated = await ask('POST', '/links', { ...(await agentKey()), 'Idempotency-Key': 'shop-5' }, terms)
  expect(repeated.headers.get('Idempotent-Replayed')).toBe('true')
})

test('a rotated key keeps its scope, and a key of a page has none', async () => {
  const { db, runtime } = bff.deps
  const rotated = await db.write((tx) => rotateKey(tx, runtime, agent['X-API-Key'] ?? '', 60_000))
  expect(rotated).toMatchObject({ scope: 'agent', agentId: 'bot' })
  const keys = { 'X-API-Key': rotated.key, 'X-API-Secret': rotated.secret ?? '' }
  expect((await ask('GET', '/payments', keys)).body['code']).toBe('KEY_SCOPE')
  const create = (terms: Parameters<typeof createKey>[3]) =>
    db.write((tx) => createKey(tx, runtime, bff.merchant.merchantId, terms))
  await expect(create({ kind: 'test', scope: 'agent' })).rejects.toThrow('scope is for keys of kind api')
  await expect(create({ kind: 'api', scope: 'agent' })).rejects.toThrow('needs the id of its agent')
  await expect(create({ kind: 'api', agentId: 'bot' })).rejects.toThrow('an agent is for keys with the scope agent')
})

test('the dashboard makes one, shows its scope, and the audit log says so', async () => {
  const owner = await signedIn(bff)
  const unnamed = await owner.confirm('POST', '/dashboard/keys', { kind: 'api', scope: 'agent' })
  expect([unnamed.status, unnamed.body['message']]).toEqual([400, expect.stringContaining('id of its agent')])
  const asked = { kind: 'api', scope: 'agent', agentId: 'buyer' }
  const { status, body } = await owner.confirm('POST', '/dashboard/keys', asked)
  expect([status, body]).toMatchObject([200, asked])
  const keys = { 'X-API-Key': String(body['key']), 'X-API-Secret': String(body['secret']) }
  expect((await ask('GET', '/payments', keys)).status).toBe(403)
  const { keys: listed } = (await owner.ask('GET', '/dashboard/keys')).body as unknown as { keys: object[] }
  expect(listed).toContainEqual(
    expect.objectContaining({ key: body['key'], kind: 'api', scope: 'agent', agentId: 'buyer' }),
  )
  expect(listed).toContainEqual(expect.objectContaining({ key: bff.merchant.apiKey, scope: 'merchant' }))
  const { entries } = (await owner.ask('GET', '/dashboard/audit')).body as unknown as { entries: object[] }
  expect(entries).toContainEqual(
    expect.objectContaining({ action: 'key.created', subject: body['key'], after: 'api, agent buyer' }),
  )
})

describe('what it creates counts as its agent’s', () => {
  const limit = (agentId: string, maxPerTransaction: string) =>
    ask('PUT', `/merchants/agent-policies/${agentId}`, bff.keys.secret, { maxPerTransaction })
  const create = (keys: Record<string, string>, more: object = {}, path = '/deposits/create') =>
    ask('POST', path, keys, { ...order, ...more })

  test('whether it names the agent or not, and it may name no other', async () => {
    const keys = await agentKey('spender')
    expect((await limit('spender', '10.00')).status).toBe(200)
    for (const named of [{}, { agentId: 'spender', agentOwner: 'alice' }]) {
      for (const path of ['/deposits/create', '/sandbox/payments/create']) {
        // A sandbox payment is a test payment, whose policy is that of the test mode: none.
        const { status, body } = await create(keys, { amount: '10.01', ...named }, path)
        const isTest = path.startsWith('/sandbox')
        expect([status, body['code']], path).toEqual(isTest ? [200, undefined] : [403, 'AGENT_CONSTRAINT_VIOLATED'])
      }
    }
    const other = await create(keys, { amount: '1.00', agentId: 'somebody', agentOwner: 'alice' })
    expect([other.status, other.body['code']]).toEqual([403, 'KEY_SCOPE'])
    const made = await create(keys, { amount: '9.00' })
    const read = (id: unknown) => ask('GET', `/payments/${id}`, bff.keys.secret)
    expect((await read(made.body.payment['id'])).body.payment).toMatchObject({
      agentId: 'spender',
      agentOwner: 'Corner Coffee',
    })
  })

  test('by a link too, though a customer makes the payment', async () => {
    const keys = await agentKey('linker')
    await limit('linker', '10.00')
    const pay = async (amount: string) => {
      const { link } = (await ask('POST', '/links', keys, { amount })).body as unknown as { link: { id: string } }
      return await ask('POST', `/links/public/${link.id}/create`, {}, { network: 'devnet', currency: 'USDC' })
    }
    expect((await pay('10.01')).body['code']).toBe('AGENT_CONSTRAINT_VIOLATED')
    const { status, body } = await pay('9.00')
    expect(status).toBe(200)
    const { body: record } = await ask('GET', `/payments/${body.payment['id']}`, bff.keys.secret)
    expect(record.payment).toMatchObject({ agentId: 'linker', amount: '9.00' })
  })

  test.each(['callbackUrl', 'returnUrl'])('it sets no %s, on no route', async (field) => {
    const named = { [field]: 'https://thief.example/hooks' }
    for (const path of ['/deposits/create', '/sandbox/payments/create', '/links']) {
      const { status, body } = await create(agent, path === '/links' ? { ...named, amount: '1.00' } : named, path)
      expect([status, body['code'], body['message']], path).toEqual([
        403,
        'KEY_SCOPE',
        `A key with the scope "agent" may not set ${field}.`,
      ])
    }
    expect((await create(bff.keys.secret, named)).status).toBe(200)
  })

  test('a key of the scope that is bound to no agent reads, and creates nothing', async () => {
    const keys = await agentKey()
    await bff.deps.db.write((tx) =>
      tx.run(sql`update credentials set agent_id = null where id = ${keys['X-API-Key'] ?? ''}`),
    )
    for (const path of ['/deposits/create', '/sandbox/payments/create', '/links']) {
      const { status, body } = await create(keys, {}, path)
      expect([status, body['code']], path).toEqual([403, 'KEY_SCOPE'])
    }
    expect((await ask('GET', '/networks', keys)).status).toBe(200)
  })
})
