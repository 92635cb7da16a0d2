import type SQLite from 'better-sqlite3'
import { assetNames, readAsset } from '../assets.ts'

/** @throws {Error} when the program has lost them: a database without tables must not open as if it were whole. */
function fileNames(): string[] {
  const names = assetNames('migrations').filter((name) => /^\d{4}_.+\.sql$/.test(name))
  if (names.length === 0) throw new Error('The program has no migrations beside it: it was not installed whole.')
  return names
}

/** The version that this program brings a database to. */
export const newestVersion = (): number => fileNames().length

/**
 * Brings the file forward by the numbered files that it has not seen. They are append-only: never edit one that was released.
 * @throws {Error} when the file is newer than this program, because an older program could corrupt it.
 */
export function migrate(connection: SQLite.Database): void {
  const files = fileNames()
  const current = connection.pragma('user_version', { simple: true }) as number
  if (current > files.length) {
    throw new Error(`The database is at version ${current}; this program knows ${files.length}. Use the newer program.`)
  }
  for (const [index, name] of files.entries()) {
    if (index < current) continue
    const text = readAsset('migrations', name).toString('utf8')
    connection.transaction(() => {
      connection.exec(text)
      connection.pragma(`user_version = ${index + 1}`)
    })()
  }
}
