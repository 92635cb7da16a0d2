import { chmodSync, constants, copyFileSync, existsSync, linkSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { OperatorError } from '../core/errors.ts'
import { type BackupFacts, inspectBackup, syncFile } from './backup.ts'
import { type Db, sql } from './db.ts'
import { newestVersion } from './migrate.ts'
import { openSqlite } from './sqlite/open-sqlite.ts'
import { connect } from './sqlite/sqlite-connection.ts'
import { type Connection, SQLite } from './sqlite/sqlite-driver.ts'

/**
 * Maximum events since the backup. Their numbers are skipped, because readers of the feed have seen them and ask for later
 * ones.
 */
const lostEventsMax = 1_000_000

type Restored = BackupFacts & {
  /** Where the replaced database was moved to; null: there was none. */
  putAside: string | null
}

/**
 * Replaces the database with a backup. Nothing is deleted, and at every moment one complete database is in
 * place: the old or the restored one.
 * @param verify - Checks the restored database before it takes its place; throws when it cannot be used.
 * @throws {OperatorError} when the backup is broken or from a newer version, or a process has the database open.
 */
export async function restore(
  { database, backup, nowMs }: { database: string; backup: string; nowMs: number },
  verify: (db: Db) => Promise<void>,
): Promise<Restored> {
  if (!existsSync(backup)) throw new OperatorError(`There is no file ${backup}.`)
  mkdirSync(dirname(database), { recursive: true })
  const draft = `${database}.restoring`
  const removeDraft = () => {
    for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(`${draft}${suffix}`, { force: true })
  }
  removeDraft()
  try {
    copyFileSync(backup, draft, constants.COPYFILE_EXCL)
    chmodSync(draft, 0o600)
    const facts = inspectBackup(draft)
    if (facts.version > newestVersion()) {
      throw new OperatorError(`${backup} is of version ${facts.version}; this program knows ${newestVersion()}.`)
    }
    const db = openSqlite(draft)
    try {
      await verify(db)
      await skipNumbers(db, nowMs)
      await skipAddresses(db)
    } finally {
      await db.close()
    }
    const putAside = existsSync(database) ? setAside(database, nowMs) : null
    syncFile(draft)
    renameSync(draft, database)
    syncFile(dirname(database))
    return { ...facts, putAside }
  } finally {
    removeDraft()
  }
}

/** Inserts a placeholder row a million numbers ahead, so that later rows are numbered after it. */
async function skipNumbers(db: Db, nowMs: number): Promise<void> {
  await db.write((tx) =>
    tx.run(sql`
        insert into events (number, merchant_id, is_test, payment_id, sequence, type, body, created_at_ms)
        select coalesce(max(number), 0) + ${lostEventsMax}, '', 0, null, 0, 'restored', '{}', ${nowMs} from events`),
  )
}

/**
 * Maximum addresses of one merchant's wallet given out since the backup. Their numbers are skipped: a second customer with the
 * same address would pay the first one's payment.
 */
const lostAddressesMax = 100_000

/** Sources that the backup lacks start at the number in the row without a source. */
async function skipAddresses(db: Db): Promise<void> {
  await db.write(async (tx) => {
    await tx.run(sql`
        insert into address_sources (source, next_number) values ('', 1) on conflict (source) do nothing`)
    await tx.run(sql`update address_sources set next_number = next_number + ${lostAddressesMax}`)
  })
}

/** Keeps the database under a second name. @returns that name. */
function setAside(database: string, nowMs: number): string {
  const aside = `${database}.before-${new Date(nowMs).toISOString().replaceAll(/[:.]/g, '-')}`
  let db: Connection | undefined
  try {
    db = connect(database, { timeout: 0 })
    // Needs exclusive access, and folds the log into the file.
    db.pragma('journal_mode = delete')
  } catch (error) {
    const code = error instanceof SQLite.SqliteError ? error.code : ''
    if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED')) {
      throw new OperatorError(`${database} is in use. Stop the service first.`)
    }
    // An unreadable database is kept with its log, unchanged.
    if (!code.startsWith('SQLITE_')) throw error
    for (const suffix of ['-wal', '-shm']) {
      if (existsSync(`${database}${suffix}`)) renameSync(`${database}${suffix}`, `${aside}${suffix}`)
    }
  } finally {
    db?.close()
  }
  linkSync(database, aside)
  return aside
}
