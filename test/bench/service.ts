import { serve } from '@hono/node-server'
import { everyNetworkPayable, everyPart, noRateLimits, noSystem } from '@stablecoin-checkout/rig/app-defaults'
import { devnetFacts } from '@stablecoin-checkout/rig/devnet-facts'
import { createApiErrors } from '../../bff/src/access/api-errors.ts'
import { createApp } from '../../bff/src/app.ts'
import { openElementFiles } from '../../bff/src/checkout/pay-page/element-files.ts'
import { createPaymentViewer } from '../../bff/src/checkout/read/payment-view.ts'
import { silentLog } from '../../bff/src/core/log.ts'
import { systemRuntime as runtime } from '../../bff/src/core/runtime.ts'
import { openDatabase } from '../../bff/src/db/open-database.ts'
import { createVault } from '../../bff/src/db/vault.ts'
import { createMerchant } from '../../bff/src/merchant/accounts.ts'
import { createGasBalances } from '../../bff/src/network/gas-balances.ts'
import { createHeads } from '../../bff/src/network/heads.ts'
import { createMeter } from '../../bff/src/ops/metrics/meter.ts'
import { createLedger } from '../../bff/src/payment/ledger.ts'
import { createRates } from '../../bff/src/rates/rates.ts'
import { newWebhookSecret } from '../../bff/src/webhook/send/sign.ts'
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
  bridges: null,
  contracts: {
    ...{ splitters: everyNetworkPayable, chains: new Map(), windowMs: 1_800_000, waitMs: 1_000, waitsMax: 10 },
    stopping: new AbortController().signal,
  },
  vault,
  // As in the demo, whose shop is on this machine.
  webhookTargets: 'any',
  system: noSystem,
  isReady: () => ({ isReady: true, reasons: [] }),
  observe: createMeter().answered,
  apiErrors: createApiErrors({ db, nowMs: runtime.nowMs, log: silentLog }),
  publicUrl: null,
  walletconnectProjectId: null,
  trustedProxies: [],
  elementFiles: openElementFiles(process.argv[3] ?? ''),
  dashboardFiles: new Map(),
  isSignedBy: async () => false,
})
serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) =>
  process.send?.({ port, publicKey, apiKey, apiSecret }),
)
process.on('message', () => process.send?.({ cpuMicroseconds: process.cpuUsage().user + process.cpuUsage().system }))
