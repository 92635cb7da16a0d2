import { versionedOperations } from '@stablecoin-checkout/rig/declared-operations'
import { type AppFixture, openApp, order } from '@stablecoin-checkout/rig/test-app'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

let bff: AppFixture
beforeEach(async () => {
  bff = await openApp()
})
afterEach(() => bff.close())

test.each([
  ['orderId', { orderId: 'a\u0000b' }, 'orderId: must not contain the character U+0000'],
  ['agentId', { agentId: '\u0000' }, 'agentId'],
  ['metadata', { metadata: { note: 'a\u0000' } }, 'metadata.note: must not contain the character U+0000'],
  ['a name in metadata', { metadata: { 'a\u0000': 1 } }, 'metadata: no name may contain the character U+0000'],
])('U+0000 in %s is refused, and the field is named', async (_, fields, message) => {
  const { status, body } = await bff.create({ ...order, ...fields })
  expect([status, body['error']]).toEqual([400, 'Validation failed'])
  expect(body['message']).toContain(message)
})

test('U+0000 in a query or a path is refused or finds nothing', async () => {
  const list = await bff.read('/api/v1/payments/merchant/list?search=a%00b', bff.keys.secret)
  expect([list.status, list.body['message']]).toEqual([400, 'search: must not contain the character U+0000'])
  expect((await bff.read('/api/v1/payments/public/%00')).status).toBeLessThan(500)
})

test('a body over 64 kB is refused, whether or not its length is told', async () => {
  const body = JSON.stringify({ ...order, metadata: { note: 'x'.repeat(64 * 1024) } })
  const headers = { 'Content-Type': 'application/json', ...bff.keys.public }
  const lengths = [{ 'Content-Length': String(body.length) }, { 'Transfer-Encoding': 'chunked' }]
  for (const length of lengths) {
    const init = { method: 'POST', headers: { ...headers, ...length }, body }
    const answer = await bff.call('/api/v1/deposits/create', init)
    expect([answer.status, answer.body['code']]).toEqual([413, 'BODY_TOO_LARGE'])
  }
})

describe('what is refused at any operation', () => {
  type Schema = { $ref?: string; properties?: Record<string, Schema>; required?: string[] }
  type Parameter = { in: string; name: string }
  type Operation = { parameters?: Parameter[]; requestBody?: { content: Record<string, { schema: Schema }> } }
  type Document = {
    paths: Record<string, Record<string, Operation>>
    components: { schemas: Record<string, Schema> }
  }

  /** The words of the library that validates, which say nothing to a caller. */
  const raw =
    /Invalid (input|option|key|element|string|UUID|URL|email|ISO|date)|Too (big|small)|Unrecognized|expected .*received|NaN/

  /** Values that most fields do not take. */
  const wrong: unknown[] = [{ a: 1 }, [[]], [], {}, true, -1, 1.5, 1e300, '', 'x'.repeat(5_000), 'no such thing', null]

  async function refusals(ask: (value: unknown) => Promise<Awaited<ReturnType<AppFixture['call']>>>) {
    const found: { sent: unknown; message: string; body: Record<string, unknown> }[] = []
    for (const sent of wrong) {
      const { status, body } = await ask(sent)
      expect(status).toBeLessThan(500)
      if (status === 400) found.push({ sent, message: String(body['message']), body })
    }
    return found
  }

  async function operations() {
    const { paths, components } = (await bff.read('/api/openapi.json', {})).body as unknown as Document
    const resolved = (schema: Schema): Schema => {
      const name = schema.$ref?.split('/').at(-1)
      return name === undefined ? schema : (components.schemas[name] ?? {})
    }
    return versionedOperations(paths).map(({ method, path, operation }) => ({
      method: method.toUpperCase(),
      path: `/api/v1${path}`,
      inPath: (operation.parameters ?? []).filter((one) => one.in === 'path').map(({ name }) => name),
      inQuery: (operation.parameters ?? []).filter((one) => one.in === 'query').map(({ name }) => name),
      body: resolved(Object.values(operation.requestBody?.content ?? {})[0]?.schema ?? {}),
    }))
  }

  const someId = '7f0f1f4e-6a43-4a2e-9d2b-0a9f6d9d0a11'
  const fill = (path: string) => path.replace(/\{\w+\}/g, someId)
  const send = (method: string, path: string, body: unknown) =>
    bff.call(path, {
      method,
      headers: { 'Content-Type': 'application/json', ...bff.keys.secret },
      ...(method !== 'GET' && { body: JSON.stringify(body) }),
    })

  test('is a field of the body: the sentence names it and the rule, in our words', async () => {
    const faults: string[] = []
    let refused = 0
    for (const { method, path, inPath, body } of await operations()) {
      for (const name of Object.keys(body.properties ?? {})) {
        // Alone, so that nothing else of the body is the first fault, unless it is required.
        const found = await refusals((value) => send(method, fill(path), { [name]: value }))
        refused += found.length
        for (const { sent, message, body: answer } of found) {
          const names = [name, ...inPath, ...Object.keys(body.properties ?? {})]
          const isNamed = names.some((one) => message.includes(one))
          // What is there is not missing.
          const isUntrue = sent !== '' && typeof sent === 'string' && message.includes(`${name} is required`)
          const isEnvelope = answer['success'] === false && typeof answer['code'] === 'string'
          if (!isNamed || isUntrue || !isEnvelope || raw.test(message)) {
            faults.push(`${method} ${path} ${name}=${JSON.stringify(sent).slice(0, 40)}: ${message}`)
          }
        }
      }
    }
    expect(faults).toEqual([])
    expect(refused).toBeGreaterThan(200)
  })

  test('is a field of the query: the same', async () => {
    const faults: string[] = []
    let refused = 0
    for (const { method, path, inQuery, body } of await operations()) {
      for (const name of inQuery) {
        const found = await refusals((value) =>
          send(method, `${fill(path)}?${name}=${encodeURIComponent(String(value).slice(0, 2_000))}`, {}),
        )
        refused += found.length
        const names = [...inQuery, ...Object.keys(body.properties ?? {})]
        const unclear = found.filter(({ message }) => raw.test(message) || !names.some((one) => message.includes(one)))
        faults.push(
          ...unclear.map(({ sent, message }) => `${method} ${path}?${name}=${String(sent).slice(0, 40)}: ${message}`),
        )
      }
    }
    expect(faults).toEqual([])
    expect(refused).toBeGreaterThan(50)
  })

  test('is an id in the path: the same', async () => {
    const faults: string[] = []
    for (const { method, path, inPath } of await operations()) {
      for (const name of inPath) {
        const at = (value: string) => fill(path.replace(`{${name}}`, encodeURIComponent(value)))
        for (const value of ['no such thing', 'x'.repeat(500), '%']) {
          const { status, body } = await send(method, at(value), {})
          const message = String(body['message'])
          if (status === 400 && raw.test(message)) faults.push(`${method} ${path} ${name}: ${message}`)
        }
      }
    }
    expect(faults).toEqual([])
  })

  test('is a body of another shape: the sentence says so', async () => {
    for (const body of [[], 'text', 1, null]) {
      const { status, body: answer } = await bff.post('/api/v1/deposits/create', body === 'text' ? '"text"' : body)
      expect([status, answer['code'], answer['message']]).toEqual([
        400,
        'VALIDATION_FAILED',
        'The body must be an object',
      ])
    }
  })
})

test.each([
  [{ orderId: 7 }, 'orderId: must be text'],
  [{ orderId: '' }, 'orderId: must not be empty'],
  [{ orderId: 'x'.repeat(101) }, 'orderId must be at most 100 characters'],
  [{ network: 'x'.repeat(41) }, 'network must have at most 40 characters'],
  [{ agentId: 7, agentOwner: 'me' }, 'agentId: must be text'],
  [{ agentId: null, agentOwner: 'me' }, 'Both agentId and agentOwner must be provided together'],
  [{ metadata: { note: { deep: 1 } } }, 'metadata.note: must be text or a number or true or false or null'],
])('of a create with %j is said: %s', async (fields, message) => {
  const { status, body } = await bff.create({ ...order, ...fields })
  expect([status, body['code'], body['error'], body['message']]).toEqual([
    400,
    'VALIDATION_FAILED',
    'Validation failed',
    message,
  ])
})
