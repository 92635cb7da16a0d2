import { iso } from '../../core/runtime.ts'
import { type Link, linkStateOf } from './link.ts'

/** The link as its customers see it, without the merchant's order fields. */
export function publicLinkView(link: Link, nowMs: number) {
  return {
    id: link.id as string,
    state: linkStateOf(link, nowMs),
    isTest: link.isTest,
    amount: link.amount,
    price: link.price?.amount ?? null,
    priceCurrency: link.price?.currency ?? null,
    network: link.network,
    currency: link.currency,
    description: link.description,
    returnUrl: link.returnUrl,
    expiresAt: iso(link.expiresAtMs),
    Merchant: { businessName: link.merchantName },
  }
}

/** @param origin - This service's origin for customers; null: unknown. */
export function linkView(link: Link, nowMs: number, origin: string | null) {
  return {
    ...publicLinkView(link, nowMs),
    url: origin === null ? null : `${origin}/pay/${link.id}`,
    maxPayments: link.paymentsMax,
    opened: link.opened,
    paid: link.paid,
    orderId: link.orderId,
    callbackUrl: link.callbackUrl,
    metadata: link.metadata ?? {},
    createdAt: iso(link.createdAtMs),
    endedAt: iso(link.endedAtMs),
  }
}
