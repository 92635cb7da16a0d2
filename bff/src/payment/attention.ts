import { outcomeOf, type Payment } from './payment.ts'
import { refundStateOf } from './refund.ts'
import { returnAddressOf } from './unmatched.ts'

/**
 * Action that a payment requires of a person, most urgent first.
 *
 * - `payout_failed`: the payout to the merchant keeps failing.
 * - `refund_failed`: the refund keeps failing.
 * - `late_held`: the full amount arrived late; the merchant accepts or returns it.
 * - `refund_address`: a refund is due and has no address.
 * - `return_failed`: the return of an unmatched transfer keeps failing.
 * - `unmatched`: an unmatched transfer waits for an address.
 * - `merchant_refund`: the merchant's wallet has a refund to pay, or waits for the customer's address.
 */
export const attentions = [
  'payout_failed',
  'refund_failed',
  'late_held',
  'refund_address',
  'return_failed',
  'unmatched',
  'merchant_refund',
] as const
export type Attention = (typeof attentions)[number]

/** The most urgent action; null: none. */
export function attentionOf(payment: Payment): Attention | null {
  // A reorg can take the customer's money away; then nothing is to be paid back.
  const isRefundDue = payment.refundDueByMerchant > 0n && outcomeOf(payment) !== 'pending'
  return heldAttention(payment) ?? (isRefundDue ? 'merchant_refund' : null)
}

/** The action required by money that the service holds. */
function heldAttention(payment: Payment): Attention | null {
  if (payment.mode !== 'deposit' || payment.isDirect) return null
  if (payment.status === 'sweep_failed') return 'payout_failed'
  const refund = refundStateOf(payment)
  if (refund === 'failed') return 'refund_failed'
  if (refund === 'held') return 'late_held'
  if (refund === 'address_needed') return 'refund_address'
  const there = payment.unmatched.filter(({ balance }) => balance > 0n)
  if (there.some((one) => one.refund === 'failed')) return 'return_failed'
  return there.some((one) => returnAddressOf(payment, one) === null) ? 'unmatched' : null
}
