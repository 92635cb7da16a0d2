import { sql, type Tx } from '../../db/db.ts'

/** A network that live payments still need. `payments`: their ids, the first few. */
export type UsedNetwork = { network: string; count: number; payments: string[] }

/** Payments that are counted at most: a number at this bound means "at least so many". */
const countMax = 10_000

/** Ids that are named: the first tell where to look. */
const namedMax = 5

/** `canBePaidLate` of a live payment. */
const canBePaidLate = sql`is_test = 0 and status = 'expired' and closed_as is null and accepted_until_ms is not null and late_ended = 0`

/**
 * Networks, other than those that are named, with payments that are not done: they are open, also while money of them waits for
 * confirmations, late money can still pay them, or money is to be sent there: a sweep, a refund or a return.
 */
export async function networksStillNeeded(tx: Tx, except: readonly string[]): Promise<UsedNetwork[]> {
  const networks = await tx.all<{ network: string }>(sql`
      select network from payments where is_test = 0 and status = 'pending'
      union select network from payments where ${canBePaidLate}
      union select network from payouts`)
  const needed: UsedNetwork[] = []
  for (const { network } of networks) {
    if (except.includes(network)) continue
    const rows = await tx.all<{ id: string }>(sql`
        select id from payments where is_test = 0 and status = 'pending' and network = ${network}
        union select id from payments where ${canBePaidLate} and network = ${network}
        union select payment_id as id from payouts where network = ${network}
        order by id limit ${countMax}`)
    needed.push({ network, count: rows.length, payments: rows.slice(0, namedMax).map(({ id }) => id) })
  }
  return needed
}
