import { lateWindowMs } from '../payment/payment.ts'

/**
 * How long after its window a payment is watched: past the last block in which late money may still pay it, and one hour
 * more because the clocks of the chains differ.
 */
export const watchAfterWindowMs = lateWindowMs + 60 * 60 * 1000
