import { sql, type Tx } from '../../../db/db.ts'

/** Blocks to be read again, both ends inclusive. */
export type SecondRead = { from: number; to: number }

/** What the blocks are read for: transfers that pay, or money that no payment asked for. */
export type SecondReadOf = 'transfers' | 'unmatched'

const tables = { transfers: sql`second_reads`, unmatched: sql`unmatched_second_reads` }

export async function saveSecondRead(
  tx: Tx,
  of: SecondReadOf,
  network: string,
  { from, to }: SecondRead,
): Promise<void> {
  tx.write(sql`
      insert into ${tables[of]} (network, from_block, to_block) values (${network}, ${from}, ${to})
      on conflict (network, from_block, to_block) do nothing`)
}

/** Ranges that begin at block `deep` or before, oldest first, at most `limit`. */
export async function dueSecondReads(
  tx: Tx,
  of: SecondReadOf,
  network: string,
  deep: number,
  limit: number,
): Promise<SecondRead[]> {
  return await tx.all<SecondRead>(sql`
      select from_block as "from", to_block as "to" from ${tables[of]}
       where network = ${network} and from_block <= ${deep} order by from_block, to_block limit ${limit}`)
}

/** The oldest block that is to be read again for transfers that pay; undefined: none is. */
export async function firstSecondRead(tx: Tx, network: string): Promise<number | undefined> {
  const row = await tx.get<{ first: number | null }>(sql`
      select min(from_block) as first from second_reads where network = ${network}`)
  return row?.first ?? undefined
}

/** The blocks were read: of ranges that begin among them, what is behind them is left. */
export async function moveSecondReads(
  tx: Tx,
  of: SecondReadOf,
  network: string,
  { from, to }: SecondRead,
): Promise<void> {
  const table = tables[of]
  tx.write(sql`
      insert into ${table} (network, from_block, to_block)
      select network, ${to + 1}, to_block from ${table}
       where network = ${network} and from_block >= ${from} and from_block <= ${to} and to_block > ${to}
      on conflict (network, from_block, to_block) do nothing`)
  tx.write(sql`
      delete from ${table} where network = ${network} and from_block >= ${from} and from_block <= ${to}`)
}
