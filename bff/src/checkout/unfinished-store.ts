import { sql, type Tx } from '../db/db.ts'
import { paidStatuses } from './open-payments-store.ts'

/** Maximum rows counted: a count at this bound means "at least this many". */
const countMax = 10_000

/**
 * Live x402 charges that are paid, not yet used by a request, and not refunded in full by the merchant's wallet. Base units are compared as
 * texts without leading zeros: by length, then by digits.
 */
export async function countUnusedCharges(tx: Tx): Promise<number> {
  const row = await tx.get<{ count: number }>(sql`
      select count(*) as count from (
        select c.payment_id from x402_charges c join payments p on p.id = c.payment_id
         where c.used_at_ms is null and p.is_test = 0 and p.status in ${paidStatuses}
           and (length(p.refunded_by_merchant), p.refunded_by_merchant) < (length(p.least), p.least)
         limit ${countMax}) as unused`)
  return Number(row?.count ?? 0)
}

/** Bridges whose progress is still polled at the relay. */
export async function countUnfinishedBridges(tx: Tx): Promise<number> {
  const row = await tx.get<{ count: number }>(sql`
      select count(*) as count from (select payment_id from bridge_polls limit ${countMax}) as unfinished`)
  return Number(row?.count ?? 0)
}
