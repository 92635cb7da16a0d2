import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { OperatorError } from '../core/errors.ts'
import { isBeforeRelease } from './migrate.ts'
import { connect } from './sqlite/sqlite-connection.ts'
import { type Connection, SQLite } from './sqlite/sqlite-driver.ts'

/** Pages of 4 kB in one step: a few steps a second. */
const stepPages = 5_000

/** Reports progress: `label` names the step, `done` of `total`. */
type OnProgress = (label: string, done: number, total: number) => void

/** The contents of a backup. */
export type BackupFacts = {
  bytes: number
  /** The schema's version. */
  version: number
  payments: number
  /** The newest fully applied block of each network, from which a restored service resumes. */
  cursors: { network: string; block: number; time: string }[]
}

/**
 * Copies a consistent snapshot of the database into a new file that only its owner may read, while the
 * service runs. The file is complete and verified, or does not exist.
 * @throws {OperatorError} when there is nothing to copy, the target exists, or the copy is corrupt.
 */
export async function backUp(
  database: string,
  target: string,
  onProgress: OnProgress = () => undefined,
): Promise<BackupFacts> {
  if (!existsSync(database)) throw new OperatorError(`There is no database ${database}.`)
  if (existsSync(target)) throw new OperatorError(`${target} already exists. A backup never overwrites a file.`)
  const draft = `${target}.partial`
  rmSync(draft, { force: true })
  // Created before the copy, because SQLite would create a file that everybody can read.
  closeSync(openSync(draft, 'wx', 0o600))
  try {
    const source = connect(database, { readonly: true })
    try {
      // One snapshot for all steps: without a transaction the copy would restart at every commit of the
      // service.
      source.exec('begin; select 1 from sqlite_master')
      await source.backup(draft, {
        progress({ totalPages, remainingPages }) {
          onProgress('copy', totalPages - remainingPages, totalPages)
          return stepPages
        },
      })
    } finally {
      source.close()
    }
    onProgress('verify', 0, 1)
    const facts = inspectBackup(draft)
    syncFile(draft)
    onProgress('verify', 1, 1)
    renameSync(draft, target)
    syncFile(dirname(target))
    return facts
  } finally {
    for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(`${draft}${suffix}`, { force: true })
  }
}

/**
 * Reads every page of the file, and folds the write-ahead log into it.
 * @throws {OperatorError} when the file is not a database of this service, or one of its pages is corrupt.
 */
export function inspectBackup(path: string): BackupFacts {
  let db: Connection | undefined
  try {
    db = connect(path, { fileMustExist: true })
    db.pragma('journal_mode = delete')
    const found = db.pragma('integrity_check(1)', { simple: true })
    if (found !== 'ok') throw new OperatorError(`${path} is corrupt: ${found}.`)
    const version = db.pragma('user_version', { simple: true }) as number
    if (!hasPayments(db)) throw new OperatorError(`${path} is not a database of this service.`)
    if (isBeforeRelease(db))
      throw new OperatorError(`${path} was made before the first release and cannot be used any more.`)
    const payments = db.prepare('select count(*) from payments').pluck().get() as number
    const cursors = db
      .prepare('select network, max(number) as block, time_ms as timeMs from headers group by network order by network')
      .all() as { network: string; block: number; timeMs: number }[]
    return {
      bytes: statSync(path).size,
      version,
      payments,
      cursors: cursors.map(({ network, block, timeMs }) => ({ network, block, time: new Date(timeMs).toISOString() })),
    }
  } catch (error) {
    if (error instanceof SQLite.SqliteError) throw new OperatorError(`${path} cannot be read: ${error.message}.`)
    throw error
  } finally {
    db?.close()
  }
}

const hasPayments = (db: Connection): boolean =>
  db.prepare("select 1 from sqlite_master where type = 'table' and name = 'payments'").get() !== undefined

/** Waits until the file, or the folder's entries, are on disk. */
export function syncFile(path: string): void {
  const file = openSync(path, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
