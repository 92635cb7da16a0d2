import type { MerchantPayment, Unchecked } from '@stablecoin-checkout/bff/api-types'
import { Webhook, WebhookVerificationError } from 'standardwebhooks'

/** The fields of a webhook that this shop uses. */
export type WebhookEvent = {
  id: string
  type: string
  paymentId: string
  /** Increases with each event of a payment: the larger is the newer. */
  sequence: number
  orderId: string | null
  amount: string
  currency: string
  outcome: string
  isTest: boolean
}

export type Verified = { verified: true; event: WebhookEvent } | { verified: false; reason: string }

/**
 * Verifies the signature on the raw body, then parses it.
 * @param rawBody - The exact bytes received; parsing and serializing would change them.
 */
export function verifyWebhook(secret: string, headers: Record<string, string>, rawBody: string): Verified {
  let body: unknown
  try {
    body = new Webhook(secret).verify(rawBody, headers)
  } catch (error) {
    if (error instanceof WebhookVerificationError) return { verified: false, reason: error.message }
    return { verified: false, reason: 'The body is not JSON' }
  }
  const event = readEvent(headers['webhook-id'] ?? '', body)
  return event === null
    ? { verified: false, reason: 'The body is signed, but not a payment event' }
    : { verified: true, event }
}

function readEvent(id: string, body: unknown): WebhookEvent | null {
  const { type, data } = asRecord(body)
  const payment = readPayment(data)
  const { id: paymentId, sequence }: Unchecked<MerchantPayment> = asRecord(data)
  if (payment === null || typeof type !== 'string' || typeof paymentId !== 'string') return null
  if (typeof sequence !== 'number' || !Number.isSafeInteger(sequence)) return null
  return { id, type, paymentId, sequence, ...payment }
}

/** The fields of a payment that a shop decides by. */
export function readPayment(data: unknown) {
  const { orderId, amount, currency, outcome, isTest }: Unchecked<MerchantPayment> = asRecord(data)
  if (typeof amount !== 'string' || typeof currency !== 'string') return null
  return {
    orderId: typeof orderId === 'string' ? orderId : null,
    amount,
    currency,
    outcome: typeof outcome === 'string' ? outcome : '',
    // In doubt the payment counts as a test: nothing is shipped for it.
    isTest: isTest !== false,
  }
}

const asRecord = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
