import { OpenAPIHono, z } from '@hono/zod-openapi'
import { signedIn } from '@stablecoin-checkout/rig/dashboard-stage'
import { type AppFixture, openApp, order, transferTo } from '@stablecoin-checkout/rig/test-app'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PaymentId } from '../../payment/payment.ts'
import type { Env } from '../context/env.ts'
import { defineOperation, nameOf } from '../context/operation.ts'
import { calledWith } from '../reference/tasks.ts'
import { createRegistry } from './operation-registry.ts'

const tags: ['payments'] = ['payments']
const shape = {
  method: 'get',
  path: '/payments/{paymentId}/note',
  operationId: 'readNote',
  tags,
  summary: 'The note of a payment',
  request: { params: z.object({ paymentId: z.uuid() }) },
  responses: { 200: { description: 'the note', content: { 'application/json': { schema: z.object({}) } } } },
} as const

const openRegistry = () => createRegistry(() => [])

describe('an operation says who may call it', () => {
  test('or does not compile', () => {
    // @ts-expect-error: it says nothing.
    const none = defineOperation({ ...shape })
    // @ts-expect-error: it does not say which role of the dashboard may call it.
    const keyOnly = defineOperation({ ...shape, access: 'key' })
    // @ts-expect-error: there is no sentence for those who hold a public key.
    const secretOnly = defineOperation({ ...shape, access: 'secret', role: 'none' })
    // @ts-expect-error: a role has no meaning where anybody may call.
    const openToOwners = defineOperation({ ...shape, access: 'open', role: 'owner' })
    // @ts-expect-error: the document has no such group.
    const ungrouped = defineOperation({ ...shape, access: 'open', tags: ['notes'] })
    // @ts-expect-error: people have a role.
    const forNobody = defineOperation({ ...shape, access: 'session', role: 'none' })
    expect([none, keyOnly, secretOnly, openToOwners, ungrouped, forNobody]).toHaveLength(6)
  })

  test('or keeps the service from starting', () => {
    const registry = openRegistry()
    const app = new OpenAPIHono<Env>()
    registry.on(app).serve(defineOperation({ ...shape, access: 'key', role: 'viewer' }), (c) => c.json({}, 200))
    expect(() => registry.verifyDeclared(app)).not.toThrow()
    app.post('/payments/:paymentId/note', (c) => c.json({}))
    expect(() => registry.verifyDeclared(app)).toThrow(
      'POST /payments/:paymentId/note does not declare who may call it',
    )
  })

  test('and the OpenAPI document does not show it, nor anything of an operation that is hidden', () => {
    const app = new OpenAPIHono<Env>()
    const api = openRegistry().on(app)
    const declared = {
      access: 'secret',
      secretFor: 'Notes are',
      role: 'staff',
      passkey: 'always',
      scope: 'agent',
    } as const
    api.serve(defineOperation({ ...shape, ...declared, audit: 'setting.changed' }), (c) => c.json({}, 200))
    api.serveUnvalidated(defineOperation({ ...shape, path: '/hidden', access: 'open', hide: true }), (c) => c.json({}))
    const { paths } = app.getOpenAPI31Document({ openapi: '3.1.0', info: { title: 'x', version: '1' } })
    expect(Object.keys(paths ?? {})).toEqual([shape.path])
    expect(Object.keys(paths?.[shape.path]?.get ?? {}).sort()).toEqual([
      'operationId',
      'parameters',
      'responses',
      'summary',
      'tags',
    ])
  })
})

let bff: AppFixture
beforeAll(async () => {
  bff = await openApp()
})
afterAll(() => bff.close())

test('HEAD is answered to keys, and not to a session', async () => {
  const page = await signedIn(bff)
  const asked = { method: 'HEAD', headers: { Cookie: page.cookie(), 'Sec-Fetch-Site': 'same-origin' } }
  expect((await bff.fetch('/api/v1/payments', asked)).status).toBe(403)
  expect((await bff.fetch('/api/v1/payments', { ...asked, method: 'GET' })).status).toBe(200)
  expect((await bff.fetch('/api/v1/payments', { method: 'HEAD', headers: bff.keys.secret })).status).toBe(200)
})

describe('docs/access.md', () => {
  const head = `# Who may call what

Made from the operations by \`npm run generate\`. Paths are below \`/api/v1\`.
"Role" is the least role of the dashboard whose session may call; "passkey" says when the person signs the request besides. "Agent" marks
what a key with the scope \`agent\` may call. "Repeat" is how a repeat is known beside the header \`Idempotency-Key\`.

| operation | called with | role | passkey | agent | counted as | repeat | in the audit log as |
|---|---|---|---|---|---|---|---|`

  const passkeys = { always: 'always', ifAny: 'if there is one', ifCallback: 'with a `callbackUrl`' }
  const repeats = { key: 'the header alone', orderId: '`orderId`', body: '`orderId`, or the whole body' }

  test('says of every operation who may call it: `npm run generate` writes it', async () => {
    const rows = bff.operations.map((operation) => {
      const { access, role = 'none', passkey, scope, rate, idempotency, audit } = operation
      const cells = [
        `\`${nameOf(operation)}\``,
        calledWith[access],
        role === 'none' ? '' : role,
        passkey ? passkeys[passkey] : '',
        scope ? 'yes' : '',
        rate ?? '',
        idempotency ? repeats[idempotency] : '',
        audit ? `\`${audit}\`` : '',
      ]
      return `| ${cells.join(' | ')} |`
    })
    const page = [head, ...rows.sort(), ''].join('\n')
    await expect(page).toMatchFileSnapshot('../../../../docs/access.md')
  })
})

describe('an operation that declares how a repeat is known', () => {
  const bodies: Readonly<Record<string, (path: string) => Promise<[path: string, body: object]>>> = {
    createDeposit: async (path) => [path, order],
    createContractPayment: async (path) => [path, order],
    createSandboxPayment: async (path) => [path, order],
    async requestMerchantRefund(path) {
      const { payment } = (await bff.create(order, { 'Idempotency-Key': 'to be refunded' })).body
      const id = payment['id'] as PaymentId
      const transfer = transferTo(id, 25_000_000n)
      await bff.deps.ledger.apply(id, { type: 'transfer.confirmed', transfer, atMs: bff.nowMs() })
      return [path.replace('{paymentId}', id), { amount: '1.00' }]
    },
    createLink: async (path) => [path, { amount: '25.00' }],
    async createLinkPayment(path) {
      const headers = { 'Content-Type': 'application/json', ...bff.keys.secret }
      const { body } = await bff.call('/api/v1/links', { method: 'POST', body: '{"amount":"25.00"}', headers })
      const { id } = body['link'] as unknown as { id: string }
      return [path.replace('{linkId}', id), { network: 'devnet', currency: 'USDC' }]
    },
  }

  /** Whether the second of two requests is answered as a repeat of the first. */
  async function isRepeat(path: string, body: object, headers: Record<string, string>) {
    const init = { method: 'POST', body: JSON.stringify(body) }
    const sent = { 'Content-Type': 'application/json', ...bff.keys.secret, ...headers }
    const ask = () => bff.call(`/api/v1${path}`, { ...init, headers: sent })
    expect((await ask()).status).toBe(200)
    const { status, headers: answered } = await ask()
    expect(status).toBe(200)
    return answered.get('Idempotent-Replayed') === 'true'
  }

  test('knows it by that: by its key, its order id or its whole body, and by nothing else', async () => {
    const declared = bff.operations.filter(({ idempotency }) => idempotency !== undefined)
    // The bridge of a cross-chain payment is not there: `create-cross-chain.test.ts` repeats those, and `till.test.ts` the sales of tills.
    const elsewhere = ['createCrossChainPayment', 'createSale']
    const names = declared.map(({ operationId }) => operationId).filter((name) => !elsewhere.includes(name))
    expect(names.sort()).toEqual(Object.keys(bodies).sort())
    for (const { operationId, path: template, idempotency } of declared) {
      const bodyOf = bodies[operationId]
      if (!bodyOf) continue
      const [path, body] = await bodyOf(template)
      const byKey = await isRepeat(path, body, { 'Idempotency-Key': `key of ${operationId}` })
      const byOrder = idempotency !== 'key' && (await isRepeat(path, { ...body, orderId: operationId }, {}))
      const byBody = await isRepeat(path, { ...body, metadata: { only: 'here' } }, {})
      expect({ operationId, byKey, byOrder, byBody }).toEqual({
        operationId,
        byKey: true,
        byOrder: idempotency !== 'key',
        byBody: idempotency === 'body',
      })
    }
  })
})
