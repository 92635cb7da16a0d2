import { setMaxListeners } from 'node:events'
import { type ContractSettings, createPaymentViewer } from '@stablecoin-checkout/bff/testing/checkout'
import { type BaseUnits, baseUnits, type Network, systemRuntime } from '@stablecoin-checkout/bff/testing/core'
import { createVault, type Db } from '@stablecoin-checkout/bff/testing/db'
import { isSignedByWallet } from '@stablecoin-checkout/bff/testing/evm'
import { createHeads } from '@stablecoin-checkout/bff/testing/network'
import { createLedger, type PaymentId, type Transfer } from '@stablecoin-checkout/bff/testing/payment'
import {
  type AppDeps,
  createApp,
  createClientSecrets,
  createMerchant,
  createService,
  type IsSignedBy,
} from '@stablecoin-checkout/bff/testing/service'
import { newWebhookSecret } from '@stablecoin-checkout/bff/testing/webhook'
import { appDefaults, everyNetworkPayable, everyPart, noRateLimits } from './app-defaults.ts'
import { verifyDeclared } from './declared-operations.ts'
import { devnetFacts } from './devnet-facts.ts'
import { createTestDatabase, type TestDatabase } from './test-database.ts'

const wallet = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const network: Network = { ...devnetFacts, explorerUrl: 'https://scan.example' }
const elsewhere: Network = { ...network, shortName: 'elsewhere', name: 'Elsewhere', chainId: 1 }

export const order = { amount: '25.00', currency: 'USDC', network: 'devnet' }

const running = new AbortController().signal
// Each stream of events listens to it.
setMaxListeners(0, running)

/** Wallets with a key are verified by their signature; there is no node to verify others. */
const isSignedBy: IsSignedBy = (_, signed, signal) =>
  isSignedByWallet({ ask: async () => ({ answer: '0x' }) }, signed, signal)

/** Contract payments can be created, without calling a chain. */
export const noChains: ContractSettings = {
  splitters: everyNetworkPayable,
  chains: new Map(),
  windowMs: 1_800_000,
  waitMs: 1_000,
  waitsMax: 10,
  stopping: running,
}

type Answer = {
  status: number
  headers: Headers
  body: { payment: Record<string, unknown> } & Record<string, unknown>
}

export type AppFixture = Awaited<ReturnType<typeof openApp>>

/** A transfer of USDC to the payment, in block 10, in the payment's own transaction. For tests. */
export function transferTo(id: PaymentId, amount: bigint): Transfer {
  return {
    network: 'devnet',
    txId: `0x${id.replaceAll('-', '').padStart(64, '0')}`,
    logIndex: 0,
    payer: wallet,
    amount: baseUnits(String(amount)) as BaseUnits,
    blockNumber: 10,
    blockHash: '0xb10',
    blockTimeMs: 10_000,
  }
}

type Changeable =
  | ('bridges' | 'contracts' | 'dashboardFiles' | 'elementFiles' | 'isReady' | 'limits' | 'log' | 'observe')
  | 'parts'
  | 'readRates'
  | 'stablezact'
  | 'system'
  | (
      | 'health'
      | 'gasBalances'
      | 'lenientClients'
      | 'publicUrl'
      | 'trustedProxies'
      | 'walletconnectProjectId'
      | 'webhookTargets'
    )

type Merchant = Awaited<ReturnType<typeof createMerchant>>

/**
 * A new database or, given the merchants, that of a fixture which is closed later: the application is then a second replica on
 * it.
 */
type Shared = {
  database: TestDatabase
  merchant?: Merchant
  other?: Merchant
  /** Connections of the replica's own, for one that dies. */
  db?: Db
}

/** The application on a real database, with two merchants and a clock fixed at noon. For tests. */
export async function openApp(changes: Partial<Pick<AppDeps, Changeable>> = {}, shared?: Shared) {
  const database = shared?.database ?? (await createTestDatabase())
  const db = shared?.db ?? (await database.open())
  let nowMs = Date.parse('2026-11-21T12:00:00Z')
  const runtime = { ...systemRuntime, nowMs: () => nowMs }
  const networks = new Map([network, elsewhere].map((one) => [one.shortName, one]))
  const heads = createHeads()
  const viewer = createPaymentViewer(networks, heads, changes)
  const ledger = createLedger(db, viewer.merchant)
  const vault = createVault(Buffer.alloc(32, 7), runtime)
  const deps = {
    ...appDefaults({ db, runtime }),
    db,
    ledger,
    networks,
    heads,
    viewer,
    runtime,
    feeBps: 150,
    operator: wallet,
    vault,
    contracts: noChains,
    isSignedBy,
    ...changes,
  }
  const { app, operations } = createService(deps)
  const unlimited = () => createApp({ ...deps, parts: everyPart, limits: noRateLimits, observe: () => undefined })
  const clientSecrets = createClientSecrets(vault)
  const wallets = new Map([['devnet', wallet]])
  const newMerchant = (name: string): Promise<Merchant> =>
    createMerchant({ db, networks, runtime, vault }, { name, wallets, webhookSecret: newWebhookSecret(runtime) })
  const merchant = shared?.merchant ?? (await newMerchant('Corner Coffee'))
  const other = shared?.other ?? (await newMerchant('Other'))
  const keys = {
    public: { 'X-Public-Key': merchant.publicKey },
    test: { 'X-Public-Key': merchant.testPublicKey },
    secret: { 'X-API-Key': merchant.apiKey, 'X-API-Secret': merchant.apiSecret },
    stranger: { 'X-Public-Key': other.publicKey },
  }

  async function call(path: string, init: RequestInit = {}): Promise<Answer> {
    const response = await app.request(path, init)
    await verifyDeclared(unlimited, init.method ?? 'GET', path, response.status)
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: text === '' ? {} : JSON.parse(text) }
  }

  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    call(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...keys.public, ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })

  return {
    app,
    /** What each operation of the application declares. */
    operations,
    deps,
    database,
    merchant,
    other,
    keys,
    call,
    post,
    /** The client secret that the payment's create returned. */
    clientSecretOf: (id: unknown) => clientSecrets.of(id as PaymentId),
    create: (body: unknown = order, headers: Record<string, string> = {}, path = '/api/v1/deposits/create') =>
      post(path, body, headers),
    read: (path: string, headers: Record<string, string> = keys.public) => call(path, { headers }),
    advance: (ms: number) => {
      nowMs += ms
    },
    /** The raw response, for responses that are not JSON. */
    fetch: async (path: string, init: RequestInit = {}) => await app.request(path, init),
    nowMs: () => nowMs,
    async close() {
      await db.close()
      if (!shared?.merchant) await database.drop()
    },
  }
}
