import type { FindingCode } from '../../core/finding-codes.ts'
import type { Log } from '../../core/log.ts'
import type { Db } from '../../db/db.ts'
import { declarationOf, type PartName, partNames } from '../../parts.ts'

/** Unfinished work of the parts that are off. */
export async function findUnfinished(db: Db, on: readonly PartName[]) {
  const found: { code: FindingCode; part: PartName; count: number; says: string }[] = []
  for (const part of partNames) {
    const { unfinished } = declarationOf(part)
    if (on.includes(part) || unfinished === undefined) continue
    const count = await db.read((tx) => unfinished.count(tx))
    if (count > 0) found.push({ code: unfinished.code, part, count, says: unfinished.says(count) })
  }
  return found
}

/** Only warns, because the money is watched and paid out in any case. */
export async function warnOfPartsOff(db: Db, on: readonly PartName[], log: Pick<Log, 'warn'>): Promise<void> {
  for (const { part, count, says } of await findUnfinished(db, on)) log.warn({ part, count }, says)
}
