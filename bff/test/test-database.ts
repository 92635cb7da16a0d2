import { randomUUID } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CommitObserver, type Db, openDatabase, openSqlite, SQLite } from '@stablecoin-checkout/bff/testing/db'
import pg from 'pg'
import { expect, inject } from 'vitest'
import { createFreeDatabases, type Lendable, lend } from './lent-database.ts'
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

/** `schema`: SQLite's counter of changes to the schema. `emptying`: a connection of its own. */
type EmptiedFile = Lendable & { folder: string; location: string; schema: unknown; emptying: Emptying }
type Emptying = { connection: InstanceType<typeof SQLite>; statements: { run(): unknown }[] }

const freeFiles = createFreeDatabases(endFile)

async function endFile({ folder, kept, emptying }: EmptiedFile): Promise<void> {
  emptying.connection.close()
  await kept?.then((db) => db.close())
  rmSync(folder, { recursive: true })
}

async function newFile(): Promise<EmptiedFile> {
  const folder = makeDatabaseFolder()
  const location = join(folder, 'test.sqlite')
  await writeDatabaseFile(location)
  const connection = new SQLite(location, { timeout: 0 })
  // `dump` must not find what an earlier test has deleted.
  connection.pragma('secure_delete = on')
  connection.pragma('synchronous = off')
  connection.pragma('foreign_keys = off')
  const tables = connection.prepare("select name from sqlite_schema where type = 'table'").pluck().all()
  // With a condition, a table without rows stays unwritten.
  const statements = tables.map((table) => connection.prepare(`delete from ${table} where true`))
  return { folder, location, schema: schemaOf(connection), emptying: { connection, statements } }
}

const schemaOf = (connection: Emptying['connection']): unknown => connection.pragma('schema_version', { simple: true })

/** @returns whether the file is as the template was: no test has changed its schema, and nobody uses it. */
function emptyFile({ schema, emptying: { connection, statements } }: EmptiedFile): boolean {
  try {
    if (schemaOf(connection) !== schema) return false
    connection.transaction(() => {
      for (const statement of statements) statement.run()
    })()
    const [checkpoint] = connection.pragma('wal_checkpoint(truncate)') as { busy: number }[]
    return checkpoint?.busy === 0
  } catch {
    // A test has replaced the file, or another process writes.
    return false
  }
}

/** A new file and its connections take 5 ms of work, emptying a file 0.1 ms. */
async function createFile(): Promise<TestDatabase> {
  const database = (await freeFiles.take()) ?? (await newFile())
  const { testPath } = expect.getState()
  const { location } = database
  const files = [location, `${location}-wal`]
  const others = new Set<Db>()
  return {
    location,
    async open(observer) {
      if (observer === undefined && !database.isLent) return await lend(database, location)
      const db = await openDatabase(location, observer)
      others.add(db)
      return {
        ...db,
        async close() {
          await db.close()
          others.delete(db)
        },
      }
    },
    dump: async () =>
      files
        .filter((file) => existsSync(file))
        .map((file) => readFileSync(file, 'latin1'))
        .join('\n'),
    async drop() {
      const isOpen = database.isLent || others.size > 0
      // A test that has not closed it may still write.
      if (database.isLent) database.kept = undefined
      if (isOpen || !emptyFile(database)) await endFile(database)
      else await freeFiles.give(database, testPath)
    },
  }
}

/** Its connection stays open, because emptying a database over a new one takes ten times as long. */
type EmptiedOnPostgres = Lendable & { name: string; client?: pg.Client | undefined }

const freeOnPostgres = createFreeDatabases<EmptiedOnPostgres>(({ client, kept }) =>
  Promise.all([client?.end(), kept?.then((db) => db.close())]),
)

/** Application name of `kept` connections: those that stay open after a test. */
const keptName = 'kept-for-the-next-test'

/** A copy of the template takes 0.1 s, emptying one a hundredth of that. */
async function createOnPostgres(): Promise<TestDatabase> {
  const database = (await freeOnPostgres.take()) ?? { name: await copyTemplate() }
  const { testPath } = expect.getState()
  const location = urlOf(inject('postgresUrl'), database.name)
  const keptLocation = new URL(location)
  keptLocation.searchParams.set('application_name', keptName)

  async function connect(): Promise<pg.Client> {
    const client = new pg.Client(location)
    // A test may end every connection of its database.
    client.on('error', () => {
      if (database.client === client) database.client = undefined
    })
    await client.connect()
    await client.query(await emptying(client))
    // The worker does not wait for it.
    ;(client as unknown as { unref(): void }).unref()
    return client
  }
  return {
    location,
    open: async (observer) => {
      const isLent = observer === undefined && !database.isLent
      const db = isLent ? await lend(database, keptLocation.href) : await openDatabase(location, observer)
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
      await database.client.query(`${disconnectAllBut(database.kept ? keptName : '')}; select pg_temp.empty_tables()`)
      database.isLent = false
      await freeOnPostgres.give(database, testPath)
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
   where datname = current_database() and pid <> pg_backend_pid() and application_name <> '${spared}'`

/** Defines a function of the connection, which plans its statements once; planned anew for each test, they take 10 ms. */
async function emptying(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ name: string; start: string }>(`
      select sequencename as name, start_value as start from pg_sequences where schemaname = 'public'`)
  const statements = [
    ...(await tableNames(client)).map((table) => `delete from ${table};`),
    // `alter sequence … restart` writes a new file.
    ...rows.map(({ name, start }) => `perform setval('${name}', ${start}, false);`),
  ]
  return `
    -- Ignores foreign keys.
    set session_replication_role = replica;
    create function pg_temp.empty_tables() returns void language plpgsql as $$
      begin ${statements.join('\n')} end
    $$`
}
