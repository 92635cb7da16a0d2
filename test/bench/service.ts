import { serve } from '@hono/node-server'
import { createPaymentViewer, openElementFiles } from '@stablecoin-checkout/bff/testing/checkout'
import { systemRuntime as runtime, silentLog } from '@stablecoin-checkout/bff/testing/core'
import { createVault, openDatabase } from '@stablecoin-checkout/bff/testing/db'
import { createGasBalances, createHeads } from '@stablecoin-checkout/bff/testing/network'
import { createMeter } from '@stablecoin-checkout/bff/testing/ops'
import { createLedger } from '@stablecoin-checkout/bff/testing/payment'
import { createApiErrors, createApp, createMerchant, createRates } from '@stablecoin-checkout/bff/testing/service'
import { newWebhookSecret } from '@stablecoin-checkout/bff/testing/webhook'
import { everyNetworkPayable, everyPart, noRateLimits, noSystem } from '@stablecoin-checkout/rig/app-defaults'
import { devnetFacts } from '@stablecoin-checkout/rig/devnet-facts'
import { operator } from './fixtures.ts'

/** The real HTTP side of the service on a real database, in a process of its own: `node service.ts <file or URL> [<the built element>]`. */
const db = await openDatabase(process.argv[2] ?? '')
const networks = new Map([[devnetFacts.shortName, devnetFacts]])
const heads = createHeads()
const viewer = createPaymentViewer(networks, heads)
const ledger = createLedger(db, viewer.merchant)
const vault = createVault(runtime.randomBytes(32), runtime)
const { publicKey, apiKey, apiSecret } = await createMerchant(
  { db, networks, runtime, vault },
  { name: 'Bench', wallets: new Map([[devnetFacts.shortName, operator]]), webhookSecret: newWebhookSecret(runtime) },
)
const readRates = createRates({ kind: 'parity' }, { runtime, log: silentLog })
const app = createApp({
  parts: everyPart,
  limits: noRateLimits,
  readRates,
  db,
  ledger,
  networks,
  health: everyNetworkPayable,
  gasBalances: createGasBalances(),
  heads,
  viewer,
  runtime,
  log: silentLog,
  feeBps: 150,
  operator,
  solanaOwner: null,
  lenientClients: false,
  stablezact: null,
  bridges: null,
  contracts: {
    splitters: everyNetworkPayable,
    chains: new Map(),
    windowMs: 1_800_000,
    waitMs: 1_000,
    waitsMax: 10,
    stopping: new AbortController().signal,
  },
  vault,
  // As in the demo, whose shop is on this machine.
  webhookTargets: 'any',
  system: noSystem,
  isReady: () => ({ isReady: true, reasons: [], codes: [] }),
  observe: createMeter().answered,
  apiErrors: createApiErrors({ db, nowMs: runtime.nowMs, log: silentLog }),
  publicUrl: null,
  walletconnectProjectId: null,
  trustedProxies: [],
  elementFiles: openElementFiles(process.argv[3] ?? ''),
  dashboardFiles: new Map(),
  isSignedBy: async () => false,
  readHoldings: async () => undefined,
  readMaster: async () => undefined,
})
serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) =>
  process.send?.({ port, publicKey, apiKey, apiSecret }),
)
process.on('message', () => process.send?.({ cpuMicroseconds: process.cpuUsage().user + process.cpuUsage().system }))
