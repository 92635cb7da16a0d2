import { startPostgres, urlOf } from '@stablecoin-checkout/rig/postgres-server'
import { createTestDatabase, type TestDatabase } from '@stablecoin-checkout/rig/test-database'
import { openTransactionPooler } from '@stablecoin-checkout/rig/transaction-pooler'
import pg from 'pg'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import type { Finding } from '../../core/finding.ts'
import { silentLog } from '../../core/log.ts'
import { allNetworks, createLeases } from '../leases.ts'
import { newestVersion } from '../migrate.ts'
import { examinePostgres } from './examine-postgres.ts'
import { openHeartbeats } from './heartbeats.ts'
import { openPostgres } from './open-postgres.ts'

const deps = { networks: ['devnet'], version: '0.1.0', nowMs: Date.now }

let database: TestDatabase
let client: pg.Client
beforeEach(async () => {
  database = await createTestDatabase()
  client = new pg.Client(database.location)
  // Emptying the database ends its connections.
  client.on('error', () => undefined)
  await client.connect()
})
afterEach(async () => {
  await client.end()
  await database.drop()
})

/** A server with default settings, and few connections. */
const small = await startPostgres(['max_connections=13', 'superuser_reserved_connections=3'])
afterAll(() => small.stop())

const examine = (url = database.location, changes: Partial<typeof deps> = {}) =>
  examinePostgres(url, { ...deps, ...changes })

/** State and text of each finding of one check. */
const rowsOf = (findings: readonly Finding[], check: string) =>
  findings
    .filter((finding) => finding.check === check)
    .map(({ state, subject, says }) => `${state} ${subject}: ${says}`)

const rowOf = async (check: string, ...given: Parameters<typeof examine>) =>
  rowsOf(await examine(...given), check).map((row) => row.replace(/^(\w+) \S+:/, '$1:'))

/** A replica that sends heartbeats and holds the network's lease until it is stopped. */
async function startReplica(names: readonly string[], url = 'http://10.0.0.1:8787', version = '0.1.0') {
  const db = await openPostgres(database.location)
  const stopping = new AbortController()
  const { signal } = stopping
  const replica = { id: url, version, host: 'one', url }
  const heartbeats = openHeartbeats(database.location)
  const leases = createLeases({ db, heartbeats, replica, log: silentLog, nowMs: Date.now })
  await leases.open()
  const untilLost = (lease: AbortSignal) => new Promise((resolve) => lease.addEventListener('abort', resolve))
  const work = names.map((name) => leases.whileHeld(name, (lease) => untilLost(lease.signal), signal))
  const running = leases.run(signal)
  await expect.poll(() => names.every((name) => leases.isHeld(name))).toBe(true)
  return async () => {
    stopping.abort()
    await Promise.all([...work, running])
    await heartbeats.close()
    await db.close()
  }
}

test('a server with its own settings is durable, and one without fsync is not', async () => {
  expect(await rowOf('durability', small.url)).toEqual([
    'good: every commit is synced to the disk (fsync and full_page_writes are on, synchronous_commit=on)',
  ])
  expect(await rowOf('durability')).toEqual([
    'bad: fsync=off, full_page_writes=off: payments can be lost when the server loses power',
  ])
})

test('a commit that does not wait for the standby is a warning', async () => {
  const admin = new pg.Client(small.url)
  await admin.connect()
  // Commits of this connection never wait for the standby, which does not exist.
  await admin.query("set synchronous_commit = 'local'; alter database postgres set synchronous_commit = 'local'")
  await admin.query("alter system set synchronous_standby_names = 'other'")
  await admin.query('select pg_reload_conf()')
  await expect
    .poll(() => rowOf('durability', small.url))
    .toEqual([expect.stringMatching(/^warning: synchronous_commit=local/)])
  await admin.query('alter system reset synchronous_standby_names')
  await admin.query('alter database postgres reset synchronous_commit')
  await admin.query('select pg_reload_conf()')
  await admin.end()
})

test("the version and the server's address are shown without the password", async () => {
  const [row] = rowsOf(await examine(), 'database')
  expect(row).toMatch(/^good postgres:\/\/postgres@127\.0\.0\.1:\d+\/test_\w+: is reachable .*PostgreSQL 1\d\.\d+/)
})

test('a pooler in transaction mode is bad', async () => {
  const pooler = await openTransactionPooler(database.location)
  expect(await rowOf('database', pooler.url)).toEqual([expect.stringContaining('through a pooler in transaction mode')])
  await pooler.close()
})

test('a server that does not respond is bad, with a fix', async () => {
  const [finding] = await examine('postgres://shop:geheim@127.0.0.1:1/checkout')
  expect(finding).toMatchObject({ state: 'bad', fix: expect.stringContaining('DATABASE_URL') })
  expect(JSON.stringify(finding)).not.toContain('geheim')
})

test('a clock difference is a warning', async () => {
  expect(await rowOf('clock')).toEqual(["good: matches this machine's"])
  const nowMs = () => Date.now() + 120_000
  expect(await rowOf('clock', database.location, { nowMs })).toEqual([
    expect.stringMatching(/^warning: is 1[12]\d s behind this machine's/),
  ])
})

test('too few connections for another replica are a warning', async () => {
  // An ended connection counts until its server process has ended.
  await expect
    .poll(() => rowOf('connections', small.url))
    .toEqual(['good: 1 of 10 connections are used; a replica takes up to 9'])
  const others = [new pg.Client(small.url), new pg.Client(small.url)]
  for (const other of others) await other.connect()
  await expect
    .poll(() => rowOf('connections', small.url))
    .toEqual(['warning: 3 of 10 connections are used; a replica takes up to 9'])
  for (const other of others) await other.end()
})

test('an older schema is a warning, a newer one is bad, and neither is changed', async () => {
  const known = newestVersion()
  const set = (version: number) => client.query('update schema_version set version = $1', [version])
  try {
    await set(known + 1)
    expect(await rowOf('schema')).toEqual([
      `bad: has version ${known + 1}; this program supports up to ${known}, and does not start on it`,
    ])
    await set(known - 1)
    expect(await rowOf('schema')).toEqual([`warning: has version ${known - 1}; this program migrates it to ${known}`])
    await client.query('create table strays (payment_id text)')
    expect(await rowOf('schema')).toEqual(['bad: is from before the first release'])
    await client.query('drop table strays')
    expect((await client.query('select version::int from schema_version')).rows).toEqual([{ version: known - 1 }])
  } finally {
    await set(known)
  }
  expect(await rowOf('schema', small.url)).toEqual(['warning: has no tables yet'])
})

test('missing privileges are bad, and named', async () => {
  expect(await rowOf('rights')).toEqual(['good: postgres owns the tables, and may create more'])
  await client.query("create role clerk login password 'clerk'")
  try {
    const url = new URL(database.location)
    url.username = 'clerk'
    url.password = 'clerk'
    await client.query('grant select on all tables in schema public to clerk')
    expect(await rowOf('rights', url.href)).toEqual([
      'bad: clerk may not read, write and alter the table address_sources',
    ])
    await client.query('grant postgres to clerk')
    expect(await rowOf('rights', url.href)).toEqual(['good: clerk owns the tables, and may create more'])
  } finally {
    await client.query('drop owned by clerk; drop role clerk')
  }
})

test('live replicas, and the leases they hold', async () => {
  expect(await rowOf('replica')).toEqual(['warning: none is running'])
  const stop = await startReplica([allNetworks, 'devnet'])
  const findings = await examine()
  expect(rowsOf(findings, 'replica')).toEqual(['good http://10.0.0.1:8787 on one: is alive, version 0.1.0'])
  expect(rowsOf(findings, 'lease')).toEqual([
    'good webhooks, expiry and bridges: http://10.0.0.1:8787 on one holds its lease (epoch 1)',
    'good devnet: http://10.0.0.1:8787 on one holds its lease (epoch 1)',
  ])
  await stop()
  expect(await rowOf('replica')).toEqual(['warning: none is running'])
})

test('a network without a working replica is bad; a lost replica, and one of another version, are warnings', async () => {
  const stop = await startReplica([allNetworks], 'http://10.0.0.2:8787', '0.0.9')
  await client.query(`
      insert into replicas (id, version, host, url, started_at_ms, seen_at_ms)
      values ('gone', '0.1.0', 'two', 'http://10.0.0.3:8787', 1, now_ms() - 60000)`)
  await client.query(
    "insert into leases (name, holder, epoch, ends_at_ms) values ('devnet', 'gone', 4, now_ms() - 53000)",
  )
  const findings = await examine()
  expect(rowsOf(findings, 'replica')).toEqual([
    'warning http://10.0.0.2:8787 on one: is alive, version 0.0.9; this program is 0.1.0',
    expect.stringMatching(
      /^warning http:\/\/10\.0\.0\.3:8787 on two: was not seen for 6\d s, and did not shut down normally$/,
    ),
  ])
  expect(rowsOf(findings, 'lease').at(-1)).toBe('bad devnet: no replica holds its lease')
  await stop()
})

test('an encoding that cannot store every name is bad', async () => {
  await client.query("create database latin encoding 'LATIN1' locale 'C' template template0")
  const findings = await examine(urlOf(database.location, 'latin'))
  expect(rowsOf(findings, 'database')).toEqual([expect.stringMatching(/^bad .*encoding is LATIN1; it must be UTF8/)])
  await client.query('drop database latin')
})
