import type { PaymentId } from '../../payment/payment.ts'

/**
 * The `webhook-id` of an event: the same for every try and every receiver, so that a receiver can drop what it has seen.
 * Made of payment and sequence, it is unique without chance and readable in a log.
 */
export const messageId = (paymentId: PaymentId | null, sequence: number, eventNumber: number): string =>
  paymentId === null ? `msg_test_${eventNumber}` : `msg_${paymentId}_${sequence}`
