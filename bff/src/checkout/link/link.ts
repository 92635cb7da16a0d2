import { limitCurrency } from '../../core/families.ts'
import type { Attachments, MerchantId } from '../../payment/payment.ts'
import type { AskedPrice } from '../price.ts'

export type LinkId = string & { readonly link: unique symbol }

/** An amount of tokens, or a price that is converted when a payment is created. */
export type LinkMoney = { amount: string; price: null } | { amount: null; price: AskedPrice }

/** A token by its symbol, on a network by its short name. */
export type LinkToken = { network: string; currency: string }

/** A merchant's fixed terms for payments by customers. A link can be ended, but never changed. */
export type Link = LinkMoney &
  Pick<Attachments, 'orderId' | 'callbackUrl' | 'returnUrl' | 'metadata'> & {
    id: LinkId
    /** Increases with each link. */
    number: number
    merchantId: MerchantId
    merchantName: string
    /** Whether the link's payments are test payments. */
    isTest: boolean
    /** Short name; null: the customer chooses. */
    network: string | null
    /** Symbol of a token; null: the customer chooses. */
    currency: string | null
    /** The only tokens, each with its network, that the customer may choose. Null: all. */
    choices: readonly LinkToken[] | null
    /** Basis points of the amount due that may be missing; null: the merchant's setting. */
    toleranceBps: number | null
    /** Shown to the customer. */
    description: string | null
    /** Maximum number of paid payments. */
    paymentsMax: number
    expiresAtMs: number | null
    /** The agent whose key created the link; its payments count as the agent's. Null: created without an agent key. */
    agentId: string | null
    /** Whether a till created it. */
    isSale: boolean
    /** When the merchant ended the link; null: not ended. */
    endedAtMs: number | null
    createdAtMs: number
    /** Number of page views. */
    opened: number
    /** Number of paid payments. */
    paid: number
    /** Number of pending payments whose full amount was detected on chain. */
    underWay: number
  }

/** `paid`: the maximum number of payments is paid. */
export const linkStates = ['open', 'paid', 'expired', 'ended'] as const
export type LinkState = (typeof linkStates)[number]

export function linkStateOf({ endedAtMs, paid, paymentsMax, expiresAtMs }: Link, nowMs: number): LinkState {
  if (endedAtMs !== null) return 'ended'
  if (paid >= paymentsMax) return 'paid'
  return expiresAtMs !== null && expiresAtMs <= nowMs ? 'expired' : 'open'
}

/**
 * Whether the terms of the link allow the customer to pay with this token. An amount without a token is in dollars, so that the customer
 * cannot choose a token that is worth less.
 * @param standsFor - The currency of which one token is one unit.
 */
export function allowsToken(
  link: Pick<Link, 'network' | 'currency' | 'choices'> & { amount: string | null },
  { network, currency }: LinkToken,
  standsFor: string,
): boolean {
  if (link.amount !== null && link.currency === null && standsFor !== limitCurrency) return false
  if ((link.network ?? network) !== network || (link.currency ?? currency) !== currency) return false
  return link.choices?.some((one) => one.network === network && one.currency === currency) ?? true
}
