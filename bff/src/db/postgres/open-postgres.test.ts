import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openCuttableProxy } from '@stablecoin-checkout/rig/cuttable-proxy'
import { startPostgres } from '@stablecoin-checkout/rig/postgres-server'
import { createTestDatabase, type TestDatabase } from '@stablecoin-checkout/rig/test-database'
import { openTransactionPooler } from '@stablecoin-checkout/rig/transaction-pooler'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Db, sql, type Tx } from '../db.ts'
import { openPostgres } from './open-postgres.ts'

let database: TestDatabase
let db: Db
beforeEach(async () => {
  database = await createTestDatabase()
  db = await database.open()
})
afterEach(async () => {
  await db.close()
  await database.drop()
})

const insert = (network: string) => (tx: Tx) =>
  tx.run(sql`insert into unmatched_cursors (network, number, hash) values (${network}, 1, '0x')`)
const stored = async (from: Db = db) =>
  (
    await from.read((tx) => tx.all<{ network: string }>(sql`select network from unmatched_cursors order by network`))
  ).map(({ network }) => network)

/** A statement that PostgreSQL refuses with this code, as it would where another transaction is in the way. */
const conflict = (tx: Tx) => tx.run(sql`do $$ begin raise exception 'in the way' using errcode = '40001'; end $$`)

describe('a commit whose answer is lost', () => {
  const open = async (searchMs?: number) => {
    const proxy = await openCuttableProxy(database.location)
    const behind = await openPostgres(proxy.url, undefined, searchMs)
    return {
      proxy,
      behind,
      close: async () => {
        await behind.close()
        await proxy.close()
      },
    }
  }

  test('is reported as done where it was done, and its units run once', async () => {
    const { proxy, behind, close } = await open()
    let runs = 0
    proxy.cutAt({ text: 'commit\0', at: 'after' })
    await behind.write(async (tx) => {
      runs += 1
      await insert('a')(tx)
    })
    expect([runs, await stored()]).toEqual([1, ['a']])
    await close()
  })

  test('is done again where it was not done', async () => {
    const { proxy, behind, close } = await open()
    let runs = 0
    proxy.cutAt({ text: 'commit\0', at: 'before' })
    await behind.write(async (tx) => {
      runs += 1
      await insert('a')(tx)
    })
    expect([runs, await stored()]).toEqual([2, ['a']])
    await close()
  })

  test('is said to be unknown where nobody can say in time', async () => {
    const { proxy, behind, close } = await open(600)
    proxy.cutAt({ text: 'commit\0', at: 'after', isForGood: true })
    await expect(behind.write(insert('a'))).rejects.toMatchObject({ code: 'COMMIT_UNKNOWN', status: 503 })
    expect(await stored()).toEqual(['a'])
    await close()
  })

  test('is done again where the server ended the session before it', async () => {
    let runs = 0
    await db.write(async (tx) => {
      runs += 1
      await insert('a')(tx)
      if (runs === 1) await endSessions()
    })
    expect([runs, await stored()]).toEqual([2, ['a']])
  })
})

/** Ends the sessions that are in a transaction, as an operator or a timeout of the server does. */
async function endSessions(): Promise<void> {
  const client = new pg.Client(database.location)
  await client.connect()
  await client.query(
    `select pg_terminate_backend(pid, 5000) from pg_stat_activity
      where datname = current_database() and state = 'idle in transaction'`,
  )
  await client.end()
}

describe('a group that the database cannot store as it is', () => {
  test('is run again, and a unit of it that asks for nothing of the kind is stored once', async () => {
    let runs = 0
    const first = db.write(async (tx) => {
      runs += 1
      if (runs < 3) await conflict(tx)
      await insert('a')(tx)
    })
    await Promise.all([first, db.write(insert('b'))])
    expect([runs, await stored()]).toEqual([3, ['a', 'b']])
  })

  test('is given up after five runs, with an error that says to try again', async () => {
    let runs = 0
    const write = db.write(async (tx) => {
      runs += 1
      await conflict(tx)
    })
    await expect(write).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE', status: 503 })
    expect(runs).toBe(5)
    await db.write(insert('a'))
    expect(await stored()).toEqual(['a'])
  })

  test('loses a unit that catches what the database refused, and nothing else', async () => {
    await db.write(insert('a'))
    const [swallowing, other] = await Promise.allSettled([
      db.write(async (tx) => {
        await insert('a')(tx).catch(() => undefined)
        return 'stored'
      }),
      db.write(insert('b')),
    ])
    expect([swallowing.status, other.status]).toEqual(['rejected', 'fulfilled'])
    expect(await stored()).toEqual(['a', 'b'])
  })
})

describe('replicas', () => {
  const event = (tx: Tx) =>
    tx.get(sql`
        insert into events (merchant_id, is_test, payment_id, sequence, type, body, created_at_ms)
        values ('m', 0, null, 0, 't', '{}', 0) returning number`)

  test('take turns, so that whoever reads the events after a number skips none', async () => {
    const replicas = await Promise.all([database.open(), database.open(), database.open()])
    const seen: number[] = []
    let isWriting = true
    const reading = (async () => {
      for (let last = 0; ; ) {
        const isLast = !isWriting
        const rows = await db.read((tx) =>
          tx.all<{ number: number }>(sql`select number from events where number > ${last} order by number limit 50`),
        )
        seen.push(...rows.map(({ number }) => number))
        last = seen.at(-1) ?? 0
        if (isLast && rows.length === 0) return
      }
    })()
    const writes = Array.from({ length: 600 }, async (_, index) => {
      await sleep(index / 2)
      await replicas[index % 3]?.write(async (tx) => {
        await event(tx)
        await event(tx)
      })
    })
    await Promise.all(writes)
    isWriting = false
    await reading
    const rows = await db.read((tx) => tx.all<{ number: number }>(sql`select number from events order by number`))
    expect(rows).toHaveLength(1_200)
    expect(seen).toEqual(rows.map(({ number }) => number))
    for (const replica of replicas) await replica.close()
  })

  test('read what the others stored before they write: a count that all of them add to loses nothing', async () => {
    const replicas = await Promise.all([database.open(), database.open(), database.open()])
    await db.write(insert('n'))
    await Promise.all(
      Array.from({ length: 300 }, async (_, index) => {
        await sleep(index % 7)
        await replicas[index % 3]?.write(async (tx) => {
          const row = await tx.get<{ number: number }>(sql`select number from unmatched_cursors where network = 'n'`)
          await tx.run(sql`update unmatched_cursors set number = ${(row?.number ?? 0) + 1} where network = 'n'`)
        })
      }),
    )
    const row = await db.read((tx) => tx.get(sql`select number from unmatched_cursors where network = 'n'`))
    expect(row).toEqual({ number: 301 })
    for (const replica of replicas) await replica.close()
  })

  test('go on when one of them stops in the middle of a write, and the write of that one is done when it wakes', async () => {
    const stopped = await database.open()
    let runs = 0
    let wake = () => {}
    const woken = new Promise<void>((resolve) => {
      wake = resolve
    })
    const write = stopped.write(async (tx) => {
      await insert('late')(tx)
      runs += 1
      // As the process would be stopped: longer than the server lets a transaction do nothing.
      if (runs === 1) await woken
    })
    await expect.poll(() => runs).toBe(1)
    await db.write(insert('other'))
    expect(await stored()).toEqual(['other'])
    wake()
    await write
    expect([runs, await stored()]).toEqual([2, ['late', 'other']])
    await stopped.close()
  })

  test('of the version before go on when a newer one has added a column to a table that they read whole', async () => {
    const whole = (tx: Tx) => tx.all<{ network: string }>(sql`select * from unmatched_cursors order by network`)
    const read = async () => (await db.read(whole)).map(({ network }) => network)
    const write = (network: string) =>
      db.write(async (tx) => {
        await whole(tx)
        await insert(network)(tx)
      })
    const readers = () => Promise.all(Array.from({ length: 20 }, read))
    await write('a')
    await readers()
    const admin = new pg.Client(database.location)
    await admin.connect()
    await admin.query('alter table unmatched_cursors add column newer text')
    // Each connection has prepared the statement for the columns of before.
    expect(await readers()).toEqual(Array(20).fill(['a']))
    await write('b')
    expect(await read()).toEqual(['a', 'b'])
    await admin.query('alter table unmatched_cursors drop column newer')
    await write('c')
    expect(await readers()).toEqual(Array(20).fill(['a', 'b', 'c']))
    await admin.end()
  })

  test('that start at the same moment on an empty database create its tables once', async () => {
    const empty = await createTestDatabase()
    const admin = new pg.Client(empty.location)
    await admin.connect()
    await admin.query('drop schema public cascade; create schema public')
    const replicas = await Promise.all([empty.open(), empty.open(), empty.open()])
    for (const [index, replica] of replicas.entries()) await replica.write(insert(`n${index}`))
    expect(await stored(replicas[0])).toEqual(['n0', 'n1', 'n2'])
    for (const replica of replicas) await replica.close()
    await admin.end()
    await empty.drop()
  })
})

describe('a server', () => {
  test('that is restarted is an error that says to try again, and afterwards the same connections work', async () => {
    const server = await startPostgres()
    const restarted = await openPostgres(server.url)
    await restarted.write(insert('before'))
    await server.pause()
    const unavailable = { code: 'DATABASE_UNAVAILABLE', status: 503, retryAfterSeconds: 2 }
    await expect(restarted.write(insert('lost'))).rejects.toMatchObject(unavailable)
    await expect(stored(restarted)).rejects.toMatchObject(unavailable)
    await server.resume()
    await restarted.write(insert('after'))
    expect(await stored(restarted)).toEqual(['after', 'before'])
    // An idle connection that the server has ended meanwhile is noticed by nobody but the next statement.
    await server.pause()
    await server.resume()
    await Promise.all([restarted.write(insert('again')), stored(restarted)])
    expect(await stored(restarted)).toEqual(['after', 'again', 'before'])
    await restarted.close()
    await server.stop()
  })

  test('that is a standby now is left by whoever writes, is read from, and is written to again after its promotion', async () => {
    const server = await startPostgres()
    const moved = await openPostgres(server.url)
    await moved.write(insert('before'))
    const admin = async <Row>(text: string): Promise<Row[]> => {
      const client = new pg.Client(server.url)
      await client.connect()
      return (await client.query(text).finally(() => client.end())).rows as Row[]
    }
    const [{ folder } = { folder: '' }] = await admin<{ folder: string }>(
      `select current_setting('data_directory') as folder`,
    )
    await server.pause()
    writeFileSync(join(folder, 'standby.signal'), '')
    await server.resume()
    const unavailable = { code: 'DATABASE_UNAVAILABLE', status: 503 }
    await expect(moved.write(insert('lost'))).rejects.toMatchObject(unavailable)
    expect(await stored(moved)).toEqual(['before'])
    const writers = () =>
      admin(
        `select 1 from pg_stat_activity where application_name = 'stablecoin-checkout' and query ~ 'begin|commit|rollback'`,
      )
    await expect.poll(writers).toEqual([])
    await admin('select pg_promote()')
    await moved.write(insert('after'))
    expect(await stored(moved)).toEqual(['after', 'before'])
    await moved.close()
    await server.stop()
  })

  test('that ends a connection between two statements of a read ends no process: the read is made again', async () => {
    const admin = new pg.Client(database.location)
    await admin.connect()
    let reads = 0
    const value = await db.read(async (tx) => {
      reads += 1
      await tx.get(sql`select 1 as one`)
      if (reads === 1) {
        await admin.query(`
            select pg_terminate_backend(pid, 5000) from pg_stat_activity
             where datname = current_database() and pid <> pg_backend_pid()`)
        // What the server says last has come by now: it said so before it answered these.
        for (let round = 0; round < 3; round += 1) await admin.query('select 1')
      }
      return await tx.get(sql`select 2 as two`)
    })
    expect([reads, value]).toEqual([2, { two: 2 }])
    await admin.end()
  })

  test('whose commits need not reach the disk is asked for it all the same', async () => {
    const row = await db.write((tx) =>
      tx.get(
        sql`select current_setting('synchronous_commit') as "isSynced", current_setting('lock_timeout') as "wait"`,
      ),
    )
    expect(row).toEqual({ isSynced: 'on', wait: '8s' })
  })

  test('behind a pooler that changes the session with each transaction is refused', async () => {
    const pooler = await openTransactionPooler(database.location)
    await expect(openPostgres(pooler.url)).rejects.toThrow(
      'The database is reached through a pooler in transaction mode (such as PgBouncer)',
    )
    await pooler.close()
  })

  test('with a newer schema is refused', async () => {
    const admin = new pg.Client(database.location)
    await admin.connect()
    const { rows } = await admin.query('select version from schema_version')
    await admin.query('update schema_version set version = 9999')
    await expect(database.open()).rejects.toThrow(/at version 9999; this program knows \d+. Use the newer program/)
    await admin.query('update schema_version set version = $1', [rows[0].version])
    await admin.end()
  })

  test('from before the first release is refused with what to do, and gets no table', async () => {
    const admin = new pg.Client(database.location)
    await admin.connect()
    await admin.query('alter table unmatched_transfers rename to strays')
    await expect(database.open()).rejects.toThrow(
      /^The database test_\w+ was made before the first release and cannot be used any more. Name a new database/,
    )
    await admin.query('alter table strays rename to unmatched_transfers')
    await admin.end()
  })

  test('that refuses the password or has no such database is reported without the password', async () => {
    const wrong = new URL(database.location)
    wrong.password = 'geheim'
    const missing = new URL(database.location)
    missing.pathname = '/nothing'
    const faults = await Promise.all(
      [wrong, missing].map((url) => openPostgres(url.href).catch((error) => error.message)),
    )
    expect(faults).toEqual([
      'PostgreSQL refused the connection: password authentication failed for user "postgres".',
      'PostgreSQL refused the connection: database "nothing" does not exist.',
    ])
  })

  test('is never given U+0000, which it cannot store: what a receiver answered is kept with a sign for it', async () => {
    await db.write(insert('a\u0000b'))
    expect(await stored()).toEqual(['a\ufffdb'])
  })

  test('is not given U+0000 in a list either, so that no caller’s filter fails', async () => {
    await db.write(insert('known'))
    const found = await db.read((tx) =>
      tx.all(sql`select network from unmatched_cursors where network in ${['\u0000', 'known']}`),
    )
    expect(found).toEqual([{ network: 'known' }])
  })

  test('whose integers are larger than a number can hold exactly is not believed', async () => {
    const read = db.read((tx) => tx.get(sql`select cast('9007199254740993' as bigint) as large`))
    await expect(read).rejects.toThrow('The database returned 9007199254740993, beyond 2^53: select it as text.')
    const sum = db.read((tx) => tx.get(sql`select cast('1' as numeric) as amount`))
    await expect(sum).rejects.toThrow('cast it to text or bigint')
    expect(await stored()).toEqual([])
  })
})
