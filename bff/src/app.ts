import { OpenAPIHono } from '@hono/zod-openapi'
import type { Heads } from './chain/adapter.ts'
import type { Networks } from './chain/networks.ts'
import { contractPaymentRoutes } from './contract-payment/routes.ts'
import { crossChainRoutes } from './cross-chain/routes.ts'
import type { Db } from './db/db.ts'
import { createDepositRoute } from './deposit/create.routes.ts'
import { createDeposits } from './deposit/create.ts'
import { refundRequestRoute } from './deposit/refund.routes.ts'
import { depositStatusRoute } from './deposit/status.routes.ts'
import { ValidationError } from './errors.ts'
import { createAuthenticator, requireCaller } from './http/authenticate.ts'
import { limitBody } from './http/body-limit.ts'
import { commonHeaders } from './http/common-headers.ts'
import type { Env } from './http/env.ts'
import { errorHandler, notFoundHandler } from './http/error-body.ts'
import { healthRoutes } from './http/health.routes.ts'
import { openApiRoutes } from './http/openapi.routes.ts'
import type { Log } from './log.ts'
import { reportRoutes } from './merchant/report.routes.ts'
import { createReports } from './merchant/report.ts'
import type { Ledger } from './payment/apply.ts'
import { failPaymentRoute } from './payment/fail.routes.ts'
import { readPaymentRoutes } from './payment/read.routes.ts'
import { createPaymentReader } from './payment/read.ts'
import { paymentRecordRoutes } from './payment/record.routes.ts'
import type { PaymentViewer } from './payment/view.ts'
import type { Runtime } from './runtime.ts'

export type AppDeps = {
  db: Db
  ledger: Ledger
  networks: Networks
  heads: Heads
  viewer: PaymentViewer
  runtime: Runtime
  log: Log
  feeBps: number
  operator: string | null
}

/** The HTTP side: one set of routes, answered under `/api/v1` and under `/api`. */
export function createApp(deps: AppDeps): OpenAPIHono<Env> {
  const app = new OpenAPIHono<Env>()
  app.onError(errorHandler(deps.log))
  app.notFound(notFoundHandler)
  app.use(commonHeaders(deps.runtime))
  app.use(limitBody())
  healthRoutes(app)

  const read = createPaymentReader(deps.db)
  const routeDeps = {
    ...deps,
    read,
    createDeposit: createDeposits(deps),
    requireCaller: requireCaller(createAuthenticator(deps.db, deps.runtime)),
  }
  const api = new OpenAPIHono<Env>({
    defaultHook: (result) => {
      if (!result.success) throw new ValidationError(sentence(result.error.issues[0]))
    },
  })
  createDepositRoute(api, routeDeps)
  depositStatusRoute(api, routeDeps)
  refundRequestRoute(api, routeDeps)
  contractPaymentRoutes(api, routeDeps)
  crossChainRoutes(api, routeDeps)
  failPaymentRoute(api, routeDeps)
  reportRoutes(api, { ...routeDeps, reports: createReports(deps.db) })
  readPaymentRoutes(api, routeDeps)
  // Last: its path takes whatever stands behind /payments/.
  paymentRecordRoutes(api, routeDeps)
  openApiRoutes(app, api)
  app.route('/api/v1', api)
  app.route('/api', api)
  return app
}

/** The field and the rule, whether or not the rule's own text names the field. */
function sentence(issue: { path: PropertyKey[]; message: string } | undefined): string {
  const field = issue?.path.join('.') ?? ''
  const rule = issue?.message ?? 'The request could not be read.'
  return field === '' || rule.includes(String(issue?.path[0])) ? rule : `${field}: ${rule}`
}
