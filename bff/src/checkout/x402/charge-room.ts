import { PaymentError } from '../../core/errors.ts'
import type { Tx } from '../../db/db.ts'
import type { PaymentId } from '../../payment/payment.ts'
import { type ChargeTerms, type OpenCharge, openCharges, saveOffer } from './charge-store.ts'

/**
 * Open payments that nothing was sent for: of one client (also those that dust was sent for), at one price, and of a merchant. Whatever else a
 * request names, such as another resource, makes no room, because anybody can name another one. Beyond the first two a payment of the same
 * price is offered again: many clients can pay at once without meeting another one, and who finds that another one has paid first is asked
 * anew.
 */
export const openMax = { perClient: 20, perPrice: 100, perMerchant: 1_000 }

/** Longer than a deposit's window: what was offered before is not open any more. */
const openForMs = 60 * 60 * 1000

/** A payment that ends sooner is not offered again: a client signs, and a block takes its time. */
const payableForMs = 120_000

/**
 * Where no client has more than others, a charge gives way to a new one after this time: programs sign within seconds. A stranger, who has many
 * addresses, or can make each price another one where the merchant passes on metadata of the request, must then ask 33 times a second to keep
 * others out.
 */
const yieldsAfterMs = 30_000

/** An estimate: the windows of deposits are minutes long. */
const retryAfterSeconds = 60

const tooManyOpen = (whose: string, max: number) =>
  new PaymentError(
    'TOO_MANY_OPEN_PAYMENTS',
    `${whose} has ${max} charges that are still open; try again when some of them have ended.`,
    { retryAfterSeconds },
  )

/** Ends a payment before its window does. @returns whether it has ended. */
export type EndEarly = (tx: Tx, id: PaymentId) => Promise<boolean>

/**
 * Finds room for the payment of one request. Call it in the unit that makes the payment.
 * @returns the payment that is offered again; undefined: a new one is to be made.
 * @throws {PaymentError} when the client has as many as it may at other prices, or the merchant has.
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
  // Dust makes no room for who sends it, and keeps nobody else out.
  const own = all.filter((one) => one.client === client)
  const open = all.filter(({ isTouched }) => !isTouched)
  const ofPrice = open.filter((one) => one.priceDigest === priceDigest && one.isPayable)
  const isOwnFull = client !== null && own.length >= openMax.perClient
  if (isOwnFull || ofPrice.length >= openMax.perPrice) {
    // A client meets itself first, and nobody else's while it has one.
    const again = ofPrice.find((one) => one.client === client) ?? (isOwnFull ? undefined : ofPrice[0])
    if (again === undefined) throw tooManyOpen('This client', openMax.perClient)
    await saveOffer(tx, { ...terms, id: again.id })
    return again.id
  }
  if (open.length < openMax.perMerchant) return undefined
  // As of a public key: a flood ends its own payments before those of a client who has one.
  const oldest = oldestOfHeaviest(open, own.length) ?? oldestOffered(open, client, atMs)
  if (oldest !== undefined && (await endEarly(tx, oldest.id))) return undefined
  throw tooManyOpen('This merchant', openMax.perMerchant)
}

/** The oldest charge of the client that has the most; undefined when nobody has more than `own` and one. */
function oldestOfHeaviest(open: readonly OpenCharge[], own: number): OpenCharge | undefined {
  const counts = new Map<string | null, number>()
  for (const { client } of open) counts.set(client, (counts.get(client) ?? 0) + 1)
  const [heaviest] = [...counts].sort(([, one], [, other]) => other - one)
  if (heaviest === undefined || heaviest[1] <= own + 1) return undefined
  return open.find(({ client }) => client === heaviest[0])
}

/**
 * The charge that was offered longest ago, if that is long enough. Those without a client come first, and who names none ends no other: all of
 * them count as one.
 */
function oldestOffered(open: readonly OpenCharge[], client: string | null, atMs: number): OpenCharge | undefined {
  const due = open.filter(({ offeredAtMs }) => offeredAtMs <= atMs - yieldsAfterMs)
  return due.find((one) => one.client === null) ?? (client === null ? undefined : due[0])
}
