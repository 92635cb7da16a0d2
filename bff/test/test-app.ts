import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type AppDeps, createApp } from '../src/app.ts'
import { createHeads } from '../src/chain/chain-adapter.ts'
import { factoryAddress, paymentSplitter } from '../src/chain/evm/deploy/contracts.generated.ts'
import { createClientSecrets } from '../src/checkout/client-secret.ts'
import type { ContractSettings } from '../src/checkout/contract/contract-payments.routes.ts'
import { noElementFiles } from '../src/checkout/pay-page/element-files.ts'
import { createPaymentViewer } from '../src/checkout/read/payment-view.ts'
import type { Network } from '../src/core/families.ts'
import { type BaseUnits, baseUnits } from '../src/core/money.ts'
import { systemRuntime } from '../src/core/runtime.ts'
import { openDb } from '../src/db/sqlite/open-database.ts'
import { noRateLimits } from '../src/http/rate-limit.ts'
import { createMerchant } from '../src/merchant/create-merchant.ts'
import { createVault } from '../src/merchant/vault.ts'
import { everyNetworkPayable } from '../src/network/network-health.ts'
import type { Transfer } from '../src/payment/event.ts'
import { createLedger } from '../src/payment/ledger.ts'
import type { PaymentId } from '../src/payment/payment.ts'
import { createGasBalances } from '../src/payout/gas-balances.ts'
import { createRates } from '../src/rates/rates.ts'
import { newWebhookSecret } from '../src/webhook/outbox/sign.ts'
import { verifyDeclared } from './declared-operations.ts'

const wallet = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const network: Network = {
  shortName: 'devnet',
  name: 'Devnet',
  family: 'evm',
  chainId: 31_337,
  isTestnet: true,
  rpcUrls: ['http://127.0.0.1:1'],
  publicRpcUrls: [],
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  confirmations: 3,
  highValue: null,
  sweepGas: null,
  finalityBlocks: 64,
  pollMs: 1_000,
  explorerUrl: 'https://scan.example',
  factory: factoryAddress,
  splitter: paymentSplitter.address,
  platformWallet: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
  tokens: [
    {
      symbol: 'USDC',
      name: 'USD Coin',
      address: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
      decimals: 6,
      permit: { name: 'USD Coin', version: '2' },
      authorization: { name: 'USD Coin', version: '2' },
    },
  ],
}
const elsewhere: Network = { ...network, shortName: 'elsewhere', name: 'Elsewhere', chainId: 1 }
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

export const order = { amount: '25.00', currency: 'USDC', network: 'devnet' }

/** Contract payments can be created, and no chain is asked about them. */
const noChains: ContractSettings = {
  splitters: everyNetworkPayable,
  chains: new Map(),
  windowMs: 1_800_000,
  waitMs: 1_000,
  waitsMax: 10,
  stopping: new AbortController().signal,
}

type Answer = {
  status: number
  headers: Headers
  body: { payment: Record<string, unknown> } & Record<string, unknown>
}

export type AppFixture = Awaited<ReturnType<typeof openApp>>

/** A transfer of USDC to the payment, in block 10, with a transaction of the payment's own. For tests. */
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
  | ('bridges' | 'contracts' | 'elementFiles' | 'isReady' | 'limits' | 'observe' | 'readRates')
  | ('health' | 'gasBalances' | 'lenientClients' | 'publicUrl' | 'trustedProxies' | 'webhookTargets')

/** The application on a real file, with two merchants and a clock that stands still at noon. For tests. */
export async function openApp(changes: Partial<Pick<AppDeps, Changeable>> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'checkout-app-'))
  const db = openDb(join(folder, 'test.sqlite'))
  let nowMs = Date.parse('2026-11-21T12:00:00Z')
  const runtime = { ...systemRuntime, nowMs: () => nowMs }
  const networks = new Map([network, elsewhere].map((one) => [one.shortName, one]))
  const heads = createHeads()
  const viewer = createPaymentViewer(networks, heads, changes)
  const ledger = createLedger(db, viewer.merchant)
  const readRates = createRates({ kind: 'parity' }, { runtime, log: silent })
  const vault = createVault(Buffer.alloc(32, 7), runtime)
  const open = {
    limits: noRateLimits,
    health: everyNetworkPayable,
    gasBalances: createGasBalances(),
    lenientClients: false,
    readRates,
    webhookTargets: 'any' as const,
    isReady: () => ({ isReady: true, reasons: [] }),
    observe: () => undefined,
    contracts: noChains,
    elementFiles: noElementFiles,
    bridges: null,
    publicUrl: null,
    trustedProxies: [],
    ...changes,
  }
  const deps = {
    db,
    ledger,
    networks,
    heads,
    viewer,
    runtime,
    log: silent,
    feeBps: 150,
    operator: wallet,
    solanaOwner: null,
    vault,
    ...open,
  }
  const app = createApp(deps)
  const unlimited = () => createApp({ ...deps, limits: noRateLimits, observe: () => undefined })
  const clientSecrets = createClientSecrets(vault)
  const wallets = new Map([['devnet', wallet]])
  const merchant = await createMerchant(
    { db, networks, runtime, vault },
    { name: 'Corner Coffee', wallets, webhookSecret: newWebhookSecret(runtime) },
  )
  const other = await createMerchant(
    { db, networks, runtime, vault },
    { name: 'Other', wallets, webhookSecret: newWebhookSecret(runtime) },
  )
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
    deps,
    merchant,
    other,
    keys,
    call,
    post,
    /** What the create of the payment returned. */
    clientSecretOf: (id: unknown) => clientSecrets.of(id as PaymentId),
    create: (body: unknown = order, headers: Record<string, string> = {}, path = '/api/v1/deposits/create') =>
      post(path, body, headers),
    read: (path: string, headers: Record<string, string> = keys.public) => call(path, { headers }),
    advance: (ms: number) => {
      nowMs += ms
    },
    /** What the browser gets where the answer is no JSON. */
    fetch: async (path: string, init: RequestInit = {}) => await app.request(path, init),
    nowMs: () => nowMs,
    async close() {
      await db.close()
      rmSync(folder, { recursive: true })
    },
  }
}
