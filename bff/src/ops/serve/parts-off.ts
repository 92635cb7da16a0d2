import type { Log } from '../../core/log.ts'
import type { Db } from '../../db/db.ts'
import type { PartName } from '../../parts.ts'
import { countUnusedCharges } from './parts-off-store.ts'

/** Reports what a part that was switched off leaves unfinished. The start continues: the money is watched and paid out either way. */
export async function warnOfPartsOff(db: Db, on: readonly PartName[], log: Pick<Log, 'warn'>): Promise<void> {
  if (on.includes('x402')) return
  const charges = await db.read(countUnusedCharges)
  if (charges > 0)
    log.warn(
      { part: 'x402', charges },
      `x402 is switched off, but ${charges} charges are paid and not used. Their clients get 404 until it is switched on.`,
    )
}
