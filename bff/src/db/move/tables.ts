import type SQLite from 'better-sqlite3'
import { markTable } from './moved.ts'

export type Table = {
  name: string
  columns: { name: string; isNumber: boolean }[]
  /** Columns of the primary key, in its order. */
  key: string[]
  /** Columns that are added up in both databases: amounts in base units. */
  sums: string[]
  /** The column that the database numbers itself. */
  numbered: string | null
}

/** Tables for the coordination of running processes, which are useless in another database. */
const ofProcesses = new Set(['replicas', 'leases', 'network_states', 'node_states', 'rate_limits'])

/** Names of columns with money amounts: base units as text, in whichever table. */
const amountColumns = new Set([
  'due',
  'seen',
  'received',
  'late',
  'refunded',
  'refunding',
  'late_taken',
  'late_returned',
  'amount',
  'held',
])

/** Amounts in whole tokens: decimal text, which the digest compares like all text. */
const wholeTokens = new Set(['payment_links.amount'])

const isSum = (table: string, { name, type }: { name: string; type: string }): boolean =>
  type === 'TEXT' && amountColumns.has(name) && !wholeTokens.has(`${table}.${name}`)

/**
 * The tables of the newest schema, each after the tables that it references.
 * @throws {Error} when a table has no primary key.
 */
export function tablesOf(db: SQLite.Database): Table[] {
  const all = <Row>(text: string, ...params: unknown[]) => db.prepare(text).all(...params) as Row[]
  const names = all<{ name: string }>(`
      select name from sqlite_master where type = 'table' and name not like 'sqlite_%' order by name`)
    .map(({ name }) => name)
    .filter((name) => !ofProcesses.has(name) && name !== markTable)
  const referred = new Map(
    names.map((name) => {
      const rows = all<{ table: string }>('select distinct "table" from pragma_foreign_key_list(?)', name)
      return [name, rows.map(({ table }) => table)]
    }),
  )
  return inOrder(referred).map((name) => {
    // Without generated columns, which the other database computes itself.
    const columns = all<{ name: string; type: string; pk: number }>(
      'select name, type, pk from pragma_table_info(?)',
      name,
    )
    const key = columns.filter(({ pk }) => pk > 0).sort((one, other) => one.pk - other.pk)
    if (key.length === 0) throw new Error(`The table ${name} has no primary key.`)
    const isNumbered = key.length === 1 && key[0]?.type === 'INTEGER'
    return {
      name,
      columns: columns.map((column) => ({ name: column.name, isNumber: column.type === 'INTEGER' })),
      key: key.map((column) => column.name),
      sums: columns.filter((column) => isSum(name, column)).map((column) => column.name),
      numbered: isNumbered ? (key[0]?.name ?? null) : null,
    }
  })
}

function inOrder(referred: ReadonlyMap<string, readonly string[]>): string[] {
  const ordered: string[] = []
  const visit = (name: string) => {
    if (ordered.includes(name)) return
    for (const other of referred.get(name) ?? []) if (other !== name) visit(other)
    ordered.push(name)
  }
  for (const name of referred.keys()) visit(name)
  return ordered
}
