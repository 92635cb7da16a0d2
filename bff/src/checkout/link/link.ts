import type { Attachments, MerchantId } from '../../payment/payment.ts'
import type { AskedPrice } from '../price.ts'

export type LinkId = string & { readonly link: unique symbol }

/** What is paid by a link: an amount of tokens, or a price that is converted when a payment is made. */
export type LinkMoney = { amount: string; price: null } | { amount: null; price: AskedPrice }

/** A merchant's offer to pay. Its terms never change; it can be ended. */
export type Link = LinkMoney &
  Pick<Attachments, 'orderId' | 'callbackUrl' | 'returnUrl' | 'metadata'> & {
    id: LinkId
    /** Grows with each link. */
    number: number
    merchantId: MerchantId
    merchantName: string
    /** Its payments are test payments. */
    isTest: boolean
    /** Short name; null: the customer chooses. */
    network: string | null
    /** Symbol of a token; null: the customer chooses. */
    currency: string | null
    /** What is paid for, for the customer to read. */
    description: string | null
    /** Payments that may be paid by it. */
    paymentsMax: number
    expiresAtMs: number | null
    /** The agent whose key made it; its payments count as that agent's. Null: no agent's key. */
    agentId: string | null
    /** When the merchant has ended it. */
    endedAtMs: number | null
    createdAtMs: number
    /** How often its page was opened. */
    opened: number
    /** Its payments that are paid. */
    paid: number
    /** Its payments that are open and whose whole amount was seen. */
    underWay: number
  }

/** `paid`: paid `maxPayments` times. */
export const linkStates = ['open', 'paid', 'expired', 'ended'] as const
export type LinkState = (typeof linkStates)[number]

export function linkStateOf({ endedAtMs, paid, paymentsMax, expiresAtMs }: Link, nowMs: number): LinkState {
  if (endedAtMs !== null) return 'ended'
  if (paid >= paymentsMax) return 'paid'
  return expiresAtMs !== null && expiresAtMs <= nowMs ? 'expired' : 'open'
}
