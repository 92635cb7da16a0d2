import { serve } from '@hono/node-server'
import { createApp } from '../../bff/src/app.ts'
import { createHeads } from '../../bff/src/chain/chain-adapter.ts'
import { openElementFiles } from '../../bff/src/checkout/pay-page/element-files.ts'
import { createPaymentViewer } from '../../bff/src/checkout/read/payment-view.ts'
import { systemRuntime as runtime } from '../../bff/src/core/runtime.ts'
import { openDb } from '../../bff/src/db/sqlite/open-database.ts'
import { noRateLimits } from '../../bff/src/http/rate-limit.ts'
import { createMerchant } from '../../bff/src/merchant/create-merchant.ts'
import { createVault } from '../../bff/src/merchant/vault.ts'
import { everyNetworkPayable } from '../../bff/src/network/network-health.ts'
import { createMeter } from '../../bff/src/ops/metrics/meter.ts'
import { createLedger } from '../../bff/src/payment/ledger.ts'
import { createGasBalances } from '../../bff/src/payout/gas-balances.ts'
import { createRates } from '../../bff/src/rates/rates.ts'
import { newWebhookSecret } from '../../bff/src/webhook/outbox/sign.ts'
import { benchNetwork, operator, silentLog } from './fixtures.ts'

/** The real HTTP side of the service on a real file, in a process of its own: `node service.ts <database> [<the built element>]`. */
const db = openDb(process.argv[2] ?? '')
const networks = new Map([[benchNetwork.shortName, benchNetwork]])
const heads = createHeads()
const viewer = createPaymentViewer(networks, heads)
const ledger = createLedger(db, viewer.merchant)
const vault = createVault(runtime.randomBytes(32), runtime)
const { publicKey } = await createMerchant(
  { db, networks, runtime, vault },
  { name: 'Bench', wallets: new Map([[benchNetwork.shortName, operator]]), webhookSecret: newWebhookSecret(runtime) },
)
const readRates = createRates({ kind: 'parity' }, { runtime, log: silentLog })
const app = createApp({
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
  webhookTargets: { ports: [443] },
  isReady: () => ({ isReady: true, reasons: [] }),
  observe: createMeter().answered,
  publicUrl: null,
  trustedProxies: [],
  elementFiles: openElementFiles(process.argv[3] ?? ''),
})
serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) => process.send?.({ port, publicKey }))
process.on('message', () => process.send?.({ cpuMicroseconds: process.cpuUsage().user + process.cpuUsage().system }))
