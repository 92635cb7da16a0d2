import { ask, type Fault, readPayment } from '../api.ts'
import { withDeadline } from '../deadline.ts'
import type { Answer } from '../payment.ts'
import { clientSecretField } from '../session.ts'
import type { CreateIntent } from '../terms.ts'

/** What the customer sends, and where from; null is the way back to the payment's own network. */
export type Choice = { chainId: number; currency: string }

/** `kept`: money is coming to the older payment, which stays the one to follow. */
export type Switched = { type: 'switched'; answer: Answer } | { type: 'kept' } | { type: 'failed'; fault: Fault }

const never = new AbortController().signal

/**
 * Makes the same order payable another way; the service cancels the payment it replaces. The idempotency key comes from that
 * payment, so that a repeat finds what the first try has made.
 */
export async function switchWay(intent: CreateIntent, from: string, choice: Choice | null): Promise<Switched> {
  const { apiBase, publicKey, terms } = intent
  const path = choice ? 'payments/cross-chain/create' : 'deposits/create'
  const key = choice ? `${from}:elsewhere:${choice.chainId}:${choice.currency}` : `${from}:back`
  const origin = choice ? { originChainId: choice.chainId, originCurrency: choice.currency } : {}
  const headers = { 'Content-Type': 'application/json', 'X-Public-Key': publicKey }
  const created = await ask(`${apiBase}/api/v1/${path}?include=qr`, never, {
    method: 'POST',
    headers: { ...headers, 'Idempotency-Key': key },
    body: JSON.stringify({ ...terms, ...origin, existingPaymentId: from }),
  })
  if (!('payment' in created)) return { type: 'failed', fault: created }
  const older = await readPayment(apiBase, from, true, never)
  if (!('payment' in older)) return { type: 'failed', fault: older }
  if (older.payment.outcome === 'failed') return { type: 'switched', answer: created }
  // The service did not cancel it, because its money is seen or on its way: nobody must pay this one too.
  const { id } = created.payment
  const body = JSON.stringify({ paymentId: id, status: 'cancelled', ...clientSecretField(id) })
  const url = `${apiBase}/api/v1/payments/fail`
  const init: RequestInit = { method: 'POST', credentials: 'omit', headers, body }
  await withDeadline(15_000, (signal) => fetch(url, { ...init, signal })).catch(() => null)
  return { type: 'kept' }
}
