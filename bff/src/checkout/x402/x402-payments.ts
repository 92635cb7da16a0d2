import type { Caller } from '../../access/context/caller.ts'
import { familyOf } from '../../chain/index.ts'
import { PaymentError } from '../../core/errors.ts'
import { findNetwork, type Networks } from '../../core/families.ts'
import { takesSignatures } from '../../merchant/merchant-settings.ts'
import { AuthorizationRefused, openAmountOf } from '../../payment/authorization.ts'
import { canBePaidLate, type DepositPayment, outcomeOf, type Payment, type PaymentId } from '../../payment/payment.ts'
import type { AgentGuard } from '../agent-guard.ts'
import type { ReadPayment } from '../read/payment-reader.ts'
import type { WaitForPayment } from '../read/wait-for-payment.ts'
import type { ExactScheme, ParsedProof, Sent, SettleOptions } from './exact-scheme.ts'
import { noSignatures, notOffered, notOpen, requirementsMismatch, tooLate } from './x402-refusal.ts'
import { isSameRequirements, type Proof, type Requirements } from './x402-wire.ts'

/** An authorization expires after this time, which allows its transaction several blocks on every network. */
const maxTimeoutSeconds = 300

/**
 * A payment that can be paid through x402, with its current requirements. `isFormer`: the payment's token can no longer
 * be paid this way; proofs are only followed, because they may have moved money.
 */
export type Offer = { payment: DepositPayment; scheme: ExactScheme; requirements: Requirements; isFormer: boolean }

/** `paid`: the payment is paid. `pending`: the transaction is sent, or about to be, and its result is not known yet. */
export type Settled = { state: 'paid' | 'pending'; txId: string | null; payer: string }

type Deps = {
  networks: Networks
  /** Keyed by the network's short name. */
  schemes: ReadonlyMap<string, ExactScheme>
  read: ReadPayment
  waitForPayment: WaitForPayment
  agents: AgentGuard
}

export type X402Payments = ReturnType<typeof createX402Payments>

export function createX402Payments({ networks, schemes, read, waitForPayment, agents }: Deps) {
  /** @param proof - Followed even after its token was removed from the configuration. @throws {PaymentError} */
  function offerOf(payment: Payment, proof?: Proof): Offer {
    if (payment.isTest) throw notOffered('it is a test payment')
    if (payment.mode !== 'deposit' || payment.bridge !== undefined) {
      throw notOffered('it has no deposit address on its network')
    }
    const network = findNetwork(networks, payment.network)
    const scheme = network && schemes.get(network.shortName)
    const offered = scheme?.extraOf(payment)
    const extra = offered ?? (proof && scheme?.formerExtraOf(payment, proof))
    if (!network || !scheme || !extra) {
      throw notOffered(`${payment.currency} on ${payment.network} cannot be paid by a signature here`)
    }
    const requirements: Requirements = {
      scheme: 'exact',
      network: familyOf(network).caip2(network),
      asset: payment.tokenAddress,
      amount: String(openAmountOf(payment)),
      payTo: payment.depositAddress,
      maxTimeoutSeconds,
      extra,
    }
    return { payment, scheme, requirements, isFormer: offered === undefined }
  }

  /** Whether another proof can be requested. */
  function isOffered(payment: Payment): boolean {
    const network = findNetwork(networks, payment.network)
    if (!network || payment.mode !== 'deposit') return false
    return schemes.get(network.shortName)?.extraOf(payment) !== undefined
  }

  /**
   * Runs before a payment is created. Unknown networks and tokens are refused by the create itself.
   * @throws {PaymentError} when the caller's payments in this currency on this network cannot be paid through x402.
   */
  function verifyOffered({ isTest, settings }: Caller, name: string, currency: string): void {
    if (isTest) throw notOffered('it is a test payment')
    if (!takesSignatures(settings)) throw noSignatures()
    const network = findNetwork(networks, name)
    const token = network?.tokens.find(({ symbol }) => symbol === currency.toUpperCase())
    if (!network || !token) return
    const terms = { id: '' as PaymentId, currency: token.symbol, tokenAddress: token.address }
    if (schemes.get(network.shortName)?.extraOf(terms)) return
    throw notOffered(`${currency} on ${name} cannot be paid by a signature here`)
  }

  /** @throws {PaymentError} when the proof does not match the current requirements. */
  function verifyTerms({ payment, requirements, isFormer }: Offer, proof: Proof): void {
    const outcome = outcomeOf(payment)
    if (outcome !== 'pending') throw notOpen(outcome)
    if (requirements.amount === '0') throw notOpen('waiting for confirmations')
    if (isFormer) {
      const message = `${payment.currency} at ${payment.tokenAddress} on ${payment.network} is not paid by a signature any more.`
      throw new AuthorizationRefused('SIGNATURE_NOT_OFFERED', message)
    }
    if (!isSameRequirements(proof.accepted, requirements)) throw requirementsMismatch()
  }

  /** @returns the payment's outcome at the timeout: `failed` only if no transaction that was sent can still pay it. */
  async function outcomeWithin(
    { merchantId, id }: DepositPayment,
    client: string | null,
    timeoutMs: number,
    signal: AbortSignal,
  ) {
    try {
      const isDone = (found: Payment) => outcomeOf(found) !== 'pending'
      const found = await waitForPayment({
        merchantId,
        client,
        id,
        timeoutMs,
        signal,
        read: () => read.byId(id),
        isDone,
      })
      return canBePaidLate(found) ? 'pending' : outcomeOf(found)
    } catch (error) {
      if (error instanceof PaymentError && error.code === 'TOO_MANY_WAITS') return 'pending'
      throw error
    }
  }

  return {
    offerOf,
    isOffered,
    verifyOffered,

    /**
     * Verifies a proof without spending. An accepted proof stays valid until its payment is used: servers verify a
     * proof again when their client returns with it.
     * @returns the payer.
     * @throws {PaymentError}
     */
    async verify(offer: Offer, proof: Proof): Promise<string> {
      const parsed = offer.scheme.parse(offer.payment, proof)
      if (await parsed.isKnown(null)) {
        verifyValue(proof, parsed)
        return parsed.payer
      }
      verifyTerms(offer, proof)
      // Other servers ask for payment without calling this service first.
      await offer.scheme.prepare(offer.payment, null)
      await parsed.verify()
      return parsed.payer
    },

    /**
     * Accepts a proof and has it sent once; a repeat of the same proof gets the result of the first.
     * @throws {PaymentError} when the proof is refused and has paid nothing, or the money came too late.
     */
    async settle(offer: Offer, proof: Proof, options: SettleOptions): Promise<Settled> {
      const { payment, scheme } = offer
      const parsed = scheme.parse(payment, proof)
      if (!isSameRequirements(proof.accepted, { ...offer.requirements, amount: proof.accepted.amount })) {
        throw requirementsMismatch()
      }
      const startedAtMs = performance.now()
      const { isIn, txId } = await send(offer, proof, parsed, options)
      const leftMs = options.waitMs - (performance.now() - startedAtMs)
      const outcome = isIn ? await outcomeWithin(payment, options.asker, leftMs, options.signal) : 'pending'
      if (outcome === 'failed') throw tooLate(txId)
      return { state: outcome, txId, payer: parsed.payer }
    },
  }

  /** A new proof must match the current requirements, unless someone else has already settled it on chain. */
  async function send(offer: Offer, proof: Proof, parsed: ParsedProof, options: SettleOptions): Promise<Sent> {
    if (await parsed.isKnown(options.presenter)) {
      verifyValue(proof, parsed)
      return await parsed.settle(options)
    }
    const isOfAgent = offer.payment.agentId !== null
    try {
      verifyTerms(offer, proof)
      // An invalid or unfunded proof is not logged as an agent decision: anyone can send one, and the log is bounded.
      if (isOfAgent) await parsed.verify(options)
    } catch (error) {
      if (!(error instanceof PaymentError)) throw error
      verifyValue(proof, parsed)
      const settlement = await parsed.findExternalSettlement(options, error.code)
      if (settlement === undefined) throw error
      return settlement
    }
    if (isOfAgent) await agents.checkPays(offer.payment)
    return await parsed.settle(options)
  }
}

/** @throws {PaymentError} when the signed amount differs from the accepted amount. */
function verifyValue({ accepted }: Proof, { value }: ParsedProof): void {
  if (BigInt(accepted.amount) !== value) throw requirementsMismatch()
}
