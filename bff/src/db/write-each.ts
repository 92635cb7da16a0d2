import type { Db, Tx } from './db.ts'
import { LeaseLostError } from './fenced.ts'
import { isDatabaseFault } from './unavailable.ts'

/** Whether the error comes from the database or the lease and not from one row: every other write would fail too. */
export const isFaultOfAll = (error: unknown): boolean => error instanceof LeaseLostError || isDatabaseFault(error)

/**
 * Writes all rows in one commit. If that fails, each row gets its own commit, so that one bad row does not stop the others.
 * @returns the rows that failed, each with its error.
 * @throws {Error} when the database fails, or the lease is lost.
 */
export async function writeEach<Row>(
  db: Pick<Db, 'write'>,
  rows: readonly Row[],
  write: (tx: Tx, row: Row) => Promise<unknown>,
): Promise<Map<Row, unknown>> {
  const failed = new Map<Row, unknown>()
  try {
    await db.write(async (tx) => {
      for (const row of rows) await write(tx, row)
    })
    return failed
  } catch (error) {
    if (isFaultOfAll(error)) throw error
  }
  for (const row of rows) {
    try {
      await db.write((tx) => write(tx, row))
    } catch (error) {
      if (isFaultOfAll(error)) throw error
      failed.set(row, error)
    }
  }
  return failed
}
