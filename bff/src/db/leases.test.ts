import { createTestDatabase, isOnPostgres, type TestDatabase } from '@stablecoin-checkout/rig/test-database'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { silentLog } from '../core/log.ts'
import { systemRuntime } from '../core/runtime.ts'
import { createDatabaseClock } from './database-clock.ts'
import { type Db, type Sql, sql, type Tx } from './db.ts'
import { LeaseLostError } from './fenced.ts'
import { type Heartbeats, listLeases, listReplicas } from './lease-store.ts'
import { createLeases, type Lease } from './leases.ts'
import { openHeartbeats } from './postgres/heartbeats.ts'
import { DatabaseUnavailableError } from './unavailable.ts'

/** Leases that end within no test, however busy the machine is. */
const longLeases = { beatMs: 100, leaseMs: 60_000, marginMs: 300 }
/** Leases that end in a test, and are renewed on a busy machine all the same. */
const shortLeases = { beatMs: 100, leaseMs: 6_000, marginMs: 300 }
const name = 'base'
const soon = { interval: 5 }
/** For what comes when a lease of `shortLeases` has ended. */
const afterEnd = { interval: 5, timeout: 60_000 }

type Worker = {
  id: string
  /** The leases that it was given, in order. */
  given: Lease[]
  /** Whether it works now. */
  isWorking(): boolean
  isReplaced(): boolean
  /** Resolves when it asks for the lease no more. */
  ended: Promise<void>
  replicas(): number
  /** How often the database has answered it. */
  beats(): number
  stop(): Promise<void>
  /** As a stopped process: nothing that it asks of the database is answered. */
  freeze(): void
  thaw(): void
}

let database: TestDatabase
let workers: Worker[]
let watching: Db
beforeEach(async () => {
  workers = []
  database = await createTestDatabase()
  watching = await database.open()
})
afterEach(async () => {
  for (const worker of workers) {
    worker.thaw()
    await worker.stop()
  }
  await watching.close()
  await database.drop()
})

async function startReplica(id: string, { isShared = true, times = longLeases } = {}): Promise<Worker> {
  const db = await database.open()
  let thawed = Promise.resolve()
  let thaw = () => {}
  let beats = 0
  const slowly = async <T>(ask: () => Promise<T>): Promise<T> => {
    await thawed
    const answer = await ask()
    beats += 1
    return answer
  }
  const frozen: Db = { ...db, write: (unit) => slowly(() => db.write(unit)) }
  const own = isOnPostgres ? openHeartbeats(database.location) : undefined
  const statements: Heartbeats = own ?? {
    run: (statement) => db.write((tx) => tx.run(statement)),
    get: <Row>(statement: Sql) => db.write((tx) => tx.get<Row>(statement)),
  }
  const heartbeats: Heartbeats = {
    run: (statement) => slowly(() => statements.run(statement)),
    get: <Row>(statement: Sql) => slowly(() => statements.get<Row>(statement)),
  }
  const stopping = new AbortController()
  const replica = { id, version: '1.2.3', host: 'machine', url: null }
  const leases = createLeases({
    db: frozen,
    heartbeats: isShared ? heartbeats : undefined,
    replica,
    nowMs: Date.now,
    log: silentLog,
    times,
  })
  await leases.open()
  const given: Lease[] = []
  let underWay = 0
  const work = async (lease: Lease) => {
    given.push(lease)
    underWay += 1
    await new Promise((resolve) => lease.signal.addEventListener('abort', resolve))
    underWay -= 1
  }
  const asking = leases.whileHeld(name, work, stopping.signal)
  const ended = Promise.all([leases.run(stopping.signal), asking])
  const worker: Worker = {
    id,
    given,
    isWorking: () => underWay > 0,
    isReplaced: leases.isReplaced,
    ended: asking,
    replicas: leases.replicas,
    beats: () => beats,
    async stop() {
      if (stopping.signal.aborted) return
      stopping.abort()
      await ended
      await own?.close()
      await db.close()
    },
    freeze() {
      thawed = new Promise((resolve) => {
        thaw = resolve
      })
    },
    thaw: () => thaw(),
  }
  workers.push(worker)
  return worker
}

const working = () => workers.map(({ isWorking }) => isWorking())
const insert = (db: Db, id: string) =>
  db.write((tx) =>
    tx.run(sql`insert into merchants (id, name, webhook_secret, created_at_ms) values (${id}, 'm', 's', 1)`),
  )
const merchants = () => watching.read((tx) => tx.all<{ id: string }>(sql`select id from merchants order by id`))

test('of replicas that start at the same moment one works, and after a clean stop another at once, with a later epoch', async () => {
  const [one, two, three] = await Promise.all(['one', 'two', 'three'].map((id) => startReplica(id)))
  if (!one || !two || !three) throw new Error('started')
  await expect.poll(() => working().filter(Boolean).length, soon).toBe(1)
  for (const { beats } of workers) {
    const before = beats()
    await expect.poll(beats, soon).toBeGreaterThan(before + 5)
  }
  expect(working().filter(Boolean)).toHaveLength(1)
  const [first] = await watching.read(listLeases)
  expect(first).toMatchObject({ name, epoch: 1 })
  const holder = workers.find(({ isWorking }) => isWorking())
  await holder?.stop()
  // Long before the lease would have ended.
  await expect.poll(() => working().filter(Boolean).length, soon).toBe(1)
  const [second] = await watching.read(listLeases)
  expect(second).toMatchObject({ name, epoch: 2 })
  expect(second?.holder).not.toBe(holder?.id)
})

test('a holder that is stopped for longer than its lease ends its work before another begins, and changes nothing afterwards', async () => {
  const one = await startReplica('one', { times: shortLeases })
  await expect.poll(one.isWorking, soon).toBe(true)
  const two = await startReplica('two', { times: shortLeases })
  const [lease] = one.given
  if (!lease) throw new Error('given')
  await insert(lease.db, 'a')
  one.freeze()
  const late = insert(lease.db, 'late').then(
    () => 'stored',
    (error: unknown) => error,
  )
  let areBothHeld = false
  await expect
    .poll(() => {
      areBothHeld ||= lease.isHeld() && two.isWorking()
      return two.isWorking()
    }, afterEnd)
    .toBe(true)
  expect(areBothHeld).toBe(false)
  expect(lease.signal.aborted).toBe(true)
  expect(lease.signal.reason).toBeInstanceOf(LeaseLostError)
  expect(one.isWorking()).toBe(false)
  one.thaw()
  expect(await late).toBeInstanceOf(LeaseLostError)
  await insert(two.given[0]?.db as Db, 'b')
  expect(await merchants()).toEqual([{ id: 'a' }, { id: 'b' }])
  // It waits for the lease again, and gets it when the other has ended.
  await two.stop()
  await expect.poll(one.isWorking, soon).toBe(true)
  expect(one.given).toHaveLength(2)
  await expect(insert(lease.db, 'c')).rejects.toThrow(LeaseLostError)
})

test('a write that is refused ends the work at once, whatever the clocks say', async () => {
  const one = await startReplica('one')
  await expect.poll(one.isWorking, soon).toBe(true)
  await watching.write((tx) => tx.run(sql`update leases set holder = 'other', epoch = 7`))
  await expect(insert(one.given[0]?.db as Db, 'a')).rejects.toThrow(LeaseLostError)
  expect(one.given[0]?.signal.aborted).toBe(true)
  expect(await merchants()).toEqual([])
})

test('replicas are listed with what they run, while they live', async () => {
  const one = await startReplica('one')
  const two = await startReplica('two')
  await expect.poll(() => [one.replicas(), two.replicas()], soon).toEqual([2, 2])
  const listed = await watching.read((tx) => listReplicas(tx, 10))
  expect(listed.map(({ id }) => id).sort()).toEqual(['one', 'two'])
  expect(listed[0]).toMatchObject({ version: '1.2.3', host: 'machine', url: null })
  expect(listed[0]?.silentMs).toBeLessThan(longLeases.leaseMs)
  await one.stop()
  await expect.poll(two.replicas, soon).toBe(1)
  expect((await watching.read((tx) => listReplicas(tx, 10))).map(({ id }) => id)).toEqual(['two'])
})

test('a replica that starts while the database is too busy for its heartbeat sends it again, and ends at any other error', async () => {
  const replica = { id: 'one', version: '1.2.3', host: 'machine', url: null }
  let failures: Error[] = [new DatabaseUnavailableError(), new DatabaseUnavailableError()]
  const ask = <T>(run: (tx: Tx) => Promise<T>): Promise<T> => {
    const failure = failures.shift()
    return failure ? Promise.reject(failure) : watching.write(run)
  }
  const heartbeats: Heartbeats = {
    run: (statement) => ask((tx) => tx.run(statement)),
    get: <Row>(statement: Sql) => ask((tx) => tx.get<Row>(statement)),
  }
  const start = () =>
    createLeases({ db: watching, heartbeats, replica, nowMs: Date.now, log: silentLog, times: longLeases }).open()
  await start()
  expect((await watching.read((tx) => listReplicas(tx, 10))).map(({ id }) => id)).toEqual(['one'])
  failures = [new Error('a column is missing')]
  await expect(start()).rejects.toThrow('a column is missing')
})

test('a database for one process is the newest process’s: the one before stops its work, and does not take it back', async () => {
  const one = await startReplica('one', { isShared: false })
  await expect.poll(one.isWorking, soon).toBe(true)
  const two = await startReplica('two', { isShared: false })
  await expect.poll(two.isWorking, soon).toBe(true)
  await expect(insert(one.given[0]?.db as Db, 'a')).rejects.toThrow(LeaseLostError)
  await expect.poll(one.isWorking, soon).toBe(false)
  expect(one.isReplaced()).toBe(true)
  await one.ended
  expect(one.given).toHaveLength(1)
  expect([one.isWorking(), two.isWorking(), two.isReplaced()]).toEqual([false, true, false])
  await insert(two.given[0]?.db as Db, 'b')
  expect(await merchants()).toEqual([{ id: 'b' }])
})

test('a service follows the clock of its database when its machine’s is wrong, and not for less than what is usual', () => {
  let ownMs = 1_000_000
  const clock = createDatabaseClock({ ...systemRuntime, nowMs: () => ownMs }, silentLog)
  clock.note(1_000_100, 1_000_000, 1_000_020)
  expect(clock.runtime.nowMs()).toBe(1_000_000)
  // Two minutes behind; the answer took 40 ms.
  clock.note(1_120_020, 1_000_000, 1_000_040)
  expect(clock.runtime.nowMs()).toBe(1_120_000)
  // A slow answer says nothing against it.
  clock.note(1_124_900, 1_000_000, 1_005_000)
  expect(clock.runtime.nowMs()).toBe(1_120_000)
  // Somebody has set it right.
  ownMs = 1_121_000
  clock.note(1_121_000, 1_121_000, 1_121_000)
  expect(clock.runtime.nowMs()).toBe(1_121_000)
})
