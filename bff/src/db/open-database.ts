import type { Db } from './db.ts'
import type { CommitObserver } from './group-commit.ts'
import { isPostgres } from './location.ts'
import { openPostgres } from './postgres/open-postgres.ts'
import { openSqlite } from './sqlite/open-sqlite.ts'

/** Opens the database that the configuration names. It is created or migrated where that is needed. */
export async function openDatabase(database: string, observer?: CommitObserver): Promise<Db> {
  return isPostgres(database) ? await openPostgres(database, observer) : openSqlite(database, observer)
}
