import type { PublicView } from '../../read/payment-view.ts'

/** `none`: nothing was paid, or the payment is still open; there is no receipt yet. */
export type ReceiptState = 'paid' | 'partlyRefunded' | 'refunded' | 'notPaid' | 'none'

type Paid = Pick<PublicView, 'id' | 'outcome' | 'amount' | 'amountReceived' | 'refund' | 'confirmedAt' | 'createdAt'>

/** What the payment's money came to. `notPaid`: it ended with less than was due, and that goes back. */
export function receiptStateOf({ outcome, amountReceived, refund }: Paid): ReceiptState {
  if (outcome === 'pending' || amountReceived === null) return 'none'
  const isBack = refund !== null && !/^[0.]*$/.test(refund.amountRefunded)
  if (isBack && refund.state === 'refunded') {
    return isLess(refund.amountRefunded, amountReceived) ? (outcome === 'paid' ? 'paid' : 'partlyRefunded') : 'refunded'
  }
  return outcome === 'paid' ? 'paid' : 'notPaid'
}

/** Decimal texts, compared digit by digit. */
function isLess(one: string, other: string): boolean {
  const [[a = '', b = ''], [c = '', d = '']] = [one.split('.'), other.split('.')]
  const decimals = Math.max(b.length, d.length)
  return BigInt(a + b.padEnd(decimals, '0')) < BigInt(c + d.padEnd(decimals, '0'))
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
