import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { DatabaseBeforeReleaseError, migrationFiles, refuseNewer, tablesBeforeRelease } from '../migrate.ts'
import { locks } from './locks.ts'
import { toPostgres } from './translate.ts'

/** No timeouts: another replica may be migrating, and a large table may be rewritten. */
const patience = 'set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0'

/**
 * How long a migration waits for a table in use: shorter than the second after which PostgreSQL looks for deadlocks and ends one of the
 * transactions. So the migration always gives way, never a request of a working replica.
 */
const lockTimeoutMs = 500

/** Pause before a migration that gave way is retried. */
const pauseMs = 100

/** A lock was not granted in time, or PostgreSQL found a deadlock. */
const lockCodes = new Set(['55P03', '40P01'])

/** Client timeout for a migration's statement or another replica's migration: practically unlimited. */
export const migrationAnswerMs = 24 * 60 * 60 * 1000

/** Marks of processes that have not written for this long are deleted. */
const marksKept = '30 days'

/**
 * What SQLite has built in: the schema's version, and `now_ms()`, the database's clock in Unix milliseconds (at the statement, because a
 * transaction may have waited since its start). Also the mark of each process's newest group, see `writer.ts`.
 */
const ownTables = `
  create or replace function now_ms() returns bigint language sql volatile
    as 'select floor(extract(epoch from clock_timestamp()) * 1000)::bigint';
  create table if not exists schema_version (id int primary key check (id = 1), version bigint not null);
  insert into schema_version (id, version) values (1, 0) on conflict (id) do nothing;
  create table if not exists group_commits (
    writer text primary key, number bigint not null, committed_at timestamptz not null);`

/**
 * Applies the migrations that the database lacks, one transaction each. Replicas that start together wait for one another: the lock is
 * held until the caller ends the connection. Replicas of the previous version keep working: a migration takes turns with their writes,
 * and gives way to their reads.
 * @throws {DatabaseBeforeReleaseError} when the database is from before the first release.
 * @throws {Error} when the database is newer than this program, because an older program could corrupt it.
 */
export async function migratePostgres(client: pg.Client, files = migrationFiles()): Promise<void> {
  const run = (text: string) => client.query(text)
  await run(patience)
  await run(`select pg_advisory_lock(${locks.migration})`)
  if (await isBeforeRelease(client)) throw new DatabaseBeforeReleaseError(`The database ${client.database}`)
  await run(`begin; ${ownTables} commit`)
  await run(`delete from group_commits where committed_at < now() - interval '${marksKept}'`)
  const { rows } = await client.query<{ version: number }>('select version from schema_version')
  const current = rows[0]?.version ?? 0
  refuseNewer(current, files.length)
  await run(`set lock_timeout = ${lockTimeoutMs}`)
  for (const [index, { text }] of files.entries()) {
    if (index < current) continue
    await runWhenFree(client, `${toPostgres(text)}; update schema_version set version = ${index + 1}`)
  }
}

/** Whether a pre-release program made the tables. */
export async function isBeforeRelease(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query(`
      select 1 from pg_tables where schemaname = 'public' and tablename in ${tablesBeforeRelease}`)
  return rows.length > 0
}

/** Runs the statements in one transaction, and retries until it gets the locks of all tables. */
async function runWhenFree(client: pg.Client, text: string): Promise<void> {
  for (;;) {
    try {
      await client.query(`begin; select pg_advisory_xact_lock(${locks.writers}); ${text}; commit`)
      return
    } catch (error) {
      if (!(error instanceof pg.DatabaseError && lockCodes.has(error.code ?? ''))) throw error
      await client.query('rollback')
      await sleep(pauseMs)
    }
  }
}
