import type SQLite from 'better-sqlite3'
import { assetNames, readAsset } from '../assets.ts'
import { OperatorError } from '../core/errors.ts'

/** @throws {Error} when the migrations are missing: a database without tables must not open as if it were complete. */
function fileNames(): string[] {
  const names = assetNames('migrations').filter((name) => /^\d{4}_.+\.sql$/.test(name))
  if (names.length === 0)
    throw new Error('The migrations are missing: the installation is incomplete. Install the program again.')
  return names
}

/** All migrations, in order. Append-only: never edit one that was released. */
export const migrationFiles = (): { name: string; text: string }[] =>
  fileNames().map((name) => ({ name, text: readAsset('migrations', name).toString('utf8') }))

/** The version to which this program migrates a database. */
export const newestVersion = (): number => fileNames().length

/** @throws {Error} when the database is newer than this program, because an older program could corrupt it. */
export function refuseNewer(version: number, known: number): void {
  if (version > known) {
    throw new Error(`The database is at version ${version}; this program knows ${known}. Use the newer program.`)
  }
}

/** An SQL list of the tables that only pre-release databases have. No schema uses these names again. */
export const tablesBeforeRelease = "('sweeps', 'strays')"

/** The database was made by a pre-release program. It cannot be migrated. */
export class DatabaseBeforeReleaseError extends OperatorError {
  constructor(place: string) {
    super(`${place} was made before the first release and cannot be used any more. ${newDatabaseAdvice}`)
  }
}

export const newDatabaseAdvice = 'Name a new database in DATABASE_PATH or DATABASE_URL; the old one stays as it is.'

/** Whether a pre-release program made the file. */
export function isBeforeRelease(connection: SQLite.Database): boolean {
  const found = connection.prepare(
    `select 1 from sqlite_master where type = 'table' and name in ${tablesBeforeRelease}`,
  )
  return found.get() !== undefined
}

/**
 * Applies the migrations that the file lacks, one transaction each.
 * @param files - For tests.
 * @throws {DatabaseBeforeReleaseError} when the file is from before the first release.
 * @throws {Error} when the file is newer than this program.
 */
export function migrate(connection: SQLite.Database, files = migrationFiles()): void {
  if (isBeforeRelease(connection)) throw new DatabaseBeforeReleaseError(`The database ${connection.name}`)
  const current = connection.pragma('user_version', { simple: true }) as number
  refuseNewer(current, files.length)
  for (const [index, { text }] of files.entries()) {
    if (index < current) continue
    connection.transaction(() => {
      connection.exec(text)
      connection.pragma(`user_version = ${index + 1}`)
    })()
  }
}
