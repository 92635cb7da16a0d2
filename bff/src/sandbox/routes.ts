import type { OpenAPIHono } from '@hono/zod-openapi'
import type { MiddlewareHandler } from 'hono'
import type { Networks } from '../chain/networks.ts'
import type { Db } from '../db/db.ts'
import type { createDeposits } from '../deposit/create.ts'
import type { Env } from '../http/env.ts'
import type { Ledger } from '../payment/apply.ts'
import type { VerifyCallbackUrl } from '../payment/create.ts'
import type { PaymentViewer } from '../payment/view.ts'
import type { Runtime } from '../runtime.ts'
import { createSandboxPaymentRoute } from './create.routes.ts'
import { createSandboxPayments } from './create.ts'
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
  createDeposit: ReturnType<typeof createDeposits>
  requireCaller: MiddlewareHandler<Env>
}

/** Test payments: made with any key of a merchant, moved by their maker, paid by nobody. */
export function sandboxRoutes(app: OpenAPIHono<Env>, deps: Deps) {
  const { viewer, requireCaller } = deps
  createSandboxPaymentRoute(app, { createSandboxPayment: createSandboxPayments(deps), requireCaller })
  simulateRoute(app, { simulate: createSimulator(deps), viewer, requireCaller })
}
