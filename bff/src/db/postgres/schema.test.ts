import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createTestDatabase, type TestDatabase } from '@stablecoin-checkout/rig/test-database'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../open-database.ts'
import { connect } from '../sqlite/sqlite-connection.ts'
import { described } from '../table.ts'
import { toPostgres } from './translate.ts'

type Column = { table: string; column: string; type: string; isNullable: boolean; default: string | null }
type Index = { table: string; index: string; columns: string; isUnique: boolean; isPartial: boolean }
type Schema = { columns: Column[]; indexes: Index[]; keys: Omit<Index, 'index'>[]; references: string[] }

const byText = <Row>(rows: Row[]): Row[] =>
  rows.sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1))

const folder = mkdtempSync(join(tmpdir(), 'schema-'))
let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(async () => {
  await database.drop()
  rmSync(folder, { recursive: true })
})

/** Columns that may be null, but not in the rows that are read by the description. */
const filledByMode =
  /^(payments\.(rate|rate_at_ms|deposit_\w+|splitter|terms_hash|split_terms|sender_\w+)|merchant_refunds\.(rate|rate_of)|(payments|payment_links|merchant_refunds)\.price(_currency)?)$/

/** As SQLite describes it. What belongs to a primary key is never null, whether the column says so or not. */
async function ofSqlite(): Promise<Schema> {
  const path = join(folder, 'schema.sqlite')
  await (await openDatabase(path)).close()
  const db = connect(path, { readonly: true })
  const all = <Row>(text: string) => db.prepare(text).all() as Row[]
  const columns = all<{ table: string; column: string; type: string; notnull: number; pk: number; default: string }>(`
      select m.name as "table", c.name as "column", lower(c.type) as type, c."notnull", c.pk, c.dflt_value as "default"
        from sqlite_master m, pragma_table_info(m.name) c where m.type = 'table' and m.name not like 'sqlite_%'`)
  const indexes = all<Omit<Index, 'isUnique' | 'isPartial'> & { isUnique: number; isPartial: number; origin: string }>(`
      select m.name as "table", l.name as "index", l."unique" as "isUnique", l.partial as "isPartial", l.origin,
             (select group_concat(name) from (select name from pragma_index_info(l.name) order by seqno)) as columns
        from sqlite_master m, pragma_index_list(m.name) l where m.type = 'table'`)
  const rowIds = columns.filter(({ pk, type }) => pk === 1 && type === 'integer')
  const references = all<{ text: string }>(`
      select m.name || '.' || f."from" || ' ' || f."table" as text
        from sqlite_master m, pragma_foreign_key_list(m.name) f where m.type = 'table'`)
  db.close()
  return {
    columns: byText(
      columns.map(({ notnull, pk, ...column }) => ({ ...column, isNullable: notnull === 0 && pk === 0 })),
    ),
    indexes: byText(
      indexes
        .filter(({ origin }) => origin === 'c')
        .map(({ origin, ...index }) => ({
          ...index,
          isUnique: index.isUnique === 1,
          isPartial: index.isPartial === 1,
        })),
    ),
    keys: byText([
      ...indexes
        .filter(({ origin }) => origin !== 'c')
        .map(({ table, columns }) => ({ table, columns, isUnique: true, isPartial: false })),
      // An `integer primary key` is the row id, and has no index.
      ...rowIds
        .filter(({ table }) => columns.filter((column) => column.table === table && column.pk > 0).length === 1)
        .map(({ table, column }) => ({ table, columns: column, isUnique: true, isPartial: false })),
    ]),
    references: references.map(({ text }) => text).sort(),
  }
}

/** Of PostgreSQL only: what SQLite has built in. */
const ownTables = ['schema_version', 'group_commits']

async function ofPostgres(): Promise<Schema & { collations: string[] }> {
  const client = new pg.Client(database.location)
  await client.connect()
  const all = async <Row>(text: string) => (await client.query(text)).rows as Row[]
  const isOurs = ({ table }: { table: string }) => !ownTables.includes(table)
  const columns = await all<Omit<Column, 'isNullable'> & { nullable: string; collation: string | null }>(`
      select table_name as "table", column_name as "column", data_type as type, is_nullable as nullable,
             column_default as "default", collation_name as collation
        from information_schema.columns where table_schema = 'public'`)
  const indexes = await all<Index & { isOfConstraint: boolean }>(`
      select t.relname as "table", i.relname as "index", x.indisunique as "isUnique", x.indpred is not null as "isPartial",
             exists (select 1 from pg_constraint c where c.conindid = i.oid) as "isOfConstraint",
             (select string_agg(a.attname, ',' order by k.place) from unnest(x.indkey) with ordinality k (attnum, place)
                join pg_attribute a on a.attrelid = t.oid and a.attnum = k.attnum) as columns
        from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class t on t.oid = x.indrelid
       where t.relnamespace = 'public'::regnamespace`)
  const references = await all<{ text: string }>(`
      select t.relname || '.' || a.attname || ' ' || f.relname as text
        from pg_constraint c join pg_class t on t.oid = c.conrelid join pg_class f on f.oid = c.confrelid
        join pg_attribute a on a.attrelid = t.oid and a.attnum = c.conkey[1]
       where c.contype = 'f'`)
  await client.end()
  const sqliteTypes: Record<string, string> = { bigint: 'integer', text: 'text' }
  return {
    columns: byText(
      columns.filter(isOurs).map(({ nullable, collation, ...column }) => ({
        ...column,
        type: sqliteTypes[column.type] ?? column.type,
        default: column.default?.replace(/::text$/, '') ?? null,
        isNullable: nullable === 'YES',
      })),
    ),
    indexes: byText(
      indexes.filter((index) => isOurs(index) && !index.isOfConstraint).map(({ isOfConstraint, ...index }) => index),
    ),
    keys: byText(
      indexes
        .filter((index) => isOurs(index) && index.isOfConstraint)
        .map(({ table, columns, isUnique, isPartial }) => ({ table, columns, isUnique, isPartial })),
    ),
    references: references.map(({ text }) => text).sort(),
    collations: [
      ...new Set(columns.filter((column) => isOurs(column) && column.type === 'text').map((c) => String(c.collation))),
    ],
  }
}

describe('the migrations', () => {
  test('end with the same tables, columns, keys, indexes and references on both databases', async () => {
    const { collations, ...postgres } = await ofPostgres()
    const sqlite = await ofSqlite()
    expect(sqlite.columns.length).toBeGreaterThan(150)
    expect(sqlite.indexes.length).toBeGreaterThan(20)
    expect(postgres).toEqual(sqlite)
    expect(collations).toEqual(['C'])
  })

  test('have every column that a store describes, with its type, and null where the store expects it', async () => {
    const source = fileURLToPath(new URL('../../', import.meta.url))
    const stores = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) => /-store\.ts$/.test(file))
    for (const file of stores) await import(join(source, file))
    const { columns } = await ofSqlite()
    const differing = described.flatMap(({ table, columns: ofStore }) =>
      ofStore.filter(({ name, type, isNullable }) => {
        const column = columns.find((one) => one.table === table && one.column === name)
        const mayBeNull = column?.isNullable && !filledByMode.test(`${table}.${name}`)
        return column?.type !== type || mayBeNull !== isNullable
      }),
    )
    expect(differing).toEqual([])
    expect(described.length).toBeGreaterThan(7)
  })

  test('are translated word by word, and texts and comments are left as they are', () => {
    const migration = `
-- integer text strict: a comment that isn't read
create table a (
  id integer primary key autoincrement,
  b text not null default 'an integer, -- strict; it''s text',
  c integer
) strict;
create table d (id text primary key, e text as (substr(id, instr(id, ' ')))) strict, without rowid;`
    expect(toPostgres(migration)).toBe(`

create table a (
  id bigint generated by default as identity primary key,
  b text collate "C" not null default 'an integer, -- strict; it''s text',
  c bigint
);
create table d (id text collate "C" primary key, e text collate "C" as (substr(id, strpos(id, ' '))));`)
  })
})
