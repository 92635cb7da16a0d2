import type SQLite from 'better-sqlite3'
import { assetNames, readAsset } from '../assets.ts'

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

/** The version that this program brings a database to. */
export const newestVersion = (): number => fileNames().length

/** @throws {Error} when the database is newer than this program, because an older program could corrupt it. */
export function refuseNewer(version: number, known: number): void {
  if (version > known) {
    throw new Error(`The database is at version ${version}; this program knows ${known}. Use the newer program.`)
  }
}

/**
 * Applies the migrations that the file has not seen.
 * @throws {Error} when the file is newer than this program.
 */
export function migrate(connection: SQLite.Database): void {
  const current = connection.pragma('user_version', { simple: true }) as number
  const files = migrationFiles()
  refuseNewer(current, files.length)
  for (const [index, { text }] of files.entries()) {
    if (index < current) continue
    connection.transaction(() => {
      connection.exec(text)
      connection.pragma(`user_version = ${index + 1}`)
    })()
  }
}
