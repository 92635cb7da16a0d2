import { formatAmount } from '../core/money.ts'
import type { Payment } from '../payment/payment.ts'

export type RefusalCode =
  | 'WRONG_NETWORK'
  | 'TRANSACTION_NOT_FOUND'
  | 'TRANSACTION_REVERTED'
  | 'OTHER_CONTRACT'
  | 'ALREADY_USED'
  | 'OTHER_TOKEN'
  | 'OTHER_TERMS'
  | 'OTHER_SENDER'
  | 'NOT_CANONICAL'
  | 'OLDER_THAN_PAYMENT'
  | 'NOT_CONFIRMED'
  | 'UNDERPAID'
  | 'PAID_LATE'

/** Existing clients compare these texts, and poll again after them. */
const notFound = 'payment not found on-chain'
const notConfirmed = 'payment not yet confirmed'

/** Why a transaction does not pay a payment. `isOpen`: asking again later may help. */
export class Refusal extends Error {
  readonly code: RefusalCode
  readonly isOpen: boolean

  constructor(code: RefusalCode, message: string, { isOpen = false } = {}) {
    super(message)
    this.code = code
    this.isOpen = isOpen
  }
}

export const stillUnconfirmed = (why: string) =>
  new Refusal('NOT_CONFIRMED', `${notConfirmed}: ${why}`, { isOpen: true })

export const notCanonical = (why: string) => new Refusal('NOT_CANONICAL', `${notConfirmed}: ${why}`, { isOpen: true })

export const unknownTransaction = (why: string) =>
  new Refusal('TRANSACTION_NOT_FOUND', `${notFound}: ${why}`, { isOpen: true })

/** Why a payment is not paid although its transaction is confirmed and attested. */
export function stillUnpaid({ late, received, due, currency, tokenDecimals }: Payment): Refusal {
  if (late > 0n) return new Refusal('PAID_LATE', 'the payment had ended before it was paid; ask the merchant')
  const format = (amount: Payment['due']) => formatAmount(amount, tokenDecimals)
  return new Refusal('UNDERPAID', `${format(received)} of ${format(due)} ${currency} arrived`)
}
