import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Devnet, startDevnet } from '@stablecoin-checkout/rig/devnet/devnet'
import { startPostgres, urlOf } from '@stablecoin-checkout/rig/postgres-server'
import autocannon from 'autocannon'
import pg from 'pg'
import { buildWhatIsOld } from '../../demo/build.mjs'
import { bundle } from './bundle.ts'
import { fillDatabase, idOf } from './filled.ts'
import type { Measure } from './fixtures.ts'
import { createLoad, type Load, median, ratio, readLoad } from './http.ts'
import { type Server, startServer } from './server.ts'
import { configure, createDeposit, createMerchant, payDeposit, startService } from './whole-service.ts'

/** PostgreSQL takes a minute for each million of rows. */
const counts = { SQLite: [10_000, 100_000, 1_000_000], PostgreSQL: [10_000, 1_000_000] }
const startMaxMs = 10_000
const memoryMaxMb = 500
const ratioMax = 1.5

/** Rounds alternate between the databases, so that a busy moment of the machine hits all of them. */
const rounds = 3
const connections = 16
const roundSeconds = 1
/** Payments that are read: more than fit into a page of any index. */
const idsRead = 2_000
const blocks = 50
const webhooks = 1_000
const receivers = 20

/** What one size of one database costs. */
type Growth = {
  database: 'SQLite' | 'PostgreSQL'
  payments: number
  /** From the start of the process to a payment that was created after it, paid, and seen. */
  startMs: number
  /** The most that the process has held until then. */
  memoryMb: number
  createMs: number
  readMs: number
  blockMs: number
  deliveryMs: number
}

/** How the costs grow from ten thousand payments of the last week to a million. */
export async function benchGrowth(database: Growth['database']): Promise<Measure[]> {
  const growths = await measureGrowth(database)
  return growths.flatMap((growth) => linesOf(growth, growths[0] ?? growth))
}

function linesOf(growth: Growth, smallest: Growth): Measure[] {
  const { database, payments } = growth
  const of = `${payments.toLocaleString('en')} payments`
  const point = (chart: string) => ({ chart, series: database, at: payments })
  const cost = (name: string, key: 'createMs' | 'readMs' | 'blockMs' | 'deliveryMs'): Measure[] => {
    const line = { name, case: of, value: round(growth[key]), unit: 'ms', point: point(name) }
    if (growth === smallest) return [line]
    const grown = ratio(growth[key], smallest[key])
    const ratioTo = `that of ${smallest.payments.toLocaleString('en')}`
    const isGood = grown <= ratioMax
    return [line, { name, case: of, ratioTo, value: grown, unit: 'x', target: `<= ${ratioMax}`, isGood }]
  }
  return [
    {
      name: 'start until a payment is seen',
      case: of,
      value: growth.startMs,
      unit: 'ms',
      target: `<= ${startMaxMs} ms`,
      isGood: growth.startMs <= startMaxMs,
      point: point('start until a payment is seen'),
    },
    {
      name: 'most memory of the start',
      case: of,
      value: growth.memoryMb,
      unit: 'MB',
      target: `<= ${memoryMaxMb} MB`,
      isGood: growth.memoryMb <= memoryMaxMb,
      point: point('most memory of the start'),
    },
    ...cost('a create', 'createMs'),
    ...cost('a read', 'readMs'),
    ...cost('a block of 500 transfers', 'blockMs'),
    ...cost('a delivery', 'deliveryMs'),
  ]
}

const round = (value: number) => Math.round(value * 1_000) / 1_000

async function measureGrowth(database: Growth['database']): Promise<Growth[]> {
  const folder = mkdtempSync(join(tmpdir(), 'checkout-bench-'))
  buildWhatIsOld(() => undefined)
  const devnet = await startDevnet({ dataDir: folder })
  const server = await startPostgres(['max_wal_size=4GB'])
  const admin = new pg.Client(server.url)
  try {
    await admin.connect()
    const places: Place[] = []
    for (const payments of counts[database]) {
      const name = `bench_${payments}`
      if (database === 'PostgreSQL') await admin.query(`create database ${name}`)
      const location = database === 'SQLite' ? join(folder, `${name}.sqlite`) : urlOf(server.url, name)
      await fillDatabase(location, payments)
      places.push({ database, payments, location })
    }
    return await measureDatabase(places, { folder, devnet })
  } finally {
    await admin.end().catch(() => undefined)
    await server.stop()
    await devnet.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

type Started = Pick<Growth, 'startMs' | 'memoryMb'>
type Place = { database: Growth['database']; payments: number; location: string }
type Ground = { folder: string; devnet: Devnet }

async function measureDatabase(places: readonly Place[], ground: Ground): Promise<Growth[]> {
  const started: Started[] = []
  for (const place of places) started.push(await measureStart(place, ground))
  const requests = await measureRequests(places)
  const blockMs = await measureBlocks(places)
  const deliveryMs = await measureDeliveries(places)
  return places.map(({ database, payments }, index) => ({
    database,
    payments,
    ...(started[index] ?? { startMs: 0, memoryMb: 0 }),
    createMs: requests.creates[index] ?? 0,
    readMs: requests.reads[index] ?? 0,
    blockMs: blockMs[index] ?? 0,
    deliveryMs: deliveryMs[index] ?? 0,
  }))
}

/** The whole service, which works for a network at once: its watchers, payouts, webhooks and housekeeping run. */
async function measureStart({ location }: Place, { folder, devnet }: Ground): Promise<Started> {
  const env = configure(folder, devnet, { database: location, pollMs: 100 })
  const publicKey = createMerchant(env, devnet)
  const startedMs = performance.now()
  const { child, url } = await startService(env)
  try {
    await seePayment(devnet, url, publicKey)
    return { startMs: Math.round(performance.now() - startedMs), memoryMb: Math.round(mostBytes(child.pid) / 1e6) }
  } finally {
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
  }
}

async function seePayment(devnet: Devnet, url: string, publicKey: string): Promise<void> {
  const { id, depositAddress } = await createDeposit(url, publicKey)
  await payDeposit(devnet, depositAddress)
  for (;;) {
    const answer = await fetch(`${url}/api/v1/payments/public/${id}`)
    const { payment } = (await answer.json()) as { payment: { detectedAt: string | null } }
    if (payment.detectedAt !== null) return
    await sleep(20)
  }
}

/** The most that the process has held in memory since its start, as Linux counts it. */
function mostBytes(pid: number | undefined): number {
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) * 1024
}

/** @returns milliseconds for each request, of each place. */
async function measureRequests(places: readonly Place[]): Promise<{ creates: number[]; reads: number[] }> {
  const servers: Server[] = []
  try {
    for (const { location } of places) servers.push(await startServer('service', [location]))
    const creates = await takeTurns(servers.map((server) => createLoad(server, '/api/v1/deposits/create')))
    const reads = await takeTurns(
      servers.map((server, index) => {
        const payments = places[index]?.payments ?? 1
        const ids = Array.from({ length: idsRead }, (_, place) => idOf(1 + ((place * 7_919) % payments)))
        return readLoad(server, ids, (id) => `/api/v1/payments/public/${id}`)
      }),
    )
    return { creates, reads }
  } finally {
    for (const { child } of servers) child.kill('SIGKILL')
  }
}

async function takeTurns(loads: readonly Load[]): Promise<number[]> {
  const results = loads.map((): number[] => [])
  // The first round is for the compiler and for the caches.
  for (let turn = -1; turn < rounds; turn++) {
    for (const [index, { server, requests }] of loads.entries()) {
      const answer = await autocannon({ url: server.url, connections, duration: roundSeconds, requests })
      if (answer.non2xx + answer.errors > 0)
        throw new Error(`${answer.non2xx + answer.errors} requests had no good answer`)
      if (turn >= 0) results[index]?.push(1_000 / answer.requests.average)
    }
  }
  return results.map(median)
}

/** @returns milliseconds for each block with 500 transfers to others, of each place. */
async function measureBlocks(places: readonly Place[]): Promise<number[]> {
  const file = await bundle('watching')
  const results = places.map((): number[] => [])
  const chain = await startServer('busy-chain', [])
  try {
    for (let turn = 0; turn < rounds; turn++) {
      for (const [index, { location }] of places.entries()) {
        const child = fork(file, [location, chain.url, '0', String(blocks)], { execArgv: [] })
        const ended = once(child, 'exit').then(([code]) => Promise.reject(new Error(`watching ended with ${code}`)))
        await Promise.race([once(child, 'message'), ended])
        const [{ tookMs }] = (await Promise.race([once(child, 'message'), ended])) as [{ tookMs: number }]
        results[index]?.push(tookMs / blocks)
        await ended.catch(() => undefined)
      }
    }
    return results.map(median)
  } finally {
    chain.child.kill('SIGKILL')
  }
}

/** @returns milliseconds for each webhook from the outbox, of each place. */
async function measureDeliveries(places: readonly Place[]): Promise<number[]> {
  const [sinkFile, posting] = [await bundle('sink'), await bundle('posting')]
  const sink = fork(sinkFile, [String(receivers), '0'], { execArgv: [] })
  try {
    const [{ answering }] = (await once(sink, 'message')) as [{ answering: number[] }]
    const results = places.map((): number[] => [])
    for (let turn = 0; turn < rounds; turn++) {
      for (const [index, { location }] of places.entries()) {
        const args = ['real', String(webhooks), JSON.stringify(answering), '[]', location]
        const child = fork(posting, args, { execArgv: [] })
        const ended = once(child, 'exit').then(([code]) => Promise.reject(new Error(`posting ended with ${code}`)))
        const [{ perSecond }] = (await Promise.race([once(child, 'message'), ended])) as [{ perSecond: number }]
        results[index]?.push(1_000 / perSecond)
        child.kill()
        await ended.catch(() => undefined)
      }
    }
    return results.map(median)
  } finally {
    sink.kill('SIGKILL')
  }
}
