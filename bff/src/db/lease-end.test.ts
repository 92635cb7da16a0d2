import { createTestDatabase, type TestDatabase } from '@stablecoin-checkout/rig/test-database'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { silentLog } from '../core/log.ts'
import type { Db, Sql } from './db.ts'
import type { Heartbeats } from './lease-store.ts'
import { createLeases, type Lease } from './leases.ts'

const times = { beatMs: 5, leaseMs: 60_000, marginMs: 300 }
const usableMs = times.leaseMs - times.marginMs
const soon = { interval: 5 }

let database: TestDatabase
let db: Db
/** This process's monotonic clock. */
let clockMs: number
beforeEach(async () => {
  database = await createTestDatabase()
  db = await database.open()
  clockMs = 0
  vi.spyOn(performance, 'now').mockImplementation(() => clockMs)
})
afterEach(async () => {
  vi.restoreAllMocks()
  await db.close()
  await database.drop()
})

test('a lease ends by when the database was asked for it, however late the answer comes', async () => {
  /** Renewals that wait for their answer. */
  const renewals: { askedMs: number; answer: () => void }[] = []
  const stopping = new AbortController()
  const heartbeats: Heartbeats = {
    async run(statement) {
      const changed = await db.write((tx) => tx.run(statement))
      const askedMs = clockMs
      if (!stopping.signal.aborted) await new Promise<void>((answer) => renewals.push({ askedMs, answer }))
      return changed
    },
    get: <Row>(statement: Sql) => db.write((tx) => tx.get<Row>(statement)),
  }
  const slow: Db = {
    ...db,
    async write(unit) {
      const answer = await db.write(unit)
      clockMs += 10_000
      return answer
    },
  }
  const replica = { id: 'a', version: '1.2.3', host: 'machine', url: null }
  const leases = createLeases({ db: slow, heartbeats, replica, nowMs: Date.now, log: silentLog, times })
  const given: Lease[] = []
  const work = async (lease: Lease) => {
    given.push(lease)
    await new Promise((resolve) => lease.signal.addEventListener('abort', resolve))
  }
  const ended = Promise.all([leases.whileHeld('base', work, stopping.signal), leases.run(stopping.signal)])
  const isHeldAt = (ms: number) => {
    clockMs = ms
    return given[0]?.isHeld()
  }

  // Taken: asked at 0, answered at 10 s.
  await expect.poll(() => [given.length, renewals.length], soon).toEqual([1, 1])
  expect([isHeldAt(usableMs - 1), isHeldAt(usableMs)]).toEqual([true, false])

  // Renewed: answered 20 s after it was asked. The next renewal is asked when this one has been counted.
  const [renewal] = renewals
  const askedMs = renewal?.askedMs ?? 0
  clockMs = askedMs + 20_000
  renewal?.answer()
  await expect.poll(() => renewals.length, soon).toBe(2)
  expect([isHeldAt(askedMs + usableMs - 1), isHeldAt(askedMs + usableMs)]).toEqual([true, false])

  stopping.abort()
  for (const { answer } of renewals) answer()
  await ended
})

test('a lease ends by when it was asked for, also where the statement that takes it waits for others', async () => {
  /** Each reading of a row takes so long. */
  const slowMs = 10_000
  const slow: Db = {
    ...db,
    write: (unit) =>
      db.write((tx) =>
        unit({
          ...tx,
          async get(statement) {
            clockMs += slowMs
            return await tx.get(statement)
          },
        }),
      ),
  }
  const stopping = new AbortController()
  const heartbeats: Heartbeats = {
    // The database answers no renewal.
    run: () => new Promise(() => undefined),
    get: <Row>(statement: Sql) => db.write((tx) => tx.get<Row>(statement)),
  }
  const replica = { id: 'a', version: '1.2.3', host: 'machine', url: null }
  const leases = createLeases({ db: slow, heartbeats, replica, nowMs: Date.now, log: silentLog, times })
  const given: Lease[] = []
  const work = async (lease: Lease) => {
    given.push(lease)
    await new Promise((resolve) => lease.signal.addEventListener('abort', resolve))
  }
  const ended = leases.whileHeld('base', work, stopping.signal)
  void leases.run(stopping.signal)
  await expect.poll(() => given.length, soon).toBe(1)
  const isHeldAt = (ms: number) => {
    clockMs = ms
    return given[0]?.isHeld()
  }
  expect([isHeldAt(usableMs - 1), isHeldAt(usableMs)]).toEqual([true, false])
  stopping.abort()
  await ended
})
