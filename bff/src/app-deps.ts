import type { ApiErrors } from './access/http/api-errors.ts'
import type { ObserveRequest } from './access/http/observe.ts'
import type { RateLimits } from './access/limits/rate-limit.ts'
import type { ContractSettings } from './checkout/contract/contract-payments.routes.ts'
import type { Bridges } from './checkout/cross-chain/relay.part.ts'
import type { ElementFiles } from './checkout/pay-page/element-files.ts'
import type { PaymentViewer } from './checkout/read/payment-view.ts'
import type { StablezactSettings } from './checkout/stablezact/stablezact-setting.ts'
import type { Networks } from './core/families.ts'
import type { Log } from './core/log.ts'
import type { Runtime } from './core/runtime.ts'
import type { ReadHoldings } from './dashboard/account/addresses.routes.ts'
import type { IsSignedBy } from './dashboard/account/wallets.routes.ts'
import type { DashboardFiles } from './dashboard/page/page.routes.ts'
import type { Db } from './db/db.ts'
import type { Vault } from './db/vault.ts'
import type { ReadMaster } from './merchant/wallet-registration.ts'
import type { GasBalances } from './network/gas-balances.ts'
import type { Heads } from './network/heads.ts'
import type { NetworkHealth } from './network/network-health.ts'
import type { LoadedParts } from './parts.ts'
import type { Ledger } from './payment/ledger.ts'
import type { ReadRates } from './rates/read-rates.ts'
import type { ReadReadiness } from './system/readiness.ts'
import type { System } from './system/system.routes.ts'
import type { Targets } from './webhook/send/target.ts'

/** What the HTTP side is given: nothing of it is made there. */
export type AppDeps = {
  parts: LoadedParts
  db: Db
  ledger: Ledger
  networks: Networks
  health: NetworkHealth
  gasBalances: GasBalances
  heads: Heads
  viewer: PaymentViewer
  runtime: Runtime
  log: Log
  feeBps: number
  operator: string | null
  solanaOwner: ((terms: string) => string) | null
  lenientClients: boolean
  limits: RateLimits
  readRates: ReadRates
  contracts: ContractSettings
  bridges: Bridges | null
  /** Null: no client of Stablezact has an address here. */
  stablezact: StablezactSettings | null
  vault: Vault
  webhookTargets: Targets
  isReady: ReadReadiness
  system: System
  /** Where customers reach the service; null: the address of each request is taken for it. */
  publicUrl: string | null
  /** Null: the page behind payment links offers no WalletConnect. */
  walletconnectProjectId: string | null
  trustedProxies: readonly string[]
  observe: ObserveRequest
  apiErrors: ApiErrors
  elementFiles: ElementFiles
  dashboardFiles: DashboardFiles
  isSignedBy: IsSignedBy
  readHoldings: ReadHoldings
  readMaster: ReadMaster
}
