import { BadAnswerError, parseAnswer } from './answer.ts'
import type { Answer } from './payment.ts'
import type { Intent } from './terms.ts'

/** Past this a mobile connection is better served by a new try. The service answers in milliseconds. */
const answerTimeoutMs = 15_000

/** The service refused, or could not be asked. `isRetryable` tells whether the same request may succeed later. */
export class ServiceFault extends Error {
  readonly code: string
  readonly isRetryable: boolean
  /** HTTP status, 0 when no answer came. */
  readonly status: number
  /** The service's own wish, 0 when it has none. */
  readonly retryAfterMs: number

  constructor(code: string, message: string, status: number, retryAfterMs = 0) {
    super(message)
    this.code = code
    this.status = status
    this.retryAfterMs = retryAfterMs
    // 2xx is an answer that could not be read: something in between may have given it.
    this.isRetryable = status < 300 || status === 408 || status === 429 || status >= 500
  }
}

/**
 * Creates the payment, or gets the one that this key has made before.
 * @throws {ServiceFault}
 */
export function createPayment(
  intent: Extract<Intent, { type: 'create' }>,
  idempotencyKey: string,
  signal: AbortSignal,
): Promise<Answer> {
  return ask(`${intent.apiBase}/api/v1/deposits/create?include=qr`, signal, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'X-Public-Key': intent.publicKey,
      'Idempotency-Key': idempotencyKey,
    },
    body: JSON.stringify(intent.terms),
  })
}

/**
 * Reads a payment. No header of our own, so that the browser sends no preflight.
 * @param isFresh - Past the browser's cache: a revalidated answer carries the `serverTime` of when it was stored.
 * @throws {ServiceFault}
 */
export function readPayment(
  apiBase: string,
  paymentId: string,
  isFresh: boolean,
  signal: AbortSignal,
): Promise<Answer> {
  const url = `${apiBase}/api/v1/payments/public/${encodeURIComponent(paymentId)}?include=qr`
  return ask(url, signal, { cache: isFresh ? 'reload' : 'no-cache' })
}

async function ask(url: string, signal: AbortSignal, init: RequestInit): Promise<Answer> {
  const request = new AbortController()
  const abort = () => request.abort()
  const timer = setTimeout(abort, answerTimeoutMs)
  signal.addEventListener('abort', abort)
  try {
    const response = await fetch(url, { ...init, credentials: 'omit', signal: request.signal })
    const body: unknown = await response.json().catch(() => null)
    if (!response.ok) throw refusal(response, body)
    return parseAnswer(body)
  } catch (error) {
    if (error instanceof ServiceFault) throw error
    if (error instanceof BadAnswerError) throw new ServiceFault('BAD_ANSWER', error.message, 200)
    throw new ServiceFault('UNREACHABLE', error instanceof Error ? error.message : String(error), 0)
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', abort)
  }
}

function refusal(response: Response, body: unknown): ServiceFault {
  const { code, message, error } = (body ?? {}) as Record<string, unknown>
  const words = [message, error].find((text) => typeof text === 'string' && text !== '')
  return new ServiceFault(
    typeof code === 'string' ? code : `HTTP_${response.status}`,
    typeof words === 'string' ? words : `HTTP ${response.status}`,
    response.status,
    retryAfterMs(response.headers.get('Retry-After')),
  )
}

/** `Retry-After` is in seconds or a date; the browser hides it unless the service exposes it. */
function retryAfterMs(header: string | null): number {
  const seconds = Number(header)
  return Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : 0
}
