import { sql, type Tx } from '../../db/db.ts'

/** Deletes at most `limit` counts whose windows have ended. @returns how many. */
export async function deleteEndedCounts(tx: Tx, nowMs: number, limit: number): Promise<number> {
  return await tx.run(sql`
      delete from rate_limits
       where key in (select key from rate_limits where expire <= ${nowMs} order by expire limit ${limit})`)
}
