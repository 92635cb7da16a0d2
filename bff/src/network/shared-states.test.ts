import { createTestDatabase, type TestDatabase } from '@stablecoin-checkout/rig/test-database'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Network, Networks } from '../core/families.ts'
import { silentLog } from '../core/log.ts'
import { type Db, sql } from '../db/db.ts'
import { deleteReplica, saveReplica, takeLease } from '../db/lease-store.ts'
import { createGasBalances } from './gas-balances.ts'
import { createHeads } from './heads.ts'
import { createNetworkHealth } from './network-health.ts'
import { loadNodeStates } from './node-state-store.ts'
import { createSharedStates } from './shared-states.ts'

const network = { shortName: 'base' } as Network
const networks: Networks = new Map([['base', network]])
const gas = { address: '0xa', balanceWei: 10n ** 18n, neededWei: 10n ** 15n, minimumWei: 10n ** 14n, readAtMs: 5 }

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

function openReplica({ isHolder = false, unheldMaxMs = 20_000 } = {}) {
  const heads = createHeads()
  const health = createNetworkHealth(silentLog)
  const gasBalances = createGasBalances()
  const leases = { isHeld: () => isHolder }
  const deps = { db, networks, heads, health, gasBalances, leases, log: silentLog, unheldMaxMs }
  const states = createSharedStates(deps)
  return { heads, health, gasBalances, states, shown: () => health.get('base') }
}

/** The replica that works for the network writes what it knows, once. */
async function publish(holder: ReturnType<typeof openReplica>): Promise<void> {
  const ending = new AbortController()
  const lease = { db, signal: ending.signal, isHeld: () => true }
  const publishing = holder.states.publish(network, lease)
  const expected = JSON.stringify(holder.heads.get('base')?.number ?? null)
  await expect
    .poll(async () => {
      const row = await db.read((tx) =>
        tx.get<{ head: number | null }>(sql`select head_number as head from network_states where network = 'base'`),
      )
      return JSON.stringify(row?.head)
    })
    .toBe(expected)
  ending.abort()
  await publishing
}

test('a replica shows head, fault and gas of a network that another works for, and its own fault before that', async () => {
  await db.write((tx) => takeLease(tx, 'base', 'one', 60_000))
  const holder = openReplica({ isHolder: true })
  const other = openReplica()
  holder.health.report(network, undefined)
  holder.heads.set('base', { number: 7, hash: '0x7', parentHash: '0x6', timeMs: 70 })
  holder.gasBalances.note('base', gas)
  await publish(holder)
  await other.states.refresh()
  expect(other.heads.get('base')).toEqual({ number: 7, hash: '0x7', parentHash: '', timeMs: 70 })
  expect(other.gasBalances.get('base')).toEqual({ ...gas, state: 'ok' })
  // Its own nodes are not verified yet.
  expect(other.shown().isPayable).toBe(false)
  other.health.report(network, undefined)
  other.states.verified(network)
  await other.states.refresh()
  expect(other.shown()).toEqual({ isPayable: true, reason: null })
  holder.health.report(network, { kind: 'unreachable', reason: 'No node answers.' })
  holder.heads.set('base', { number: 8, hash: '0x8', parentHash: '0x7', timeMs: 80 })
  const later = { address: '0xb', balanceWei: 2n * 10n ** 18n, neededWei: 2n, minimumWei: 1n, readAtMs: 6 }
  holder.gasBalances.note('base', later)
  await publish(holder)
  await Promise.all([other.states.refresh(), holder.states.refresh()])
  expect(other.shown()).toEqual({ isPayable: false, reason: 'No node answers.' })
  expect(other.gasBalances.get('base')).toEqual({ ...later, state: 'ok' })
  expect(holder.heads.get('base')?.parentHash).toBe('0x7')
})

test('a state that could not be written is written again, though nothing has changed since', async () => {
  await db.write((tx) => takeLease(tx, 'base', 'one', 60_000))
  const holder = openReplica({ isHolder: true })
  holder.heads.set('base', { number: 7, hash: '0x7', parentHash: '0x6', timeMs: 70 })
  let faults = 1
  const write: Db['write'] = (work) => (faults-- > 0 ? Promise.reject(new Error('The disk is full')) : db.write(work))
  const ending = new AbortController()
  const lease = { db: { ...db, write }, signal: ending.signal, isHeld: () => true }
  const publishing = holder.states.publish(network, lease)
  const heads = () => db.read((tx) => tx.all(sql`select head_number as head from network_states`))
  await expect.poll(heads).toEqual([{ head: 7 }])
  ending.abort()
  await publishing
})

test('a replica writes how its nodes are whenever that changes, in place of what it wrote before', async () => {
  await db.write((tx) => saveReplica(tx, { id: 'one', version: '1', host: 'checkout', url: null }))
  const node = { name: 'node 1 of 1', host: 'rpc.example', reason: null, outUntilMs: null }
  let state: 'ok' | 'down' = 'ok'
  const ending = new AbortController()
  const read = () => [{ network: 'base', nodes: [{ ...node, state }] }]
  const publishing = openReplica().states.publishNodes('one', read, ending.signal)
  const stored = () => db.read((tx) => loadNodeStates(tx, 60_000, 10))
  const expected = { ...node, network: 'base', replicaId: 'one', replicaHost: 'checkout' }
  await expect.poll(stored).toEqual([{ ...expected, state: 'ok' }])
  state = 'down'
  await expect.poll(stored).toEqual([{ ...expected, state: 'down' }])
  ending.abort()
  await publishing
  await db.write((tx) => tx.run(sql`update replicas set seen_at_ms = seen_at_ms - 120000`))
  expect(await stored()).toEqual([])
  await db.write((tx) => deleteReplica(tx, 'one'))
  expect(await db.read((tx) => tx.all(sql`select * from node_states`))).toEqual([])
})

test('a network that nobody has worked for in a while cannot be paid on, and can be again when somebody does', async () => {
  await db.write((tx) => takeLease(tx, 'base', 'one', 0))
  const patient = openReplica()
  patient.states.verified(network)
  await patient.states.refresh()
  expect(patient.shown().isPayable).toBe(true)
  const other = openReplica({ unheldMaxMs: 100 })
  other.states.verified(network)
  await db.write((tx) => tx.run(sql`update leases set ends_at_ms = ends_at_ms - 60000`))
  const started = openReplica()
  started.states.verified(network)
  await started.states.refresh()
  expect(started.shown().isPayable, 'a replica that has just started may take it').toBe(true)
  await expect
    .poll(async () => {
      await other.states.refresh()
      return other.shown()
    })
    .toEqual({ isPayable: false, reason: 'No replica of the service is watching the network.' })
  await db.write((tx) => takeLease(tx, 'base', 'two', 60_000))
  await other.states.refresh()
  expect(other.shown()).toEqual({ isPayable: true, reason: null })
})
