import type { PaymentId } from '../../payment/payment.ts'

/**
 * The `webhook-id` of an event: the same for every attempt and every receiver, so that a receiver can drop what it has seen.
 * It is made of the payment id and the sequence, so it is unique and can be read in a log.
 */
export const messageId = (paymentId: PaymentId | null, sequence: number, eventNumber: number): string =>
  paymentId === null ? `msg_test_${eventNumber}` : `msg_${paymentId}_${sequence}`
