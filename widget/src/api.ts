import { parseAnswer } from './answer.ts'
import { withDeadline } from './deadline.ts'
import type { Answer } from './payment.ts'
import { keepClientSecret } from './session.ts'
import type { CreateIntent } from './terms.ts'

/** Past this a mobile connection is better served by a new try. The service answers in milliseconds. */
const answerTimeoutMs = 15_000

/** Why a request brought no payment: the service refused, or could not be asked. */
export type Fault = {
  code: string
  message: string
  /** HTTP status, 0 when no answer came or what came was no payment. */
  status: number
  /** The wait that the service wishes, 0 when it has none. */
  retryAfterMs: number
}

/** Creates the payment, or gets the one that this key has made before. Never rejects. */
export function createPayment(intent: CreateIntent, key: string, signal: AbortSignal): Promise<Answer | Fault> {
  return ask(`${intent.apiBase}/api/v1/deposits/create?include=qr`, signal, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Public-Key': intent.publicKey, 'Idempotency-Key': key },
    body: JSON.stringify(intent.terms),
  })
}

/**
 * Reads a payment. No header of our own, so that the browser sends no preflight. Never rejects.
 * @param isFresh - Past the browser's cache: a revalidated answer carries the `serverTime` of when it was stored.
 */
export function readPayment(base: string, id: string, isFresh: boolean, signal: AbortSignal): Promise<Answer | Fault> {
  const url = `${base}/api/v1/payments/public/${encodeURIComponent(id)}?include=qr`
  return ask(url, signal, { cache: isFresh ? 'reload' : 'no-cache' })
}

/** Asks the service for a payment. Never rejects. */
export async function ask(url: string, signal: AbortSignal, init: RequestInit): Promise<Answer | Fault> {
  let status = 0
  let retryAfterMs = 0
  try {
    const body = await withDeadline(
      answerTimeoutMs,
      async (either) => {
        const response = await fetch(url, { ...init, credentials: 'omit', signal: either })
        if (!response.ok) {
          status = response.status
          // Only as seconds; the browser hides the header unless the service exposes it.
          retryAfterMs = Number(response.headers.get('Retry-After')) * 1000 || 0
        }
        return response.json()
      },
      signal,
    )
    // In the answer of a create alone. It is kept apart: the payment is compared with what is read later, and shown to the page.
    const { clientSecret, ...payment } = body?.payment ?? {}
    const answer = status ? null : parseAnswer({ ...body, payment })
    if (answer) keepClientSecret(answer.payment.id, clientSecret)
    return answer ?? { code: 'BAD_ANSWER', message: 'That is no payment.', ...wordsOf(body), status, retryAfterMs }
  } catch (error) {
    return { code: 'UNREACHABLE', message: String(error), status, retryAfterMs }
  }
}

/** The code and the sentence of an error body, as far as there are any. */
function wordsOf(body: { code?: unknown; message?: unknown; error?: unknown } | null): Partial<Fault> {
  const message = body?.message ?? body?.error
  return { ...(body?.code ? { code: String(body.code) } : {}), ...(message ? { message: String(message) } : {}) }
}
