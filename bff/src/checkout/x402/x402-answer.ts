import type { Context } from 'hono'
import { PaymentError } from '../../core/errors.ts'
import { excess, formatAmount } from '../../core/money.ts'
import { type Env, setHeader } from '../../http/env.ts'
import { outcomeOf, type Payment } from '../../payment/payment.ts'
import type { ReadPayment } from '../read/payment-reader.ts'
import type { PublicResponses } from '../read/public-response.ts'
import type { Offer, X402Payments } from './x402-payments.ts'
import { NoSignaturesError, NotOpenError, reasonOf, settlementPending, transactionOf } from './x402-refusal.ts'
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
  /** How long a settlement may take before it is answered as pending. */
  waitMs: number
}

/** What is paid for: its address, and a digest of the client's address, null for a merchant's server. */
type Request = { url: string; client: string | null }

export type X402Answers = ReturnType<typeof createX402Answers>

/** The answers of x402 over HTTP: its statuses and headers. */
export function createX402Answers({ x402, read, publicBody, waitMs }: Deps) {
  const paid = (c: Context<Env>, payment: Payment) => c.json(publicBody(payment, c.get('origin'), false), 200)

  const pending = (c: Context<Env>, transactionHash: string | null) => {
    const message = 'The payment was sent; whether it pays is not known yet. Ask again with the same PAYMENT-SIGNATURE.'
    return c.json({ success: true as const, state: settlementPending, transactionHash, message }, 202)
  }

  /** What is asked of the client now. A payment that is paid, or may be paid by what is under way, asks for nothing more. */
  async function ask(c: Context<Env>, payment: Payment, url: string, reason: string) {
    const outcome = outcomeOf(payment)
    if (outcome === 'paid') return paid(c, payment)
    if (outcome === 'failed') throw new NotOpenError(outcome)
    const offer = x402.offerOf(payment)
    if (offer.requirements.amount === '0') return pending(c, payment.lastTxId)
    const underWay = await offer.scheme.underWay(offer.payment)
    if (underWay) return pending(c, underWay.txId)
    if (!payment.takesSignatures) throw new NoSignaturesError()
    await offer.scheme.prepare(offer.payment)
    const required = requiredOf(offer, url, reason)
    setHeader(c, x402Headers.required, encodeHeader(required))
    const error = { success: false as const, code: 'PAYMENT_REQUIRED', message: required.resource.description }
    return c.json({ ...error, ...required }, 402)
  }

  function requiredOf({ payment, requirements }: Offer, url: string, error: string): PaymentRequired {
    const { due, seen, tokenDecimals, currency, network, merchantName } = payment
    const amount = formatAmount(excess(due, seen), tokenDecimals)
    const description = `Pay ${amount} ${currency} on ${network} to ${merchantName}.`
    const resource = { url, description, mimeType: 'application/json' }
    return { x402Version, error, resource, accepts: [requirements] }
  }

  /**
   * Settles a proof, and says in the header too what became of it.
   * @param whenPaid - Answers a payment that is paid.
   */
  async function settle(
    c: Context<Env>,
    { offer, proof, url, client }: Request & { offer: Offer; proof: Proof },
    whenPaid: (payment: Payment) => Promise<Response>,
  ) {
    const { network } = offer.requirements
    const respond = (settlement: Omit<Settlement, 'network'>) =>
      setHeader(c, x402Headers.response, encodeHeader({ ...settlement, network }))
    try {
      const { state, txId, payer } = await x402.settle(offer, proof, { client, waitMs, signal: c.req.raw.signal })
      const transaction = txId ?? ''
      if (state === 'pending') {
        respond({ success: false, errorReason: settlementPending, payer, transaction })
        return pending(c, txId)
      }
      respond({ success: true, payer, transaction })
    } catch (error) {
      if (!(error instanceof PaymentError)) throw error
      const errorReason = reasonOf(error, offer.scheme.reasons)
      respond({ success: false, errorReason, errorMessage: error.message, transaction: transactionOf(error) })
      // What the client can mend by another proof is asked of it again.
      if (error.status !== 400 || error.code === 'INVALID_PAYMENT_SIGNATURE') throw error
      return await ask(c, await read.byId(offer.payment.id), url, `${errorReason}: ${error.message}`)
    }
    return await whenPaid(await read.byId(offer.payment.id))
  }

  return { ask, settle, paid }
}
