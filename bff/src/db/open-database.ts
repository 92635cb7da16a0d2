import type { Db } from './db.ts'
import type { CommitObserver } from './group-commit.ts'
import { isPostgres } from './location.ts'
import { openSqlite } from './sqlite/open-sqlite.ts'

/** Opens the configured database, and creates or migrates it if needed. */
export async function openDatabase(database: string, observer?: CommitObserver): Promise<Db> {
  if (!isPostgres(database)) return openSqlite(database, observer)
  const { openPostgres } = await import('./postgres/open-postgres.ts')
  return await openPostgres(database, observer)
}
