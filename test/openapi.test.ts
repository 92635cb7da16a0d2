import { times } from '@stablecoin-checkout/rig/nightly'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { openStory } from './harness/story.ts'

const { bff } = await openStory('openapi')
const { merchant } = bff

type Schema = { type?: string; properties?: Record<string, unknown>; required?: string[] }
type Operation = {
  security?: unknown[]
  parameters?: { name: string; in: string; required?: boolean }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, Response>
  servers?: unknown
}
type Response = { $ref?: string; content?: Record<string, { schema: object }> }
type Document = {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema>; responses: Record<string, Response> }
}

const document = (await bff.ask('/api/openapi.json')).body as unknown as Document
const ajv = new Ajv2020({ strict: false, allErrors: true })
addFormats.default(ajv)
ajv.addSchema({ $id: 'document', ...document })

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods)
    // Those without a version are served elsewhere, and need no fuzzing.
    .filter(([, { servers }]) => servers === undefined)
    .map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
)

const payment = await bff.createDeposit({ amount: '25.00', orderId: 'walked' })
const unknownId = '7f0f1f4e-6a43-4a2e-9d2b-0a9f6d9d0a11'
const keys = {
  public: { 'X-Public-Key': merchant.publicKey },
  secret: { 'X-API-Key': merchant.apiKey, 'X-API-Secret': merchant.apiSecret },
}

/** A value for each path parameter, by its name. */
const inPath: Record<string, string> = {
  paymentId: payment.id,
  agentId: 'agent_1',
  networkId: 'devnet',
  chainId: '31337',
}

const fill = (path: string, change: Record<string, string> = {}) =>
  `/api/v1${path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(change[name] ?? inPath[name] ?? 'x'))}`

const validators = new Map<object, ValidateFunction>()

/** Compiled once: that takes longer than the answer. */
function validatorOf(schema: object): ValidateFunction {
  const known = validators.get(schema)
  if (known) return known
  const text = JSON.stringify(schema).replaceAll('"#/components', '"document#/components')
  const validate: ValidateFunction = ajv.compile(JSON.parse(text) as object)
  validators.set(schema, validate)
  return validate
}

/** Refusals that operations share are components. */
function responseOf(operation: Operation, status: number): Response | undefined {
  const response = operation.responses[String(status)]
  const name = response?.$ref?.split('/').at(-1)
  return name === undefined ? response : document.components.responses[name]
}

/** Throws where the answer is not one that the document has for its status. */
function verifyAnswer(operation: Operation, status: number, body: unknown): void {
  if (body === stream) {
    expect(responseOf(operation, status)?.content).toHaveProperty(streamType)
    return
  }
  const schema = responseOf(operation, status)?.content?.['application/json']?.schema
  expect(schema, `no schema for ${status}: ${JSON.stringify(body).slice(0, 300)}`).toBeDefined()
  const validate = validatorOf(schema as object)
  expect(validate(body) ? [] : validate.errors, JSON.stringify(body).slice(0, 500)).toEqual([])
}

const streamType = 'text/event-stream'
/** In place of the body of a stream, which is left open for as long as anything may change. */
const stream: Record<string, unknown> = {}

async function send(method: string, path: string, headers: Record<string, string>, body?: unknown) {
  if (path.endsWith('/events')) return await sendForStream(path, headers)
  const init = {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
  }
  return await bff.ask(
    path,
    body === undefined ? init : { ...init, body: typeof body === 'string' ? body : JSON.stringify(body) },
  )
}

async function sendForStream(path: string, headers: Record<string, string>) {
  const response = await fetch(`${bff.url()}${path}`, { headers })
  const { status } = response
  if (!response.headers.get('content-type')?.startsWith(streamType)) {
    const text = await response.text()
    return { status, body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>) }
  }
  await response.body?.cancel()
  return { status, body: stream }
}

/** Values that each known field may have, mostly good, some odd. */
const fieldValue = fc.oneof(
  fc.constantFrom<unknown>(
    '25.00',
    25,
    'USDC',
    'USDT',
    'devnet',
    payment.id,
    unknownId,
    'complete',
    'failed',
    true,
    null,
  ),
  fc.constantFrom<unknown>(
    '0',
    -1,
    1e-9,
    1e300,
    'DAI',
    'nowhere',
    [],
    {},
    { a: { b: 1 } },
    'x'.repeat(300),
    '😀',
    '\u0000',
  ),
  fc.string(),
  fc.integer(),
)

describe.each(operations)('$method $path', ({ path, method, operation }) => {
  const schema = operation.requestBody?.content['application/json']?.schema
  const names = Object.keys(resolve(schema)?.properties ?? {})

  test('answers what its document says, to the merchant’s server and with a public key', async () => {
    for (const headers of [keys.secret, keys.public]) {
      const { status, body } = await send(
        method,
        fill(path),
        headers,
        method === 'GET' || method === 'DELETE' ? undefined : {},
      )
      expect(status).toBeLessThan(500)
      verifyAnswer(operation, status, body)
    }
  })

  test('refuses a caller without a key, where one is needed', async () => {
    const { status, body } = await send(
      method,
      fill(path),
      {},
      method === 'GET' || method === 'DELETE' ? undefined : {},
    )
    if (operation.security?.length === 0) expect(status).not.toBe(401)
    else expect([status, typeof body['error']]).toEqual([401, 'string'])
  })

  test('never fails of its own for what it is sent, and says what is wrong', async () => {
    const someBody = fc.oneof(
      {
        weight: 6,
        arbitrary: fc.dictionary(fc.constantFrom(...names, 'unknown', '__proto__'), fieldValue, { maxKeys: 8 }),
      },
      { weight: 1, arbitrary: fc.constantFrom<unknown>('', '{', 'null', '[]', '"text"', '{"__proto__":{"a":1}}') },
    )
    // `..` alone would be another path before it is sent.
    const someId = fc.constantFrom(payment.id, unknownId, 'x', '%00', '../x', 'a'.repeat(200))
    await fc.assert(
      fc.asyncProperty(someBody, someId, fc.boolean(), async (sent, id, isKnown) => {
        const change = Object.fromEntries(Object.keys(inPath).map((name) => [name, id]))
        const at = fill(path, isKnown ? {} : change)
        const { status, body } = await send(
          method,
          at,
          keys.secret,
          method === 'GET' || method === 'DELETE' ? undefined : sent,
        )
        verifyAnswer(operation, status, body)
        // The contract keeps a 500 for an unknown id on two routes; nothing else may fail.
        if (status === 500) expect(body['code']).toBe('PAYMENT_NOT_FOUND')
        else expect(status, JSON.stringify(body)).toBeLessThan(500)
        if (status >= 400) {
          expect(body).toMatchObject({
            success: false,
            error: expect.any(String),
            message: expect.any(String),
            code: expect.any(String),
          })
        }
      }),
      { numRuns: times(8, 100) },
    )
  })
})

function resolve(schema: (Schema & { $ref?: string }) | undefined): Schema | undefined {
  if (schema?.$ref === undefined) return schema
  const name = schema.$ref.split('/').at(-1) ?? ''
  return document.components.schemas[name]
}
