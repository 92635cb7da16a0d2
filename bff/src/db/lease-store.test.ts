import { createTestDatabase, type TestDatabase } from '@stablecoin-checkout/rig/test-database'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Db, sql } from './db.ts'
import { fenced, LeaseLostError } from './fenced.ts'
import {
  countReplicas,
  deleteReplica,
  isLeaseHeld,
  type LeaseKey,
  listLeases,
  listReplicas,
  releaseLease,
  renewLease,
  saveReplica,
  takeLease,
} from './lease-store.ts'

const leaseMs = 60_000
const name = 'base'

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

const take = (holder: string, forMs = leaseMs) => db.write((tx) => takeLease(tx, name, holder, forMs))
const renew = (key: LeaseKey) => db.write((tx) => renewLease(tx, key, leaseMs))
const isHeld = (key: LeaseKey) => db.read((tx) => isLeaseHeld(tx, key))
const release = (key: LeaseKey) => db.write((tx) => releaseLease(tx, key))
const keyOf = (holder: string, epoch: number): LeaseKey => ({ name, holder, epoch })
/** As if the time of the lease had passed. */
const end = () => db.write((tx) => tx.run(sql`update leases set ends_at_ms = now_ms() where name = ${name}`))

test('a lease has one holder until its end, and each taking has an epoch of its own', async () => {
  expect(await take('a')).toBe(1)
  expect(await take('b')).toBeUndefined()
  await end()
  expect(await take('b')).toBe(2)
  expect(await take('a')).toBeUndefined()
  // A replica that takes its own lease again, after a start, is another holder to the work that it did before.
  expect(await take('b')).toBe(3)
  expect(await isHeld(keyOf('b', 2))).toBe(false)
  expect(await isHeld(keyOf('b', 3))).toBe(true)
})

test('leases of other names are others', async () => {
  expect(await take('a')).toBe(1)
  expect(await db.write((tx) => takeLease(tx, 'other', 'b', leaseMs))).toBe(1)
  expect((await db.read(listLeases)).map(({ name, holder }) => [name, holder])).toEqual([
    [name, 'a'],
    ['other', 'b'],
  ])
})

test('who has lost a lease renews and gives back nothing of whoever has it now', async () => {
  await take('a')
  await end()
  await take('b')
  // The epoch is the newer one, or the holder is another: neither alone makes the lease one's own.
  for (const key of [keyOf('a', 1), keyOf('a', 2), keyOf('b', 1)]) {
    expect([key, await renew(key), await isHeld(key)]).toEqual([key, false, false])
    await release(key)
  }
  expect(await take('c')).toBeUndefined()
  expect(await renew(keyOf('b', 2))).toBe(true)
})

test('a lease whose end has come is renewed while nobody has taken it, and is then not free', async () => {
  await take('a')
  await end()
  expect(await renew(keyOf('a', 1))).toBe(true)
  expect(await take('b')).toBeUndefined()
})

test('a lease that is given back is free at once, and its time is over', async () => {
  await take('a')
  await release(keyOf('a', 1))
  const [listed] = await db.read(listLeases)
  expect(listed).toMatchObject({ name, holder: null, epoch: 1 })
  expect(listed?.leftMs).toBeLessThanOrEqual(0)
  expect(await isHeld(keyOf('a', 1))).toBe(false)
  expect(await renew(keyOf('a', 1))).toBe(false)
  expect(await take('b')).toBe(2)
})

test('a worker writes nothing once another has its lease, and learns it from the write', async () => {
  await take('a')
  let lost = 0
  const own = fenced(db, keyOf('a', 1), () => (lost += 1))
  const save = (holder: string) =>
    own.write((tx) => saveReplica(tx, { id: holder, version: '1', host: 'h', url: null }))
  await save('first')
  await end()
  await take('b')
  await expect(save('second')).rejects.toThrow(LeaseLostError)
  expect(lost).toBe(1)
  const rows = await db.read((tx) => tx.all<{ id: string }>(sql`select id from replicas`))
  expect(rows).toEqual([{ id: 'first' }])
})

test('another error of a worker’s write does not cost it its lease', async () => {
  await take('a')
  let lost = 0
  const own = fenced(db, keyOf('a', 1), () => (lost += 1))
  await expect(own.write(async () => Promise.reject(new Error('refused')))).rejects.toThrow('refused')
  expect(lost).toBe(0)
})

test('replicas are counted while they were seen within the time, and until they leave', async () => {
  for (const id of ['a', 'b']) await db.write((tx) => saveReplica(tx, { id, version: '1', host: 'h', url: null }))
  const count = () => db.read((tx) => countReplicas(tx, leaseMs))
  expect(await count()).toBe(2)
  await db.write((tx) => tx.run(sql`update replicas set seen_at_ms = now_ms() - ${leaseMs} where id = 'a'`))
  expect(await count()).toBe(1)
  await db.write((tx) => deleteReplica(tx, 'b'))
  expect(await count()).toBe(0)
})

test('replicas are listed from the newest start, at most as many as asked for', async () => {
  for (const [id, startedAtMs] of [
    ['a', 1],
    ['c', 2],
    ['b', 3],
  ] as const)
    await db.write(async (tx) => {
      await saveReplica(tx, { id, version: '1', host: 'h', url: null })
      await tx.run(sql`update replicas set started_at_ms = ${startedAtMs} where id = ${id}`)
    })
  const ids = (limit: number) => db.read(async (tx) => (await listReplicas(tx, limit)).map(({ id }) => id))
  expect([await ids(10), await ids(2)]).toEqual([
    ['b', 'c', 'a'],
    ['b', 'c'],
  ])
})

test('whoever leaves forgets those who were not seen for a day, and no others', async () => {
  const dayMs = 24 * 60 * 60 * 1000
  const save = (id: string, silentMs: number) =>
    db.write(async (tx) => {
      await saveReplica(tx, { id, version: '1', host: 'h', url: null })
      await tx.run(sql`update replicas set seen_at_ms = now_ms() - ${silentMs} where id = ${id}`)
    })
  await save('leaving', 0)
  await save('gone', dayMs + 60_000)
  await save('silent', dayMs - 60_000)
  await db.write((tx) => deleteReplica(tx, 'leaving'))
  const listed = await db.read((tx) => listReplicas(tx, 10))
  expect(listed.map(({ id, version, host, url }) => ({ id, version, host, url }))).toEqual([
    { id: 'silent', version: '1', host: 'h', url: null },
  ])
  expect(listed[0]?.silentMs).toBeGreaterThanOrEqual(dayMs - 60_000)
})
