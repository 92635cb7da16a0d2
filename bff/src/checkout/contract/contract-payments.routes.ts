import type { RateLimits } from '../../access/limits/rate-limit.ts'
import type { Operations } from '../../access/operation/operation-registry.ts'
import type { WalletPayments } from '../../chain/connector.ts'
import type { Networks } from '../../core/families.ts'
import type { Log } from '../../core/log.ts'
import type { Runtime } from '../../core/runtime.ts'
import type { Db } from '../../db/db.ts'
import type { NetworkHealth } from '../../network/network-health.ts'
import type { Ledger } from '../../payment/ledger.ts'
import type { PaymentMaker } from '../payment-maker.ts'
import type { ReadPayment } from '../read/payment-reader.ts'
import type { PaymentViewer } from '../read/payment-view.ts'
import { contractInfoRoute } from './contract-info.routes.ts'
import { createContractPaymentRoute } from './create-contract-payment.routes.ts'
import type { CreateContractPayment } from './create-contract-payment.ts'
import { processPaymentRoute } from './process-payment.routes.ts'
import { createProcessor } from './process-payment.ts'

/** Dependencies of contract payments only. */
export type ContractSettings = {
  /** Whether a network's wallet payment contract is ours. */
  splitters: NetworkHealth
  /** By the network's short name. */
  chains: ReadonlyMap<string, WalletPayments>
  windowMs: number
  /** How long /payments/process waits, the maximum of concurrent waits, and the signal that ends all waits. */
  waitMs: number
  waitsMax: number
  stopping: AbortSignal
}

type Deps = ContractSettings & {
  db: Db
  ledger: Ledger
  networks: Networks
  health: NetworkHealth
  viewer: PaymentViewer
  runtime: Runtime
  log: Log
  feeBps: number
  lenientClients: boolean
  limits: RateLimits
  maker: PaymentMaker
  read: ReadPayment
  createContractPayment: CreateContractPayment
  clientDigest: (address: string) => string
}

export function contractPaymentRoutes(api: Operations, deps: Deps) {
  contractInfoRoute(api, deps)
  createContractPaymentRoute(api, deps)
  processPaymentRoute(api, { ...deps, processor: createProcessor(deps) })
}
