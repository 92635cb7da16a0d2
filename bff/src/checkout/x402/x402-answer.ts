import type { Context } from 'hono'
import { type Env, setHeader } from '../../access/context/env.ts'
import { PaymentError } from '../../core/errors.ts'
import { formatAmount } from '../../core/money.ts'
import { openAmountOf } from '../../payment/authorization.ts'
import { outcomeOf, type Payment } from '../../payment/payment.ts'
import type { ReadPayment } from '../read/payment-reader.ts'
import type { PublicResponses } from '../read/public-response.ts'
import type { Offer, X402Payments } from './x402-payments.ts'
import { noSignatures, notOpen, reasonOf, settlementPending, transactionOf } from './x402-refusal.ts'
import {
  encodeHeader,
  type PaymentRequired,
  type Proof,
  type Settlement,
  x402Headers,
  x402Version,
} from './x402-wire.ts'

type Deps = {
  x402: X402Payments
  read: ReadPayment
  publicBody: PublicResponses
  /** How long a settlement may take before the response says that it is pending. */
  waitMs: number
}

/**
 * `url`: the resource to be paid. `client`: a digest of the client's address; null for a merchant's server. `asker`:
 * the same, also set for a client that a merchant's server names. `presenter`: a digest of a value that only this
 * client was given; null: none.
 */
type Request = { url: string; client: string | null; asker: string | null; presenter: string | null }

type Required402 = Pick<Request, 'url' | 'asker'> & { reason: string; claim?: string }

/** The responses of a route, except the 202 for a payment under way. */
type Answers = {
  /** The proof is valid, and the payment is paid. */
  whenPaid(payment: Payment): Promise<Response>
  /** The proof is refused. @param reason - The reason, for a new 402. */
  whenRefused(payment: Payment, reason: string, refusal: PaymentError): Promise<Response>
}

export type X402Answers = ReturnType<typeof createX402Answers>

/** The HTTP responses of x402: statuses and headers. */
export function createX402Answers({ x402, read, publicBody, waitMs }: Deps) {
  const paid = async (c: Context<Env>, payment: Payment) =>
    c.json(await publicBody(payment, c.get('origin'), false), 200)

  const pending = (c: Context<Env>, transactionHash: string | null) => {
    const message = 'The payment was sent; whether it pays is not known yet. Ask again with the same PAYMENT-SIGNATURE.'
    return c.json({ success: true as const, state: settlementPending, transactionHash, message }, 202)
  }

  /**
   * Responds to a client without a proof. A payment that is paid, or may be paid by a transfer under way, requires no
   * proof.
   */
  async function ask(
    c: Context<Env>,
    payment: Payment,
    { url, asker }: Pick<Request, 'url' | 'asker'>,
    reason: string,
  ) {
    const outcome = outcomeOf(payment)
    if (outcome === 'paid') return paid(c, payment)
    if (outcome === 'failed') throw notOpen(outcome)
    const offer = x402.offerOf(payment)
    if (offer.requirements.amount === '0') return pending(c, payment.lastTxId)
    const underWay = await offer.scheme.underWay(offer.payment)
    if (underWay) return pending(c, underWay.txId)
    return await require(c, offer, { url, asker, reason })
  }

  /** Whether another proof can pay the payment: nothing that may pay it is under way. */
  async function isOpen(payment: Payment): Promise<boolean> {
    if (outcomeOf(payment) !== 'pending' || !x402.isOffered(payment)) return false
    const offer = x402.offerOf(payment)
    return offer.requirements.amount !== '0' && (await offer.scheme.underWay(offer.payment)) === undefined
  }

  /** Responds with the 402. `claim`: given to this client alone, which returns it with its proof. */
  async function require(c: Context<Env>, offer: Offer, { url, asker, reason, claim }: Required402) {
    if (!offer.payment.takesSignatures) throw noSignatures()
    await offer.scheme.prepare(offer.payment, asker)
    const { requirements } = offer
    const extra = claim === undefined ? requirements.extra : { ...requirements.extra, claim }
    const required = requiredOf({ ...offer, requirements: { ...requirements, extra } }, url, reason)
    setHeader(c, x402Headers.required, encodeHeader(required))
    const error = { success: false as const, code: 'PAYMENT_REQUIRED', message: required.resource.description }
    return c.json({ ...error, ...required }, 402)
  }

  /** Gives the client's program the result of its proof. */
  function respond(c: Context<Env>, settlement: Settlement) {
    setHeader(c, x402Headers.response, encodeHeader(settlement))
  }

  function requiredOf({ payment, requirements }: Offer, url: string, error: string): PaymentRequired {
    const { tokenDecimals, currency, network, merchantName } = payment
    const amount = formatAmount(openAmountOf(payment), tokenDecimals)
    const description = `Pay ${amount} ${currency} on ${network} to ${merchantName}.`
    const resource = { url, description, mimeType: 'application/json' }
    return { x402Version, error, resource, accepts: [requirements] }
  }

  /** Settles a proof, and gives the result in the header too. */
  async function settle(
    c: Context<Env>,
    { offer, proof, client, asker, presenter }: Request & { offer: Offer; proof: Proof },
    { whenPaid, whenRefused }: Answers,
  ) {
    const { network } = offer.requirements
    try {
      const options = { client, asker, presenter, waitMs, signal: c.req.raw.signal }
      const { state, txId, payer } = await x402.settle(offer, proof, options)
      const transaction = txId ?? ''
      if (state === 'pending') {
        respond(c, { success: false, errorReason: settlementPending, payer, transaction, network })
        return pending(c, txId)
      }
      respond(c, { success: true, payer, transaction, network })
    } catch (error) {
      if (!(error instanceof PaymentError)) throw error
      const errorReason = reasonOf(error, offer.scheme.reasons)
      const transaction = transactionOf(error)
      respond(c, { success: false, errorReason, errorMessage: error.message, transaction, network })
      const reason = `${errorReason}: ${error.message}`
      return await whenRefused(await read.byId(offer.payment.id), reason, error)
    }
    return await whenPaid(await read.byId(offer.payment.id))
  }

  return { ask, require, isOpen, settle, paid, respond }
}

/** Whether the client can correct the request with another proof. */
export const canMend = ({ status, code }: PaymentError): boolean =>
  status === 400 && code !== 'INVALID_PAYMENT_SIGNATURE'
