import { sql, type Tx } from '../../db/db.ts'

type Row = { number: number; createdAtMs: number; isDue: number }

/**
 * Deletes the oldest events with their deliveries: at most `limit`, only events before `beforeMs`, and only up to the first
 * event with a due delivery. The newest event and delivery stay, because the next numbers continue from them.
 * @returns how many events were deleted.
 */
export async function pruneEvents(tx: Tx, beforeMs: number, limit: number): Promise<number> {
  const oldest = await tx.all<Row>(sql`
      select e.number, e.created_at_ms as "createdAtMs",
             exists (select 1 from deliveries d where d.event_number = e.number and d.state = 'due') as "isDue"
        from events e order by e.number limit ${limit}`)
  const kept = await keptNumber(tx)
  const end = oldest.findIndex(
    ({ number, createdAtMs, isDue }) => createdAtMs >= beforeMs || isDue === 1 || number >= kept,
  )
  const last = (end === -1 ? oldest : oldest.slice(0, end)).at(-1)
  if (!last) return 0
  await tx.run(sql`
      delete from attempts where delivery_number in (select number from deliveries where event_number <= ${last.number})`)
  await tx.run(sql`delete from deliveries where event_number <= ${last.number}`)
  return await tx.run(sql`delete from events where number <= ${last.number}`)
}

/** The first event that must stay, so that numbers are not reused. */
async function keptNumber(tx: Tx): Promise<number> {
  const row = await tx.get<{ newest: number | null; delivered: number | null }>(sql`
      select (select max(number) from events) as newest,
             (select event_number from deliveries order by number desc limit 1) as delivered`)
  const newest = row?.newest ?? 0
  return Math.min(newest, row?.delivered ?? newest)
}
