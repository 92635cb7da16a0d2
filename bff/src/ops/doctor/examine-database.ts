import { existsSync, statfsSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { bad, type Finding, found, good, warning } from '../../core/finding.ts'
import type { FindingCode } from '../../core/finding-codes.ts'
import { type Db, sql } from '../../db/db.ts'
import { DatabaseBeforeReleaseError, newDatabaseAdvice } from '../../db/migrate.ts'
import { DatabaseMovedError } from '../../db/move/moved.ts'
import { openSqlite } from '../../db/sqlite/open-sqlite.ts'

/** A busy shop writes a few megabytes a day. A full disk stops every payment. */
const freeBytesMin = { warning: 2_000_000_000, bad: 200_000_000 }

/** `statfs` types of NFS, SMB, SMB2 and CIFS, on which SQLite's locks are not safe. */
const networkFileSystems = new Set([0x6969, 0x517b, 0xfe534d42, 0xff534d42])

type Space = { type: number; bavail: number; bsize: number }

/** @param spaceOf - For tests, like `open`. */
export async function examineDatabase(
  path: string,
  spaceOf: (folder: string) => Space = (folder) => statfsSync(folder),
  open: (path: string) => Db = openSqlite,
): Promise<Finding[]> {
  if (!existsSync(path)) {
    const fix = 'Check the path, or run "init" for a new shop.'
    return [warning('database.missing', path, 'does not exist yet: the first start creates it', fix)]
  }
  return [...examineDisk(path, spaceOf(dirname(resolve(path)))), ...(await examineFile(path, open))]
}

function examineDisk(path: string, { type, bavail, bsize }: Space): Finding[] {
  const freeBytes = bavail * bsize
  const freeGigabytes = (freeBytes / 1e9).toFixed(1)
  const says = `${freeGigabytes} GB are free`
  const level = freeBytes < freeBytesMin.bad ? bad : warning
  const space =
    freeBytes < freeBytesMin.warning
      ? level(
          found('space.low', freeGigabytes),
          path,
          says,
          'Free some space: on a full disk no payment can be stored.',
        )
      : good(found('space.good', freeGigabytes), path, says)
  if (!networkFileSystems.has(type)) return [space]
  const fix = 'Move it to a disk of this machine: locks are not safe on a network file system.'
  return [space, bad('database.networkDisk', path, 'is on a network file system', fix)]
}

async function examineFile(path: string, open: (path: string) => Db): Promise<Finding[]> {
  const restore =
    'Stop the service, keep the file, and restore the newest backup: the service reads later payments from the chain again.'
  try {
    const db = open(path)
    try {
      return [await examineDurability(db, path), await examineIntegrity(db, path, restore)]
    } finally {
      await db.close()
    }
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error)
    const { code, fix } = causeOf(error)
    return [bad(found(code, text), path, `cannot be opened: ${text}`, fix ?? restore)]
  }
}

/** `fix` is null when the file itself is broken. */
function causeOf(error: unknown): { code: FindingCode; fix: string | null } {
  if (error instanceof DatabaseMovedError)
    return { code: 'database.moved', fix: 'Use the database that it was moved to.' }
  if (error instanceof DatabaseBeforeReleaseError) return { code: 'database.beforeRelease', fix: newDatabaseAdvice }
  return { code: 'database.unreadable', fix: null }
}

/** With `synchronous=FULL`, a response is sent only after its commit has reached the disk. */
async function examineDurability(db: Db, path: string): Promise<Finding> {
  const synchronous = await db.write((tx) => tx.get<{ synchronous: number }>(sql`pragma synchronous`))
  const journal = await db.write((tx) => tx.get<{ journal_mode: string }>(sql`pragma journal_mode`))
  if (synchronous?.synchronous === 2 && journal?.journal_mode === 'wal') {
    return good('durability.good', path, 'every commit is synced to the disk (WAL, synchronous=FULL)')
  }
  const says = `journal_mode=${journal?.journal_mode}, synchronous=${synchronous?.synchronous}: the last commits can be lost`
  return bad(
    found('durability.off', journal?.journal_mode ?? '', synchronous?.synchronous ?? ''),
    path,
    says,
    'Move it to a local file system that supports WAL.',
  )
}

async function examineIntegrity(db: Db, path: string, fix: string): Promise<Finding> {
  const row = await db.read((tx) => tx.get<{ quick_check: string }>(sql`pragma quick_check(1)`))
  if (row?.quick_check === 'ok') return good('integrity.good', path, 'every page is intact')
  const damage = String(row?.quick_check).slice(0, 200)
  return bad(found('integrity.damaged', damage), path, `is damaged: ${damage}`, fix)
}

/** Files with secrets or their key, which other users of the machine must not be able to read. */
export function examineFiles(paths: readonly (string | null)[]): Finding[] {
  return paths
    .filter((path) => path !== null)
    .filter((path) => existsSync(path))
    .map((path) => {
      const mode = statSync(path).mode & 0o777
      if ((mode & 0o077) === 0) return good('files.good', path, 'is readable by its owner only')
      const octal = mode.toString(8)
      return warning(found('files.open', octal), path, `is readable by others (mode ${octal})`, `chmod 600 ${path}`)
    })
}
