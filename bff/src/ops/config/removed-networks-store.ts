import { sql, type Tx } from '../../db/db.ts'

/** A removed network with unfinished live payments. `payments`: the first few ids. */
export type UsedNetwork = { network: string; count: number; payments: string[] }

/** Maximum payments counted: a count at this bound means "at least". */
const countMax = 10_000

/** Maximum ids reported, as a starting point. */
const namedMax = 5

/** `canBePaidLate` of a live payment. */
const canBePaidLate = sql`is_test = 0 and status = 'expired' and closed_as is null and accepted_until_ms is not null and late_ended = 0`

/**
 * Networks outside the given ones with unfinished payments: pending payments, including those that wait for confirmations;
 * payments that late money can still pay; and payments with a pending sweep, refund or return.
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

/** A network's unfinished payments whose money only the operator can send on. */
export async function sweptPaymentsOn(tx: Tx, network: string): Promise<UsedNetwork> {
  const rows = await tx.all<{ id: string }>(sql`
      select id from payments
       where is_test = 0 and status = 'pending' and network = ${network} and mode = 'deposit' and is_direct = 0
      union
      select id from payments where ${canBePaidLate} and network = ${network} and mode = 'deposit' and is_direct = 0
      union
      select payment_id as id from payouts where network = ${network}
      order by id limit ${countMax}`)
  return { network, count: rows.length, payments: rows.slice(0, namedMax).map(({ id }) => id) }
}
