import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fillDatabase } from '@stablecoin-checkout/rig/filled-database'
import { times } from '@stablecoin-checkout/rig/nightly'
import { createTestDatabase, type TestDatabase } from '@stablecoin-checkout/rig/test-database'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { systemRuntime } from '../../core/runtime.ts'
import { sql } from '../db.ts'
import { openDatabase } from '../open-database.ts'
import { SQLite } from '../sqlite/sqlite-driver.ts'
import { openVault } from '../vault.ts'
import { moveDatabase } from './move.ts'

/** What is shipped, by `npm run build -w bff`. */
const main = fileURLToPath(new URL('../../../dist/main.js', import.meta.url))
const nowMs = Date.parse('2026-11-22T12:00:00Z')

/** More than a page, nightly more than two. */
const rows = times(1_100, 2_100)

let folder: string
let file: string
let database: TestDatabase
let client: pg.Client
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'checkout-move-'))
  file = join(folder, 'checkout.sqlite')
  database = await createTestDatabase()
  client = new pg.Client(database.location)
  await client.connect()
})
afterEach(async () => {
  await client.end()
  await database.drop()
  rmSync(folder, { recursive: true })
})

const move = (onMoved: Parameters<typeof moveDatabase>[3] = () => undefined) =>
  moveDatabase(file, database.location, nowMs, onMoved)

const numberIn = async (text: string) => Number((await client.query<{ n: string }>(text)).rows[0]?.n)
const countPayments = () => numberIn('select count(*) as n from payments')

/** Starts the command in a process of its own. */
function startCommand(key: string) {
  const child = spawn(process.execPath, [main, 'move', '--to', database.location], {
    env: { PATH: process.env['PATH'] ?? '', DATABASE_PATH: file, SECRETS_KEY: key },
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => (said += String(bytes)))
  return { child, ended: once(child, 'close'), said: () => said }
}

/** A file in which secrets are sealed with the key that is returned. */
async function sealed(): Promise<string> {
  const key = Buffer.alloc(32, 7)
  const db = await openDatabase(file)
  const vault = await openVault({ db, database: file, key, runtime: systemRuntime })
  await db.write((tx) =>
    tx.run(sql`
        insert into merchants (id, name, webhook_secret, created_at_ms)
        values ('m1', 'Corner Coffee', ${vault.seal('whsec_of_the_shop', 'm1')}, 1)`),
  )
  await db.close()
  return key.toString('base64')
}

test('every row of every table is copied, and new rows are numbered after all that ever were', async () => {
  await fillDatabase(file, rows)
  const source = new SQLite(file)
  source.prepare("update sqlite_sequence set seq = 9000 where name = 'payments'").run()
  source.prepare("update attempts set answer = 'a' || char(0) || 'b' where delivery_number = 1").run()
  source.close()
  const shown: number[] = []
  const moved = await move((_, done, total) => shown.push(done / total))
  expect(moved.outcome).toBe('copied')
  expect(shown.at(-1)).toBe(1)
  const count = BigInt(rows)
  const received = count * 10n ** 30n + (count * (count + 1n)) / 2n
  expect(moved.tables.find(({ name }) => name === 'payments')).toMatchObject({
    rows,
    sums: { received: String(received) },
  })

  const after = new SQLite(file, { readonly: true })
  const names = after
    .prepare("select name from sqlite_master where type = 'table' and name not like 'sqlite_%' and name <> 'moved_to'")
    .pluck()
    .all() as string[]
  const left = ['leases', 'network_states', 'node_states', 'rate_limits', 'replicas']
  expect(names.length).toBeGreaterThan(25)
  for (const name of names) {
    const expected = left.includes(name) ? [] : after.prepare(`select * from "${name}"`).safeIntegers().all()
    const found = (await client.query(`select * from "${name}"`)).rows
    expect(asTexts(found), name).toEqual(asTexts(expected as Record<string, unknown>[]))
  }
  after.close()
  expect(await numberIn("select nextval(pg_get_serial_sequence('payments', 'number')) as n")).toBe(9_001)
  expect(await numberIn("select nextval(pg_get_serial_sequence('events', 'number')) as n")).toBe(rows + 1)
})

/** Without the order of the rows; what PostgreSQL cannot store has its sign. */
const asTexts = (found: readonly Record<string, unknown>[]): string[] =>
  found
    .map((row) => {
      const texts = Object.values(row).map((value) =>
        value === null ? null : String(value).replaceAll('\0', '\u{fffd}'),
      )
      return JSON.stringify(texts)
    })
    .sort()

test('what was sealed opens on PostgreSQL with the same key, and the file says where its data are', async () => {
  const key = await sealed()
  const { ended, said } = startCommand(key)
  expect([(await ended)[0], said()]).toEqual([0, expect.stringContaining('keep SECRETS_KEY')])
  expect(said()).toMatch(/copying and verifying rows \d+ %\n/)
  expect(said()).not.toContain('postgres:password')
  const db = await openDatabase(database.location)
  const vault = await openVault({
    db,
    database: database.location,
    key: Buffer.from(key, 'base64'),
    runtime: systemRuntime,
  })
  const row = await db.read((tx) => tx.get<{ secret: string }>(sql`select webhook_secret as secret from merchants`))
  expect(vault.open(row?.secret ?? '', 'm1')).toBe('whsec_of_the_shop')
  await db.close()

  await expect(openDatabase(file)).rejects.toThrow(/was moved to postgres:\/\/postgres@.* at 2/)
  const again = startCommand(key)
  expect([(await again.ended)[0], again.said()]).toEqual([0, expect.stringContaining('was already moved to')])
})

test('a key that does not fit stops the move before anything is copied', async () => {
  await sealed()
  const { ended, said } = startCommand(Buffer.alloc(32, 8).toString('base64'))
  expect([(await ended)[0], said()]).toEqual([1, expect.stringContaining('sealed with another key')])
  expect(await numberIn('select count(*) as n from merchants')).toBe(0)
})

test('a file that a service has open is not moved', async () => {
  const db = await openDatabase(file)
  await expect(move()).rejects.toThrow(`${file} is in use. Stop the service first.`)
  await db.close()
  await expect(move()).resolves.toMatchObject({ outcome: 'copied' })
})

test('killed in the middle, the move leaves the target empty and the file as it was, and can be repeated', async () => {
  await fillDatabase(file, 50)
  const key = Buffer.alloc(32, 7).toString('base64')
  // The vault's row is of no key.
  const source = new SQLite(file)
  source.prepare('delete from vault').run()
  source.close()
  // The move waits here with half of the tables copied.
  const blocker = new pg.Client(database.location)
  await blocker.connect()
  await blocker.query('begin; lock table deliveries in share mode')
  const { child, ended } = startCommand(key)
  await expect
    .poll(() =>
      numberIn(`
          select count(*) as n from pg_stat_activity where datname = current_database() and wait_event = 'relation'`),
    )
    .toBe(1)
  child.kill('SIGKILL')
  await ended
  await blocker.end()
  expect(await countPayments()).toBe(0)

  const again = startCommand(key)
  expect([(await again.ended)[0], again.said()]).toEqual([0, expect.stringContaining('Every row of')])
  expect(await countPayments()).toBe(50)
})

test('killed after the copy and before the mark, the move finds its copy whole; a copy that differs is other data', async () => {
  await fillDatabase(file, 20)
  await move()
  const unmark = (text = '') => {
    const source = new SQLite(file)
    source.exec(`drop table moved_to; ${text}`)
    source.close()
  }
  unmark()
  await expect(move()).resolves.toMatchObject({ outcome: 'found' })
  await expect(openDatabase(file)).rejects.toThrow('was moved to')

  unmark("update payments set received = '1' where number = 20")
  await expect(move()).rejects.toThrow('already holds other data')
  const db = await openDatabase(file)
  await db.close()
})

test.each([
  ['an amount', 'amount', "'1'"],
  ['the address of who paid', 'payer', "'0x' || repeat('0', 40)"],
])('a copy that is not the file’s is never stored: %s', async (_, column, value) => {
  await fillDatabase(file, 20)
  await client.query(`
      create function planted() returns trigger language plpgsql as $$ begin new.${column} := ${value}; return new; end $$;
      create trigger planted before insert on transfers for each row execute function planted()`)
  try {
    await expect(move()).rejects.toThrow('The copy of the table transfers differs from the file.')
    expect(await countPayments()).toBe(0)
  } finally {
    await client.query('drop trigger planted on transfers; drop function planted')
  }
})

test('a file whose data was moved is moved to no other database', async () => {
  await fillDatabase(file, 5)
  await move()
  await expect(move()).resolves.toMatchObject({ outcome: 'was moved before' })
  const url = new URL(database.location)
  url.pathname = '/elsewhere'
  await expect(moveDatabase(file, url.href, nowMs, () => undefined)).rejects.toThrow('has already been moved to')
})

test('a target with data of its own, or of another program, is left alone', async () => {
  await fillDatabase(file, 5)
  await client.query("insert into merchants (id, name, webhook_secret, created_at_ms) values ('other', 'o', 's', 1)")
  await expect(move()).rejects.toThrow('already holds other data (table merchants)')
  expect(await countPayments()).toBe(0)

  await client.query('create database of_another_program')
  const url = new URL(database.location)
  url.pathname = '/of_another_program'
  const other = new pg.Client(url.href)
  await other.connect()
  await other.query('create table invoices (id int)')
  await expect(moveDatabase(file, url.href, nowMs, () => undefined)).rejects.toThrow(
    'holds the table invoices of another program',
  )
  const tables = await other.query("select count(*)::int as n from pg_tables where schemaname = 'public'")
  expect(tables.rows).toEqual([{ n: 1 }])
  await other.end()
  await client.query('drop database of_another_program')
})
