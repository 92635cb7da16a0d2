import { sql, type Tx } from '../db/db.ts'
import { paidStatuses } from './open-payments-store.ts'

/** Maximum rows counted: a count at this bound means "at least this many". */
const countMax = 10_000

/**
 * Live x402 charges that are paid, not yet used by a request, and whose amount due the merchant's wallet has not refunded in full. Base units
 * are compared as texts without leading zeros: by length, then by digits.
 */
export async function countUnusedCharges(tx: Tx): Promise<number> {
  const row = await tx.get<{ count: number }>(sql`
      select count(*) as count from (
        select c.payment_id
          from x402_charges c
          join (select id, is_test, status, least,
                       case when mode = 'contract' or is_direct = 1 then refunded_of_due else refunded_by_merchant end as refunded
                  from payments) p on p.id = c.payment_id
         where c.used_at_ms is null and p.is_test = 0 and p.status in ${paidStatuses}
           and (length(p.refunded), p.refunded) < (length(p.least), p.least)
         limit ${countMax}) as unused`)
  return Number(row?.count ?? 0)
}

/** Bridges whose progress is still polled at the relay. */
export async function countUnfinishedBridges(tx: Tx): Promise<number> {
  const row = await tx.get<{ count: number }>(sql`
      select count(*) as count from (select payment_id from bridge_polls limit ${countMax}) as unfinished`)
  return Number(row?.count ?? 0)
}
