import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { backUp, inspectBackup } from './backup.ts'
import { type Db, sql } from './db.ts'
import { newestVersion } from './migrate.ts'
import { restore } from './restore.ts'
import { openSqlite } from './sqlite/open-sqlite.ts'
import { SQLite } from './sqlite/sqlite-driver.ts'

let folder: string
let database: string
let backup: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'checkout-backup-'))
  database = join(folder, 'live.sqlite')
  backup = join(folder, 'copy.sqlite')
})
afterEach(() => rmSync(folder, { recursive: true }))

const add = (db: Db, id: string) =>
  db.write((tx) =>
    tx.run(sql`insert into merchants (id, name, webhook_secret, created_at_ms) values (${id}, 'm', 's', 1)`),
  )
const idsIn = async (path: string) => {
  const db = openSqlite(path)
  const rows = await db.read((tx) => tx.all<{ id: string }>(sql`select id from merchants order by id`))
  await db.close()
  return rows.map(({ id }) => id)
}
const fill = async (...ids: string[]) => {
  const db = openSqlite(database)
  for (const id of ids) await add(db, id)
  await db.close()
}
const noCheck = () => Promise.resolve()
const putBack = () => restore({ database, backup, nowMs: Date.parse('2026-11-21T12:00:00Z') }, noCheck)

test('a backup is one moment of a database that is written to all the while', async () => {
  const db = openSqlite(database)
  let isDone = false
  let written = 0
  const writing = (async () => {
    while (!isDone) await add(db, `m${String(written++).padStart(6, '0')}`)
  })()
  await add(db, 'before')
  // So many pages that the copy takes several steps, between which the service commits.
  const large = 'x'.repeat(16_000_000)
  for (const id of ['large 1', 'large 2', 'large 3', 'large 4']) {
    await db.write((tx) =>
      tx.run(sql`insert into merchants (id, name, webhook_secret, created_at_ms) values (${id}, ${large}, 's', 1)`),
    )
  }
  const steps: string[] = []
  const before = written
  await backUp(
    database,
    backup,
    (label, done, total) => void steps.push(`${label} ${Math.round((done / total) * 100)}`),
  )
  expect(written).toBeGreaterThan(before)
  expect(steps.filter((step) => step.startsWith('copy')).length).toBeGreaterThan(2)
  expect(steps.slice(-2)).toEqual(['verify 0', 'verify 100'])
  isDone = true
  await writing
  await db.close()
  const copied = (await idsIn(backup)).filter((id) => id.startsWith('m'))
  const all = (await idsIn(database)).filter((id) => id.startsWith('m'))
  // The first of what was written, without a gap.
  expect(copied).toEqual(all.slice(0, copied.length))
  expect(await idsIn(backup)).toContain('before')
})

test('a backup is for its owner’s eyes, is one file, and never takes the place of another', async () => {
  await fill('a')
  const facts = await backUp(database, backup)
  expect(facts).toMatchObject({ payments: 0, cursors: [], bytes: statSync(backup).size })
  expect(statSync(backup).mode & 0o777).toBe(0o600)
  expect(readdirSync(folder).filter((name) => name.startsWith('copy'))).toEqual(['copy.sqlite'])
  await expect(backUp(database, backup)).rejects.toThrow('already exists')
})

test('what is no whole database of ours is refused, and changes nothing', async () => {
  await fill('a')
  await expect(backUp(join(folder, 'missing'), backup)).rejects.toThrow('There is no database')
  writeFileSync(backup, 'this is a text')
  await expect(putBack()).rejects.toThrow('cannot be read')
  rmSync(backup)
  await backUp(database, backup)
  const bytes = readFileSync(backup)
  bytes.fill(0xff, 5 * 4096, 6 * 4096)
  writeFileSync(backup, bytes)
  expect(() => inspectBackup(backup)).toThrow(/is corrupt|cannot be read/)
  await expect(putBack()).rejects.toThrow()
  await expect(restore({ database, backup: join(folder, 'none'), nowMs: 0 }, noCheck)).rejects.toThrow(
    'There is no file',
  )
  expect(await idsIn(database)).toEqual(['a'])
})

test('a restored database takes the place of the other, which stays under another name', async () => {
  await fill('a')
  await backUp(database, backup)
  await fill('b')
  const { putAside } = await putBack()
  expect(putAside).toBe(`${database}.before-2026-11-21T12-00-00-000Z`)
  expect(await idsIn(database)).toEqual(['a'])
  expect(await idsIn(String(putAside))).toEqual(['a', 'b'])
  expect(readdirSync(folder).filter((name) => name.includes('restoring'))).toEqual([])
})

test('a database that is in use is not replaced', async () => {
  await fill('a')
  await backUp(database, backup)
  const db = openSqlite(database)
  await expect(putBack()).rejects.toThrow('Stop the service first')
  await add(db, 'b')
  await db.close()
  expect(await idsIn(database)).toEqual(['a', 'b'])
})

test('a database that cannot be read is replaced, and kept as it is', async () => {
  await fill('a')
  await backUp(database, backup)
  writeFileSync(database, 'the disk wrote something else')
  const { putAside } = await putBack()
  expect(readFileSync(String(putAside), 'utf8')).toBe('the disk wrote something else')
  expect(await idsIn(database)).toEqual(['a'])
})

test('a backup that fails its check leaves everything as it was', async () => {
  await fill('a')
  await backUp(database, backup)
  await fill('b')
  const refuse = () => Promise.reject(new Error('the key does not fit'))
  await expect(restore({ database, backup, nowMs: 0 }, refuse)).rejects.toThrow('the key does not fit')
  expect(await idsIn(database)).toEqual(['a', 'b'])
})

test('a backup of a newer version is left to the newer program', async () => {
  await fill('a')
  await backUp(database, backup)
  const newer = new SQLite(backup)
  newer.pragma(`user_version = ${newestVersion() + 1}`)
  newer.close()
  await expect(putBack()).rejects.toThrow(`is of version ${newestVersion() + 1}`)
})

test('events after a restore have numbers that nobody has read past', async () => {
  await fill('a')
  await backUp(database, backup)
  await putBack()
  const db = openSqlite(database)
  const event = sql`insert into events (merchant_id, is_test, sequence, type, created_at_ms) values ('a', 0, 1, 'payment.created', 1) returning number`
  const row = await db.write((tx) => tx.get<{ number: number }>(event))
  await db.close()
  expect(row?.number).toBeGreaterThan(1_000_000)
  expect(existsSync(`${database}-wal`)).toBe(false)
})

test('a restored database gives no address of a merchant’s wallet again', async () => {
  await fill('first')
  const read = async () => {
    const db = openSqlite(database)
    const row = await db.read((tx) =>
      tx.get<{ next: number }>(sql`select next_number as "next" from address_sources where source = 'account'`),
    )
    await db.close()
    return row?.next
  }
  const give = async (next: number) => {
    const db = openSqlite(database)
    await db.write((tx) =>
      tx.run(sql`
          insert into address_sources (source, next_number) values ('account', ${next})
          on conflict (source) do update set next_number = excluded.next_number`),
    )
    await db.close()
  }
  await give(7)
  await backUp(database, backup)
  // Given after the backup: its customers still pay there.
  await give(50)
  await putBack()
  expect(await read()).toBe(100_007)
})
