import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { collectGarbage } from '@stablecoin-checkout/rig/collect-garbage'
import { times } from '@stablecoin-checkout/rig/nightly'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Db, sql } from '../db.ts'
import { openSqlite } from './open-sqlite.ts'
import { SQLite } from './sqlite-driver.ts'

let folder: string
let db: Db
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'checkout-db-'))
  db = openSqlite(join(folder, 'test.sqlite'))
})
afterEach(async () => {
  await db.close()
  rmSync(folder, { recursive: true })
})

const insert = (id: string) => (tx: Parameters<Parameters<Db['write']>[0]>[0]) =>
  tx.run(sql`insert into merchants (id, name, webhook_secret, created_at_ms) values (${id}, 'm', 's', 1)`)

describe('the database', () => {
  test('commits are synced to the disk: synchronous=FULL, not the NORMAL that the addon is built with', async () => {
    const mode = await db.write((tx) => tx.get<{ synchronous: number }>(sql`pragma synchronous`))
    const journal = await db.write((tx) => tx.get<{ journal_mode: string }>(sql`pragma journal_mode`))
    expect(mode).toEqual({ synchronous: 2 })
    expect(journal).toEqual({ journal_mode: 'wal' })
  })

  test('a new file and those beside it are nobody else’s to read', async () => {
    await db.write(insert('m'))
    for (const end of ['', '-wal', '-shm'])
      expect(statSync(join(folder, `test.sqlite${end}`)).mode & 0o777, end).toBe(0o600)
  })

  test('the observer gets how many units shared a commit, and of one that failed', async () => {
    const path = join(folder, 'watched.sqlite')
    const observed: string[] = []
    const watched = openSqlite(path, {
      committed: (tookMs, units) => void observed.push(`${units} ${tookMs >= 0}`),
      commitFailed: () => void observed.push('failed'),
    })
    await Promise.all([watched.write(insert('a')), watched.write(insert('b'))])
    const other = new SQLite(path)
    other.exec('begin immediate')
    await expect(watched.write(insert('c'))).rejects.toThrow('database is locked')
    other.close()
    await watched.write(insert('d'))
    await watched.close()
    expect(observed).toEqual(['2 true', 'failed', '1 true'])
  })

  test('statements that nobody holds any more are collected, and the process lives on', () => {
    const connection = new SQLite(':memory:')
    for (let round = 0; round < times(3, 10); round += 1) {
      for (let number = 0; number < 200; number += 1) connection.prepare(`select ${number}`).get()
      collectGarbage()
    }
    expect(connection.prepare('select 1 as one').get()).toEqual({ one: 1 })
    connection.close()
  })

  test('a file that a newer program wrote is refused', () => {
    const path = join(folder, 'newer.sqlite')
    const newer = new SQLite(path)
    newer.pragma('user_version = 9999')
    newer.close()
    expect(() => openSqlite(path)).toThrow(/version 9999/)
  })
})
