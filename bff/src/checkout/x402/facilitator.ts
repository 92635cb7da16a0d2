import { familyOf } from '../../chain/index.ts'
import { PaymentError } from '../../core/errors.ts'
import { findNetwork, type Networks } from '../../core/families.ts'
import type { Db } from '../../db/db.ts'
import type { Caller } from '../../merchant/caller.ts'
import type { Payment } from '../../payment/payment.ts'
import { loadPayment, paymentIdAt } from '../../payment/store/payment-store.ts'
import { isOfCaller } from '../access.ts'
import type { ExactScheme } from './exact-scheme.ts'
import type { X402Payments } from './x402-payments.ts'
import { RequirementsMismatchError, reasonOf, settlementPending, transactionOf } from './x402-refusal.ts'
import { type GivenRequirements, isSameRequirements, type Proof, type Settlement, x402Version } from './x402-wire.ts'

/** What another server of the merchant's sends: a proof, and what that server asked for. */
type Asked = { paymentPayload: Proof; paymentRequirements: GivenRequirements }

export type Verification = { isValid: boolean; invalidReason?: string; invalidMessage?: string; payer?: string }

type Deps = {
  db: Db
  networks: Networks
  schemes: ReadonlyMap<string, ExactScheme>
  x402: X402Payments
}

export type Facilitator = ReturnType<typeof createFacilitator>

/** Verifies and settles proofs for the merchant's other servers. Money goes to deposit addresses of the merchant's payments only. */
export function createFacilitator({ db, networks, schemes, x402 }: Deps) {
  /** @throws {PaymentError} when the address is of no payment of the caller's. */
  async function paymentAt(caller: Caller, payTo: string): Promise<Payment> {
    const payment = await db.read(async (tx) => {
      const id = await paymentIdAt(tx, payTo)
      return id && (await loadPayment(tx, id))
    })
    if (isOfCaller(caller, payment)) return payment
    throw new PaymentError('PAYMENT_NOT_FOUND', `payTo ${payTo} is the deposit address of no payment of yours.`, {
      status: 404,
      error: 'Payment not found',
    })
  }

  async function offerTo(caller: Caller, { paymentPayload, paymentRequirements }: Asked) {
    const offer = x402.offerOf(await paymentAt(caller, paymentRequirements.payTo))
    // What was paid in the meantime is no longer asked: the amount is compared with the proof's.
    const terms = { ...offer.requirements, amount: paymentPayload.accepted.amount }
    if (!isSameRequirements(paymentRequirements, terms)) throw new RequirementsMismatchError()
    return offer
  }

  return {
    supported() {
      const offered = [...schemes].flatMap(([name, { signers }]) => {
        const network = findNetwork(networks, name)
        return network ? [{ network: familyOf(network).caip2(network), signers: [...signers] }] : []
      })
      return {
        kinds: offered.map(({ network }) => ({ x402Version, scheme: 'exact', network }) as const),
        extensions: [],
        signers: Object.fromEntries(offered.map(({ network, signers }) => [network, signers])),
      }
    },

    async verify(caller: Caller, asked: Asked): Promise<Verification> {
      let reasons: ExactScheme['reasons'] | undefined
      try {
        const offer = await offerTo(caller, asked)
        reasons = offer.scheme.reasons
        return { isValid: true, payer: await x402.verify(offer, asked.paymentPayload) }
      } catch (error) {
        if (!(error instanceof PaymentError)) throw error
        return { isValid: false, invalidReason: reasonOf(error, reasons), invalidMessage: error.message }
      }
    },

    async settle(caller: Caller, asked: Asked, waitMs: number, signal: AbortSignal): Promise<Settlement> {
      const { network } = asked.paymentRequirements
      let reasons: ExactScheme['reasons'] | undefined
      try {
        const offer = await offerTo(caller, asked)
        reasons = offer.scheme.reasons
        const options = { client: null, waitMs, signal }
        const { state, txId, payer } = await x402.settle(offer, asked.paymentPayload, options)
        const transaction = txId ?? ''
        if (state === 'paid') return { success: true, payer, transaction, network }
        return { success: false, errorReason: settlementPending, payer, transaction, network }
      } catch (error) {
        if (!(error instanceof PaymentError)) throw error
        const errorReason = reasonOf(error, reasons)
        const transaction = transactionOf(error)
        return { success: false, errorReason, errorMessage: error.message, transaction, network }
      }
    },
  }
}
