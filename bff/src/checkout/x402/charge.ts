import { createHash } from 'node:crypto'
import stringify from 'safe-stable-stringify'
import type { Caller } from '../../access/context/caller.ts'
import type { RequestInfo } from '../../access/context/env.ts'
import { parseAmount } from '../../core/money.ts'
import type { Runtime } from '../../core/runtime.ts'
import type { Db, Tx } from '../../db/db.ts'
import type { Ledger } from '../../payment/ledger.ts'
import type { Payment, PaymentId } from '../../payment/payment.ts'
import { loadPayment, paymentIdAt } from '../../payment/store/payment-store.ts'
import { isOfCaller } from '../access.ts'
import type { createDeposits } from '../deposit/create-deposit.ts'
import type { NewPayment } from '../payment-maker.ts'
import { askedPriceOf } from '../price.ts'
import type { ReadPayment } from '../read/payment-reader.ts'
import { findRoom } from './charge-room.ts'
import { findCharge, insertCharge } from './charge-store.ts'
import type { Claims } from './claim.ts'
import { usePayment } from './use-payment.ts'
import type { Proof } from './x402-wire.ts'

/** Rolls back the payment being created: an existing payment is offered instead. */
class OfferedAgain extends Error {
  readonly id: PaymentId

  constructor(id: PaymentId) {
    super('Another payment is offered again')
    this.id = id
  }
}

/** The payment that a merchant's server requires for one request. */
export type Charge = NewPayment & { resource: string }

/** The reason why a proof does not pay a request of this kind. */
export type ChargeFault = 'invalid_payment_requirements' | 'duplicate_settlement'

type Deps = {
  db: Db
  ledger: Ledger
  read: ReadPayment
  runtime: Runtime
  claims: Claims
  createDeposit: ReturnType<typeof createDeposits>
}

export type Charges = ReturnType<typeof createCharges>

/** Charges: each pays for one request to a merchant's server. */
export function createCharges({ db, ledger, read, runtime, claims, createDeposit }: Deps) {
  async function endEarly(tx: Tx, id: PaymentId): Promise<boolean> {
    const ended = await ledger.applyIn(tx, id, { type: 'payment.closed', as: 'expired', atMs: runtime.nowMs() })
    return ended?.status === 'expired'
  }

  return {
    /**
     * Returns the payment for one request: a new one, or an open one that is offered again once a limit is reached. The
     * limits are checked before a payment is drafted, and again in the commit that stores it.
     * @param client - A digest of the client of the merchant's server; null: the server names none.
     * @throws {PaymentError} when too many payments are open.
     */
    async create(
      caller: Caller,
      request: RequestInfo,
      { resource, ...body }: Charge,
      client: string | null,
    ): Promise<Payment> {
      const { merchantId, isTest } = caller
      const atMs = runtime.nowMs()
      const terms = { merchantId, client, resource, priceDigest: digestOf({ merchantId, isTest, ...body }), atMs }
      const again = await db.write((tx) => findRoom(tx, terms, endEarly))
      if (again !== undefined) return await read.byId(again)
      const within = async (tx: Tx, { id }: Payment) => {
        const now = await findRoom(tx, terms, endEarly)
        if (now !== undefined) throw new OfferedAgain(now)
        await insertCharge(tx, { ...terms, id })
      }
      try {
        const { id } = await createDeposit(caller, request, body, undefined, 'deposits/create', within)
        return await read.byId(id)
      } catch (error) {
        if (error instanceof OfferedAgain) return await read.byId(error.id)
        throw error
      }
    },

    /**
     * Finds the proof's payment, if its client was asked to pay this request by it and the payment is unused, with a
     * digest of the client's claim for this resource.
     */
    async find(
      caller: Caller,
      charge: Charge,
      { accepted }: Proof,
    ): Promise<{ payment: Payment; presenter: string } | ChargeFault> {
      const found = await db.read(async (tx) => {
        const id = await paymentIdAt(tx, accepted.payTo)
        const payment = id && (await loadPayment(tx, id))
        return payment && { payment, made: await findCharge(tx, payment.id) }
      })
      if (!found?.made || !isOfCaller(caller, found.payment)) return 'invalid_payment_requirements'
      const { payment, made } = found
      const isSame =
        payment.currency === charge.currency.toUpperCase() &&
        payment.network === charge.network.toLowerCase() &&
        isSameMoney(payment, charge)
      if (!isSame) return 'invalid_payment_requirements'
      if (made.isUsed) return 'duplicate_settlement'
      const presenter = claims.digestOf({ id: payment.id, resource: charge.resource }, accepted.extra?.['claim'])
      return presenter === undefined ? 'invalid_payment_requirements' : { payment, presenter }
    },

    claimOn: claims.of,

    /** @returns whether the payment pays this request. Each payment pays for one request. */
    use: (id: PaymentId, resource: string): Promise<boolean> =>
      db.write((tx) => usePayment(tx, { id, resource, atMs: runtime.nowMs() })),
  }
}

const digestOf = (terms: object): string => createHash('sha256').update(stringify(terms)).digest('base64url')

/** Prices are compared as prices, not as token amounts: the payment keeps the rate of its creation. */
function isSameMoney({ due, tokenDecimals, price }: Payment, charge: Charge): boolean {
  const asked = askedPriceOf(charge)
  if (asked === null) return price === null && due === parseAmount(charge.amount ?? '', tokenDecimals)
  return price?.amount === asked.amount && price.currency === asked.currency
}
