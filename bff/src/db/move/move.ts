import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import pg from 'pg'
import { OperatorError } from '../../core/errors.ts'
import { shownDatabase } from '../location.ts'
import { migrate } from '../migrate.ts'
import { optionsOf } from '../postgres/connection.ts'
import { locks } from '../postgres/locks.ts'
import { connectAtStart, openPostgres } from '../postgres/open-postgres.ts'
import { storable } from '../postgres/statements.ts'
import { connect } from '../sqlite/sqlite-connection.ts'
import { type Connection, SQLite } from '../sqlite/sqlite-driver.ts'
import { loadMark, saveMark } from './moved.ts'
import { type Table, tablesOf } from './tables.ts'

/** Rows per page, which bounds the memory. */
const pageRows = 1_000

/** A replica running on the target holds the lock for the length of a commit. */
const lockTimeout = '5s'

export type Moved = {
  /** `found`: an earlier run was killed between copying everything and marking the file. */
  outcome: 'copied' | 'found' | 'was moved before'
  tables: { name: string; rows: number; sums: Record<string, string> }[]
}

/** `done` of `total` rows, each of which is copied and then read back. */
export type OnMoved = (label: string, done: number, total: number) => void

type Row = (string | null)[]

/** One table's contents in one database. `digest`: over all rows, in the order of the primary key. */
type Contents = { rows: number; digest: string }

/**
 * Copies every row of SQLite's file into an empty PostgreSQL database, and marks the file.
 *
 * The file stays locked from the first read to the mark. SQLite grants that lock only when no other process has the file open,
 * so a running service is detected and none can start meanwhile. The copy is one transaction that ends by reading back and
 * comparing every row: a killed run leaves an empty database or the complete copy. A repeated run that finds the complete copy
 * compares it in the same way and only sets the mark.
 * @param nowMs - The time of the mark, Unix milliseconds.
 * @throws {OperatorError} when the file is in use, or the target contains anything but this file's data.
 */
export async function moveDatabase(path: string, url: string, nowMs: number, onMoved: OnMoved): Promise<Moved> {
  if (!existsSync(path)) throw new OperatorError(`There is no database ${path}.`)
  const source = connect(path, { timeout: 0, fileMustExist: true })
  const target = shownDatabase(url)
  try {
    lock(source, path)
    const mark = loadMark(source)
    if (mark?.target === target) return { outcome: 'was moved before', tables: [] }
    if (mark) throw new OperatorError(`The data of ${path} has already been moved to ${mark.target}.`)
    migrate(source)
    // From here on no other process reads or writes the file. Only the mark is written.
    source.exec('begin exclusive')
    const tables = tablesOf(source)
    const moved = await copyInto(url, source, tables, onMoved)
    saveMark(source, { target, movedAtMs: nowMs })
    source.exec('commit')
    return moved
  } finally {
    source.close()
  }
}

function lock(source: Connection, path: string): void {
  try {
    source.pragma('locking_mode = exclusive')
    // Requires exclusive access, and folds the log into the file.
    source.pragma('journal_mode = delete')
  } catch (error) {
    const code = error instanceof SQLite.SqliteError ? error.code : ''
    if (!code.startsWith('SQLITE_BUSY') && !code.startsWith('SQLITE_LOCKED')) throw error
    throw new OperatorError(`${path} is in use. Stop the service first.`)
  }
}

async function copyInto(url: string, source: Connection, tables: Table[], onMoved: OnMoved): Promise<Moved> {
  await refuseOtherTables(url)
  // Creates the tables, and refuses a server that the service cannot use.
  await (await openPostgres(url)).close()
  const client = new pg.Client({ ...optionsOf(url), query_timeout: 0 })
  // A lost connection fails the next statement.
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query(`
        set statement_timeout = 0; set lock_timeout = '${lockTimeout}'; set synchronous_commit = on;
        begin; select pg_advisory_xact_lock(${locks.writers})`)
    const filled = await filledTable(client, tables)
    const total = tables.reduce((sum, { name }) => sum + countOf(source, name), 0)
    let done = 0
    const onRows = (rows: number) => {
      done += rows
      onMoved('copying and verifying rows', done, total * 2)
    }
    const moved: Moved['tables'] = []
    for (const table of tables) {
      const inFile = await readFile(source, table, filled === undefined ? client : null, onRows)
      const inTarget = await readTarget(client, table, onRows)
      const sums = await sumsIn(client, table)
      const isSame =
        inTarget.digest === inFile.digest && inTarget.rows === inFile.rows && sums.join() === inFile.sums.join()
      if (!isSame && filled !== undefined) {
        const place = shownDatabase(url)
        throw new OperatorError(
          `${place} already holds other data (table ${filled}). Name an empty database. Nothing was changed.`,
        )
      }
      if (!isSame)
        throw new OperatorError(`The copy of the table ${table.name} differs from the file. Nothing was changed.`)
      if (filled === undefined) await continueNumbers(client, source, table)
      const named = table.sums.map((column, index) => [column, sums[index] ?? '0'] as const)
      moved.push({ name: table.name, rows: inFile.rows, sums: Object.fromEntries(named) })
    }
    await client.query('commit')
    // Updates the planner's statistics for the first statements.
    await client.query('analyze')
    return { outcome: filled === undefined ? 'copied' : 'found', tables: moved }
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** Runs before anything is created, so that another program's database stays untouched. @throws {OperatorError} */
async function refuseOtherTables(url: string): Promise<void> {
  const client = await connectAtStart(url)
  try {
    const { rows } = await client.query<{ name: string }>(`
        select tablename::text as name from pg_tables where schemaname = 'public' order by 1`)
    const names = rows.map(({ name }) => name)
    if (names.length === 0 || names.includes('schema_version')) return
    const place = shownDatabase(url)
    throw new OperatorError(`${place} holds the table ${names[0]} of another program. Name an empty database.`)
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** @returns the first table with a row; undefined when the database is empty. */
async function filledTable(client: pg.Client, tables: readonly Table[]): Promise<string | undefined> {
  for (const { name } of tables) {
    const { rows } = await client.query(`select 1 from "${name}" limit 1`)
    if (rows.length > 0) return name
  }
  return undefined
}

const countOf = (source: Connection, name: string): number =>
  source.prepare(`select count(*) from "${name}"`).pluck().get() as number

const quoted = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ')

/** Reads a table of the file by pages, and copies them into `into` if given. */
async function readFile(
  source: Connection,
  table: Table,
  into: pg.Client | null,
  onRows: (rows: number) => void,
): Promise<Contents & { sums: string[] }> {
  const columns = quoted(table.columns.map(({ name }) => name))
  const key = quoted(table.key)
  const select = (where: string) =>
    source
      .prepare(`select ${columns} from "${table.name}" ${where} order by ${key} limit ${pageRows}`)
      .raw()
      .safeIntegers()
  const first = select('')
  const next = select(`where (${key}) > (${table.key.map(() => '?').join(', ')})`)
  const sums = table.sums.map(() => 0n)
  const sumPlaces = table.sums.map((name) => placeOf(table, name))
  const read = async (after: Row | undefined): Promise<Row[]> => {
    const page = after === undefined ? first.all() : next.all(...keyOf(table, after, (text) => BigInt(text)))
    const rows = (page as (string | bigint | null)[][]).map((row) =>
      row.map((value) => (value === null ? null : (storable(String(value)) as string))),
    )
    for (const row of rows) {
      for (const [index, place] of sumPlaces.entries()) sums[index] = (sums[index] ?? 0n) + BigInt(row[place] ?? 0)
    }
    await into?.query(
      insertInto(table),
      table.columns.map((_, place) => rows.map((row) => row[place] ?? null)),
    )
    return rows
  }
  const contents = await readPages(read, onRows)
  return { ...contents, sums: sums.map(String) }
}

/** Inserts rows from one array per column. */
function insertInto({ name, columns }: Table): string {
  const arrays = columns.map(({ isNumber }, index) => `$${index + 1}::${isNumber ? 'bigint' : 'text'}[]`)
  return `insert into "${name}" (${quoted(columns.map((column) => column.name))}) select * from unnest(${arrays.join(', ')})`
}

async function readTarget(client: pg.Client, table: Table, onRows: (rows: number) => void): Promise<Contents> {
  const columns = table.columns.map(({ name }) => `"${name}"::text`).join(', ')
  // Orders by the table's own columns: the result's columns have the same names but are text.
  const key = table.key.map((name) => `t."${name}"`).join(', ')
  const bounds = table.key.map((name, index) => {
    const isNumber = table.columns[placeOf(table, name)]?.isNumber
    return `$${index + 1}::${isNumber ? 'bigint' : 'text'}`
  })
  return await readPages(async (after) => {
    const where = after === undefined ? '' : `where (${key}) > (${bounds.join(', ')})`
    const text = `select ${columns} from "${table.name}" t ${where} order by ${key} limit ${pageRows}`
    const values = after === undefined ? [] : keyOf(table, after, String)
    return (await client.query<Row>({ text, values, rowMode: 'array' })).rows
  }, onRows)
}

/** Reads pages until one is not full. @param read - Returns the page after a row, in the order of the primary key. */
async function readPages(
  read: (after: Row | undefined) => Promise<Row[]>,
  onRows: (rows: number) => void,
): Promise<Contents> {
  const hash = createHash('sha256')
  let rows = 0
  let last: Row | undefined
  for (;;) {
    const page = await read(last)
    for (const row of page) hash.update(`${JSON.stringify(row)}\n`)
    rows += page.length
    onRows(page.length)
    last = page.at(-1)
    if (page.length < pageRows) return { rows, digest: hash.digest('hex') }
  }
}

const placeOf = ({ columns }: Table, column: string): number => columns.findIndex(({ name }) => name === column)

/** The primary key of a row. @param toNumber - Converts a number for the database. */
function keyOf<N>(table: Table, row: Row, toNumber: (text: string) => N): (N | string)[] {
  return table.key.map((name) => {
    const place = placeOf(table, name)
    const text = row[place] ?? ''
    return table.columns[place]?.isNumber ? toNumber(text) : text
  })
}

/** Sums computed by PostgreSQL's own arithmetic. */
async function sumsIn(client: pg.Client, { name, sums }: Table): Promise<string[]> {
  if (sums.length === 0) return []
  const columns = sums.map((column) => `coalesce(sum("${column}"::numeric), 0)::text`)
  const { rows } = await client.query<string[]>({ text: `select ${columns} from "${name}"`, rowMode: 'array' })
  return rows[0] ?? []
}

/** Numbers new rows above all earlier ones, because readers of the feed may have seen rows that were deleted since. */
async function continueNumbers(client: pg.Client, source: Connection, { name, numbered }: Table): Promise<void> {
  if (numbered === null) return
  const newest = source.prepare(`select coalesce(max("${numbered}"), 0) from "${name}"`).pluck().get() as number
  const ever = source.prepare('select seq from sqlite_sequence where name = ?').pluck().get(name) as number | undefined
  const last = Math.max(newest, ever ?? 0)
  if (last > 0) await client.query(`select setval(pg_get_serial_sequence($1, $2), $3)`, [name, numbered, last])
}
