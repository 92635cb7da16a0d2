import { SQLite } from '@stablecoin-checkout/bff/testing/db'
import { writeDatabaseFile } from './test-database.ts'

/** Larger than 64 bits, as amounts of a token with 18 decimals are. */
const amountBase = 10n ** 30n

const amounts = /^(due|least|seen|received|late|refunded|refunding|late_returned|amount|held|read_amount)$/

type Column = { name: string; type: string; notnull: number; pk: number }
type Reference = { table: string; from: string; to: string }

/**
 * A SQLite file with this many rows in each table: every column has a value, except nullable ones in every third row. Single-row
 * tables have one row.
 */
export async function fillDatabase(path: string, rows: number): Promise<void> {
  await writeDatabaseFile(path)
  const db = new SQLite(path)
  db.pragma('foreign_keys = off')
  const tables = db
    .prepare("select name, sql from sqlite_master where type = 'table' and name not like 'sqlite_%'")
    .all() as { name: string; sql: string }[]
  db.transaction(() => {
    for (const { name, sql } of tables) {
      const isSingle = sql.includes('check (id = 1)')
      const columns = db.prepare('select name, type, "notnull", pk from pragma_table_info(?)').all(name) as Column[]
      const references = db
        .prepare('select "table", "from", "to" from pragma_foreign_key_list(?)')
        .all(name) as Reference[]
      const names = columns.map((column) => `"${column.name}"`)
      const insert = db.prepare(`insert into "${name}" (${names}) values (${names.map(() => '?')})`)
      for (let n = 1; n <= (isSingle ? 1 : rows); n++) {
        insert.run(columns.map((column) => cellOf({ table: name, sql, column, references }, n)))
      }
    }
  })()
  const broken = db.pragma('foreign_key_check') as unknown[]
  if (broken.length > 0) throw new Error(`The rows refer to nothing: ${JSON.stringify(broken[0])}`)
  db.close()
}

type Place = { table: string; sql: string; column: Column; references: readonly Reference[] }

function cellOf({ table, sql, column, references }: Place, n: number): string | number | null {
  const { name, type, notnull, pk } = column
  const reference = references.find(({ from }) => from === name)
  const allowed = new RegExp(`\\b${name} in\\s*\\(\\s*'?(\\w+)`).exec(sql)?.[1]
  if (table === 'payments' && (name === 'terms_hash' || name === 'mode')) return name === 'mode' ? 'deposit' : null
  // A link has either an amount or a price.
  if (table === 'payment_links' && name.startsWith('price')) return n % 3 === 0 ? textOf(table, name, n) : null
  // In whole tokens, unlike every other amount.
  if (table === 'payment_links' && name === 'amount') return n % 3 === 0 ? null : `${n}.50`
  const isNeeded = notnull === 1 || pk > 0 || /^deposit_/.test(name)
  if (!isNeeded && n % 3 === 0) return null
  if (type === 'INTEGER') return allowed === undefined ? n : Number(allowed)
  if (reference) return textOf(reference.table, reference.to, n)
  if (allowed !== undefined) return allowed
  return amounts.test(name) ? String(amountBase + BigInt(n)) : textOf(table, name, n)
}

const textOf = (table: string, column: string, n: number): string => `${table} ${column} №${n} 'ß'`
