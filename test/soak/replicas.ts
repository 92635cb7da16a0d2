import { strict as assert } from 'node:assert'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Devnet, startDevnet } from '@stablecoin-checkout/rig/devnet/devnet'
import { startPostgres } from '@stablecoin-checkout/rig/postgres-server'
import pg from 'pg'
import { buildWhatIsOld } from '../../demo/build.mjs'
import type { Merchant } from '../harness/bff.ts'
import { until } from '../harness/until.ts'
import { openBlocks, openCreates } from './customers.ts'
import { printFigures } from './figures.ts'
import { openReceivers } from './receivers.ts'
import { openFleet } from './replica-fleet.ts'
import { count, followFeed, readChain, verifyMoney, verifyNonces, verifyWebhooks } from './verify.ts'

const main = fileURLToPath(new URL('../../bff/dist/main.js', import.meta.url))
const logs = fileURLToPath(new URL('../.results/logs/soak/', import.meta.url))

const replicaCount = 3
const receiverCount = 10
const confirmations = 3
const killEveryMs = 60_000
const sampleEveryMs = 5_000
const printEveryMs = 30_000

/** What is under way at the end has so long to end. */
const settleMs = 300_000

/**
 * Three replicas on PostgreSQL take payments on a real chain, while one of them is killed each minute and one receiver of webhooks
 * in ten never answers. Ends the process with 1 when a unit of money, a webhook or an event is missing or there twice.
 * @param rate - Creates a second; lowered where the machine cannot do so many.
 */
export async function soakReplicas(minutes: number, rate: number): Promise<void> {
  buildWhatIsOld((text) => process.stdout.write(`${text}\n`))
  rmSync(logs, { recursive: true, force: true })
  mkdirSync(logs, { recursive: true })
  const folder = mkdtempSync(join(tmpdir(), 'checkout-soak-'))
  const closing: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })]
  try {
    await soak(minutes, rate, folder, closing)
  } finally {
    for (const close of closing.reverse()) await close()
  }
}

async function soak(minutes: number, rate: number, folder: string, closing: (() => unknown)[]): Promise<void> {
  const server = await startPostgres([])
  closing.push(server.stop)
  const devnet = await startDevnet({ dataDir: folder, blockTimeSeconds: null })
  closing.push(devnet.stop)
  const env = configure(folder, devnet, server.url)
  const merchant = createMerchant(env, devnet)
  const receivers = await openReceivers(receiverCount, () => merchant.webhookSecret)
  closing.push(receivers.close)
  const client = new pg.Client(server.url)
  await client.connect()
  closing.push(() => client.end())

  const fleet = openFleet(env, logs)
  closing.push(fleet.close)
  for (let number = 1; number <= replicaCount; number += 1) await fleet.start(number)
  const credentials = { 'x-api-key': merchant.apiKey, 'x-api-secret': merchant.apiSecret }
  const creates = openCreates(fleet, credentials, receivers.urls, rate)
  const blocks = openBlocks(devnet, creates.takeToPay)
  const before = await readChain(devnet, blocks)
  closing.push(() => Promise.allSettled([creates.stop(), blocks.stop()]))
  const feed = followFeed(() => fleet.next()?.url, credentials)
  closing.push(feed.stop)

  const startedMs = performance.now()
  const elapsed = () => `${((performance.now() - startedMs) / 60_000).toFixed(1)} min`
  process.stdout.write(
    `Soaking ${replicaCount} replicas for ${minutes} min with ${rate} creates a second, on ${cpus().length} cores.\n`,
  )
  let kills = 0
  let [killAtMs, printAtMs] = [startedMs + killEveryMs, startedMs + printEveryMs]
  while (performance.now() - startedMs < minutes * 60_000) {
    await Promise.race([sleep(sampleEveryMs), blocks.running])
    fleet.sampleMemory()
    const nowMs = performance.now()
    if (nowMs > killAtMs) {
      killAtMs += killEveryMs
      // In turn the one that works for the network, and another one.
      const holder = await holderUrl(client)
      const victim = fleet.alive().find(({ url }) => (url === holder) === (kills % 2 === 0)) ?? fleet.alive()[0]
      kills += 1
      if (victim) await fleet.kill(victim)
      process.stdout.write(
        `${elapsed()}: killed replica ${victim?.number}${victim?.url === holder ? ', which worked for the network' : ''}\n`,
      )
    }
    if (nowMs > printAtMs) {
      printAtMs += printEveryMs
      const rss = fleet
        .memory()
        .slice(-replicaCount)
        .map(({ megabytes }) => megabytes.toFixed(0))
      process.stdout.write(
        `${elapsed()}: ${creates.count()} created, ${blocks.paid.length} paid, ${receivers.accepted.atMs.size} webhooks, ${rss.join(', ')} MB\n`,
      )
    }
  }
  const madeSeconds = (performance.now() - startedMs) / 1_000
  await creates.stop()
  await until('what was paid to be swept', () => isSwept(client), settleMs)
  await sleep(confirmations * 2_000)
  await until('the webhooks to be delivered', () => isTold(client, receivers.urls.at(-1) ?? ''), settleMs)
  await blocks.stop()
  await sleep(1_000)

  assert.deepEqual(creates.faults, [], 'creates that were refused')
  assert.deepEqual(receivers.accepted.refusals, [], 'webhooks whose signature is wrong')
  const after = await readChain(devnet, blocks)
  await verifyMoney(client, blocks.paid.length, before, after)
  await verifyNonces(client, before, after)
  await verifyWebhooks(client, receivers.accepted, receivers.urls.at(-1) ?? '')
  await feed.verify(client)
  reconcile(env)
  printFigures({ creates, blocks, fleet, accepted: receivers.accepted, kills, madeSeconds, confirmations })
}

function configure(folder: string, { networks, operator }: Devnet, database: string): Record<string, string> {
  const [{ shortName, name, chainId, rpcUrl, factory, platformWallet, tokens }] = networks
  const path = join(folder, 'soak.config.json')
  const token = { symbol: 'USDC', name: 'USD Coin', ...tokens.USDC }
  const network = { shortName, name, chainId, factory, platformWallet, rpcUrls: [rpcUrl], confirmations, pollMs: 250 }
  writeFileSync(
    path,
    JSON.stringify({
      port: 0,
      rateLimits: 'off',
      webhookTargets: 'any',
      platform: { feeBps: 150 },
      networks: [{ ...network, tokens: [token] }],
    }),
  )
  return {
    BFF_CONFIG: path,
    DATABASE_URL: database,
    SECRETS_KEY: 'ab'.repeat(32),
    OPERATOR_PRIVATE_KEY: operator.privateKey,
  }
}

function createMerchant(env: Record<string, string>, { networks: [{ merchantWallet }] }: Devnet): Merchant {
  const args = ['merchants', 'create', '--name', 'Soak', '--wallet', `devnet=${merchantWallet}`, '--json']
  return JSON.parse(
    execFileSync(process.execPath, [main, ...args], { env: { ...process.env, ...env }, encoding: 'utf8' }),
  ) as Merchant
}

async function holderUrl(client: pg.Client): Promise<string | undefined> {
  const { rows } = await client.query<{ url: string }>(
    `select r.url from leases l join replicas r on r.id = l.holder where l.name = 'devnet'`,
  )
  return rows[0]?.url
}

const isSwept = async (client: pg.Client): Promise<boolean> =>
  (await count(client, `select count(*) from payments where received <> '0' and status <> 'swept'`)) === 0 &&
  (await count(client, 'select count(*) from payouts')) === 0

const isTold = async (client: pg.Client, hangingUrl: string): Promise<boolean> =>
  (await count(client, `select count(*) from deliveries where state = 'due' and url <> $1`, hangingUrl)) === 0

function reconcile(env: Record<string, string>): void {
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, 'reconcile'], {
    env: { ...process.env, ...env },
    encoding: 'utf8',
  })
  process.stdout.write(stdout)
  assert.equal(status, 0, `reconcile: ${stderr}`)
}
