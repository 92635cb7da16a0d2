import { createTestDatabase, type TestDatabase } from '@stablecoin-checkout/rig/test-database'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Db, sql, type Tx } from './db.ts'

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

const wallet = (network: string) => (tx: Tx) =>
  tx.run(sql`insert into unmatched_cursors (network, number, hash) values (${network}, 1, '0x')`)
const stored = async (from: Db = db) =>
  (
    await from.read((tx) => tx.all<{ network: string }>(sql`select network from unmatched_cursors order by network`))
  ).map(({ network }) => network)

describe('a statement', () => {
  test('is put together of fragments with their values, one object for each set of them', async () => {
    await db.write(async (tx) => {
      for (const network of ['a', 'b', 'c', 'd']) await wallet(network)(tx)
    })
    const after = (network: string | null) => (network === null ? sql`` : sql`and network > ${network}`)
    const columns = sql`network, number`
    const ask = (from: string | null, names: readonly string[], limit: number) =>
      sql`select ${columns} from unmatched_cursors where network in ${names} ${after(from)} order by network limit ${limit}`
    const read = async (from: string | null, names: readonly string[], limit: number) => {
      const rows = await db.read((tx) => tx.all<{ network: string }>(ask(from, names, limit)))
      return rows.map(({ network }) => network).join('')
    }
    expect(await read(null, ['a', 'b', 'c'], 2)).toBe('ab')
    expect(await read('a', ['a', 'b', 'c'], 2)).toBe('bc')
    expect(await read('b', ['a', 'c', 'd'], 1)).toBe('c')
    expect(ask('x', [], 1).strings).toBe(ask('y', ['z'], 2).strings)
    expect(ask('x', [], 1).strings).not.toBe(ask(null, [], 1).strings)
    const nested = sql`select ${sql`${1} + ${sql`${2}`}`} as three`
    expect([[...nested.strings], nested.params]).toEqual([
      ['select ', ' + ', ' as three'],
      [1, 2],
    ])
  })
})

describe('the database', () => {
  test('units that arrive together share one commit and run in their order', async () => {
    const commits: number[] = []
    const watched = await database.open({
      committed: (_, units) => void commits.push(units),
      commitFailed: () => undefined,
    })
    const ran: number[] = []
    await Promise.all(
      Array.from({ length: 150 }, (_, index) =>
        watched.write(async (tx) => {
          await wallet(`n${index}`)(tx)
          ran.push(index)
        }),
      ),
    )
    await watched.close()
    expect(ran).toEqual(Array.from({ length: 150 }, (_, index) => index))
    expect(await stored()).toHaveLength(150)
    expect(commits).toEqual([150])
  })

  test('an answer leaves only after its commit: another process sees the row as soon as the write resolves', async () => {
    const other = await database.open()
    await Promise.all(
      Array.from({ length: 30 }, async (_, index) => {
        await db.write(wallet(`n${index}`))
        expect(await stored(other)).toContain(`n${index}`)
      }),
    )
    await other.close()
  })

  test('a unit that throws changes nothing and leaves its group alone, and so does one that the database refuses', async () => {
    const results = await Promise.allSettled([
      db.write(wallet('a')),
      db.write(async (tx) => {
        await wallet('lost')(tx)
        throw new Error('no')
      }),
      db.write(async (tx) => {
        await tx.get(
          sql`insert into unmatched_cursors (network, number, hash) values ('too', 1, '0x') returning network`,
        )
        throw new Error('no')
      }),
      db.write(wallet('a')),
      db.write(wallet('b')),
    ])
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'rejected', 'fulfilled'])
    expect(await stored()).toEqual(['a', 'b'])
  })

  const unawaited = (network: string) => async (tx: Tx) =>
    tx.write(sql`insert into unmatched_cursors (network, number, hash) values (${network}, 1, '0x')`)

  test('what a unit writes without waiting is seen by what follows, in the unit and in the next ones of the group', async () => {
    const counted = async (tx: Tx) =>
      (await tx.get<{ count: number }>(sql`select count(*) as count from unmatched_cursors`))?.count
    const counts = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        db.write(async (tx) => {
          await unawaited(`n${index}`)(tx)
          return await counted(tx)
        }),
      ),
    )
    expect(counts).toEqual(Array.from({ length: 50 }, (_, index) => index + 1))
    expect(await stored()).toHaveLength(50)
  })

  test('a write that nobody waits for fails its own unit alone, the last of the group too', async () => {
    for (const round of ['1', '2']) {
      const results = await Promise.allSettled([
        db.write(unawaited(`a${round}`)),
        db.write(async (tx) => {
          await unawaited(`a${round}`)(tx)
          return 'ran on'
        }),
        db.write(wallet(`b${round}`)),
        db.write(unawaited(`b${round}`)),
      ])
      expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected'])
      expect(results[1]).toMatchObject({ reason: { message: expect.stringMatching(/unique/i) } })
    }
    expect(await stored()).toEqual(['a1', 'a2', 'b1', 'b2'])
  })

  test('a unit that reads cannot write without waiting either', async () => {
    await expect(db.read(unawaited('a'))).rejects.toThrow()
    expect(await stored()).toEqual([])
  })

  test('what follows a unit is done after its commit, once, and never where the unit was undone', async () => {
    const done: string[] = []
    const noting = (network: string, fails: boolean) => async (tx: Tx) => {
      await wallet(network)(tx)
      tx.afterCommit(() => void done.push(network))
      if (fails) throw new Error('no')
    }
    await Promise.allSettled([db.write(noting('a', false)), db.write(noting('b', true)), db.write(noting('c', false))])
    expect(done).toEqual(['a', 'c'])
  })

  test('reads never see what is not committed', async () => {
    let seen = ['not read']
    await db.write(async (tx) => {
      await wallet('open')(tx)
      seen = await stored()
    })
    expect(seen).toEqual([])
    expect(await stored()).toEqual(['open'])
  })

  test('of more writes than can wait, the last are refused', async () => {
    const writes = await Promise.allSettled(Array.from({ length: 20_001 }, () => db.write(async () => 'stored')))
    const refused = writes.filter(({ status }) => status === 'rejected')
    expect(refused).toMatchObject([{ reason: { code: 'DATABASE_UNAVAILABLE', status: 503 } }])
    expect(writes.at(-1)).toBe(refused[0])
  })

  test('a read changes nothing', async () => {
    await expect(db.read(wallet('a'))).rejects.toThrow(/read-?only/)
    expect(await stored()).toEqual([])
  })

  test('what is in hand is finished when the database closes', async () => {
    const closing = await database.open()
    const writes = Array.from({ length: 20 }, (_, index) => closing.write(wallet(`n${index}`)))
    await closing.close()
    await Promise.all(writes)
    expect(await stored()).toHaveLength(20)
  })

  test('texts are ordered by their bytes, and truth and counts are numbers', async () => {
    await db.write(async (tx) => {
      for (const network of ['b', 'B', 'a', 'Z', 'ä', '_', '1']) await wallet(network)(tx)
    })
    expect(await stored()).toEqual(['1', 'B', 'Z', '_', 'a', 'b', 'ä'])
    const row = await db.read((tx) =>
      tx.get(sql`
          select count(*) as count, exists (select 1 from unmatched_cursors where network = ${'a'}) as found,
                 exists (select 1 from unmatched_cursors where network = ${'c'}) as missing, cast(${null} as text) is null as none
            from unmatched_cursors`),
    )
    expect(row).toEqual({ count: 7, found: 1, missing: 0, none: 1 })
  })

  test('a time in milliseconds and the largest exact integer come back as they were', async () => {
    for (const number of [Date.parse('2126-11-22T00:00:00Z'), Number.MAX_SAFE_INTEGER]) {
      const row = await db.write((tx) =>
        tx.get<{ number: number }>(sql`
            insert into unmatched_cursors (network, number, hash) values ('n', ${number}, '0x')
            on conflict (network) do update set number = excluded.number returning number`),
      )
      expect(row).toEqual({ number })
    }
  })
})
