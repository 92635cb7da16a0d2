import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Devnet, startDevnet } from '@stablecoin-checkout/rig/devnet/devnet'
import { readEvents } from '@stablecoin-checkout/rig/event-reader'
import pg from 'pg'
import { buildWhatIsOld } from '../../demo/build.mjs'
import type { Measure } from './fixtures.ts'
import { median } from './http.ts'
import { configure, createDeposit, createMerchant, payDeposit, type Service, startService } from './whole-service.ts'

const replicas = 3
/** Of the watcher: a part of what passes from a block to the streams. */
const pollMs = 100
const payments = 20
const deaths = 3

/** Whole services on one database and one chain: what a customer sees at any of them, and what happens when one dies. */
export async function benchReplicas(database: string): Promise<Measure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'checkout-bench-'))
  buildWhatIsOld(() => undefined)
  const devnet = await startDevnet({ dataDir: folder })
  const client = new pg.Client(database)
  let running: Service[] = []
  try {
    const env = configure(folder, devnet, { database, pollMs })
    const publicKey = createMerchant(env, devnet)
    for (let count = 0; count < replicas; count++) running.push(await startService(env))
    await client.connect()

    const delaysMs: number[] = []
    for (let count = 0; count < payments; count++) delaysMs.push(await streamDelayMs(devnet, running, publicKey))
    const takeoversMs: Record<'SIGKILL' | 'SIGTERM', number[]> = { SIGKILL: [], SIGTERM: [] }
    for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
      for (let count = 0; count < deaths; count++) {
        const { url, tookMs } = await takeoverMs(client, running, signal)
        takeoversMs[signal].push(tookMs)
        running = [...running.filter((one) => one.url !== url), await startService(env)]
      }
    }
    const stream = `from a block to the last of ${replicas} replicas' streams`
    return [
      { name: `${stream}, median of ${payments}`, value: Math.round(median(delaysMs)), unit: 'ms' },
      { name: `${stream}, longest`, value: Math.round(Math.max(...delaysMs)), unit: 'ms' },
      ...takeover('kill -9 of its holder', takeoversMs.SIGKILL, 10_000),
      ...takeover('a clean stop of its holder', takeoversMs.SIGTERM, 2_000),
    ]
  } finally {
    await client.end().catch(() => undefined)
    for (const { child } of running) child.kill('SIGKILL')
    await devnet.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

function takeover(after: string, tookMs: readonly number[], mostMs: number): Measure[] {
  const value = Math.round(Math.max(...tookMs))
  const target = `<= ${mostMs} ms`
  return [
    {
      name: `takeover of a network after ${after}, longest of ${deaths}`,
      value,
      unit: 'ms',
      target,
      isGood: value <= mostMs,
    },
  ]
}

/** Milliseconds from the block that pays a payment to the event at the last of the replicas. */
async function streamDelayMs(devnet: Devnet, running: readonly Service[], publicKey: string): Promise<number> {
  const [first] = running
  const payment = await createDeposit(first?.url ?? '', publicKey)
  const pages = await Promise.all(
    running.map(async ({ url }) => readEvents(await fetch(`${url}/api/v1/payments/public/${payment.id}/events`))),
  )
  for (const page of pages) await page.next()
  // So that the payment comes at any moment of the replicas' seconds.
  await sleep(Math.random() * 1_000)
  await payDeposit(devnet, payment.depositAddress)
  const blockAtMs = performance.now()
  await Promise.all(pages.map((page) => page.next()))
  const tookMs = performance.now() - blockAtMs
  for (const page of pages) await page.close()
  return tookMs
}

/** Ends the replica that works for the network. @returns its address, and when another one had taken over. */
async function takeoverMs(client: pg.Client, running: readonly Service[], signal: 'SIGKILL' | 'SIGTERM') {
  const holder = async () => {
    const { rows } = await client.query<{ id: string; url: string }>(
      `select r.id, r.url from leases l join replicas r on r.id = l.holder where l.name = 'devnet'`,
    )
    return rows[0]
  }
  const before = await holder()
  const one = running.find(({ url }) => url === before?.url)
  if (!before || !one) throw new Error('No replica works for the network')
  const endedAtMs = performance.now()
  one.child.removeAllListeners('exit')
  one.child.kill(signal)
  for (;;) {
    const now = await holder()
    if (now && now.id !== before.id) return { url: one.url, tookMs: performance.now() - endedAtMs }
    await sleep(20)
  }
}
