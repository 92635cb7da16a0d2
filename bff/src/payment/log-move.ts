import type { Log } from '../core/log.ts'
import type { PaymentEvent } from './event.ts'
import type { Payment } from './payment.ts'

/** Writes one line for each move of a payment: an error where money waits for a person. */
export function logMove(log: Log, { id: paymentId, merchantId, network, status }: Payment, event: PaymentEvent): void {
  const fields = { paymentId, network, event: event.type, status }
  if (event.type === 'sweep.failed' && event.isGivenUp) {
    log.error({ ...fields, merchantId }, 'The payout to the merchant keeps failing: a person has to look at it')
  } else log.info(fields, 'payment moved')
}
