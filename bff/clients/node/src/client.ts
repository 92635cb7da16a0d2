import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import createFetchClient from 'openapi-fetch'
import { CheckoutError, errorOfResponse } from './checkout-error.ts'
import type { Call, RepeatablePath } from './operation-types.ts'
import { type RetrySettings, retryingFetch } from './retrying-fetch.ts'

type Credentials =
  | { /** `ak_…` */ apiKey: string /** `sk_…` */; apiSecret: string; publicKey?: never }
  | {
      /** `pk_live_…` or `pk_test_…`: may do what a page may do. */ publicKey: string
      apiKey?: never
      apiSecret?: never
    }

export type ClientOptions = Credentials & {
  /** Where the service is, without `/api`: `https://pay.example.com`. */
  baseUrl: string
  /** Attempts after the first, where a call is answered by 429 or 503 with `Retry-After`, or not at all; 2 by default. */
  maxRetries?: number
  /** The longest `Retry-After` that is waited for, in ms; 30,000 by default. */
  maxWaitMs?: number
  /** How long an attempt may take until its answer begins, in ms; 30,000 by default. */
  timeoutMs?: number
  /** In place of the global `fetch`. */
  fetch?: RetrySettings['fetch']
}

/** One method for each of HTTP. Paths, parameters, bodies and results are those of the service's OpenAPI document. */
export type Client = {
  GET: Call<'get'>
  POST: Call<'post'>
  PUT: Call<'put'>
  PATCH: Call<'patch'>
  DELETE: Call<'delete'>
}

/** Every create that answers a repeat under the same key as it answered first. The compiler and a test name what is missing. */
const repeatablePaths: { readonly [P in RepeatablePath]: true } = {
  '/payments/create': true,
  '/deposits/create': true,
  '/payments/cross-chain/create': true,
  '/sandbox/payments/create': true,
  '/links': true,
  '/links/public/{linkId}/create': true,
  '/payments/{paymentId}/refunds': true,
  '/till/sales': true,
}

/** Answered below `/api` alone. */
const unversionedPaths: readonly string[] = ['/health', '/ready', '/versions']

type Options = { params?: { header?: Record<string, unknown> }; signal?: AbortSignal }

/**
 * A client of one merchant. Every operation rejects with a `CheckoutError`, or with the reason of the caller's signal.
 * @throws {TypeError} when `baseUrl` is no http address, or the credentials are neither a public key nor API key and secret.
 */
export function createClient(options: ClientOptions): Client {
  const api = apiUrl(options.baseUrl)
  const inner = createFetchClient<Record<string, never>>({ headers: credentialHeaders(options), redirect: 'manual' })
  const settings: RetrySettings = {
    fetch: options.fetch ?? globalThis.fetch,
    maxRetries: options.maxRetries ?? 2,
    maxWaitMs: options.maxWaitMs ?? 30_000,
    timeoutMs: options.timeoutMs ?? 30_000,
    sleep: (ms, signal) => sleep(ms, undefined, { signal }),
  }

  async function call(method: string, path: string, given: Options = {}): Promise<unknown> {
    const idempotencyKey = method === 'POST' ? keyOf(path, given) : null
    const isRepeatable = idempotencyKey !== null || !['POST', 'PATCH'].includes(method)
    const header = {
      ...given.params?.header,
      ...(idempotencyKey === null ? {} : { 'Idempotency-Key': idempotencyKey }),
    }
    const init = {
      ...given,
      params: { ...given.params, header },
      baseUrl: unversionedPaths.includes(path) ? api : `${api}/v1`,
      // The body is read below, by its type.
      parseAs: 'stream',
      fetch: (request: Request) => retryingFetch(request, isRepeatable, settings),
    }
    try {
      // The types of the path were checked where `call` is handed out as `Call`.
      const { response, error } = await inner.request(method.toLowerCase() as 'get', path as never, init as never)
      if (!response.ok) throw errorOfResponse(response, error, idempotencyKey)
      return await bodyOf(response, idempotencyKey)
    } catch (error) {
      if (error instanceof CheckoutError) throw error
      if (given.signal?.aborted) throw given.signal.reason
      throw unanswered(error, idempotencyKey)
    }
  }

  const method = (name: string) => (path: string, given?: Options) => call(name, path, given)
  return {
    GET: method('GET'),
    POST: method('POST'),
    PUT: method('PUT'),
    PATCH: method('PATCH'),
    DELETE: method('DELETE'),
  } as Client
}

function apiUrl(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') {
    throw new TypeError(`baseUrl is the address of the service, such as https://pay.example.com, not "${baseUrl}"`)
  }
  return `${url.href.replace(/\/+$/, '')}/api`
}

function credentialHeaders({ apiKey, apiSecret, publicKey }: Credentials): Record<string, string> {
  if (publicKey && apiKey === undefined && apiSecret === undefined) return { 'X-Public-Key': publicKey }
  // The service would take the public key alone, and refuse what is for API key and secret.
  if (apiKey && apiSecret && publicKey === undefined) return { 'X-API-Key': apiKey, 'X-API-Secret': apiSecret }
  throw new TypeError('createClient takes apiKey and apiSecret, or publicKey alone.')
}

/** @returns the caller's own key, else a new one; null for an operation without. */
function keyOf(path: string, { params }: Options): string | null {
  if (!Object.hasOwn(repeatablePaths, path)) return null
  const own = params?.header?.['Idempotency-Key']
  return typeof own === 'string' ? own : randomUUID()
}

async function bodyOf(response: Response, idempotencyKey: string | null): Promise<unknown> {
  const type = response.headers.get('Content-Type') ?? ''
  if (type.startsWith('text/event-stream')) return response.body
  const text = await response.text()
  // Of another program at that address: some answer every path with their page.
  if (type.startsWith('text/html')) throw errorOfResponse(response, text, idempotencyKey)
  if (text === '') return undefined
  return /^application\/(?:.+\+)?json\b/.test(type) ? JSON.parse(text) : text
}

function unanswered(error: unknown, idempotencyKey: string | null): CheckoutError {
  const isTimeout = error instanceof DOMException && error.name === 'TimeoutError'
  const code = isTimeout ? 'TIMEOUT' : 'CONNECTION_FAILED'
  const message = isTimeout ? 'The service did not answer in time.' : 'The service cannot be reached.'
  return new CheckoutError(message, { code, status: 0, idempotencyKey, cause: error })
}
