import { createHash } from 'node:crypto'
import stringify from 'safe-stable-stringify'
import { PaymentError } from '../../core/errors.ts'
import { parseAmount } from '../../core/money.ts'
import type { Runtime } from '../../core/runtime.ts'
import type { Db } from '../../db/db.ts'
import type { RequestInfo } from '../../http/env.ts'
import type { Caller } from '../../merchant/caller.ts'
import type { Payment, PaymentId } from '../../payment/payment.ts'
import { loadPayment, paymentIdAt } from '../../payment/store/payment-store.ts'
import { isOfCaller } from '../access.ts'
import type { createDeposits } from '../deposit/create-deposit.ts'
import type { NewPayment } from '../payment-maker.ts'
import { askedPriceOf } from '../price.ts'
import type { ReadPayment } from '../read/payment-reader.ts'
import { countOpenCharges, findCharge, insertCharge, offerAgain } from './charge-store.ts'
import type { Claims } from './claim.ts'
import { usePayment } from './use-payment.ts'
import type { Proof } from './x402-wire.ts'

/**
 * Open payments that nothing was sent for: for the same resource at the same price, and for all resources at one price, because anybody can
 * ask with another query. So many clients can pay at once without meeting another one; what comes beyond makes no more rows, and a client
 * whose payment another one has paid first is asked anew. A merchant has a bound for all prices, and beyond it no more are made.
 */
const openMax = { perResource: 100, perPrice: 300, perMerchant: 1_000 }

/** Longer than a deposit's window: what was offered before is not open any more. */
const openForMs = 60 * 60 * 1000

/** An estimate: the windows of deposits are minutes long. */
const retryAfterSeconds = 60

class TooManyOpenChargesError extends PaymentError {
  constructor() {
    const message = `At most ${openMax.perMerchant} charges are open at once; try again when some of them have ended.`
    const headers = { 'Retry-After': String(retryAfterSeconds) }
    super('TOO_MANY_OPEN_PAYMENTS', message, { status: 429, error: 'Too many open payments', headers })
  }
}

/** A payment that ends sooner is not offered again: a client signs, and a block takes its time. */
const payableForMs = 120_000

/** What a merchant's server wants to be paid for one request. */
export type Charge = NewPayment & { resource: string }

/** Why a proof pays no request of this kind. */
export type ChargeFault = 'invalid_payment_requirements' | 'duplicate_settlement'

type Deps = {
  db: Db
  read: ReadPayment
  runtime: Runtime
  claims: Claims
  createDeposit: ReturnType<typeof createDeposits>
}

export type Charges = ReturnType<typeof createCharges>

/** Requests to a merchant's server that are paid one by one. */
export function createCharges({ db, read, runtime, claims, createDeposit }: Deps) {
  return {
    /** The payment of one request: a new one, unless so many like it are open that one of them is offered again. */
    async create(caller: Caller, request: RequestInfo, { resource, ...body }: Charge): Promise<Payment> {
      const { merchantId, isTest } = caller
      const atMs = runtime.nowMs()
      const offeredAfterMs = atMs - openForMs
      const terms = {
        merchantId,
        resource,
        termsDigest: digestOf({ merchantId, isTest, resource, ...body }),
        priceDigest: digestOf({ merchantId, isTest, ...body }),
      }
      const again = await db.write(async (tx) => {
        const open = { offeredAfterMs, payableAfterMs: atMs + payableForMs }
        const offered = await offerAgain(tx, { ...terms, ...open, max: openMax, atMs })
        if (offered !== undefined) return offered
        const limit = openMax.perMerchant
        if ((await countOpenCharges(tx, { merchantId, offeredAfterMs, limit })) < limit) return undefined
        throw new TooManyOpenChargesError()
      })
      if (again !== undefined) return await read.byId(again)
      const { id } = await createDeposit(caller, request, body, undefined)
      await db.write((tx) => insertCharge(tx, { ...terms, id, atMs }))
      return await read.byId(id)
    },

    /**
     * The payment that a proof is for, if it was made for such a request and has paid none yet, and a digest of the claim that its
     * client was given.
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
        made.resource === charge.resource &&
        payment.currency === charge.currency.toUpperCase() &&
        payment.network === charge.network.toLowerCase() &&
        isSameMoney(payment, charge)
      if (!isSame) return 'invalid_payment_requirements'
      if (made.isUsed) return 'duplicate_settlement'
      const presenter = claims.digestOf(payment.id, accepted.extra?.['claim'])
      return presenter === undefined ? 'invalid_payment_requirements' : { payment, presenter }
    },

    claimOn: claims.of,

    /** @returns whether the payment pays this request: it pays one. */
    use: (id: PaymentId, resource: string): Promise<boolean> =>
      db.write((tx) => usePayment(tx, { id, resource, atMs: runtime.nowMs() })),
  }
}

const digestOf = (terms: object): string => createHash('sha256').update(stringify(terms)).digest('base64url')

/** A price is compared as a price: the payment keeps the rate that it was made at. */
function isSameMoney({ due, tokenDecimals, price }: Payment, charge: Charge): boolean {
  const asked = askedPriceOf(charge)
  if (asked === null) return price === null && due === parseAmount(charge.amount ?? '', tokenDecimals)
  return price?.amount === asked.amount && price.currency === asked.currency
}
