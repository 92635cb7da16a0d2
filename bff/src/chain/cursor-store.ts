import { sql, type Tx } from '../db/db.ts'

/** A block that was fully applied and may still be replaced. */
export type Header = { number: number; hash: string; timeMs: number }

type HeaderRow = { number: number; hash: string; time_ms: number }

/** The newest headers, at most `limit`, in ascending order. The last one is the cursor. */
export async function loadHeaders(tx: Tx, network: string, limit: number): Promise<Header[]> {
  const rows = await tx.all<HeaderRow>(sql`
      select number, hash, time_ms from headers where network = ${network} order by number desc limit ${limit}`)
  return rows.reverse().map((row) => ({ number: row.number, hash: row.hash, timeMs: row.time_ms }))
}

/** Whether a header is still kept. Reorgs and finality remove headers. */
export async function hasHeader(tx: Tx, network: string, { number, hash }: Header): Promise<boolean> {
  const row = await tx.get<{ found: number }>(sql`
      select 1 as found from headers where network = ${network} and number = ${number} and hash = ${hash}`)
  return row !== undefined
}

/**
 * Moves the cursor to `header` and deletes headers above `ancestor`. Keeps one header at or below the
 * finality depth, so that the deepest possible reorg finds a common ancestor.
 */
export async function moveCursor(
  tx: Tx,
  network: string,
  ancestor: Header,
  header: Header,
  finalityBlocks: number,
): Promise<void> {
  tx.write(sql`delete from headers where network = ${network} and number > ${ancestor.number}`)
  for (const { number, hash, timeMs } of [ancestor, header]) {
    tx.write(sql`
        insert into headers (network, number, hash, time_ms) values (${network}, ${number}, ${hash}, ${timeMs})
        on conflict (network, number) do nothing`)
  }
  tx.write(sql`
      delete from headers
       where network = ${network}
         and number < (select max(number) from headers
                        where network = ${network} and number <= ${header.number - finalityBlocks})`)
}

/**
 * When the network's first live payment was created, by the service's clock; undefined if there is none. A first cursor must be
 * below it.
 */
export async function firstCreation(tx: Tx, network: string): Promise<number | undefined> {
  const row = await tx.get<{ atMs: number }>(sql`
      select created_at_ms as "atMs" from payments where network = ${network} and is_test = 0 order by number limit 1`)
  return row?.atMs
}

/** Newest block searched for unmatched transfers; undefined before the first search. */
export async function loadUnmatchedCursor(
  tx: Tx,
  network: string,
): Promise<{ number: number; hash: string } | undefined> {
  return await tx.get(sql`select number, hash from unmatched_cursors where network = ${network}`)
}

export async function saveUnmatchedCursor(
  tx: Tx,
  network: string,
  { number, hash }: { number: number; hash: string },
): Promise<void> {
  tx.write(sql`
      insert into unmatched_cursors (network, number, hash) values (${network}, ${number}, ${hash})
      on conflict (network) do update set number = excluded.number, hash = excluded.hash`)
}
