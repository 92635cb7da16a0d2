import { clientSecretRequired } from '../access/callers/client-secret.ts'
import type { Runtime } from '../core/runtime.ts'
import type { Db } from '../db/db.ts'
import type { Ledger } from '../payment/ledger.ts'
import { type Ending, isUntouched, outcomeOf, type PaymentId, type Status } from '../payment/payment.ts'
import { loadPayment } from '../payment/store/payment-store.ts'
import { isOfRequester, mayFail, type Requester } from './access.ts'
import { paymentNotFound } from './read/payment-reader.ts'

/** `skipped`: the payment was not changed, and `message` gives the reason. */
type Failed = { message: string; status: Status; skipped: boolean }

export type FailPayment = ReturnType<typeof createPaymentFailure>

type Deps = { db: Db; ledger: Ledger; runtime: Runtime }

export function createPaymentFailure({ db, ledger, runtime }: Deps) {
  /**
   * Ends a payment that the requester may end and that has no detected money; with API key and secret, also an
   * underpaid payment. Checkout pages call this on every close, so a payment that may not be ended is skipped without
   * an error.
   * @throws {PaymentError} 404 when the requester has no such payment, 403 for a wrong client secret without a key.
   */
  return async function failPayment(
    requester: Requester,
    id: PaymentId,
    { as, reason }: { as: Ending; reason: string | undefined },
  ): Promise<Failed> {
    if (requester.caller === null && !requester.hasClientSecret) throw clientSecretRequired()
    return await db.write(async (tx) => {
      const payment = await loadPayment(tx, id)
      if (!isOfRequester(requester, payment)) throw paymentNotFound(id)
      if (outcomeOf(payment) === 'pending' && !mayFail(requester, payment)) {
        return { message: isUntouched(payment) ? notYours : tooLate, status: payment.status, skipped: true }
      }
      // Only the merchant's server may end an underpaid payment. A closed checkout page must not end it.
      const isShort = requester.caller?.kind === 'api'
      const closing = { type: 'payment.closed', as, isShort, ...(reason && { reason }), atMs: runtime.nowMs() } as const
      const after = (await ledger.applyIn(tx, id, closing)) ?? payment
      const isDone = after.closedAs === as && payment.closedAs === null
      return { message: isDone ? `The payment was marked as ${as}.` : tooLate, status: after.status, skipped: !isDone }
    })
  }
}

const tooLate = 'Nothing was changed: the payment is final, or money for it is already on its way.'
const notYours =
  "Nothing was changed: the merchant's server created the payment. End it with its clientSecret, or with API key and secret."
