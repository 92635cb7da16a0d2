import type { Unchecked } from '../../../bff/src/api-types.ts'
import { withDeadline } from '../deadline.ts'

/** Why a request failed: the service refused it or could not be reached. */
export type Fault = {
  code: string
  message: string
  /** HTTP status; 0 without a response. */
  status: number
  /** Retry delay requested by the service; 0 when absent. */
  retryAfterMs: number
  /** For the service's log; absent without a response of the service. */
  requestId?: string
}

export type Reply<Body> = { body: Unchecked<Body> } | { fault: Fault }

type Sent = {
  cache?: RequestCache
  publicKey?: string
  idempotencyKey?: string
  /** Sent as JSON, by POST. */
  body?: object
}

type Options = Sent & {
  signal?: AbortSignal | undefined
  timeoutMs?: number
  /** An earlier response to the same request, already under way. */
  received?: Promise<Received> | undefined
}

/** A fully read response. */
export type Received = { response: Response; text: string }

/** Beyond this, a new attempt serves a mobile connection better. The service answers in milliseconds. */
export const answerTimeoutMs = 15_000

/**
 * The only function that calls the service. Never rejects. A read without `publicKey` sends no custom header, so the
 * browser sends no preflight.
 * @param path - Below `/api/v1/`.
 */
export async function request<Body>(apiBase: string, path: string, options: Options = {}): Promise<Reply<Body>> {
  const { signal, timeoutMs = answerTimeoutMs } = options
  let status = 0
  let retryAfterMs = 0
  const send = (until: AbortSignal) => receive(apiBase, path, { ...initFor(options), signal: until })
  try {
    const { response, text } = await (options.received ?? withDeadline(timeoutMs, send, signal))
    status = response.status
    // Only seconds are supported; the browser hides the header unless the service exposes it.
    retryAfterMs = Number(response.headers.get('Retry-After')) * 1000 || 0
    const answer = JSON.parse(text)
    if (status < 300) return { body: (answer ?? {}) as Unchecked<Body> }
    const requestId = response.headers.get('X-Request-Id') ?? ''
    return { fault: { ...reasonIn(answer), status, retryAfterMs, requestId } }
  } catch (error) {
    // A proxy's error page is an outage, whatever its status.
    const isAnswer = status >= 400
    return { fault: { code: 'UNREACHABLE', message: String(error), status: isAnswer ? status : 0, retryAfterMs } }
  }
}

/** Creates a payment, or returns the one created earlier with the same key. */
export const createPath = 'deposits/create?include=qr'

export async function receive(apiBase: string, path: string, init: RequestInit): Promise<Received> {
  const response = await fetch(`${apiBase}/api/v1/${path}`, init)
  return { response, text: await response.text() }
}

export function initFor({ cache, publicKey, idempotencyKey, body }: Sent): RequestInit {
  return {
    credentials: 'omit',
    ...(cache && { cache }),
    headers: {
      ...(body && { 'Content-Type': 'application/json' }),
      ...(publicKey && { 'X-Public-Key': publicKey }),
      ...(idempotencyKey && { 'Idempotency-Key': idempotencyKey }),
    },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  }
}

/** The error code and message of a body, if present. */
export function reasonIn(
  body: { code?: unknown; message?: unknown; error?: unknown } | null,
): Pick<Fault, 'code' | 'message'> {
  const { code, message, error } = body ?? {}
  return { code: String(code ?? 'BAD_ANSWER'), message: String(message ?? error ?? 'The response is not a payment.') }
}

/**
 * Whether the same request may succeed later. An error not sent by the service came from something in between. Some
 * routes report an unknown payment by 500.
 */
export function isRetryable({ code, status }: Fault): boolean {
  if (code === 'PAYMENT_NOT_FOUND') return false
  return status < 400 || status === 408 || status === 429 || status > 499
}
