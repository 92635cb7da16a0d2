import type { PublicView } from '../../read/payment-view.ts'

/** `none`: nothing was paid, or the payment is still open; there is no receipt yet. */
export type ReceiptState = 'paid' | 'partlyRefunded' | 'refunded' | 'notPaid' | 'none'

type Paid = Pick<PublicView, 'id' | 'outcome' | 'amount' | 'amountReceived' | 'refund' | 'confirmedAt' | 'createdAt'>

/** A refund that the merchant's wallet pays, in the public form. */
export type PaidRefund = { paid: string }

/**
 * What the payment's money came to. `notPaid`: it ended with less than was due, and that goes back.
 * @param refunds - Those that the merchant's wallet pays; `refund` is what the service itself returns.
 */
export function receiptStateOf(
  { outcome, amountReceived, refund }: Paid,
  refunds: readonly PaidRefund[],
): ReceiptState {
  if (outcome === 'pending' || amountReceived === null) return 'none'
  const paidBack = refunds.map(({ paid }) => paid)
  if (!paidBack.every(isZero)) {
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

/** Of a decimal text. */
export const isZero = (amount: string): boolean => /^[0.]*$/.test(amount)

/** Decimal texts, compared exactly. */
function isSumLess(amounts: readonly string[], other: string): boolean {
  const fractionOf = (text: string) => text.split('.')[1] ?? ''
  const decimals = Math.max(...[...amounts, other].map((text) => fractionOf(text).length))
  const unitsOf = (text: string) => BigInt((text.split('.')[0] ?? '') + fractionOf(text).padEnd(decimals, '0'))
  return amounts.reduce((sum, amount) => sum + unitsOf(amount), 0n) < unitsOf(other)
}

/**
 * Such as `20261124-7F0F1F4E`: the day in UTC on which the payment was confirmed, and the beginning of its id. The same on every day and
 * in every language.
 */
export function receiptNumberOf({ id, confirmedAt, createdAt }: Paid): string {
  const day = (confirmedAt ?? createdAt ?? '').slice(0, 10).replaceAll('-', '')
  return `${day}-${id.slice(0, 8).toUpperCase()}`
}

export const receiptPath = (id: string): string => `/pay/${id}/receipt`
