import type { PublicAnswer } from '../../../bff/src/api-types.ts'
import { type Answer, seenOf } from '../payment.ts'
import { keepKey, load, secretEntryOf } from '../session.ts'
import type { CreateIntent } from '../terms.ts'
import { sleep, timing } from '../timing.ts'
import { type Fault, isRetryable, request } from './client.ts'
import { answerOf, readPayment } from './payments.ts'

/** The terms of a replacement payment: another mode, network or token for the same order. */
type Replacement = {
  path: 'payments/create' | 'deposits/create' | 'payments/cross-chain/create'
  /** What the payment is replaced for: a repeat in this tab returns the payment of the first attempt. */
  purpose: string
  /** Added to the terms of the intent. */
  more?: { originChainId: number; originCurrency: string }
}

/** `kept`: money was detected for the older payment, which stays on screen. */
export type Replaced = { type: 'replaced'; answer: Answer } | { type: 'kept' } | { type: 'failed'; fault: Fault }

/**
 * Replaces a payment with one for the same order under other terms. The service cancels the older payment unless it has
 * received money.
 */
export async function replacePayment(
  { apiBase, publicKey, terms }: CreateIntent,
  older: string,
  { path, purpose, more }: Replacement,
): Promise<Replaced> {
  const body = { ...terms, ...more, existingPaymentId: older }
  // Random, because a repeat of the key returns the client secret.
  const idempotencyKey = keepKey(`stablecoin-checkout:replacement:${older}:${purpose}`)
  const options = { publicKey, idempotencyKey, body }
  const created = await persist(async () =>
    answerOf(await request<PublicAnswer>(apiBase, `${path}?include=qr`, options)),
  )
  if (!('payment' in created)) return { type: 'failed', fault: created }
  const now = await readPaymentNow(apiBase, older)
  if (!('payment' in now)) return { type: 'failed', fault: now }
  if (now.payment.outcome === 'failed' && !seenOf(now.payment)) return { type: 'replaced', answer: created }
  // The new payment must not be paid as well.
  await cancelPayment(apiBase, publicKey, created.payment.id)
  return { type: 'kept' }
}

/** The current payment, bypassing the browser's cache. Retries during an outage. */
export function readPaymentNow(apiBase: string, id: string): Promise<Answer | Fault> {
  return persist(() => readPayment(apiBase, id, true))
}

/** Without this, the payment expires with its window. */
export async function cancelPayment(apiBase: string, publicKey: string, paymentId: string): Promise<void> {
  await request(apiBase, 'payments/fail', {
    publicKey,
    body: { paymentId, status: 'cancelled', ...clientSecretField(paymentId) },
  })
}

/** Consecutive attempts before the customer is asked to try again. */
const attemptsMax = 3

async function persist(attempt: () => Promise<Answer | Fault>): Promise<Answer | Fault> {
  for (let attempts = 1; ; attempts++) {
    const result = await attempt()
    if ('payment' in result || !isRetryable(result) || attempts === attemptsMax) return result
    await sleep(Math.max(timing.retryMs, result.retryAfterMs))
  }
}

/** Empty for a payment whose secret this tab does not have. */
export function clientSecretOf(paymentId: string): string {
  return load<{ clientSecret: string }>(secretEntryOf(paymentId))?.clientSecret ?? ''
}

/** Request body fields; empty without a secret. */
export function clientSecretField(paymentId: string): { clientSecret?: string } {
  const clientSecret = clientSecretOf(paymentId)
  return clientSecret ? { clientSecret } : {}
}
