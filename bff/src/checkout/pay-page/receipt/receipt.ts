import { add, type BaseUnits, excess } from '../../../core/money.ts'
import { isDirect, type Payment } from '../../../payment/payment.ts'
import { refundsOfDue } from '../../../payment/payment-sums.ts'
import type { PublicView } from '../../read/payment-view.ts'

/** `none`: nothing was paid, or the payment is still open; there is no receipt yet. */
export type ReceiptState = 'paid' | 'partlyRefunded' | 'refunded' | 'notPaid' | 'none'

type Paid = Pick<PublicView, 'id' | 'outcome' | 'amount' | 'amountReceived' | 'refund' | 'confirmedAt' | 'createdAt'>

/** A refund that the merchant's wallet pays, in the public form. */
export type PaidRefund = { paid: string }

/** What the merchant's wallet has paid back of the amount due; also what was of an excess that a reorg has taken since. */
export function paidBackOfDue(payment: Payment): BaseUnits {
  const { received, late, due, refundedByMerchant } = payment
  const { paid } = refundsOfDue(payment)
  if (!isDirect(payment)) return paid
  return add(paid, excess(excess(refundedByMerchant, paid), excess(add(received, late), due)))
}

/**
 * The state of the receipt. `notPaid`: the payment ended with less than the amount due, and the part goes back.
 * @param refunds - The refunds that the merchant's wallet pays; `refund` is the service's own refund.
 * @param ofDue - Their part that was of the amount due: as with `refund`, a payment whose excess went back is paid.
 */
export function receiptStateOf(
  { outcome, amountReceived, refund }: Paid,
  refunds: readonly PaidRefund[],
  ofDue: BaseUnits,
): ReceiptState {
  if (outcome === 'pending' || amountReceived === null) return 'none'
  const paidBack = refunds.map(({ paid }) => paid)
  if (outcome === 'paid' ? ofDue > 0n : !paidBack.every(isZero)) {
    if (refund?.state === 'refunded') paidBack.push(refund.amountRefunded)
    return isSumLess(paidBack, amountReceived) ? 'partlyRefunded' : 'refunded'
  }
  const isBack = refund !== null && !isZero(refund.amountRefunded)
  if (isBack && refund.state === 'refunded') {
    if (!isSumLess([refund.amountRefunded], amountReceived)) return 'refunded'
    return outcome === 'paid' ? 'paid' : 'partlyRefunded'
  }
  return outcome === 'paid' ? 'paid' : 'notPaid'
}

/** Whether a decimal text is zero. */
export const isZero = (amount: string): boolean => /^[0.]*$/.test(amount)

/** Whether the sum of decimal texts is less than another, compared exactly. */
function isSumLess(amounts: readonly string[], other: string): boolean {
  const fractionOf = (text: string) => text.split('.')[1] ?? ''
  const decimals = Math.max(...[...amounts, other].map((text) => fractionOf(text).length))
  const unitsOf = (text: string) => BigInt((text.split('.')[0] ?? '') + fractionOf(text).padEnd(decimals, '0'))
  return amounts.reduce((sum, amount) => sum + unitsOf(amount), 0n) < unitsOf(other)
}

/**
 * The receipt's number, such as `20261124-7F0F1F4E`: the UTC day of confirmation and the first eight characters of the payment's id. The
 * same on every day and in every language.
 */
export function receiptNumberOf({ id, confirmedAt, createdAt }: Paid): string {
  const day = (confirmedAt ?? createdAt ?? '').slice(0, 10).replaceAll('-', '')
  return `${day}-${id.slice(0, 8).toUpperCase()}`
}

export const receiptPath = (id: string): string => `/pay/${id}/receipt`
