import { sql, type Tx } from '../../db/db.ts'
import type { MerchantId, PaymentId } from '../../payment/payment.ts'

/** `termsDigest`: of all that the payment is made of; `priceDigest`: of all of it but the resource. */
type ChargeTerms = { merchantId: MerchantId; resource: string; termsDigest: string; priceDigest: string }

export async function insertCharge(
  tx: Tx,
  { id, merchantId, resource, termsDigest, priceDigest, atMs }: ChargeTerms & { id: PaymentId; atMs: number },
): Promise<void> {
  await tx.run(sql`
      insert into x402_charges (payment_id, resource, terms_digest, price_digest, merchant_id, offered_at_ms)
      values (${id}, ${resource}, ${termsDigest}, ${priceDigest}, ${merchantId}, ${atMs})`)
}

type OpenCharges = { payableAfterMs: number; offeredAfterMs: number }

/**
 * Of payments with the same terms, else at the same price, that nothing was sent for and that can still be paid after `payableAfterMs`, the
 * one that was offered longest ago, when there are as many of them as may be. It counts as offered now, for this resource: who was
 * offered it for another one is asked anew.
 */
export async function offerAgain(
  tx: Tx,
  terms: ChargeTerms & OpenCharges & { max: { perResource: number; perPrice: number }; atMs: number },
): Promise<PaymentId | undefined> {
  const { resource, termsDigest, max, atMs } = terms
  const ofResource = await openCharges(tx, terms, 'resource', max.perResource)
  const ofPrice = ofResource.length < max.perResource ? await openCharges(tx, terms, 'price', max.perPrice) : []
  const oldest =
    ofResource.length >= max.perResource ? ofResource[0] : ofPrice.length >= max.perPrice ? ofPrice[0] : undefined
  if (oldest === undefined) return undefined
  await tx.run(sql`
      update x402_charges set offered_at_ms = ${atMs}, resource = ${resource}, terms_digest = ${termsDigest}
       where payment_id = ${oldest.id} and used_at_ms is null`)
  return oldest.id
}

/** Oldest offer first, at most `limit`. */
async function openCharges(
  tx: Tx,
  { termsDigest, priceDigest, payableAfterMs, offeredAfterMs }: ChargeTerms & OpenCharges,
  same: 'resource' | 'price',
  limit: number,
): Promise<{ id: PaymentId }[]> {
  const bySame = same === 'resource' ? sql`c.terms_digest = ${termsDigest}` : sql`c.price_digest = ${priceDigest}`
  return await tx.all<{ id: PaymentId }>(sql`
      select c.payment_id as id
        from x402_charges c join payments p on p.id = c.payment_id
       where ${bySame} and c.used_at_ms is null and c.offered_at_ms > ${offeredAfterMs}
         and p.status = 'pending' and p.seen = '0' and p.window_ends_at_ms > ${payableAfterMs}
         and not exists (select 1 from authorizations a where a.payment_id = c.payment_id and a.state <> 'failed')
       order by c.offered_at_ms, c.payment_id limit ${limit}`)
}

/** Charges of a merchant that are open and that nothing was sent for, at most `limit`. */
export async function countOpenCharges(
  tx: Tx,
  { merchantId, offeredAfterMs, limit }: { merchantId: MerchantId; offeredAfterMs: number; limit: number },
): Promise<number> {
  const row = await tx.get<{ open: number }>(sql`
      select count(*) as open
        from (select 1
                from x402_charges c join payments p on p.id = c.payment_id
               where c.merchant_id = ${merchantId} and c.used_at_ms is null and c.offered_at_ms > ${offeredAfterMs}
                 and p.status = 'pending' and p.seen = '0' limit ${limit}) as pending`)
  return Number(row?.open ?? 0)
}

/** Undefined when the payment was not made for a request. */
export async function findCharge(tx: Tx, id: PaymentId): Promise<{ resource: string; isUsed: boolean } | undefined> {
  const row = await tx.get<{ resource: string; used_at_ms: number | null }>(sql`
      select resource, used_at_ms from x402_charges where payment_id = ${id}`)
  return row && { resource: row.resource, isUsed: row.used_at_ms !== null }
}

/** Of a payment that was made for a request, and of one that was not. @returns false when it was used before. */
export async function saveUse(
  tx: Tx,
  { id, resource, atMs }: { id: PaymentId; resource: string; atMs: number },
): Promise<boolean> {
  const changed = await tx.run(sql`
      insert into x402_charges (payment_id, resource, used_at_ms) values (${id}, ${resource}, ${atMs})
      on conflict (payment_id) do update set used_at_ms = excluded.used_at_ms where x402_charges.used_at_ms is null`)
  return changed === 1
}
