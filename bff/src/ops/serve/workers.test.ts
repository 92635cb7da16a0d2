import { openRequests } from '@stablecoin-checkout/rig/access-stage'
import type { everyPart } from '@stablecoin-checkout/rig/app-defaults'
import { devnetFacts } from '@stablecoin-checkout/rig/devnet-facts'
import { type AppFixture, openApp, order } from '@stablecoin-checkout/rig/test-app'
import { createTestDatabase } from '@stablecoin-checkout/rig/test-database'
import { expect, test } from 'vitest'
import type { Chain } from '../../chain/connector.ts'
import { silentLog } from '../../core/log.ts'
import { type Db, sql } from '../../db/db.ts'
import { LeaseLostError } from '../../db/fenced.ts'
import { createLeases } from '../../db/leases.ts'
import { createNetworkHealth, type Fault } from '../../network/network-health.ts'
import { partNames } from '../../parts.ts'
import { createLedger } from '../../payment/ledger.ts'
import type { PaymentId } from '../../payment/payment.ts'
import { newDeliveryCounts } from '../../webhook/outbox/dispatcher.ts'
import { probeNodes, runSharedWorkers, startNetwork } from './workers.ts'

/** Runs the workers that all networks share, without any part that can be off. */
function runShared({ deps }: AppFixture, keepDays: number | null = null) {
  const { db, ledger, runtime, log, vault, viewer, health, gasBalances } = deps
  const kernel = Object.fromEntries(partNames.map((name) => [name, null])) as unknown as typeof everyPart
  const config = { webhookTargets: 'any', webhookRetentionDays: keepDays } as Parameters<
    typeof runSharedWorkers
  >[0]['config']
  const stopping = new AbortController()
  const lease = { db: { ...db }, signal: stopping.signal, isHeld: () => true }
  const ledgersOn: Db[] = []
  const ledgerOn = (stored: Db) => {
    ledgersOn.push(stored)
    return ledger
  }
  const running = runSharedWorkers(
    {
      config,
      ledgerOn,
      runtime,
      log,
      vault,
      parts: kernel,
      bridges: null,
      deliveryCounts: newDeliveryCounts(),
      viewer,
      health,
      gasBalances,
    },
    lease,
  )
  const stop = async () => {
    stopping.abort()
    await running
  }
  return { lease, ledgersOn, stop }
}

test('with links switched off, the second customer of a paid link is no longer asked for money', async () => {
  const bff = await openApp()
  const { ask, pay, outcomeOf } = openRequests(() => bff)
  const choice = { network: 'devnet', currency: 'USDC' }
  const { body } = await ask('POST', '/links', bff.keys.secret, { amount: '25.00' })
  const path = `/links/public/${(body['link'] as { id: string }).id}/create`
  const choose = async () => (await ask('POST', path, {}, choice)).body.payment['id'] as PaymentId
  const [first, second] = [await choose(), await choose()]
  await pay(first)

  const { lease, ledgersOn, stop } = runShared(bff)
  await expect.poll(() => outcomeOf(second)).toBe('failed')
  expect(await outcomeOf(first)).toBe('paid')
  expect(ledgersOn).toHaveLength(1)
  expect(ledgersOn[0], 'refuses writes after the lease is lost').toBe(lease.db)
  await stop()
  await bff.close()
})

test.each([
  ['are deleted after the days that the configuration says', 1, 1],
  ['are kept where it says none', null, 3],
])('webhook events %s', async (_, keepDays, left) => {
  const bff = await openApp()
  for (let count = 0; count < 3; count++) await bff.create(order, { 'Idempotency-Key': crypto.randomUUID() })
  bff.advance(3 * 24 * 60 * 60_000)
  const { stop } = runShared(bff, keepDays)
  const events = () => bff.deps.db.read((tx) => tx.all(sql`select number from events`))
  // The newest one stays, from which the next number follows.
  await expect.poll(async () => (await events()).length, { interval: 5 }).toBe(left)
  await stop()
  expect(await events()).toHaveLength(left)
  await bff.close()
})

/** A network's workers on a database of their own, with a chain that notes what is asked of it. */
async function openNetwork({ isShared = false, fault = undefined as Fault | undefined } = {}) {
  const database = await createTestDatabase()
  const db = await database.open()
  const stopping = new AbortController()
  const { signal } = stopping
  const leases = createLeases({
    db,
    replica: { id: 'one', version: '1', host: 'machine', url: null },
    log: silentLog,
    nowMs: Date.now,
  })
  const health = createNetworkHealth(silentLog)
  const runs: { stores: Parameters<Chain['run']>[0]; signal: AbortSignal }[] = []
  const asked: string[] = []
  const published: string[] = []
  const ask = <T>(what: string, answer: T) => {
    asked.push(what)
    return Promise.resolve(answer)
  }
  const chain = {
    network: { ...devnetFacts, shortName: 'base', name: 'Base' },
    resume: () => ask('resume', undefined),
    verifyNetwork: () => ask('network', fault),
    verifyContracts: () => ask('contracts', undefined),
    async run(stores: Parameters<Chain['run']>[0], until: AbortSignal) {
      runs.push({ stores, signal: until })
      await new Promise((ended) => until.addEventListener('abort', ended))
    },
  } as unknown as Chain
  const deps = {
    leases,
    states: { verified: () => {}, publish: async () => void published.push('base') } as never,
    isShared,
    health,
    splitters: createNetworkHealth(silentLog),
    ledgerOn: (stored: Db) => createLedger(stored, () => ({})),
    workers: [leases.run(signal)],
    signal,
  }
  const stop = async () => {
    stopping.abort()
    await Promise.all(deps.workers)
    await db.close()
    await database.drop()
  }
  return { db, chain, deps, leases, health, runs, asked, published, stop }
}
const soon = { interval: 5 }

test('a network is worked for under its short name, and by its lease only: whoever loses the lease writes nothing more', async () => {
  const { db, chain, deps, leases, runs, asked, published, stop } = await openNetwork()
  await startNetwork(deps, chain)
  expect(asked, 'the stored state is there before anything is read').toEqual(['resume', 'contracts', 'network'])
  await expect.poll(() => runs.length, soon).toBe(1)
  expect([leases.isHeld('base'), published]).toEqual([true, []])
  await db.write((tx) => tx.run(sql`update leases set holder = 'two', epoch = 7`))
  const [{ stores, signal } = {}] = runs
  await expect(stores?.ledger.apply('p' as PaymentId, { type: 'payment.closed' } as never)).rejects.toThrow(
    LeaseLostError,
  )
  await expect(stores?.db.write(async () => {})).rejects.toThrow(LeaseLostError)
  expect(signal?.aborted).toBe(true)
  await stop()
})

test('the replica that takes a network’s lease replaces what another one reported, and publishes its own state', async () => {
  const { chain, deps, leases, health, runs, published, stop } = await openNetwork({ isShared: true })
  // Another replica reports between this one's verification and its lease.
  const whileHeld: typeof leases.whileHeld = (name, work, signal) => {
    health.report({ shortName: 'base' }, { kind: 'wrong', reason: 'of another replica' })
    return leases.whileHeld(name, work, signal)
  }
  await startNetwork({ ...deps, leases: { ...leases, whileHeld } }, chain)
  await expect.poll(() => runs.length, soon).toBe(1)
  expect([health.get('base').isPayable, published]).toEqual([true, ['base']])
  await stop()
})

test('a network that is not verified is not worked for', async () => {
  const fault = { kind: 'wrong', reason: 'it is another chain' } as const
  const { chain, deps, leases, health, runs, stop } = await openNetwork({ fault })
  await startNetwork(deps, chain)
  expect(health.get('base')).toEqual({ isPayable: false, reason: fault.reason })
  await stop()
  expect([runs.length, leases.isHeld('base')]).toEqual([0, false])
})

test('a start waits for the verification of the contracts too', async () => {
  const { chain, deps, stop } = await openNetwork()
  let verify = () => {}
  const verifyContracts = () =>
    new Promise<undefined>((resolve) => {
      verify = () => resolve(undefined)
    })
  let isStarted = false
  const starting = startNetwork(deps, { ...chain, verifyContracts }).then(() => {
    isStarted = true
  })
  await expect.poll(() => deps.health.get('base').isPayable, soon).toBe(true)
  await new Promise((resolve) => setImmediate(resolve))
  expect(isStarted).toBe(false)
  verify()
  await starting
  await stop()
})

test('nodes are called again and again, and one that hangs does not delay the stop', async () => {
  const stopping = new AbortController()
  let calls = 0
  const chain = {
    probeNodes() {
      calls += 1
      if (calls < 3) return Promise.resolve()
      stopping.abort()
      return new Promise<void>(() => {})
    },
  }
  await probeNodes(chain, stopping.signal, 1)
  expect(calls).toBe(3)
})
