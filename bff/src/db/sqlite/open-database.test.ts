import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import SQLite from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Db, sql } from '../db.ts'
import { openDb } from './open-database.ts'

let folder: string
let db: Db
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'checkout-db-'))
  db = openDb(join(folder, 'test.sqlite'))
})
afterEach(async () => {
  await db.close()
  rmSync(folder, { recursive: true })
})

const insert = (id: string) => (tx: Parameters<Parameters<Db['write']>[0]>[0]) =>
  tx.run(sql`insert into merchants (id, name, webhook_secret, created_at_ms) values (${id}, 'm', 's', 1)`)
const ids = async () =>
  (await db.read((tx) => tx.all<{ id: string }>(sql`select id from merchants order by rowid`))).map((row) => row.id)

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

  test('units that arrive together share one commit and keep their order', async () => {
    const names = Array.from({ length: 150 }, (_, index) => `m${index}`)
    const committed: number[] = []
    await Promise.all(
      names.map((name) =>
        db.write(async (tx) => {
          await insert(name)(tx)
          committed.push((await ids()).length)
        }),
      ),
    )
    expect(await ids()).toEqual(names)
    expect(new Set(committed)).toEqual(new Set([0]))
  })

  test('an answer leaves only after its commit: another process sees the row as soon as the write resolves', async () => {
    const other = new SQLite(join(folder, 'test.sqlite'), { readonly: true })
    const count = other.prepare('select count(*) as count from merchants')
    await Promise.all(
      Array.from({ length: 300 }, async (_, index) => {
        await db.write(insert(`m${index}`))
        expect(other.prepare('select 1 from merchants where id = ?').get(`m${index}`)).toBeDefined()
      }),
    )
    expect(count.get()).toEqual({ count: 300 })
    other.close()
  })

  test('a unit that throws changes nothing and leaves its group alone', async () => {
    const results = await Promise.allSettled([
      db.write(insert('first')),
      db.write(async (tx) => {
        await insert('lost')(tx)
        throw new Error('no')
      }),
      db.write(insert('first')),
      db.write(insert('last')),
    ])
    expect(results.map((result) => result.status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled'])
    expect(await ids()).toEqual(['first', 'last'])
  })

  test('a unit that throws after an insert that returned something changes nothing either', async () => {
    const results = await Promise.allSettled([
      db.write(insert('first')),
      db.write(async (tx) => {
        await tx.get(
          sql`insert into merchants (id, name, webhook_secret, created_at_ms) values ('lost', 'm', 's', 1) returning id`,
        )
        throw new Error('no')
      }),
    ])
    expect(results.map((result) => result.status)).toEqual(['fulfilled', 'rejected'])
    expect(await ids()).toEqual(['first'])
  })

  test('news of a unit is told after its commit, once, and never of one that was undone', async () => {
    const told: string[] = []
    const telling = (id: string, fails: boolean) => async (tx: Parameters<Parameters<Db['write']>[0]>[0]) => {
      await insert(id)(tx)
      tx.afterCommit(
        () =>
          void told.push(
            `${id} ${committed.prepare('select 1 from merchants where id = ?').get(id) ? 'stored' : 'lost'}`,
          ),
      )
      if (fails) throw new Error('no')
    }
    const committed = new SQLite(join(folder, 'test.sqlite'), { readonly: true })
    await Promise.allSettled([
      db.write(telling('a', false)),
      db.write(telling('b', true)),
      db.write(telling('c', false)),
    ])
    committed.close()
    expect(told).toEqual(['a stored', 'c stored'])
  })

  test('whoever watches is told how many units shared a commit, and of one that failed', async () => {
    const path = join(folder, 'watched.sqlite')
    const told: string[] = []
    const watched = openDb(path, {
      committed: (tookMs, units) => void told.push(`${units} ${tookMs >= 0}`),
      commitFailed: () => void told.push('failed'),
    })
    await Promise.all([watched.write(insert('a')), watched.write(insert('b'))])
    const other = new SQLite(path)
    other.exec('begin immediate')
    await expect(watched.write(insert('c'))).rejects.toThrow('database is locked')
    other.close()
    await watched.write(insert('d'))
    await watched.close()
    expect(told).toEqual(['2 true', 'failed', '1 true'])
  })

  test('reads never see what is not committed', async () => {
    let seen: string[] = ['not read']
    await db.write(async (tx) => {
      await insert('open')(tx)
      seen = await ids()
    })
    expect(seen).toEqual([])
    expect(await ids()).toEqual(['open'])
  })

  test('what is in hand is finished when the database closes', async () => {
    const path = join(folder, 'closing.sqlite')
    const closing = openDb(path)
    const writes = Array.from({ length: 20 }, (_, index) => closing.write(insert(`m${index}`)))
    await closing.close()
    await Promise.all(writes)
    const reopened = new SQLite(path)
    expect(reopened.prepare('select count(*) as count from merchants').get()).toEqual({ count: 20 })
    reopened.close()
  })

  test('a file that a newer program wrote is refused', () => {
    const path = join(folder, 'newer.sqlite')
    const newer = new SQLite(path)
    newer.pragma('user_version = 9999')
    newer.close()
    expect(() => openDb(path)).toThrow(/version 9999/)
  })
})
