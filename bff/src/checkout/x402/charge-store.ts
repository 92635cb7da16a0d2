import { sql, type Tx } from '../../db/db.ts'
import type { MerchantId, PaymentId } from '../../payment/payment.ts'

/**
 * `priceDigest`: a digest of all terms of the payment except the resource. `client`: a digest of the client of the
 * merchant's server; null: the server names none.
 */
export type ChargeTerms = { merchantId: MerchantId; client: string | null; resource: string; priceDigest: string }

/** For a payment created in the same unit of work. A payment's client is deleted when the payment ends. */
export async function insertCharge(
  tx: Tx,
  { id, merchantId, client, resource, priceDigest, atMs }: ChargeTerms & { id: PaymentId; atMs: number },
): Promise<void> {
  await tx.run(sql`
      insert into x402_charges (payment_id, resource, price_digest, merchant_id, offered_at_ms)
      values (${id}, ${resource}, ${priceDigest}, ${merchantId}, ${atMs})`)
  if (client !== null) await tx.run(sql`update payments set client = ${client} where id = ${id}`)
}

/** An open charge that no signature pays yet. `isTouched`: it received money, but not its amount. */
export type OpenCharge = {
  id: PaymentId
  client: string | null
  priceDigest: string | null
  offeredAtMs: number
  isPayable: boolean
  isTouched: boolean
}

/**
 * A merchant's open charges, oldest offer first and touched charges last, at most `limit`. `isPayable`: the charge can
 * still be paid after `payableAfterMs`. Base units are compared as texts without leading zeros: by length, then by
 * digits.
 */
export async function openCharges(
  tx: Tx,
  of: { merchantId: MerchantId; payableAfterMs: number; offeredAfterMs: number; limit: number },
): Promise<OpenCharge[]> {
  const rows = await tx.all<Omit<OpenCharge, 'isPayable' | 'isTouched'> & { endsAtMs: number; seen: string }>(sql`
      select c.payment_id as id, p.client, c.price_digest as "priceDigest", c.offered_at_ms as "offeredAtMs", p.window_ends_at_ms as "endsAtMs", p.seen
        from x402_charges c join payments p on p.id = c.payment_id
       where c.merchant_id = ${of.merchantId} and c.used_at_ms is null and c.offered_at_ms > ${of.offeredAfterMs}
         and p.status = 'pending' and (length(p.seen), p.seen) < (length(p.least), p.least)
         and not exists (select 1 from authorizations a where a.payment_id = c.payment_id and a.state <> 'failed')
       order by case when p.seen = '0' then 0 else 1 end, c.offered_at_ms, c.payment_id limit ${of.limit}`)
  return rows.map(({ endsAtMs, seen, ...row }) => ({
    ...row,
    offeredAtMs: Number(row.offeredAtMs),
    isPayable: Number(endsAtMs) > of.payableAfterMs,
    isTouched: seen !== '0',
  }))
}

/** Records that the charge is offered now, for this resource. */
export async function saveOffer(
  tx: Tx,
  { id, resource, atMs }: { id: PaymentId; resource: string; atMs: number },
): Promise<void> {
  await tx.run(sql`
      update x402_charges set offered_at_ms = ${atMs}, resource = ${resource}
       where payment_id = ${id} and used_at_ms is null`)
}

/** @returns undefined when the payment was not created for a request. */
export async function findCharge(tx: Tx, id: PaymentId): Promise<{ resource: string; isUsed: boolean } | undefined> {
  const row = await tx.get<{ resource: string; used_at_ms: number | null }>(sql`
      select resource, used_at_ms from x402_charges where payment_id = ${id}`)
  return row && { resource: row.resource, isUsed: row.used_at_ms !== null }
}

/** Marks a payment as used, whether or not it was created for a request. @returns false when it was used before. */
export async function saveUse(
  tx: Tx,
  { id, resource, atMs }: { id: PaymentId; resource: string; atMs: number },
): Promise<boolean> {
  const changed = await tx.run(sql`
      insert into x402_charges (payment_id, resource, used_at_ms) values (${id}, ${resource}, ${atMs})
      on conflict (payment_id) do update set used_at_ms = excluded.used_at_ms, resource = excluded.resource where x402_charges.used_at_ms is null`)
  return changed === 1
}
