import type { Caller } from '../../access/context/caller.ts'
import { batched } from '../../core/batched.ts'
import { PaymentError } from '../../core/errors.ts'
import type { Db } from '../../db/db.ts'
import type { Payment, PaymentId } from '../../payment/payment.ts'
import { loadPayments } from '../../payment/store/payment-store.ts'
import { transfersIn } from '../../payment/store/transfer-store.ts'
import { isOfCaller } from '../access.ts'

export const paymentNotFound = (id: string, status: 404 | 500 = 404) =>
  new PaymentError('PAYMENT_NOT_FOUND', `There is no payment ${id}.`, { status })

export type ReadPayment = ReturnType<typeof createPaymentReader>

export function createPaymentReader(db: Db) {
  const load = batched((ids: readonly PaymentId[]) => db.read((tx) => loadPayments(tx, ids)))

  /** Finds a payment of the caller's merchant. */
  async function find(caller: Caller, id: PaymentId): Promise<Payment | undefined> {
    const payment = await load(id)
    return isOfCaller(caller, payment) ? payment : undefined
  }

  return {
    find,
    /**
     * Reads a payment of the caller's merchant.
     * @param notFound - 404, or 500 on the two routes where the contract keeps it. Dashboard sessions always get 404.
     * @throws {PaymentError} PAYMENT_NOT_FOUND, also for another merchant's payment, whose existence must not be
     * revealed.
     */
    async own(caller: Caller, id: PaymentId, notFound: 404 | 500): Promise<Payment> {
      const payment = await find(caller, id)
      if (!payment) throw paymentNotFound(id, caller.session ? 404 : notFound)
      return payment
    },
    /** The payer of the newest transfer, as recorded in its event. */
    async payerOf({ id, network, lastTxId, isTest }: Payment): Promise<string | undefined> {
      if (lastTxId === null || isTest) return undefined
      const transfers = await db.read((tx) => transfersIn(tx, network, lastTxId))
      return transfers.find(({ paymentId }) => paymentId === id)?.payer
    },
    byIdOrUndefined: (id: PaymentId): Promise<Payment | undefined> => load(id),
    /** Reads any payment by its id, without a credential. */
    async byId(id: PaymentId, notFound: 404 | 500 = 404): Promise<Payment> {
      const payment = await load(id)
      if (!payment) throw paymentNotFound(id, notFound)
      return payment
    },
  }
}
