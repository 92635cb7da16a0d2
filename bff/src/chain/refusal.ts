import type { TransactionCode } from '../core/error-codes.ts'
import { PaymentError } from '../core/errors.ts'
import { formatAmount } from '../core/money.ts'
import type { Payment } from '../payment/payment.ts'

/** Existing clients compare these texts, and poll again after them. */
const notFound = 'payment not found on-chain'
const notConfirmed = 'payment not yet confirmed'

/** Why a transaction does not pay a payment. `isOpen`: retrying later may help. */
export class TransactionRefused extends PaymentError {
  readonly isOpen: boolean

  constructor(code: TransactionCode, message: string, { isOpen = false } = {}) {
    super(code, message)
    this.isOpen = isOpen
  }
}

export const stillUnconfirmed = (why: string) =>
  new TransactionRefused('NOT_CONFIRMED', `${notConfirmed}: ${why}`, { isOpen: true })

export const notCanonical = (why: string) =>
  new TransactionRefused('NOT_CANONICAL', `${notConfirmed}: ${why}`, { isOpen: true })

export const unknownTransaction = (why: string) =>
  new TransactionRefused('TRANSACTION_NOT_FOUND', `${notFound}: ${why}`, { isOpen: true })

/** Why a payment is unpaid although its transaction is confirmed and attested. */
export function stillUnpaid({ late, received, due, currency, tokenDecimals }: Payment): TransactionRefused {
  if (late > 0n)
    return new TransactionRefused('PAID_LATE', 'the payment had ended before it was paid; ask the merchant')
  const format = (amount: Payment['due']) => formatAmount(amount, tokenDecimals)
  return new TransactionRefused('UNDERPAID', `${format(received)} of ${format(due)} ${currency} arrived`)
}
