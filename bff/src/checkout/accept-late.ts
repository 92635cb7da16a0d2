import { PaymentError } from '../core/errors.ts'
import type { Log } from '../core/log.ts'
import { type BaseUnits, formatAmount } from '../core/money.ts'
import type { Runtime } from '../core/runtime.ts'
import type { Db } from '../db/db.ts'
import type { Ledger } from '../payment/ledger.ts'
import type { Payment, PaymentId } from '../payment/payment.ts'
import { availableOf } from '../payment/payment-sums.ts'
import { type LateRefusal, lateRefusalOf } from '../payment/refund.ts'
import { loadPayment } from '../payment/store/payment-store.ts'
import { type CallerAccount, isOfCaller } from './access.ts'
import { paymentNotFound } from './read/payment-reader.ts'

type Deps = { db: Db; ledger: Ledger; runtime: Runtime; log: Log }

type LateAccepted = { payment: Payment; isNew: boolean }

export type AcceptLate = ReturnType<typeof createLateAcceptance>

export function createLateAcceptance({ db, ledger, runtime, log }: Deps) {
  /**
   * Accepts the full late amount for the merchant: the payment becomes paid and is swept like any other. Excess is
   * still owed to the payer. A repeat changes nothing.
   * @returns the updated payment, and whether this call changed it.
   * @throws {PaymentError} 404, or 409 with the reason.
   */
  return async function acceptLate(caller: CallerAccount, id: PaymentId): Promise<LateAccepted> {
    const atMs = runtime.nowMs()
    const { payment, isNew } = await db.write(async (tx) => {
      const known = await loadPayment(tx, id)
      if (!isOfCaller(caller, known)) throw paymentNotFound(id)
      const refusal = lateRefusalOf(known)
      if (refusal === 'paid' && known.lateTaken) return { payment: known, isNew: false }
      if (refusal !== undefined) throw notTaken(refusal, known)
      const next = await ledger.applyIn(tx, id, { type: 'late.accepted', atMs })
      return { payment: next ?? known, isNew: next !== known }
    })
    if (isNew) log.info({ paymentId: id, merchantId: caller.merchantId }, 'The merchant accepted late money')
    return { payment, isNew }
  }
}

function notTaken(refusal: LateRefusal, payment: Payment): PaymentError {
  const amount = (base: BaseUnits) => formatAmount(base, payment.tokenDecimals)
  switch (refusal) {
    case 'paid':
      return new PaymentError('ALREADY_PAID', 'The payment is already paid.')
    case 'open':
      return new PaymentError('PAYMENT_OPEN', 'The payment is still open; money that arrives counts automatically.')
    case 'refunding': {
      const message = 'A refund of this payment is in progress. Try again when it is final.'
      return new PaymentError('REFUND_UNDER_WAY', message)
    }
    case 'short': {
      const missing = `Only ${amount(availableOf(payment))} of at least ${amount(payment.least)}`
      return new PaymentError('LATE_AMOUNT_SHORT', `${missing} has arrived and is confirmed.`)
    }
  }
}
