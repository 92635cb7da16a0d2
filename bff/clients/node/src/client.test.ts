import { randomUUID } from 'node:crypto'
import type { PaymentId } from '@stablecoin-checkout/bff/testing/payment'
import { openApp, transferTo } from '@stablecoin-checkout/rig/test-app'
import { afterAll, describe, expect, test } from 'vitest'
import { CheckoutError, type ClientOptions, createClient } from './index.ts'

const bff = await openApp()
afterAll(bff.close)

const baseUrl = 'http://service.test'
const { merchant } = bff
const server = { apiKey: merchant.apiKey, apiSecret: merchant.apiSecret }

const body = { amount: '25.00', currency: 'USDC', network: 'devnet' } as const

/** A client whose requests go to the running application, and those requests. */
function openClient(changes: Partial<ClientOptions> = {}) {
  const requests: Request[] = []
  const client = createClient({
    ...server,
    baseUrl,
    fetch: async (request) => {
      requests.push(request.clone())
      // Not `request`: once a server of Hono listens in this process, it takes a cloned request for an address.
      return await bff.app.fetch(request)
    },
    ...changes,
  } as ClientOptions)
  return { client, requests }
}

/** A client whose service answers with what is listed, one answer a request. */
function openScripted(answers: (Response | Error)[], changes: Partial<ClientOptions> = {}) {
  const requests: Request[] = []
  const { client } = openClient({
    ...changes,
    fetch: async (request) => {
      requests.push(request)
      const answer = answers.shift()
      if (answer instanceof Response) return answer
      throw answer ?? new Error('The test expected no further request.')
    },
  })
  return { client, requests }
}

const refusalOf = (call: Promise<unknown>): Promise<CheckoutError> =>
  call.then(
    () => expect.unreachable(),
    (error: unknown) => {
      expect(error).toBeInstanceOf(CheckoutError)
      return error as CheckoutError
    },
  )

describe('operations', () => {
  test('create, read, list and request a refund', async () => {
    const { client } = openClient()
    const { payment } = await client.POST('/deposits/create', { body: { ...body, orderId: 'A-1042' } })
    expect(payment).toMatchObject({ amount: '25.00', outcome: 'pending' })

    const path = { paymentId: payment.id }
    const read = await client.GET('/payments/{paymentId}', { params: { path } })
    expect([read.payment.orderId, read.payment.depositAddress]).toEqual(['A-1042', payment.depositAddress])

    const found = await client.GET('/payments', { params: { query: { search: 'A-1042', limit: 5 } } })
    expect(found.payments.map(({ paymentId }) => paymentId)).toEqual([payment.id])

    const id = payment.id as PaymentId
    const transfer = transferTo(id, 30_000_000n)
    await bff.deps.ledger.apply(id, { type: 'transfer.confirmed', transfer, atMs: bff.nowMs() })
    const address = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
    const asked = await client.POST('/deposits/refund-request/{paymentId}', {
      params: { path },
      body: { address },
    })
    expect(asked.payment.refund).toMatchObject({ amount: '5.00', address })
  })

  test('answers that are no JSON: text, and a stream of events', async () => {
    const { client } = openClient()
    const csv: string = await client.GET('/reports/month.csv', { params: { query: { month: '2026-11' } } })
    expect(csv).toMatch(/^\w+,/)
    const leaving = new AbortController()
    const events = await client.GET('/payments/events', { signal: leaving.signal })
    expect(events).toBeInstanceOf(ReadableStream)
    await events.cancel()
  })

  test('paths without a version, with the address given with a slash at its end', async () => {
    const { client, requests } = openClient({ baseUrl: `${baseUrl}/` })
    await client.GET('/versions')
    await client.GET('/payments/health')
    expect(requests.map(({ url }) => url)).toEqual([`${baseUrl}/api/versions`, `${baseUrl}/api/v1/payments/health`])
  })

  test('what is repeatable and what has no version is what the document says', async () => {
    const { client, requests } = openClient()
    const { body: document } = await bff.read('/api/openapi.json')
    type Operation = { servers?: object[]; parameters?: { name: string }[] }
    const paths = Object.entries(document['paths'] as Record<string, Record<string, Operation>>)
    const call = client as unknown as Record<string, (path: string) => Promise<unknown>>
    for (const [path, item] of paths)
      for (const [method, { servers, parameters }] of Object.entries(item)) {
        const isSent = requests.length
        await call[method.toUpperCase()]?.(path).then(
          (result) => (result instanceof ReadableStream ? result.cancel() : undefined),
          () => undefined,
        )
        const request = requests[isSent]
        const hasKey = parameters?.some(({ name }) => name === 'Idempotency-Key') ?? false
        expect([path, request?.headers.has('Idempotency-Key')]).toEqual([path, hasKey])
        expect([path, request?.url.startsWith(`${baseUrl}/api/v1/`)]).toEqual([path, servers === undefined])
      }
  })
})

describe('credentials', () => {
  test('a public key creates, and may not list', async () => {
    const { client } = openClient({ apiKey: undefined, apiSecret: undefined, publicKey: merchant.publicKey } as object)
    const { payment } = await client.POST('/deposits/create', { body })
    expect(payment.outcome).toBe('pending')
    const error = await refusalOf(client.GET('/payments'))
    expect([error.status, error.code]).toEqual([403, 'API_SECRET_REQUIRED'])
  })

  test.each([
    ['both kinds of key', { ...server, publicKey: 'pk_live_1' }],
    ['a key without its secret', { apiKey: 'ak_1' }],
    ['an empty secret, as of a variable that is not set', { apiKey: 'ak_1', apiSecret: '' }],
    ['no key', {}],
  ])('%s: refused before anything is sent', (_, keys) => {
    expect(() => createClient({ baseUrl, ...keys } as ClientOptions)).toThrow('apiKey and apiSecret, or publicKey')
  })

  test.each(['', 'pay.example', 'ftp://pay.example', 'http://pay.example/?a=1'])(
    'the address "%s": refused',
    (address) => {
      expect(() => createClient({ ...server, baseUrl: address })).toThrow('baseUrl is the address')
    },
  )

  test('a redirect is not followed: the secret goes to no other host', async () => {
    const moved = new Response(null, { status: 308, headers: { Location: 'https://other.example/' } })
    const { client, requests } = openScripted([moved])
    const error = await refusalOf(client.GET('/payments'))
    expect([error.code, error.message]).toEqual(['HTTP_308', expect.stringContaining('https://other.example/')])
    expect(requests[0]?.redirect).toBe('manual')
  })
})

describe('creates', () => {
  test('each has a key of its own', async () => {
    const { client, requests } = openClient()
    const created = [1, 2].map(() => client.POST('/deposits/create', { body }))
    const ids = (await Promise.all(created)).map(({ payment }) => payment.id)
    expect(new Set(ids).size).toBe(2)
    expect(new Set(requests.map(({ headers }) => headers.get('Idempotency-Key'))).size).toBe(2)
  })

  test("the caller's own key is used, and a repeat returns the same payment", async () => {
    const { client } = openClient()
    const params = { header: { 'Idempotency-Key': randomUUID() } }
    const create = async () => (await client.POST('/deposits/create', { body, params })).payment.id
    expect(await create()).toBe(await create())
  })

  test('a create whose answer was lost is sent again with its key, and makes one payment', async () => {
    const orderId = randomUUID()
    const answers: Response[] = []
    const { client } = openClient({
      fetch: async (request) => {
        answers.push(await bff.app.fetch(request))
        // The service has stored the payment, and cannot say so.
        if (answers.length === 1) return new Response(null, { status: 503, headers: { 'Retry-After': '0' } })
        return answers[1] as Response
      },
    })
    const { payment } = await client.POST('/deposits/create', { body: { ...body, orderId } })
    const first = (await answers[0]?.json()) as { payment: { id: string } }
    expect([payment.id, answers[1]?.headers.get('Idempotent-Replayed')]).toEqual([first.payment.id, 'true'])
  })
})

describe('errors', () => {
  test('a refusal has the code, the status, the message and the id of the request', async () => {
    const { client } = openClient()
    const error = await refusalOf(client.POST('/deposits/create', { body: { ...body, amount: '-1' } }))
    expect(error).toMatchObject({
      name: 'CheckoutError',
      code: 'VALIDATION_FAILED',
      status: 400,
      retryAfterSeconds: null,
    })
    expect(error.message).toBe('amount must be a plain decimal number such as 25.00, not "-1"')
    expect(error.body?.success).toBe(false)
    expect(error.requestId).toMatch(/^[\w-]+$/)
    expect(error.idempotencyKey).toMatch(/^[0-9a-f-]{36}$/)
  })

  test('the answer of a proxy has the status as its code', async () => {
    const { client } = openScripted([new Response('<h1>Bad gateway</h1>', { status: 502 })])
    const error = await refusalOf(client.GET('/payments'))
    expect([error.code, error.status, error.body]).toEqual(['HTTP_502', 502, undefined])
  })

  test('a page in place of an answer, as of a shop that stands at that address, is no success', async () => {
    const page = new Response('<!doctype html>', { headers: { 'Content-Type': 'text/html; charset=utf-8' } })
    const { client } = openScripted([page])
    const error = await refusalOf(client.GET('/payments'))
    expect([error.code, error.status, error.body]).toEqual(['HTTP_200', 200, undefined])
    expect(error.message).toContain('Check baseUrl')
  })

  test('a connection that fails: no status, the key to repeat the create with, and the cause', async () => {
    const cause = new TypeError('fetch failed')
    const { client } = openScripted([cause], { maxRetries: 0 })
    const error = await refusalOf(client.POST('/deposits/create', { body }))
    expect(error).toMatchObject({ code: 'CONNECTION_FAILED', status: 0, cause })
    expect(error.idempotencyKey).not.toBeNull()
  })

  test('a service that does not answer in time', async () => {
    const silent: ClientOptions['fetch'] = (_, { signal }) =>
      new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
    const { client } = openClient({ fetch: silent, timeoutMs: 1, maxRetries: 0 })
    expect((await refusalOf(client.GET('/payments'))).code).toBe('TIMEOUT')
  })

  test("the caller's own signal ends the call with its reason", async () => {
    const { client } = openScripted([new TypeError('fetch failed')])
    const reason = new Error('The customer has left.')
    await expect(client.GET('/payments', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  })
})
