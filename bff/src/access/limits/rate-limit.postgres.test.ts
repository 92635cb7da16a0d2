import { everyPart } from '@stablecoin-checkout/rig/app-defaults'
import { createTestDatabase, type TestDatabase } from '@stablecoin-checkout/rig/test-database'
import pg from 'pg'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { silentLog } from '../../core/log.ts'
import { systemRuntime } from '../../core/runtime.ts'
import { type Db, sql } from '../../db/db.ts'
import { runHousekeeping } from '../../ops/serve/housekeeping.ts'
import { openSharedCounters } from './shared-counters.ts'

let database: TestDatabase
let db: Db
let replicas: ReturnType<typeof openSharedCounters>[]
/** The database's clock, which each replica knows. It stands still unless a test moves it. */
let databaseMs: number

beforeEach(async () => {
  databaseMs = Date.now()
  vi.useFakeTimers({ toFake: ['Date'], now: databaseMs })
  database = await createTestDatabase()
  db = await database.open()
  replicas = []
})
afterEach(async () => {
  vi.useRealTimers()
  for (const replica of replicas) await replica.close()
  await db.close()
  await database.drop()
})

function advance(ms: number): void {
  databaseMs += ms
  vi.setSystemTime(databaseMs)
}

/** Patient: a machine that is busy must not make it count by itself. */
function openReplica(patienceMs = 20_000) {
  const digest = (name: string) => `digest of ${name}`
  const replica = openSharedCounters(database.location, { nowMs: () => databaseMs, digest, patienceMs })
  replicas.push(replica)
  return replica
}
const counterOf = ({ makeCounter }: ReturnType<typeof openReplica>, points: number, duration = 60) =>
  makeCounter({ keyPrefix: 'create', points, duration })

/** Whether a call passes, or after how many seconds its refusal says to come back. */
async function call(counter: ReturnType<typeof counterOf>, name = 'a customer'): Promise<'passes' | number> {
  return await counter.consume(name).then(
    () => 'passes' as const,
    ({ msBeforeNext }: { msBeforeNext: number }) => Math.ceil(msBeforeNext / 1000),
  )
}

const rows = () => db.read((tx) => tx.all<{ key: string; points: number }>(sql`select key, points from rate_limits`))

test('calls count at whatever replica, and each replica answers the same time to wait', async () => {
  const [one, two] = [counterOf(openReplica(), 5), counterOf(openReplica(), 5)]
  const seen: ('passes' | number)[] = []
  for (let round = 0; round < 3; round++) seen.push(await call(one), await call(two))
  expect(seen).toEqual(['passes', 'passes', 'passes', 'passes', 'passes', 60])
  advance(2_000)
  expect([await call(one), await call(two)]).toEqual([58, 58])
  expect(await call(one, 'somebody else')).toBe('passes')
})

test('the limit holds exactly for calls that come at two replicas at once', async () => {
  const counters = [counterOf(openReplica(), 20), counterOf(openReplica(), 20)]
  const calls = Array.from({ length: 100 }, (_, index) => call(counters[index % 2] ?? counterOf(openReplica(), 20)))
  expect((await Promise.all(calls)).filter((answer) => answer === 'passes')).toHaveLength(20)
})

test('the window of a name ends at every replica', async () => {
  const [one, two] = [counterOf(openReplica(), 1, 2), counterOf(openReplica(), 1, 2)]
  expect([await call(one), await call(two)]).toEqual(['passes', 2])
  advance(2_100)
  expect([await call(two), await call(one)]).toEqual(['passes', 2])
})

test('a name that has reached its limit costs the database nothing until its window ends', async () => {
  const one = counterOf(openReplica(), 2)
  for (let count = 0; count < 50; count++) await call(one)
  expect(await rows()).toEqual([{ key: 'create:digest of create a customer', points: 2 }])
})

test('times are the database’s: a replica whose machine is two minutes off neither lifts nor lengthens a window', async () => {
  const [one, two] = [counterOf(openReplica(), 2), counterOf(openReplica(), 2)]
  const callWithWrongClock = async () => {
    vi.setSystemTime(databaseMs + 120_000)
    try {
      return await call(two)
    } finally {
      vi.setSystemTime(databaseMs)
    }
  }
  expect([await callWithWrongClock(), await call(one), await callWithWrongClock(), await call(one)]).toEqual([
    'passes',
    'passes',
    60,
    60,
  ])
})

test('while the database does not answer, a replica counts by itself up to the same limit, and no call waits long', async () => {
  const one = counterOf(openReplica(250), 3)
  // Connects. If that took too long, the replica has counted by itself, but another name.
  expect(await call(one, 'somebody else')).toBe('passes')
  const blocker = new pg.Client(database.location)
  await blocker.connect()
  await blocker.query('begin; lock table rate_limits')
  // The lock is released after them.
  const calls = await Promise.all(Array.from({ length: 10 }, () => call(one)))
  expect(calls.filter((answer) => answer === 'passes')).toHaveLength(3)
  await blocker.query('rollback')
  await blocker.end()
})

test('rows whose window has ended are deleted, many at a time, and others stay', async () => {
  const nowMs = systemRuntime.nowMs()
  await db.write(async (tx) => {
    for (let row = 0; row < 2_500; row++)
      await tx.run(sql`insert into rate_limits (key, points, expire) values (${`old ${row}`}, 1, ${nowMs - row})`)
    await tx.run(sql`insert into rate_limits (key, points, expire) values ('open', 1, ${nowMs + 60_000})`)
  })
  const stopping = new AbortController()
  const ofParts = [everyPart.links, everyPart.dashboard].flatMap((part) => part?.deleteExpired ?? [])
  const running = runHousekeeping({ db, runtime: systemRuntime, log: silentLog, ofParts }, stopping.signal)
  await expect.poll(rows).toEqual([{ key: 'open', points: 1 }])
  stopping.abort()
  await running
})
