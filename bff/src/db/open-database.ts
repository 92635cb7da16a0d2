import type { Db } from './db.ts'
import type { CommitObserver } from './group-commit.ts'
import { isPostgres } from './location.ts'
import { openPostgres } from './postgres/open-postgres.ts'
import { openSqlite } from './sqlite/open-sqlite.ts'

/** Opens the configured database. Creates or migrates it if needed. */
export async function openDatabase(database: string, observer?: CommitObserver): Promise<Db> {
  return isPostgres(database) ? await openPostgres(database, observer) : openSqlite(database, observer)
}
