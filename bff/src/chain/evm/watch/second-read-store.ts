import { sql, type Tx } from '../../../db/db.ts'

/** Blocks to read again, both ends inclusive. */
export type SecondRead = { from: number; to: number }

/** Purpose of the read: transfers that pay, or unmatched transfers. */
export type SecondReadOf = 'transfers' | 'unmatched'

const tables = { transfers: sql`second_reads`, unmatched: sql`unmatched_second_reads` }

/** @param toTimeMs - The chain's time of the last block. */
export async function saveSecondRead(
  tx: Tx,
  of: SecondReadOf,
  network: string,
  { from, to, toTimeMs }: SecondRead & { toTimeMs: number },
): Promise<void> {
  tx.write(sql`
      insert into ${tables[of]} (network, from_block, to_block, to_time_ms) values (${network}, ${from}, ${to}, ${toTimeMs})
      on conflict (network, from_block, to_block) do nothing`)
}

/** Ranges that start at block `deep` or earlier and have no failed read; oldest first, at most `limit`. */
export async function dueSecondReads(
  tx: Tx,
  of: SecondReadOf,
  network: string,
  { deep, limit }: { deep: number; limit: number },
): Promise<SecondRead[]> {
  return await tx.all<SecondRead>(sql`
      select from_block as "from", to_block as "to" from ${tables[of]}
       where network = ${network} and from_block <= ${deep} and failing_since_ms is null
       order by from_block, to_block limit ${limit}`)
}

/** The first range after block `after` that no node returned; undefined if there is none. */
export async function unansweredAfter(
  tx: Tx,
  of: SecondReadOf,
  network: string,
  after: number,
): Promise<SecondRead | undefined> {
  return await tx.get<SecondRead>(sql`
      select from_block as "from", to_block as "to" from ${tables[of]}
       where network = ${network} and failing_since_ms is not null and from_block > ${after}
       order by from_block limit 1`)
}

/** A range to read again. `failingSinceMs`: when nodes first failed to return it; null if they have not. */
export type UnreadRange = SecondRead & { failingSinceMs: number | null; toTimeMs: number | null }

/** How long nodes have to return a range: as long as a window stays open for an unexplained balance. */
const unansweredMaxMs = 24 * 60 * 60 * 1000

/** Whether no node has returned the range for so long that nothing waits for it any longer. */
export const isGivenUp = ({ failingSinceMs }: UnreadRange, nowMs: number): boolean =>
  failingSinceMs !== null && nowMs - failingSinceMs >= unansweredMaxMs

/** The ranges to read again for transfers that pay, oldest first, at most `limit`. */
export async function unreadRanges(tx: Tx, network: string, limit: number): Promise<UnreadRange[]> {
  return await tx.all<UnreadRange>(sql`
      select from_block as "from", to_block as "to", failing_since_ms as "failingSinceMs", to_time_ms as "toTimeMs"
        from second_reads where network = ${network} order by from_block, to_block limit ${limit}`)
}

/**
 * Records that no node returns a block. Ranges that start with it are split after it, so that their other blocks are read.
 * @param nowMs - Stored at the first failure; later failures keep it.
 */
export async function saveUnanswered(
  tx: Tx,
  of: SecondReadOf,
  network: string,
  { block, nowMs }: { block: number; nowMs: number },
): Promise<void> {
  const table = tables[of]
  tx.write(sql`
      insert into ${table} (network, from_block, to_block, to_time_ms)
      select network, ${block + 1}, to_block, to_time_ms from ${table}
       where network = ${network} and from_block = ${block} and to_block > ${block}
      on conflict (network, from_block, to_block) do nothing`)
  tx.write(sql`
      insert into ${table} (network, from_block, to_block, to_time_ms, failing_since_ms)
      select network, from_block, from_block, max(to_time_ms), ${nowMs} from ${table}
       where network = ${network} and from_block = ${block} group by network, from_block
      on conflict (network, from_block, to_block) do update
         set failing_since_ms = coalesce(${table}.failing_since_ms, excluded.failing_since_ms)`)
  tx.write(sql`delete from ${table} where network = ${network} and from_block = ${block} and to_block > ${block}`)
}

/** A network's blocks that no node returns, for either purpose, and since when. */
export type Unanswered = { network: string; count: number; first: number; sinceMs: number }

export async function countUnanswered(tx: Tx): Promise<Unanswered[]> {
  return await tx.all<Unanswered>(sql`
      select network, count(distinct from_block) as count, min(from_block) as "first", min(failing_since_ms) as "sinceMs"
        from (select network, from_block, failing_since_ms from second_reads where failing_since_ms is not null
              union all
              select network, from_block, failing_since_ms from unmatched_second_reads where failing_since_ms is not null) as failing
       group by network order by network limit 1000`)
}

/** Records the blocks as read; ranges that start among them keep the blocks that follow. */
export async function moveSecondReads(
  tx: Tx,
  of: SecondReadOf,
  network: string,
  { from, to }: SecondRead,
): Promise<void> {
  const table = tables[of]
  tx.write(sql`
      insert into ${table} (network, from_block, to_block, to_time_ms)
      select network, ${to + 1}, to_block, to_time_ms from ${table}
       where network = ${network} and from_block >= ${from} and from_block <= ${to} and to_block > ${to}
      on conflict (network, from_block, to_block) do nothing`)
  tx.write(sql`
      delete from ${table} where network = ${network} and from_block >= ${from} and from_block <= ${to}`)
}
