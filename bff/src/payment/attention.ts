import { isDirect, outcomeOf, type Payment } from './payment.ts'
import { refundableOf } from './payment-sums.ts'
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
 * - `excess_owed`: the merchant's wallet received money that is owed to the customer, and no refund is requested.
 */
export const attentions = [
  'payout_failed',
  'refund_failed',
  'late_held',
  'refund_address',
  'return_failed',
  'unmatched',
  'merchant_refund',
  'excess_owed',
] as const
export type Attention = (typeof attentions)[number]

/** The most urgent action; null: none. */
export function attentionOf(payment: Payment): Attention | null {
  return heldAttention(payment) ?? directAttention(payment)
}

/** The action required by money in the merchant's wallet. A reorg can take the customer's money away; then nothing is to be paid back. */
function directAttention(payment: Payment): Attention | null {
  if (outcomeOf(payment) === 'pending') return null
  if (payment.refundDueByMerchant > 0n) return 'merchant_refund'
  return isDirect(payment) && refundableOf(payment) > 0n ? 'excess_owed' : null
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
