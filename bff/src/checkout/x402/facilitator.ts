import type { Caller } from '../../access/context/caller.ts'
import { familyOf } from '../../chain/index.ts'
import { PaymentError } from '../../core/errors.ts'
import { findNetwork, type Networks } from '../../core/families.ts'
import type { Runtime } from '../../core/runtime.ts'
import type { Db } from '../../db/db.ts'
import type { Payment, PaymentId } from '../../payment/payment.ts'
import { loadPayment, paymentIdAt } from '../../payment/store/payment-store.ts'
import { isOfCaller } from '../access.ts'
import { findCharge } from './charge-store.ts'
import type { ExactScheme } from './exact-scheme.ts'
import { holdSettlement, isHeldByAnother, releaseSettlement } from './settlement-store.ts'
import { usePayment } from './use-payment.ts'
import type { X402Payments } from './x402-payments.ts'
import {
  duplicateSettlement,
  reasonOf,
  requirementsMismatch,
  settlementPending,
  transactionOf,
} from './x402-refusal.ts'
import { type GivenRequirements, isSameRequirements, type Proof, type Settlement, x402Version } from './x402-wire.ts'

/** A request of another server of the merchant: a proof, and the requirements that the server set. */
type Asked = { paymentPayload: Proof; paymentRequirements: GivenRequirements }

export type Verification = { isValid: boolean; invalidReason?: string; invalidMessage?: string; payer?: string }

/** Time that a call may take beyond its wait, for node calls and commits. */
const spareMs = 60_000

type Deps = {
  db: Db
  networks: Networks
  schemes: ReadonlyMap<string, ExactScheme>
  x402: X402Payments
  runtime: Runtime
}

export type Facilitator = ReturnType<typeof createFacilitator>

/**
 * Verifies and settles proofs for the merchant's other servers. Money goes only to deposit addresses of the merchant's
 * payments.
 */
export function createFacilitator({ db, networks, schemes, x402, runtime }: Deps) {
  /** @throws {PaymentError} when the address belongs to no payment of the caller. */
  async function paymentAt(caller: Caller, payTo: string): Promise<Payment> {
    const payment = await db.read(async (tx) => {
      const id = await paymentIdAt(tx, payTo)
      return id && (await loadPayment(tx, id))
    })
    if (isOfCaller(caller, payment)) return payment
    throw new PaymentError('PAYMENT_NOT_FOUND', `payTo ${payTo} is the deposit address of no payment of yours.`)
  }

  async function offerTo(caller: Caller, { paymentPayload, paymentRequirements }: Asked) {
    const offer = x402.offerOf(await paymentAt(caller, paymentRequirements.payTo), paymentPayload)
    // Uses the proof's amount, which its signature must match: the remaining amount may have changed since the 402.
    const terms = { ...offer.requirements, amount: paymentPayload.accepted.amount }
    if (!isSameRequirements(paymentRequirements, terms)) throw requirementsMismatch()
    const made = await db.read((tx) => findCharge(tx, offer.payment.id))
    if (made?.isUsed) throw duplicateSettlement()
    // A payment created for one resource must not pay for another.
    if (made !== undefined && made.resource !== paymentPayload.resource?.url) throw requirementsMismatch()
    return offer
  }

  /**
   * Uses the payment that the proof paid: once, and by the earliest call that settles it, because anyone who reads the
   * proof on chain while that call waits can present the same proof.
   * @returns false while an earlier call has not ended.
   */
  async function use(id: PaymentId, { paymentPayload }: Asked, callId: string): Promise<boolean> {
    const resource = paymentPayload.resource?.url ?? ''
    const nowMs = runtime.nowMs()
    return await db.write(async (tx) => {
      const made = await findCharge(tx, id)
      if (!made?.isUsed && (await isHeldByAnother(tx, { id, callId, nowMs }))) return false
      if (await usePayment(tx, { id, resource, atMs: nowMs })) return true
      throw duplicateSettlement()
    })
  }

  /** Until the first call that settles a payment has ended, later calls cannot use the payment. */
  async function inTurn<Answer>(id: PaymentId, waitMs: number, settle: (callId: string) => Promise<Answer>) {
    const callId = runtime.newUuid()
    const nowMs = runtime.nowMs()
    await db.write((tx) => holdSettlement(tx, { id, callId, nowMs, endsAtMs: nowMs + waitMs + spareMs }))
    try {
      return await settle(callId)
    } finally {
      await db.write((tx) => releaseSettlement(tx, { id, callId }))
    }
  }

  return {
    supported() {
      const offered = [...schemes].flatMap(([name, { signers, supportedExtra }]) => {
        const network = findNetwork(networks, name)
        if (!network?.signatureGas) return []
        return [{ network: familyOf(network).caip2(network), signers: [...signers], extra: supportedExtra }]
      })
      return {
        kinds: offered.map(({ network, extra }) => {
          const kind = { x402Version, scheme: 'exact', network } as const
          return extra === undefined ? kind : { ...kind, extra }
        }),
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
        const options = { client: null, asker: null, presenter: null, waitMs, signal }
        const { id } = offer.payment
        return await inTurn(id, waitMs, async (callId) => {
          const { state, txId, payer } = await x402.settle(offer, asked.paymentPayload, options)
          const transaction = txId ?? ''
          const isSuccess = state === 'paid' && (await use(id, asked, callId))
          if (isSuccess) return { success: true, payer, transaction, network }
          return { success: false, errorReason: settlementPending, payer, transaction, network }
        })
      } catch (error) {
        if (!(error instanceof PaymentError)) throw error
        const errorReason = reasonOf(error, reasons)
        const transaction = transactionOf(error)
        return { success: false, errorReason, errorMessage: error.message, transaction, network }
      }
    },
  }
}
