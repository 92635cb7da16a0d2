import type { PublicAnswer } from '../../../bff/src/api-types.ts'
import type { Answer } from '../payment.ts'
import { keepClientSecret } from '../session.ts'
import type { CreateIntent } from '../terms.ts'
import { createPath, type Fault, type Received, type Reply, reasonIn, request } from './client.ts'
import { parseAnswer } from './parse-answer.ts'

/** @param sent - Signal and key of the request, and its response if it was already sent. */
export async function createPayment(
  { apiBase, publicKey, terms }: CreateIntent,
  sent: { signal: AbortSignal; idempotencyKey: string; received: Promise<Received> | undefined },
): Promise<Answer | Fault> {
  return answerOf(await request<PublicAnswer>(apiBase, createPath, { ...sent, publicKey, body: terms }))
}

/** @param isFresh - Bypasses the browser's cache: a revalidated response carries an old `serverTime`. */
export async function readPayment(
  apiBase: string,
  id: string,
  isFresh: boolean,
  signal?: AbortSignal,
): Promise<Answer | Fault> {
  const path = `payments/public/${encodeURIComponent(id)}?include=qr`
  return answerOf(await request<PublicAnswer>(apiBase, path, { signal, cache: isFresh ? 'reload' : 'no-cache' }))
}

/**
 * The service's response embedded in the page: `<script type="application/json">` in the tag, written by the merchant's
 * server. Null when absent or for another payment.
 */
export function answerInPage(tag: Element, paymentId: string): Answer | null {
  try {
    const text = tag.querySelector('script[type="application/json"]')?.textContent ?? ''
    const answer = answerOf({ body: JSON.parse(text) })
    return 'payment' in answer && answer.payment.id === paymentId.toLowerCase() ? answer : null
  } catch {
    return null
  }
}

export function answerOf(reply: Reply<PublicAnswer>): Answer | Fault {
  if ('fault' in reply) return reply.fault
  // Only the create response contains it. Stored separately, because the payment is compared with later reads and
  // exposed to the page.
  const { clientSecret, ...payment } = (reply.body.payment ?? {}) as Record<string, unknown>
  const answer = parseAnswer({ ...reply.body, payment })
  if (answer) keepClientSecret(answer.payment.id, clientSecret)
  return answer ?? { ...reasonIn(null), status: 0, retryAfterMs: 0 }
}
