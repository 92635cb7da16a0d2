import { createTestDatabase, type TestDatabase } from '@stablecoin-checkout/rig/test-database'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { silentLog } from '../core/log.ts'
import { type Db, type Sql, sql } from './db.ts'
import { LeaseLostError } from './fenced.ts'
import { type Heartbeats, listLeases, listReplicas } from './lease-store.ts'
import { createLeases, type Lease } from './leases.ts'
import { DatabaseUnavailableError } from './unavailable.ts'

const times = { beatMs: 5, leaseMs: 60_000, marginMs: 300 }
const soon = { interval: 5 }
const replica = { id: 'one', version: '1.2.3', host: 'machine', url: null }

let database: TestDatabase
let db: Db
/** This process's monotonic clock. */
let clockMs: number
let stopping: AbortController
let ended: Promise<unknown>[]
beforeEach(async () => {
  database = await createTestDatabase()
  db = await database.open()
  clockMs = 0
  stopping = new AbortController()
  ended = []
  vi.spyOn(performance, 'now').mockImplementation(() => clockMs)
})
afterEach(async () => {
  stopping.abort()
  await Promise.all(ended)
  vi.restoreAllMocks()
  await db.close()
  await database.drop()
})

const direct: Heartbeats = {
  run: (statement) => db.write((tx) => tx.run(statement)),
  get: <Row>(statement: Sql) => db.write((tx) => tx.get<Row>(statement)),
}

/** @param run - What a renewal comes to. */
function start(run: Heartbeats['run'] | undefined, names = ['base'], beatMs = times.beatMs) {
  const heartbeats = run && { ...direct, run }
  const paced = { ...times, beatMs }
  const leases = createLeases({ db, heartbeats, replica, nowMs: Date.now, log: silentLog, times: paced })
  const given = new Map<string, Lease[]>(names.map((name) => [name, []]))
  for (const name of names) {
    const work = async (lease: Lease) => {
      given.get(name)?.push(lease)
      await new Promise((resolve) => lease.signal.addEventListener('abort', resolve))
    }
    ended.push(leases.whileHeld(name, work, stopping.signal))
  }
  ended.push(leases.run(stopping.signal))
  return { leases, given: (name = 'base') => given.get(name) ?? [] }
}

/** Of each name: who has it, and how often it was taken. */
const taken = async () => (await db.read(listLeases)).map(({ name, holder, epoch }) => ({ name, holder, epoch }))

test('a replica whose renewal is refused works for the lease no more, and says so when asked', async () => {
  let isRefused = false
  const { leases, given } = start((statement) => (isRefused ? Promise.resolve(0) : direct.run(statement)))
  await expect.poll(() => given().length, soon).toBe(1)
  expect([leases.isHeld('base'), leases.isHeld('other')]).toEqual([true, false])
  await db.write((tx) => tx.run(sql`update leases set holder = 'two', epoch = 7, ends_at_ms = now_ms() + 60000`))
  isRefused = true
  await expect.poll(() => given()[0]?.signal.aborted, soon).toBe(true)
  const reason = given()[0]?.signal.reason as unknown
  expect(reason).toBeInstanceOf(LeaseLostError)
  expect(reason).toHaveProperty('message', 'Another replica now holds the lease "base".')
  await expect.poll(() => leases.isHeld('base'), soon).toBe(false)
  // What the other one holds is not given back.
  stopping.abort()
  await Promise.all(ended)
  expect(await taken()).toEqual([{ name: 'base', holder: 'two', epoch: 7 }])
})

test('a lease that cannot be renewed costs the replica no other, and the next heartbeat comes all the same', async () => {
  const renewed: string[] = []
  let failures = 0
  const { given } = start(
    async (statement) => {
      const changed = await direct.run(statement)
      const name = ['base', 'polygon'].find((one) => statement.params.includes(one)) ?? ''
      renewed.push(name)
      if (name !== 'base') return changed
      failures += 1
      throw new Error('the row is locked')
    },
    ['base', 'polygon'],
  )
  await expect.poll(() => [given().length, given('polygon').length], soon).toEqual([1, 1])
  await expect.poll(() => failures, soon).toBeGreaterThan(2)
  expect(renewed.filter((name) => name === 'polygon').length).toBeGreaterThan(1)
  expect([given()[0]?.isHeld(), given('polygon')[0]?.isHeld()]).toEqual([true, true])
})

test.each([
  ['renewed', 1],
  ['refused', 0],
])('a renewal that is answered, as %s, after its lease was given back, changes nothing', async (_, changed) => {
  const answers: (() => void)[] = []
  const { leases, given } = start(async () => {
    await new Promise<void>((answer) => answers.push(answer))
    return changed
  })
  await expect.poll(() => [given().length, answers.length], soon).toEqual([1, 1])
  const [lease] = given()
  const timers = vi.spyOn(globalThis, 'setTimeout')
  stopping.abort()
  await expect.poll(taken, soon).toEqual([{ name: 'base', holder: null, epoch: 1 }])
  timers.mockClear()
  for (const answer of answers) answer()
  await Promise.all(ended)
  expect(lease?.signal.reason).not.toBeInstanceOf(LeaseLostError)
  expect(leases.isHeld('base')).toBe(false)
  const endsOfLeases = timers.mock.calls.filter(([, ms]) => (ms ?? 0) > times.leaseMs / 2)
  expect(endsOfLeases).toEqual([])
})

test('a lease that is taken while its worker stops is free for another replica', async () => {
  let isAsked = false
  let answer = () => {}
  const slow: Db = {
    ...db,
    async write(unit) {
      const result = await db.write(unit)
      isAsked = true
      await new Promise<void>((resolve) => {
        answer = resolve
      })
      return result
    },
  }
  const leases = createLeases({ db: slow, heartbeats: direct, replica, nowMs: Date.now, log: silentLog, times })
  let works = 0
  const work = async () => {
    works += 1
  }
  ended.push(leases.whileHeld('base', work, stopping.signal), leases.run(stopping.signal))
  await expect.poll(() => isAsked, soon).toBe(true)
  stopping.abort()
  // The take, then the release, then the replica that leaves.
  const open = setInterval(() => answer(), 1)
  await Promise.all(ended)
  clearInterval(open)
  expect(works).toBe(0)
  expect(await taken()).toEqual([{ name: 'base', holder: null, epoch: 1 }])
})

test('a database for one process needs no renewal: its leases last', async () => {
  const { given, leases } = start(undefined)
  await expect.poll(() => given().length, soon).toBe(1)
  clockMs = 10 * times.leaseMs
  expect([given()[0]?.isHeld(), leases.isHeld('base'), leases.replicas()]).toEqual([true, true, 1])
})

test('others see where a replica listens, from its next heartbeat', async () => {
  const { leases } = start(direct.run)
  leases.listensAt('http://one')
  const urls = async () => (await db.read((tx) => listReplicas(tx, 10))).map(({ id, url }) => [id, url])
  await expect.poll(urls, soon).toEqual([['one', 'http://one']])
  stopping.abort()
  await Promise.all(ended)
  expect(await urls()).toEqual([])
})

test('a start does not wait longer than 20 s for a database that answers no heartbeat', async () => {
  let attempts = 0
  const busy: Heartbeats['get'] = () => {
    attempts += 1
    clockMs += 10_000
    return Promise.reject(new DatabaseUnavailableError())
  }
  const heartbeats: Heartbeats = { run: direct.run, get: busy }
  const leases = createLeases({ db, heartbeats, replica, nowMs: Date.now, log: silentLog, times })
  await expect(leases.open()).rejects.toThrow(DatabaseUnavailableError)
  expect(attempts).toBe(2)
})

test('a stop ends what waits for the next heartbeat or the next attempt to take a lease', async () => {
  const { given } = start(direct.run, ['base'], 3_600_000)
  await expect.poll(() => given().length, soon).toBe(1)
  stopping.abort()
  await Promise.all(ended)
  expect(await taken()).toEqual([{ name: 'base', holder: null, epoch: 1 }])
})

test('a worker that ends some time after the stop keeps its lease until then', async () => {
  let renewals = 0
  const run: Heartbeats['run'] = (statement) => {
    renewals += 1
    return direct.run(statement)
  }
  const leases = createLeases({
    db,
    heartbeats: { ...direct, run },
    replica,
    nowMs: Date.now,
    log: silentLog,
    times,
  })
  let end = () => {}
  let lease: Lease | undefined
  const work = async (given: Lease) => {
    lease = given
    await new Promise<void>((resolve) => {
      end = resolve
    })
  }
  ended.push(leases.whileHeld('base', work, stopping.signal), leases.run(stopping.signal))
  await expect.poll(() => lease !== undefined, soon).toBe(true)
  stopping.abort()
  const before = renewals
  await expect.poll(() => renewals, soon).toBeGreaterThan(before + 2)
  expect([lease?.isHeld(), await taken()]).toEqual([true, [{ name: 'base', holder: 'one', epoch: 1 }]])
  end()
  await Promise.all(ended)
  expect(await taken()).toEqual([{ name: 'base', holder: null, epoch: 1 }])
})

test('each renewal replaces the end that was set before, so that a renewed lease is not lost at its first end', async () => {
  const timers = vi.spyOn(globalThis, 'setTimeout')
  const cleared = vi.spyOn(globalThis, 'clearTimeout')
  const { given } = start(direct.run)
  await expect.poll(() => given().length, soon).toBe(1)
  const ends = () =>
    timers.mock.results.flatMap(({ value }, nth) =>
      (timers.mock.calls[nth]?.[1] ?? 0) > times.leaseMs / 2 ? [value as NodeJS.Timeout] : [],
    )
  await expect.poll(() => ends().length, soon).toBeGreaterThan(2)
  const known = new Set(cleared.mock.calls.map(([timer]) => timer))
  expect(ends().filter((timer) => !known.has(timer))).toHaveLength(1)
})

test('the database’s time is passed on with the two times of this machine between which it was read, in their order', async () => {
  let ownMs = 1_000
  const noted: [number, number][] = []
  const leases = createLeases({
    db,
    heartbeats: direct,
    replica,
    nowMs: () => ownMs++,
    onClock: (_, fromMs, toMs) => noted.push([fromMs, toMs]),
    log: silentLog,
    times,
  })
  await leases.open()
  expect(noted).toEqual([[1_000, 1_001]])
})

test('a heartbeat that fails is logged, whichever of its statements fails', async () => {
  const errors: unknown[] = []
  const log = { ...silentLog, warn: (fields: { err?: Error }) => errors.push(fields.err?.message) } as typeof silentLog
  const run: Heartbeats['run'] = () => Promise.reject(new Error('the row is locked'))
  const leases = createLeases({ db, heartbeats: { ...direct, run }, replica, nowMs: Date.now, log, times })
  const work = async (lease: Lease) => {
    await new Promise((resolve) => lease.signal.addEventListener('abort', resolve))
  }
  ended.push(leases.whileHeld('base', work, stopping.signal), leases.run(stopping.signal))
  await expect.poll(() => errors, soon).toContain('the row is locked')
})
