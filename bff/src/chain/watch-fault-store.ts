import { sql, type Tx } from '../db/db.ts'
import type { PaymentId } from '../payment/payment.ts'
import { isOf, type WindowsOf } from '../payment/store/watched-payments-store.ts'

/** The part of a payment that could not be applied; `watch_faults` documents each part's place. */
export type FaultPart = 'transfers' | 'account' | 'window' | 'unmatched'

export type WatchFault = { id: PaymentId; part: FaultPart; place: string }

/**
 * Stores a failure of a part of a payment, or counts a repeated one.
 * @returns how often it has failed.
 */
export async function saveFault(
  tx: Tx,
  network: string,
  { id, part, place }: WatchFault,
  { error, atMs }: { error: string; atMs: number },
): Promise<number> {
  const row = await tx.get<{ failures: number }>(sql`
      insert into watch_faults (network, payment_id, part, place, error, failures, since_ms, tried_at_ms)
      values (${network}, ${id}, ${part}, ${place}, ${error}, 1, ${atMs}, ${atMs})
      on conflict (network, payment_id, part, place) do update
         set error = excluded.error, failures = watch_faults.failures + 1, tried_at_ms = excluded.tried_at_ms
      returning failures`)
  return row?.failures ?? 1
}

/** When the part first failed, by the host's clock; undefined if it has not. */
export async function faultSince(tx: Tx, network: string, fault: WatchFault): Promise<number | undefined> {
  const row = await tx.get<{ sinceMs: number }>(sql`
      select since_ms as "sinceMs" from watch_faults
       where network = ${network} and payment_id = ${fault.id} and part = ${fault.part} and place = ${fault.place}`)
  return row?.sinceMs
}

/** Whether anything of the payment or refund could not be applied and is still waiting. */
export async function isFaulty(tx: Tx, network: string, id: string): Promise<boolean> {
  const row = await tx.get(sql`
      select 1 as found from watch_faults where network = ${network} and payment_id = ${id} limit 1`)
  return row !== undefined
}

export async function removeFault(tx: Tx, network: string, { id, part, place }: WatchFault): Promise<void> {
  tx.write(sql`
      delete from watch_faults
       where network = ${network} and payment_id = ${id} and part = ${part} and place = ${place}`)
}

/** The payments of which a part failed, least recently attempted first, at most `limit`. */
export async function faultyPayments(tx: Tx, network: string, part: FaultPart, limit: number): Promise<PaymentId[]> {
  const rows = await tx.all<{ id: PaymentId }>(sql`
      select payment_id as id from watch_faults where network = ${network} and part = ${part}
       group by payment_id order by min(tried_at_ms), payment_id limit ${limit}`)
  return rows.map(({ id }) => id)
}

/** The failures of one payment's part, least recently attempted first, at most `limit`. */
export async function faultsOf(
  tx: Tx,
  network: string,
  { id, part }: Pick<WatchFault, 'id' | 'part'>,
  limit: number,
): Promise<WatchFault[]> {
  return await tx.all<WatchFault>(sql`
      select payment_id as id, part, place from watch_faults
       where network = ${network} and payment_id = ${id} and part = ${part}
       order by tried_at_ms, place limit ${limit}`)
}

/**
 * Windows that could not be ended, least recently attempted first, at most `limit`. Excludes payments with other failures: their
 * waiting money may have arrived in time.
 */
export async function windowFaults(tx: Tx, network: string, of: WindowsOf, limit: number): Promise<WatchFault[]> {
  return await tx.all<WatchFault>(sql`
      select f.payment_id as id, f.part, f.place from watch_faults f join payments p on p.id = f.payment_id
       where f.network = ${network} and f.part = 'window' and ${isOf(of)}
         and not exists (select 1 from watch_faults o
                          where o.network = f.network and o.payment_id = f.payment_id and o.part <> f.part)
       order by f.tried_at_ms, f.payment_id limit ${limit}`)
}

/** Number of payments per network with something that could not be applied. */
export async function countFaulty(tx: Tx): Promise<{ network: string; count: number }[]> {
  return await tx.all(sql`
      select network, count(distinct payment_id) as count from watch_faults group by network order by network limit 1000`)
}
