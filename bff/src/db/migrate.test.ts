import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeDatabaseFile } from '@stablecoin-checkout/rig/test-database'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { inspectBackup } from './backup.ts'
import { DatabaseBeforeReleaseError, migrate, migrationFiles } from './migrate.ts'
import { openSqlite } from './sqlite/open-sqlite.ts'
import { connect } from './sqlite/sqlite-connection.ts'
import type { Connection } from './sqlite/sqlite-driver.ts'

let folder: string
let path: string
let connection: Connection
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'checkout-migrate-'))
  path = join(folder, 'test.sqlite')
  await writeDatabaseFile(path)
  connection = connect(path)
  connection.exec(
    "insert into merchants (id, name, webhook_secret, created_at_ms) values ('m', 'Corner Coffee', 's', 0)",
  )
})
afterEach(() => {
  connection.close()
  rmSync(folder, { recursive: true })
})

const files = migrationFiles()
const next = { name: '9998_next.sql', text: "alter table merchants add column motto text not null default 'none';" }
const broken = {
  name: '9999_broken.sql',
  text: "update merchants set motto = 'lost'; create table a (b text); no statement;",
}
const version = () => connection.pragma('user_version', { simple: true })

describe('the next migration', () => {
  test('changes the tables and keeps their rows, once', () => {
    expect(version()).toBe(files.length)
    migrate(connection, [...files, next])
    migrate(connection, [...files, next])
    expect(connection.prepare('select id, motto from merchants').all()).toEqual([{ id: 'm', motto: 'none' }])
    expect(version()).toBe(files.length + 1)
  })

  test('that fails in the middle leaves what the one before it made, and a repeat with the corrected file goes on from there', () => {
    expect(() => migrate(connection, [...files, next, broken])).toThrow('syntax error')
    expect(version()).toBe(files.length + 1)
    expect(connection.prepare('select motto from merchants').pluck().all()).toEqual(['none'])
    expect(connection.prepare("select 1 from sqlite_master where name = 'a'").get()).toBeUndefined()
    migrate(connection, [...files, next, { ...broken, text: 'create table a (b text) strict;' }])
    expect(version()).toBe(files.length + 2)
  })
})

describe('a database from before the first release', () => {
  test.each(['sweeps', 'strays'])(
    'is recognized by its table %s, refused with what to do, and left as it is',
    (table) => {
      connection.exec(`create table ${table} (payment_id text primary key) strict; pragma user_version = 1`)
      connection.close()
      const refused = `The database ${path} was made before the first release and cannot be used any more. Name a new database in`
      expect(() => openSqlite(path)).toThrow(refused)
      expect(() => openSqlite(path)).toThrow(DatabaseBeforeReleaseError)
      expect(() => inspectBackup(path)).toThrow(
        `${path} was made before the first release and cannot be used any more.`,
      )
      connection = connect(path)
      expect(connection.prepare('select id from merchants').pluck().all()).toEqual(['m'])
    },
  )
})
