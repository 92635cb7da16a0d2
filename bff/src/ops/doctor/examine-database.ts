import { existsSync, statfsSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { type Db, sql } from '../../db/db.ts'
import { openDb } from '../../db/sqlite/open-database.ts'
import { bad, type Finding, good, warning } from './finding.ts'

/** A busy shop writes a few megabytes a day; a full disk stops every payment. */
const freeBytesMin = { warning: 2_000_000_000, bad: 200_000_000 }

/** Network file systems by the number that `statfs` gives them: NFS, SMB, SMB2, CIFS. SQLite's locks are not safe on them. */
const networkFileSystems = new Set([0x6969, 0x517b, 0xfe534d42, 0xff534d42])

type Space = { type: number; bavail: number; bsize: number }

/** @param spaceOf - A test says how much is left. */
export async function examineDatabase(
  path: string,
  spaceOf: (folder: string) => Space = (folder) => statfsSync(folder),
  open: (path: string) => Db = openDb,
): Promise<Finding[]> {
  if (!existsSync(path)) {
    return [
      warning(
        'database',
        path,
        'is not there yet: the first start makes it',
        'Is it the file you mean? Run "init" for a new shop.',
      ),
    ]
  }
  return [...examineDisk(path, spaceOf(dirname(resolve(path)))), ...(await examineFile(path, open))]
}

function examineDisk(path: string, { type, bavail, bsize }: Space): Finding[] {
  const free = bavail * bsize
  const says = `${(free / 1e9).toFixed(1)} GB are free`
  const fix = 'Free some space: without it nothing can be stored, and payments wait.'
  const state = free < freeBytesMin.bad ? bad : warning
  return [
    free < freeBytesMin.warning ? state('space', path, says, fix) : good('space', path, says),
    ...(networkFileSystems.has(type)
      ? [
          bad(
            'database',
            path,
            'lies on a network file system',
            'Put it on a disk of this machine: locks are not safe there.',
          ),
        ]
      : []),
  ]
}

async function examineFile(path: string, open: (path: string) => Db): Promise<Finding[]> {
  const restore =
    'Stop the service, keep the file, and restore the newest backup: what it has forgotten is read from the chain again.'
  try {
    const db = open(path)
    try {
      return [await examineDurability(db, path), await examineIntegrity(db, path, restore)]
    } finally {
      await db.close()
    }
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error)
    return [bad('database', path, `cannot be opened: ${text}`, restore)]
  }
}

/** FULL: an answer leaves only after what it tells has reached the disk. */
async function examineDurability(db: Db, path: string): Promise<Finding> {
  const synchronous = await db.write((tx) => tx.get<{ synchronous: number }>(sql`pragma synchronous`))
  const journal = await db.write((tx) => tx.get<{ journal_mode: string }>(sql`pragma journal_mode`))
  if (synchronous?.synchronous === 2 && journal?.journal_mode === 'wal') {
    return good('durability', path, 'every commit is synced to the disk (WAL, synchronous=FULL)')
  }
  const says = `journal_mode=${journal?.journal_mode}, synchronous=${synchronous?.synchronous}: the last commits can be lost`
  return bad('durability', path, says, 'Put it on a file system that supports WAL, with nothing between it and SQLite.')
}

async function examineIntegrity(db: Db, path: string, fix: string): Promise<Finding> {
  const row = await db.read((tx) => tx.get<{ quick_check: string }>(sql`pragma quick_check(1)`))
  if (row?.quick_check === 'ok') return good('integrity', path, 'every page is as it must be')
  return bad('integrity', path, `is damaged: ${String(row?.quick_check).slice(0, 200)}`, fix)
}

/** Files that hold or seal secrets: others on the machine must not read them. */
export function examineFiles(paths: readonly (string | null)[]): Finding[] {
  return paths
    .filter((path) => path !== null)
    .filter((path) => existsSync(path))
    .map((path) => {
      const mode = statSync(path).mode & 0o777
      if ((mode & 0o077) === 0) return good('files', path, 'is its owner’s only')
      return warning('files', path, `can be read by others (mode ${mode.toString(8)})`, `chmod 600 ${path}`)
    })
}
