import { PaymentError } from '../../core/errors.ts'
import type { Tx } from '../../db/db.ts'
import type { PaymentId } from '../../payment/payment.ts'
import { type ChargeTerms, type OpenCharge, openCharges, saveOffer } from './charge-store.ts'

/**
 * Limits on open payments without money: for one client (including payments that received dust), at one price, and for
 * one merchant. Other request fields, such as the resource, add no room, because anyone can vary them. Above the first
 * two limits an open payment at the same price is offered again. Below them, clients never share a payment; a client
 * whose shared payment was paid by another client is asked for a new one.
 */
export const openMax = { perClient: 20, perPrice: 100, perMerchant: 1_000 }

/** Longer than a deposit's window, so that charges offered earlier are no longer open. */
const openForMs = 60 * 60 * 1000

/** A payment that ends sooner is not offered again: the client needs time to sign, and its transfer needs a block. */
const payableForMs = 120_000

/**
 * When no client has more charges than the others, a charge may be replaced by a new one after this time, because
 * programs sign within seconds. An attacker with many addresses, or one who can vary the price through metadata that
 * the merchant passes on, must then send 33 requests a second to block other clients.
 */
const yieldsAfterMs = 30_000

/** An estimate: deposit windows last minutes. */
const retryAfterSeconds = 60

const tooManyOpen = (whose: string, max: number) =>
  new PaymentError(
    'TOO_MANY_OPEN_PAYMENTS',
    `${whose} has ${max} charges that are still open; try again when some of them have ended.`,
    { retryAfterSeconds },
  )

/** Ends a payment before its window ends. @returns whether the payment ended. */
export type EndEarly = (tx: Tx, id: PaymentId) => Promise<boolean>

/**
 * Finds room for the payment of one request. Call it in the unit of work that creates the payment.
 * @returns the payment to offer again; undefined when a new one is to be created.
 * @throws {PaymentError} when the client is at its limit with other prices, or the merchant is at its limit.
 */
export async function findRoom(
  tx: Tx,
  terms: ChargeTerms & { atMs: number },
  endEarly: EndEarly,
): Promise<PaymentId | undefined> {
  const { merchantId, client, priceDigest, atMs } = terms
  const all = await openCharges(tx, {
    merchantId,
    payableAfterMs: atMs + payableForMs,
    offeredAfterMs: atMs - openForMs,
    limit: openMax.perMerchant,
  })
  // Dust neither makes room for its sender nor blocks other clients.
  const own = all.filter((one) => one.client === client)
  const open = all.filter(({ isTouched }) => !isTouched)
  const ofPrice = open.filter((one) => one.priceDigest === priceDigest && one.isPayable)
  const isOwnFull = client !== null && own.length >= openMax.perClient
  if (isOwnFull || ofPrice.length >= openMax.perPrice) {
    // A client is offered its own payment before another client's; at its limit, only its own.
    const again = ofPrice.find((one) => one.client === client) ?? (isOwnFull ? undefined : ofPrice[0])
    if (again === undefined) throw tooManyOpen('This client', openMax.perClient)
    await saveOffer(tx, { ...terms, id: again.id })
    return again.id
  }
  if (open.length < openMax.perMerchant) return undefined
  // As with a public key, a flood ends its own payments before those of a client that has one.
  const oldest = oldestOfHeaviest(open, own.length) ?? oldestOffered(open, client, atMs)
  if (oldest !== undefined && (await endEarly(tx, oldest.id))) return undefined
  throw tooManyOpen('This merchant', openMax.perMerchant)
}

/** The oldest charge of the client with the most charges; undefined when no client has more than `own` + 1. */
function oldestOfHeaviest(open: readonly OpenCharge[], own: number): OpenCharge | undefined {
  const counts = new Map<string | null, number>()
  for (const { client } of open) counts.set(client, (counts.get(client) ?? 0) + 1)
  const [heaviest] = [...counts].sort(([, one], [, other]) => other - one)
  if (heaviest === undefined || heaviest[1] <= own + 1) return undefined
  return open.find(({ client }) => client === heaviest[0])
}

/**
 * The charge with the oldest offer, if `yieldsAfterMs` has passed. Charges without a client come first. A request
 * without a client ends only charges without a client, because these count as one client.
 */
function oldestOffered(open: readonly OpenCharge[], client: string | null, atMs: number): OpenCharge | undefined {
  const due = open.filter(({ offeredAtMs }) => offeredAtMs <= atMs - yieldsAfterMs)
  return due.find((one) => one.client === null) ?? (client === null ? undefined : due[0])
}
