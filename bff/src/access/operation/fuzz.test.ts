import { everyNetworkPayable } from '@stablecoin-checkout/rig/app-defaults'
import { versionedOperations } from '@stablecoin-checkout/rig/declared-operations'
import { times } from '@stablecoin-checkout/rig/nightly'
import { openApp, order } from '@stablecoin-checkout/rig/test-app'
import fc, { type Arbitrary } from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'

/** What the document says of a value, as far as it matters here. */
type Schema = {
  $ref?: string
  type?: string | string[]
  format?: string
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: Schema | boolean
}
type Parameter = { in: string; name: string; schema: Schema }
type Operation = {
  parameters?: Parameter[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, unknown>
}
type Document = {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

const runsPerOperation = times(12, 100)

/** The two answers of 500 that the contract keeps for an unknown payment id. */
const unknownIdPaths = new Set(['/payments/{paymentId}', '/deposits/status/{paymentId}'])

/** No node is there to be asked, and nobody waits for it. */
const contracts = {
  splitters: everyNetworkPayable,
  chains: new Map(),
  ...{ windowMs: 1_800_000, waitMs: 0, waitsMax: 10 },
  stopping: new AbortController().signal,
}
const strict = await openApp({ contracts })
const lenient = await openApp({ contracts, lenientClients: true })
afterAll(() => Promise.all([strict.close(), lenient.close()]))
type App = typeof strict

const document = (await strict.call('/api/openapi.json')).body as unknown as Document
const operations = versionedOperations(document.paths).map(
  ({ method, path, operation }) => [method.toUpperCase(), path, operation] as const,
)

/** Payments of each kind, so that an id can be one that exists. */
async function paymentsOf(app: App): Promise<string[]> {
  const paths = ['deposits/create', 'payments/create', 'sandbox/payments/create']
  const made = paths.map(async (path) => String((await app.create(order, {}, `/api/v1/${path}`)).body.payment['id']))
  return await Promise.all(made)
}
const known = { strict: await paymentsOf(strict), lenient: await paymentsOf(lenient) }
const ids = [...known.strict, ...known.lenient]

/** The first one more often than the others together. */
function mostly(first: unknown, ...others: unknown[]): Arbitrary<unknown> {
  return fc.oneof({ arbitrary: fc.constant(first), weight: 9 }, { arbitrary: fc.constantFrom(...others), weight: 1 })
}

/** What a field is called says what gets past its check of form, and further into the code. */
const valuesOfFields: Record<string, Arbitrary<unknown>> = {
  paymentId: fc.constantFrom(...ids),
  existingPaymentId: fc.constantFrom(...ids),
  network: mostly('devnet', 'Devnet', 'elsewhere', 'nowhere'),
  networkId: fc.constantFrom('devnet', '31337', 'nowhere'),
  amount: mostly('25.00', 25, 0.1, '0.000001', 1e21, '1e3', '-1', '1e400'),
  currency: mostly('USDC', 'USDT', 'DAI'),
  customerEmail: fc.oneof(fc.emailAddress(), fc.constant('A@B.example ')),
  callbackUrl: mostly('https://shop.example/hooks', 'http://127.0.0.1:1/', 'https://[::1', 'javascript:alert(1)'),
  agentId: fc.stringMatching(/^[\w-]{1,100}$/),
  action: fc.constantFrom('complete', 'fail', 'detect', 'underpay', 'overpay', 'expire', 'late', 'reorg', 'sweep_fail'),
  address: mostly(`0x${'ab'.repeat(20)}`, '0x0000000000000000000000000000000000000000', '1'.repeat(44), 'x'),
  account: mostly('11111111111111111111111111111111', 'x'),
  after: fc.constantFrom('0', '1', '999999999999999'),
  before: fc.constantFrom('0', '1', '999999999999999'),
  transactionHash: fc.constantFrom(`0x${'ab'.repeat(32)}`, '1'.repeat(88), '0x'),
  url: mostly('https://shop.example/hooks', 'http://127.0.0.1:1/', 'https://[::1', 'javascript:alert(1)'),
  startDate: fc.constantFrom('2026-01-01', '2026-02-30', '+275760-09-13', 'x'),
  endDate: fc.constantFrom('2026-12-31', '0000-00-00', '-000001-01-01T00:00:00Z'),
  originChainId: fc.constantFrom(8453, 1, 792_703_809, 101),
}

const deep = (open: string, close: string, count: number) => `${open.repeat(count)}1${close.repeat(count)}`
const hostileTexts = [
  ...['', ' ', 'null', '[]', '{', '"', '\u0000', '1e999999', '{"amount":1e999999}', '{"metadata":{"a":"\\ud800"}}'],
  ...['{"__proto__":{"a":1}}', '{"constructor":{"prototype":{}}}', '{"metadata":{"__proto__":{"b":1}}}'],
  deep('[', ']', 30_000),
  `{"metadata":{"a":${deep('[', ']', 30_000)}}}`,
  `{"amount":"25.00","currency":"USDC","network":"devnet","metadata":{"a":${deep('{"b":', '}', 8_000)}}}`,
  `{"amount":"25.00","currency":"USDC","network":"devnet","x":${deep('[', ']', 30_000)},"metadata":{"a":[]}}`,
]

function resolved(schema: Schema): Schema {
  const name = schema.$ref?.split('/').at(-1)
  return name === undefined ? schema : (document.components.schemas[name] ?? {})
}

/** Values that the schema allows. */
function valid(given: Schema, field = ''): Arbitrary<unknown> {
  const schema = resolved(given)
  const byName = valuesOfFields[field]
  const bySchema = validBySchema(schema)
  return byName === undefined
    ? bySchema
    : fc.oneof({ arbitrary: byName, weight: 19 }, { arbitrary: bySchema, weight: 1 })
}

function validBySchema(schema: Schema): Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((one) => valid(one)))
  const types = [schema.type ?? []].flat()
  if (types.length === 0) return fc.jsonValue()
  return fc.oneof(...types.map((type) => validOfType(schema, type)))
}

function validOfType(schema: Schema, type: string): Arbitrary<unknown> {
  switch (type) {
    case 'null':
      return fc.constant(null)
    case 'boolean':
      return fc.boolean()
    case 'integer':
      return fc.integer({ min: Math.max(schema.minimum ?? -1e9, -1e9), max: Math.min(schema.maximum ?? 1e9, 1e9) })
    case 'number':
      return fc.double({ noNaN: true, noDefaultInfinity: true })
    case 'array':
      return fc.array(valid(schema.items ?? {}), { maxLength: 5 })
    case 'object':
      return validObject(schema)
    default:
      return validText(schema)
  }
}

function validText({ format, pattern, minLength = 0, maxLength = 200 }: Schema): Arbitrary<string> {
  if (format === 'uuid') return fc.oneof(fc.constantFrom(...ids), fc.uuid())
  if (format === 'uri') return fc.webUrl()
  if (format === 'email') return fc.emailAddress()
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern))
  return fc.string({ unit: 'binary', minLength, maxLength: Math.max(minLength, Math.min(maxLength, 200)) })
}

function validObject({ properties = {}, required = [], additionalProperties }: Schema): Arbitrary<unknown> {
  const named = fieldsOf(properties, required)
  if (typeof additionalProperties !== 'object') return named
  const more = fc.dictionary(fc.string({ maxLength: 20 }), valid(additionalProperties), { maxKeys: 5 })
  return fc.tuple(more, named).map(([extra, own]) => ({ ...extra, ...own }))
}

/** The required fields and a few of the others: with all of them hardly a request would get past its checks. */
function fieldsOf(schemas: Record<string, Schema>, required: string[]): Arbitrary<Record<string, unknown>> {
  const optional = Object.keys(schemas).filter((name) => !required.includes(name))
  // Each is made once: making them takes longer than the request.
  const made = new Map<string, Arbitrary<unknown>>()
  const arbitraryOf = (name: string): Arbitrary<unknown> => {
    const value = made.get(name) ?? valid(schemas[name] ?? {}, name)
    made.set(name, value)
    return value
  }
  return fc.subarray(optional, { maxLength: Math.min(optional.length, 3) }).chain((chosen) => {
    const names = [...required, ...chosen]
    return fc.record(Object.fromEntries(names.map((name) => [name, arbitraryOf(name)])))
  })
}

/** A body as text: what the schema allows, that with one field replaced, or anything. */
function bodyOf(operation: Operation): Arbitrary<string> {
  const schema = resolved(Object.values(operation.requestBody?.content ?? {})[0]?.schema ?? {})
  const names = Object.keys(schema.properties ?? {})
  const asText = (value: unknown) => JSON.stringify(value) ?? ''
  const right = valid(schema)
  const broken = fc
    .tuple(right, fc.constantFrom(...names, 'metadata', '__proto__', 'unknown'), fc.jsonValue())
    .map(([value, name, junk]) => ({ ...Object(value), [name]: junk }))
  return fc.oneof(
    { arbitrary: right.map(asText), weight: 9 },
    { arbitrary: broken.map(asText), weight: 4 },
    { arbitrary: fc.jsonValue().map(asText), weight: 1 },
    { arbitrary: fc.constantFrom(...hostileTexts), weight: 2 },
    { arbitrary: fc.string({ unit: 'binary' }), weight: 1 },
  )
}

/** A text that may be the value of a header. */
const headerValue = fc.stringMatching(/^[\x21-\x7e\x80-\xff]{0,300}$/)

const contentType = fc.oneof(
  { arbitrary: fc.constant('application/json'), weight: 18 },
  { arbitrary: fc.constantFrom('text/plain', 'application/json; charset=utf-16', 'multipart/form-data'), weight: 1 },
  { arbitrary: headerValue, weight: 1 },
)
const junkHeaders = [
  'X-Forwarded-Proto',
  'X-Forwarded-Host',
  'X-Request-Id',
  'If-None-Match',
  'Last-Event-ID',
  'Origin',
]
const header = fc.oneof(
  fc.tuple(fc.constant('Idempotency-Key'), fc.oneof(fc.stringMatching(/^[\x21-\x7e]{1,200}$/), headerValue)),
  fc.tuple(fc.constant('X-Forwarded-For'), fc.oneof(fc.constantFrom('::1', ',', '1.1.1.1, 2.2.2.2'), headerValue)),
  fc.tuple(fc.constantFrom(...junkHeaders, 'Accept', 'Host', 'Authorization'), headerValue),
)
const headersOf = fc
  .tuple(contentType, fc.array(header, { maxLength: 3 }))
  .map(([type, others]) => ({ ...Object.fromEntries(others), 'Content-Type': type }))

/** Who calls: most often somebody who may. */
const keysOf = (app: App): Arbitrary<Record<string, string>> =>
  fc.oneof(
    { arbitrary: fc.constantFrom(app.keys.public, app.keys.test, app.keys.secret, app.keys.secret), weight: 12 },
    { arbitrary: fc.constantFrom({}, app.keys.stranger), weight: 1 },
    { arbitrary: headerValue.map((value) => ({ 'X-Public-Key': value })), weight: 1 },
  )

function pathOf(path: string, parameters: Parameter[]): Arbitrary<string> {
  const inPath = parameters.filter((one) => one.in === 'path')
  const inQuery = parameters.filter((one) => one.in === 'query')
  const junk = fc.string({ unit: 'binary', minLength: 1, maxLength: 60 })
  const text = (arbitrary: Arbitrary<unknown>) =>
    fc.oneof({ arbitrary: arbitrary.map(String), weight: 9 }, { arbitrary: junk, weight: 1 })
  const places = fc.tuple(...inPath.map(({ name, schema }) => text(valid(schema, name))))
  const schemas = Object.fromEntries(inQuery.map(({ name, schema }) => [name, schema]))
  const query = fieldsOf(schemas, []).chain((asked) =>
    fc.record(Object.fromEntries(Object.entries(asked).map(([name, value]) => [name, text(fc.constant(value))]))),
  )
  return fc.tuple(places, query).map(([values, asked]) => {
    const filled = inPath.reduce(
      (result, { name }, index) => result.replace(`{${name}}`, () => encoded(String(values[index]))),
      path,
    )
    const search = new URLSearchParams(asked as Record<string, string>).toString()
    return `/api/v1${filled}${search === '' ? '' : `?${search}`}`
  })
}

/** Dots alone would be another path. */
const encoded = (text: string): string => encodeURIComponent(text).replace(/^\.+$/, 'dots')

describe('whatever is sent to an operation of the document, its answer is declared and no fault of ours', () => {
  test.each(operations)('%s %s', async (method, path, operation) => {
    const target = { url: pathOf(path, operation.parameters ?? []), body: bodyOf(operation), headers: headersOf }
    const requestTo = (isLenient: boolean) =>
      fc.record({ ...target, keys: keysOf(isLenient ? lenient : strict), isLenient: fc.constant(isLenient) })
    const request = fc.oneof(requestTo(false), requestTo(true))
    await fc.assert(
      fc.asyncProperty(request, async ({ url, body, headers, keys, isLenient }) => {
        const init = { method, headers: { ...headers, ...keys }, ...(method !== 'GET' && { body }) }
        const response = await (isLenient ? lenient : strict).fetch(url, init)
        const { status } = response
        const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true
        const text = isStream ? '' : await response.text()
        if (isStream) await response.body?.cancel()
        expect(Object.keys(operation.responses)).toContain(String(status))
        if (status >= 500)
          expect([unknownIdPaths.has(path), JSON.parse(text).code]).toEqual([true, 'PAYMENT_NOT_FOUND'])
        if (status >= 400) {
          const error = {
            success: false,
            error: expect.any(String),
            message: expect.any(String),
            code: expect.any(String),
          }
          expect(JSON.parse(text)).toMatchObject(error)
        }
      }),
      { numRuns: runsPerOperation },
    )
  })
})

test('the payments that the requests named are still read as they were made', async () => {
  for (const [app, made] of [[strict, known.strict] as const, [lenient, known.lenient] as const]) {
    for (const id of made) {
      const { status, body } = await app.read(`/api/v1/payments/public/${id}`, {})
      expect([status, body.payment]).toMatchObject([200, { id, amount: '25.00', currency: 'USDC', network: 'devnet' }])
    }
  }
})
