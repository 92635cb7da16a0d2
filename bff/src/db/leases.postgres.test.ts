import { setTimeout as sleep } from 'node:timers/promises'
import { createTestDatabase, type TestDatabase } from '@stablecoin-checkout/rig/test-database'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { silentLog } from '../core/log.ts'
import { type Db, sql } from './db.ts'
import { type LeaseKey, renewLease, takeLease } from './lease-store.ts'
import { createLeases, type Lease } from './leases.ts'
import { openHeartbeats } from './postgres/heartbeats.ts'

/** Leases that end in a test, and are renewed on a busy machine all the same. */
const times = { beatMs: 100, leaseMs: 6_000, marginMs: 300 }
const name = 'base'

let database: TestDatabase
let watching: Db
let ends: (() => Promise<void>)[]
beforeEach(async () => {
  ends = []
  database = await createTestDatabase()
  watching = await database.open()
})
afterEach(async () => {
  for (const end of ends) await end()
  await watching.close()
  await database.drop()
})

/** @returns the leases that the replica is given, in order. */
async function startReplica(id: string): Promise<Lease[]> {
  const db = await database.open()
  const heartbeats = openHeartbeats(database.location)
  const stopping = new AbortController()
  const replica = { id, version: '1.2.3', host: 'machine', url: null }
  const leases = createLeases({ db, heartbeats, replica, nowMs: Date.now, log: silentLog, times })
  await leases.open()
  const given: Lease[] = []
  const work = async (lease: Lease) => {
    given.push(lease)
    await new Promise((resolve) => lease.signal.addEventListener('abort', resolve))
  }
  const ended = Promise.all([leases.run(stopping.signal), leases.whileHeld(name, work, stopping.signal)])
  ends.push(async () => {
    stopping.abort()
    await ended
    await heartbeats.close()
    await db.close()
  })
  return given
}

const leaseRow = async () => {
  const row = await watching.read((tx) =>
    tx.get<{ epoch: number; endsAtMs: number; nowMs: number }>(sql`
        select epoch, ends_at_ms as "endsAtMs", now_ms() as "nowMs" from leases where name = ${name}`),
  )
  if (!row) throw new Error('The lease is there.')
  return row
}

test('a holder whose write takes longer than the lease keeps it', async () => {
  const given = await startReplica('one')
  await expect.poll(() => given.length).toBe(1)
  const others = await startReplica('two')
  const [lease] = given
  if (!lease) throw new Error('given')
  const before = await leaseRow()
  let isBusy = true
  const written = lease.db.write(async (tx) => {
    await tx.run(sql`insert into merchants (id, name, webhook_secret, created_at_ms) values ('m', 'm', 's', 1)`)
    while (isBusy) {
      await tx.get(sql`select 1 as one`)
      await sleep(50)
    }
  })
  await expect.poll(async () => (await leaseRow()).nowMs).toBeGreaterThan(before.endsAtMs)
  isBusy = false
  await written
  expect([lease.isHeld(), lease.signal.aborted, given.length, others.length]).toEqual([true, false, 1, 0])
  const after = await leaseRow()
  // Nobody has taken it since, and its holder writes on.
  expect(after.epoch).toBe(before.epoch)
  expect(after.endsAtMs).toBeGreaterThan(before.endsAtMs)
  await lease.db.write((tx) => tx.run(sql`update merchants set name = 'still here' where id = 'm'`))
})

/** A lease whose end has come and that `one` holds. */
async function startExpired(): Promise<LeaseKey> {
  const epoch = await watching.write((tx) => takeLease(tx, name, 'one', 0))
  if (epoch === undefined) throw new Error('It is free.')
  return { name, holder: 'one', epoch }
}

/** Resolves when a statement waits for a lock. */
const untilWaiting = (client: pg.Client) =>
  expect
    .poll(async () => {
      const { rows } = await client.query(`
          select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
      return rows.length
    })
    .toBe(1)

async function connect(): Promise<pg.Client> {
  const client = new pg.Client(database.location)
  await client.connect()
  ends.push(() => client.end())
  return client
}

test('a renewal that meets a takeover under way changes nothing', async () => {
  const key = await startExpired()
  const client = await connect()
  const heartbeats = openHeartbeats(database.location)
  ends.push(heartbeats.close)
  const { epoch, renewal } = await watching.write(async (tx) => {
    const epoch = await takeLease(tx, name, 'two', 60_000)
    const renewal = renewLease(heartbeats, key, 60_000)
    await untilWaiting(client)
    return { epoch, renewal: renewal.then((isRenewed) => ({ isRenewed })) }
  })
  expect([epoch, await renewal]).toEqual([key.epoch + 1, { isRenewed: false }])
  const { epoch: stored, endsAtMs, nowMs } = await leaseRow()
  expect(stored).toBe(key.epoch + 1)
  expect(endsAtMs).toBeGreaterThan(nowMs)
})

test('a takeover that meets a renewal under way does not take the lease', async () => {
  const key = await startExpired()
  const [renewing, client] = [await connect(), await connect()]
  await renewing.query('begin')
  await renewing.query(`update leases set ends_at_ms = now_ms() + 60000 where holder = 'one' and epoch = ${key.epoch}`)
  const taken = watching.write((tx) => takeLease(tx, name, 'two', 60_000))
  await untilWaiting(client)
  await renewing.query('commit')
  expect(await taken).toBeUndefined()
  const { epoch, endsAtMs, nowMs } = await leaseRow()
  expect(epoch).toBe(key.epoch)
  expect(endsAtMs).toBeGreaterThan(nowMs)
})
