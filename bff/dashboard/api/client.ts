import { loadRefusalTexts } from '../locales/refusal-texts.ts'
import { isTestMode } from './mode.ts'

/** Why a request failed: the service refused it or could not be reached. */
export class Fault extends Error {
  readonly code: string
  /** HTTP status; 0 without a response. */
  readonly status: number
  /** Retry delay requested by the service; 0 when absent. */
  readonly retryAfterSeconds: number
  /** The request id, by which the service's operator finds the request in the log. */
  readonly requestId: string
  /** Whether the request may have changed something: without a response this is unknown. */
  readonly isWrite: boolean

  constructor(fields: Omit<Fault, 'name' | 'stack' | 'cause'>) {
    super(fields.message)
    this.code = fields.code
    this.status = fields.status
    this.retryAfterSeconds = fields.retryAfterSeconds
    this.requestId = fields.requestId
    this.isWrite = fields.isWrite
  }
}

export type Query = Readonly<Record<string, string | number | boolean | null | undefined>>

type Options = {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Null, undefined and empty values are omitted. */
  query?: Query
  /** Sent as JSON. */
  body?: object
  /** A repeat of the request with this key gets the first response. */
  idempotencyKey?: string
  /** The passkey's assertion, for requests that require one. */
  confirmation?: string
  /** After this wait the service responds with its progress, if it supports that. */
  waitSeconds?: number
  /** The request continues when the page is left. */
  keepalive?: boolean
  /** Default: the mode that the pages show. */
  isTest?: boolean
  signal?: AbortSignal
}

/** Dispatched on `window` when the service responds that nobody is signed in. */
export const signedOutEvent = 'signed-out'

/** Longer than the service's longest response; a proxy would have ended the request by then. */
const answerTimeoutMs = 30_000

/**
 * The only function that calls the service, with the session's cookie.
 * @param path - Below `/api/v1/`.
 * @throws {Fault}
 */
export async function request<Body>(path: string, options: Options = {}): Promise<Body> {
  const response = await send(path, options)
  return (response.status === 204 ? {} : await response.json()) as Body
}

/**
 * For responses that are not JSON.
 * @throws {Fault}
 */
async function send(path: string, options: Options = {}): Promise<Response> {
  const { body, idempotencyKey, confirmation, waitSeconds, signal, method = body ? 'POST' : 'GET' } = options
  const { keepalive = false, isTest = isTestMode() } = options
  const isWrite = method !== 'GET'
  const unanswered = { code: 'UNREACHABLE', status: 0, retryAfterSeconds: 0, requestId: '', isWrite }
  const response = await fetch(urlOf(path, options.query), {
    method,
    credentials: 'same-origin',
    keepalive,
    headers: {
      accept: 'application/json',
      ...(isTest && { 'x-mode': 'test' }),
      ...(confirmation && { 'x-confirmation': confirmation }),
      ...(body && { 'content-type': 'application/json' }),
      ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
      ...(waitSeconds && { prefer: `wait=${waitSeconds}` }),
    },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.any([AbortSignal.timeout(answerTimeoutMs), ...(signal ? [signal] : [])]),
  }).catch((error: unknown) => {
    if (signal?.aborted) throw error
    throw new Fault({ ...unanswered, message: String(error) })
  })
  if (response.ok) return response
  if (response.status === 401 && !path.startsWith('dashboard/sign-in')) window.dispatchEvent(new Event(signedOutEvent))
  const answer = (await response.json().catch(() => null)) as { code?: unknown; message?: unknown } | null
  await loadRefusalTexts()
  throw new Fault({
    // A proxy's error page is an outage, whatever its status.
    code: String(answer?.code ?? 'UNREACHABLE'),
    message: String(answer?.message ?? ''),
    status: answer ? response.status : 0,
    retryAfterSeconds: Number(response.headers.get('retry-after')) || 0,
    requestId: response.headers.get('x-request-id') ?? '',
    isWrite,
  })
}

export function urlOf(path: string, query: Query = {}): string {
  const text = queryText(query)
  return `/api/v1/${path}${text && `?${text}`}`
}

export function queryText(query: Query): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value === null || value === undefined || value === '' ? [] : [[name, String(value)]],
  )
  return new URLSearchParams(pairs).toString()
}
