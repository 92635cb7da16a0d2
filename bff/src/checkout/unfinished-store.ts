import { sql, type Tx } from '../db/db.ts'
import { paidStatuses } from './open-payments-store.ts'

/** Rows that are counted at most: a number at this bound means "at least this many". */
const countMax = 10_000

/** Live charges of x402 whose payment is paid and that no request has used. */
export async function countUnusedCharges(tx: Tx): Promise<number> {
  const row = await tx.get<{ count: number }>(sql`
      select count(*) as count from (
        select c.payment_id from x402_charges c join payments p on p.id = c.payment_id
         where c.used_at_ms is null and p.is_test = 0 and p.status in ${paidStatuses}
         limit ${countMax}) as unused`)
  return Number(row?.count ?? 0)
}

/** Bridges whose progress the relay is still asked about. */
export async function countUnfinishedBridges(tx: Tx): Promise<number> {
  const row = await tx.get<{ count: number }>(sql`
      select count(*) as count from (select payment_id from bridge_polls limit ${countMax}) as unfinished`)
  return Number(row?.count ?? 0)
}
