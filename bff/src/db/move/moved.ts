import type SQLite from 'better-sqlite3'
import { OperatorError } from '../../core/errors.ts'
import { connect } from '../sqlite/sqlite-connection.ts'

/** Marks a SQLite file whose data was moved: one row with the new location. */
export const markTable = 'moved_to'

export type Mark = { target: string; movedAtMs: number }

/** The file's data was moved to another database. Continuing with the file would take the same payments twice. */
export class DatabaseMovedError extends OperatorError {
  constructor(path: string, { target, movedAtMs }: Mark) {
    const at = new Date(movedAtMs).toISOString()
    super(`The data of ${path} was moved to ${target} at ${at}. Set DATABASE_URL. This file is unchanged since then.`)
  }
}

/** Where the data was moved to; undefined when it was not moved. */
export function loadMark(db: SQLite.Database): Mark | undefined {
  const isMarked = db.prepare("select 1 from sqlite_master where type = 'table' and name = ?").get(markTable)
  if (!isMarked) return undefined
  return db.prepare(`select target, moved_at_ms as "movedAtMs" from ${markTable}`).get() as Mark | undefined
}

/** @param mark - `target` must not contain a password. */
export function saveMark(db: SQLite.Database, { target, movedAtMs }: Mark): void {
  db.exec(`
      create table ${markTable} (
        id integer primary key check (id = 1), target text not null, moved_at_ms integer not null) strict`)
  db.prepare(`insert into ${markTable} (id, target, moved_at_ms) values (1, ?, ?)`).run(target, movedAtMs)
}

/** @throws {DatabaseMovedError} */
export function refuseMoved(path: string, db: SQLite.Database): void {
  const mark = loadMark(db)
  if (mark) throw new DatabaseMovedError(path, mark)
}

/** Whether an existing file's data was moved. */
export function isMoved(path: string): boolean {
  const db = connect(path, { readonly: true })
  try {
    return loadMark(db) !== undefined
  } finally {
    db.close()
  }
}
