import type { Operations } from '../../access/operation/operation-registry.ts'
import type { Networks } from '../../core/families.ts'
import type { Runtime } from '../../core/runtime.ts'
import type { Db } from '../../db/db.ts'
import type { Ledger } from '../../payment/ledger.ts'
import type { CreateContractPayment } from '../contract/create-contract-payment.ts'
import type { createDeposits } from '../deposit/create-deposit.ts'
import type { VerifyCallbackUrl } from '../payment-maker.ts'
import type { PaymentViewer } from '../read/payment-view.ts'
import { createSandboxPaymentRoute } from './create-sandbox.routes.ts'
import { createSandboxPayments } from './create-sandbox.ts'
import { simulateRoute } from './simulate.routes.ts'
import { createSimulator } from './simulate.ts'

type Deps = {
  db: Db
  ledger: Ledger
  networks: Networks
  viewer: PaymentViewer
  runtime: Runtime
  feeBps: number
  operator: string | null
  verifyCallbackUrl: VerifyCallbackUrl
  createContractPayment: CreateContractPayment
  createDeposit: ReturnType<typeof createDeposits>
}

/** Test payments: any key of a merchant creates them, and simulated actions replace the chain. */
export function sandboxRoutes(api: Operations, deps: Deps) {
  createSandboxPaymentRoute(api, { createSandboxPayment: createSandboxPayments(deps) })
  simulateRoute(api, { simulate: createSimulator(deps), viewer: deps.viewer })
}
