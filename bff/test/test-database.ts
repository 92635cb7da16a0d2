import { randomUUID } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CommitObserver, type Db, openDatabase, openSqlite } from '@stablecoin-checkout/bff/testing/db'
import pg from 'pg'
import { expect, inject } from 'vitest'
import { templateName, urlOf } from './postgres-server.ts'
import { recorded } from './statement-record.ts'

/** Whether this run's tests use PostgreSQL. */
export const isOnPostgres = process.env['TEST_DATABASE'] === 'postgres'

export type TestDatabase = {
  /** The database as a configuration names it: a file, or a URL. */
  location: string
  open(observer?: CommitObserver): Promise<Db>
  /** Everything stored, as text, for tests of what must not be stored. */
  dump(): Promise<string>
  /** Deletes the data; the database must be closed. */
  drop(): Promise<void>
}

/** A new database for a test: a SQLite file or, with `TEST_DATABASE=postgres`, a database on the run's server. */
export const createTestDatabase = async (): Promise<TestDatabase> =>
  isOnPostgres ? await createOnPostgres() : await createFile()

/** A folder for database files, in memory if the run has one there. The test deletes it. */
export const makeDatabaseFolder = (): string =>
  mkdtempSync(join(process.env['TEST_DATABASE_FOLDER'] ?? tmpdir(), 'checkout-database-'))

/** An empty database file with the newest schema, created once per process. */
let template: Buffer | undefined

/**
 * Writes a new database's file. Running every migration takes 70 ms, copying their result 2 ms.
 * @param path - In an existing folder.
 */
export async function writeDatabaseFile(path: string): Promise<void> {
  template ??= await migratedFile()
  writeFileSync(path, template, { mode: 0o600, flag: 'wx' })
}

async function migratedFile(): Promise<Buffer> {
  const folder = makeDatabaseFolder()
  const path = join(folder, 'template.sqlite')
  // Closing moves the log into the file.
  await openSqlite(path).close()
  const bytes = readFileSync(path)
  rmSync(folder, { recursive: true })
  return bytes
}

async function createFile(): Promise<TestDatabase> {
  const folder = makeDatabaseFolder()
  const location = join(folder, 'test.sqlite')
  await writeDatabaseFile(location)
  const files = [location, `${location}-wal`]
  return {
    location,
    open: (observer) => openDatabase(location, observer),
    dump: async () =>
      files
        .filter((file) => existsSync(file))
        .map((file) => readFileSync(file, 'latin1'))
        .join('\n'),
    drop: async () => rmSync(folder, { recursive: true }),
  }
}

/**
 * A database for one file's tests. Its connection stays open, because emptying a database over a new one takes ten times as long;
 * so do connections opened by the first test (`kept`), which one test at a time uses (`isLent`).
 */
type Emptied = { name: string; client?: pg.Client | undefined; kept?: Promise<Db> | undefined; isLent?: boolean }

/** Application name of `kept` connections: those that stay open after a test. */
const keptName = 'kept-for-the-next-test'

/** Unused databases of this file. A copy of the template takes 0.1 s, emptying one a hundredth of that. */
let free: Emptied[] = []
let fileOfFree: string | undefined

/** Only from this file: other files' changes to a database, besides its rows, must not reach its tests. */
async function takeFree(): Promise<Emptied | undefined> {
  const { testPath } = expect.getState()
  if (fileOfFree !== testPath) {
    const left = free
    free = []
    fileOfFree = testPath
    await Promise.all(left.flatMap(({ client, kept }) => [client?.end(), kept?.then((db) => db.close())]))
  }
  return free.pop()
}

async function createOnPostgres(): Promise<TestDatabase> {
  const database: Emptied = (await takeFree()) ?? { name: await copyTemplate() }
  const { testPath } = expect.getState()
  const location = urlOf(inject('postgresUrl'), database.name)

  async function connect(): Promise<pg.Client> {
    const client = new pg.Client(location)
    // A test may end every connection of its database.
    client.on('error', () => {
      if (database.client === client) database.client = undefined
    })
    await client.connect()
    // The worker does not wait for it.
    ;(client as unknown as { unref(): void }).unref()
    return client
  }
  return {
    location,
    open: async (observer) => {
      const isLent = observer === undefined && !database.isLent
      const db = isLent ? await lend(database, location) : await openDatabase(location, observer)
      const path = process.env['TEST_STATEMENTS']
      return path === undefined ? db : recorded(db, path)
    },
    async dump() {
      database.client ??= await connect()
      return await dumpOf(database.client)
    },
    async drop() {
      database.client ??= await connect()
      // A test that has not closed it may still write.
      if (database.isLent) database.kept = undefined
      await database.client.query(await emptying(database.client, database.kept ? keptName : ''))
      database.isLent = false
      if (fileOfFree === testPath) free.push(database)
      else await database.client.end()
    },
  }
}

/**
 * Opens the database, or takes over an earlier test's connections: each costs PostgreSQL a process, together 0.1 s of work.
 * Closing ends the test's work and keeps the connections, unless the database was listened to.
 */
async function lend(database: Emptied, location: string): Promise<Db> {
  database.isLent = true
  const url = new URL(location)
  url.searchParams.set('application_name', keptName)
  database.kept ??= openDatabase(url.href)
  const db = await database.kept.catch((error) => {
    database.kept = undefined
    database.isLent = false
    throw error
  })
  let isClosed = false
  const running = new Set<Promise<unknown>>()
  let hasListened = false
  async function through<T>(act: () => Promise<T>): Promise<T> {
    if (isClosed) throw new Error('The database is closed.')
    const one = act()
    running.add(one)
    try {
      return await one
    } finally {
      running.delete(one)
    }
  }
  return {
    write: (unit) => through(() => db.write(unit)),
    read: (unit) => through(() => db.read(unit)),
    listen(listener) {
      hasListened = true
      return db.listen(listener)
    },
    async close() {
      if (isClosed) return
      isClosed = true
      await Promise.allSettled(running)
      // The first listener of a database is notified immediately that anything may have changed.
      if (hasListened) {
        database.kept = undefined
        await db.close()
      }
      database.isLent = false
    },
  }
}

async function copyTemplate(): Promise<string> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const admin = new pg.Client(inject('postgresUrl'))
  await admin.connect()
  await admin.query(`create database ${name} template ${templateName}`)
  await admin.end()
  return name
}

async function tableNames(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(`
      select tablename as name from pg_tables where schemaname = 'public' and tablename <> 'schema_version'`)
  return rows.map(({ name }) => name)
}

async function dumpOf(client: pg.Client): Promise<string> {
  const texts: string[] = []
  for (const table of await tableNames(client)) {
    const { rows } = await client.query<{ line: string }>(`select t::text as line from ${table} t`)
    texts.push(table, ...rows.map(({ line }) => line))
  }
  return texts.join('\n')
}

/** Remaining clients of the database, such as a killed process, must not write into the next test. */
const disconnectAllBut = (spared: string) => `
  select pg_terminate_backend(pid, 5000) from pg_stat_activity
   where datname = current_database() and pid <> pg_backend_pid() and application_name <> '${spared}';`

/** @param spared - The application name of connections that stay. */
async function emptying(client: pg.Client, spared: string): Promise<string> {
  const { rows } = await client.query<{ name: string }>(`
      select sequencename as name from pg_sequences where schemaname = 'public'`)
  return [
    disconnectAllBut(spared),
    // Ignores foreign keys.
    'set session_replication_role = replica;',
    ...(await tableNames(client)).map((table) => `delete from ${table};`),
    ...rows.map(({ name }) => `alter sequence ${name} restart;`),
  ].join('\n')
}
