import type { Unchecked } from '../../../bff/src/api-types.ts'
import { withDeadline } from '../deadline.ts'

/** Why a request brought nothing: the service refused it, or could not be reached. */
export type Fault = {
  code: string
  message: string
  /** HTTP status, 0 when no answer came. */
  status: number
  /** The wait that the service wishes, 0 when it has none. */
  retryAfterMs: number
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
  /** Of the same request, which has left before. */
  received?: Promise<Received> | undefined
}

/** A response that was read to its end. */
export type Received = { response: Response; text: string }

/** Past this a mobile connection is better served by a new attempt. The service answers in milliseconds. */
export const answerTimeoutMs = 15_000

/**
 * The one way to the service. Never rejects. A read without `publicKey` has no header of our own, so that the browser sends no
 * preflight.
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
    // Only as seconds; the browser hides the header unless the service exposes it.
    retryAfterMs = Number(response.headers.get('Retry-After')) * 1000 || 0
    const answer = JSON.parse(text)
    if (status < 300) return { body: (answer ?? {}) as Unchecked<Body> }
    return { fault: { ...reasonIn(answer), status, retryAfterMs } }
  } catch (error) {
    // A proxy's page instead of an answer is an outage, whatever its status says.
    const isAnswer = status >= 400
    return { fault: { code: 'UNREACHABLE', message: String(error), status: isAnswer ? status : 0, retryAfterMs } }
  }
}

/** Makes a payment, or finds the one that its key has made before. */
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

/** The code and the sentence of an error body, as far as there are any. */
export function reasonIn(
  body: { code?: unknown; message?: unknown; error?: unknown } | null,
): Pick<Fault, 'code' | 'message'> {
  const { code, message, error } = body ?? {}
  return { code: String(code ?? 'BAD_ANSWER'), message: String(message ?? error ?? 'That is no payment.') }
}

/** Whether the same request may succeed later. What was no answer of the service came from something in between. */
export function isRetryable({ status }: Fault): boolean {
  return status < 400 || status === 408 || status === 429 || status > 499
}
