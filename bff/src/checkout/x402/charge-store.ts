import { sql, type Tx } from '../../db/db.ts'
import type { PaymentId } from '../../payment/payment.ts'

type NewCharge = { id: PaymentId; resource: string; termsDigest: string; atMs: number }

export async function insertCharge(tx: Tx, { id, resource, termsDigest, atMs }: NewCharge): Promise<void> {
  await tx.run(sql`
      insert into x402_charges (payment_id, resource, terms_digest, offered_at_ms)
      values (${id}, ${resource}, ${termsDigest}, ${atMs})`)
}

/**
 * Of payments with the same terms that nothing was sent for and that can still be paid after `payableAfterMs`, the one that was
 * offered longest ago, when there are `openMax` of them. It counts as offered now.
 */
export async function offerAgain(
  tx: Tx,
  {
    termsDigest,
    payableAfterMs,
    openMax,
    atMs,
  }: { termsDigest: string; payableAfterMs: number; openMax: number; atMs: number },
): Promise<PaymentId | undefined> {
  const rows = await tx.all<{ id: PaymentId }>(sql`
      select c.payment_id as id
        from x402_charges c join payments p on p.id = c.payment_id
       where c.terms_digest = ${termsDigest} and c.used_at_ms is null
         and p.status = 'pending' and p.seen = '0' and p.window_ends_at_ms > ${payableAfterMs}
         and not exists (select 1 from authorizations a where a.payment_id = c.payment_id and a.state <> 'failed')
       order by c.offered_at_ms, c.payment_id limit ${openMax}`)
  const [oldest] = rows
  if (oldest === undefined || rows.length < openMax) return undefined
  await tx.run(sql`update x402_charges set offered_at_ms = ${atMs} where payment_id = ${oldest.id}`)
  return oldest.id
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
