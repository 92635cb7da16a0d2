import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Devnet, startDevnet } from '@stablecoin-checkout/rig/devnet/devnet'
import { createClosingServer } from '@stablecoin-checkout/rig/lying-node'
import { freePort } from '@stablecoin-checkout/rig/processes/ports'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { systemRuntime } from '../../core/runtime.ts'
import { sql } from '../../db/db.ts'
import { openSqlite } from '../../db/sqlite/open-sqlite.ts'
import { openVault } from '../../db/vault.ts'
import { createMerchant, type NewMerchant } from '../../merchant/accounts.ts'
import { loadConfig } from '../config/config.ts'
import { type Running, serve } from './serve.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'checkout-serve-'))
const soon = { interval: 50 }
let devnet: Devnet
let nodePort: number
let node: Server | undefined
let running: Running | undefined
let merchant: NewMerchant

beforeAll(async () => {
  const first = await freePort()
  devnet = await startDevnet({ dataDir, ports: [first, await freePort([first])] })
})
afterAll(async () => {
  await devnet?.stop()
  rmSync(dataDir, { recursive: true, force: true })
})
beforeEach(async () => {
  nodePort = await freePort()
})
afterEach(async () => {
  await running?.stop()
  running = undefined
  node?.closeAllConnections()
  await new Promise((closed) => (node ? node.close(closed) : closed(undefined)))
  node = undefined
})

/** The first network's node, at an initially unused port. */
function openNode(): void {
  node = createClosingServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks)
    const answer = await fetch(devnet.networks[0].rpcUrl, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body,
    })
    response.writeHead(answer.status, { 'Content-Type': 'application/json' }).end(await answer.text())
  }).listen(nodePort, '127.0.0.1')
}

/** Serves both networks; the node of the first is at `nodePort`. */
async function start(change: { chainId?: number } = {}): Promise<void> {
  const path = join(dataDir, `${nodePort}.json`)
  const platformWallet = privateKeyToAddress(generatePrivateKey())
  const networks = devnet.networks.map(({ shortName, name, chainId, rpcUrl, factory, tokens }, index) => ({
    ...{ shortName, name, family: 'evm', chainId, confirmations: 1, pollMs: 50, factory, platformWallet },
    rpcUrls: [index === 0 ? `http://127.0.0.1:${nodePort}` : rpcUrl],
    tokens: [{ symbol: 'USDC', name: 'USD Coin', ...tokens.USDC }],
    ...(index === 0 ? change : {}),
  }))
  const database = join(dataDir, `${nodePort}.sqlite`)
  writeFileSync(path, JSON.stringify({ port: 0, logLevel: 'silent', database, networks }))
  const config = loadConfig({ BFF_CONFIG: path, OPERATOR_PRIVATE_KEY: devnet.operator.privateKey })
  // A busy machine may verify a network slowly.
  running = await serve(config, systemRuntime, { firstVerificationMaxMs: 60_000 })
  const db = openSqlite(database)
  const wallets = new Map(devnet.networks.map(({ shortName, merchantWallet }) => [shortName, merchantWallet]))
  const vault = await openVault({ db, database, key: config.secretsKey, runtime: systemRuntime })
  const deps = { db, networks: config.networks, runtime: systemRuntime, vault }
  merchant = await createMerchant(deps, { name: 'Corner Coffee', wallets, webhookSecret: 'whsec_a' })
  await db.close()
}

type Body = Record<string, unknown> & { networks: { shortName: string }[]; payment: { id: string } }

async function call(path: string, body?: object): Promise<{ status: number; body: Body }> {
  const response = await fetch(`${running?.url}/api/v1${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { 'Content-Type': 'application/json', 'X-Public-Key': merchant.publicKey },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: (await response.json()) as Body }
}

const create = (network: string) => call('/deposits/create', { amount: '25.00', currency: 'USDC', network })
const payable = async () => (await call('/networks/payable')).body.networks.map(({ shortName }) => shortName)

test('a network whose node responds accepts payments from the first request on', async () => {
  openNode()
  await start()
  expect((await create('devnet')).status).toBe(200)
  expect(await payable()).toEqual(['devnet', 'devnet-b'])
})

test('a service that starts before a node is up serves the other network, and adds this one later', async () => {
  await start()
  const refused = await create('devnet')
  expect([refused.status, refused.body['code']]).toEqual([400, 'NETWORK_UNAVAILABLE'])
  expect(refused.body['message']).toContain('No node of Devnet returns a usable response.')
  expect((await create('devnet-b')).status).toBe(200)
  expect(await payable()).toEqual(['devnet-b'])

  openNode()
  await expect.poll(payable, soon).toEqual(['devnet', 'devnet-b'])
  const { status, body } = await create('devnet')
  expect(status).toBe(200)
  // The watcher runs: it has read the chain.
  const hasHeader = async () => {
    const db = openSqlite(join(dataDir, `${nodePort}.sqlite`))
    const row = await db.read((tx) => tx.get(sql`select number from headers where network = ${'devnet'}`))
    await db.close()
    return row !== undefined
  }
  await expect.poll(hasHeader, soon).toBe(true)
  expect((await call(`/payments/${body.payment.id}/status`)).body.payment).toMatchObject({ outcome: 'pending' })
})

test('a network on the wrong chain is excluded with its reason, and the process runs', async () => {
  openNode()
  await start({ chainId: 8_453 })
  const refused = await create('devnet')
  expect([refused.status, refused.body['code']]).toEqual([400, 'NETWORK_UNAVAILABLE'])
  expect((await call('/payments/health')).body).toMatchObject({
    status: 'degraded',
    networks: [
      { shortName: 'devnet', healthy: false, reason: 'The node of Devnet is on chain 31337, not on 8453.' },
      { shortName: 'devnet-b', healthy: true, reason: null },
    ],
  })
  expect((await create('devnet-b')).status).toBe(200)
})

test('a network whose chain becomes unreadable is not offered, with the reason, until it can be read again', async () => {
  openNode()
  await start()
  await create('devnet')
  node?.closeAllConnections()
  await new Promise((closed) => node?.close(closed))
  await expect.poll(payable, soon).toEqual(['devnet-b'])
  const reason = 'No node of Devnet returns a usable response.'
  expect((await call('/payments/health')).body).toMatchObject({ status: 'degraded', networks: [{ reason }, {}] })
  expect((await create('devnet')).body).toMatchObject({
    code: 'NETWORK_UNAVAILABLE',
    message: expect.stringContaining(reason),
  })

  openNode()
  await expect.poll(payable, soon).toEqual(['devnet', 'devnet-b'])
})

test('a request under way at a stop gets its response, which is stored, and new ones are refused', async () => {
  openNode()
  await start()
  const [url, database] = [running?.url ?? '', join(dataDir, `${nodePort}.sqlite`)]
  const body = JSON.stringify({ amount: '25.00', currency: 'USDC', network: 'devnet' })
  const headers = {
    'X-Public-Key': merchant.publicKey,
    'Content-Type': 'application/json',
    'Content-Length': body.length,
  }
  const sending = request(`${url}/api/v1/deposits/create`, { method: 'POST', headers })
  const answered = new Promise<{ status: number; text: string }>((resolve, reject) => {
    sending.once('error', reject).once('response', async (response) => {
      const chunks: Buffer[] = []
      for await (const chunk of response) chunks.push(chunk as Buffer)
      resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() })
    })
  })
  await new Promise((sent) => sending.write(body.slice(0, 10), sent))
  // Connections are accepted in order: when this one is answered, the service has the other.
  await call('/payments/health')
  const stopped = running?.stop()
  running = undefined
  await expect.poll(() => fetch(`${url}/api/health`).catch(() => 'refused'), soon).toBe('refused')
  sending.end(body.slice(10))
  const { status, text } = await answered
  expect(status).toBe(200)
  await stopped
  const { payment } = JSON.parse(text) as Body
  const db = openSqlite(database)
  expect(await db.read((tx) => tx.get(sql`select status from payments where id = ${payment.id}`))).toEqual({
    status: 'pending',
  })
  await db.close()
})
