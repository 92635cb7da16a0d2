import { OpenAPIHono } from '@hono/zod-openapi'
import { agentPolicyRoutes } from './agent/policy.routes.ts'
import type { Heads } from './chain/adapter.ts'
import { paymentHealthRoute } from './chain/health.routes.ts'
import { networkRoutes } from './chain/network.routes.ts'
import type { NetworkHealth } from './chain/network-health.ts'
import type { Networks } from './chain/networks.ts'
import type { ElementFiles } from './checkout-page/element-files.ts'
import { payPageRoute } from './checkout-page/page.routes.ts'
import { elementScriptRoutes } from './checkout-page/script.routes.ts'
import { createContractCalls } from './contract-payment/contract-call.ts'
import { type ContractSettings, contractPaymentRoutes } from './contract-payment/routes.ts'
import type { Bridges } from './cross-chain/bridges.ts'
import { createCrossChainPayments } from './cross-chain/create.ts'
import { crossChainRoutes } from './cross-chain/routes.ts'
import { crossChainSourcesRoute } from './cross-chain/sources.routes.ts'
import type { Db } from './db/db.ts'
import { depositChainsRoute } from './deposit/chains.routes.ts'
import { createDepositRoute } from './deposit/create.routes.ts'
import { createDeposits } from './deposit/create.ts'
import { createDepositDrafts } from './deposit/draft.ts'
import { refundRequestRoute } from './deposit/refund.routes.ts'
import { createRefundRequests } from './deposit/refund-request.ts'
import { depositStatusRoute } from './deposit/status.routes.ts'
import { ValidationError } from './errors.ts'
import { callerOrClientSecret, callerOrLenient, createAuthenticator, requireCaller } from './http/authenticate.ts'
import { limitBody } from './http/body-limit.ts'
import { createClientDigest } from './http/client-address.ts'
import { commonHeaders } from './http/common-headers.ts'
import type { Env } from './http/env.ts'
import { errorHandler, notFoundHandler } from './http/error-body.ts'
import { healthRoutes } from './http/health.routes.ts'
import { lenientMetadata } from './http/lenient-metadata.ts'
import { logoRoutes } from './http/logo.routes.ts'
import { type ObserveRequest, observeRequests } from './http/observe.ts'
import { openApiRoutes } from './http/openapi.routes.ts'
import { publicOrigin } from './http/public-origin.ts'
import type { RateLimits } from './http/rate-limit.ts'
import type { Log } from './log.ts'
import { reportRoutes } from './merchant/report.routes.ts'
import { createReports } from './merchant/report.ts'
import type { Vault } from './merchant/vault.ts'
import type { ReadReadiness } from './metrics/readiness.ts'
import { acceptLateRoute } from './payment/accept-late.routes.ts'
import { createLateAcceptance } from './payment/accept-late.ts'
import type { Ledger } from './payment/apply.ts'
import { createClientSecrets } from './payment/client-secret.ts'
import { createPaymentMaker, type VerifyCallbackUrl } from './payment/create.ts'
import { paymentEventsRoute } from './payment/events.routes.ts'
import { failPaymentRoute } from './payment/fail.routes.ts'
import { createPaymentFailure } from './payment/fail.ts'
import { createPublicAnswers } from './payment/public-answer.ts'
import { readPaymentRoutes } from './payment/read.routes.ts'
import { createPaymentReader } from './payment/read.ts'
import { paymentRecordRoutes } from './payment/record.routes.ts'
import type { PaymentViewer } from './payment/view.ts'
import { ratesRoutes } from './rates/rates.routes.ts'
import type { ReadRates } from './rates/rates.ts'
import type { Runtime } from './runtime.ts'
import { sandboxRoutes } from './sandbox/routes.ts'
import type { GasTanks } from './settlement/gas-tanks.ts'
import { webhookRoutes } from './webhook/routes.ts'
import { type Targets, verifyTarget } from './webhook/target.ts'

export type AppDeps = {
  db: Db
  ledger: Ledger
  networks: Networks
  health: NetworkHealth
  gasTanks: GasTanks
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
  vault: Vault
  webhookTargets: Targets
  isReady: ReadReadiness
  /** Where customers reach the service; null: the address of each request is taken for it. */
  publicUrl: string | null
  trustedProxies: readonly string[]
  observe: ObserveRequest
  elementFiles: ElementFiles
}

/** The HTTP side: one set of routes, answered under `/api/v1` and under `/api`. */
export function createApp(deps: AppDeps): OpenAPIHono<Env> {
  const app = new OpenAPIHono<Env>()
  app.onError(errorHandler(deps.log))
  app.notFound(notFoundHandler)
  app.use(commonHeaders(deps.runtime))
  app.use(observeRequests(deps.observe))
  app.use(publicOrigin(deps.publicUrl, deps.trustedProxies))
  app.use(limitBody())
  app.use(deps.limits.anybody)
  healthRoutes(app, deps.isReady)

  const read = createPaymentReader(deps.db)
  const required = requireCaller(
    createAuthenticator(deps.db, deps.runtime),
    deps.limits,
    createClientDigest(deps.vault),
  )
  const clientSecrets = createClientSecrets(deps.vault)
  const verifyCallbackUrl: VerifyCallbackUrl = (url) => verifyTarget('callbackUrl', url, deps.webhookTargets)
  const maker = createPaymentMaker({ ...deps, clientSecrets, verifyCallbackUrl })
  const draftDeposit = createDepositDrafts({ ...deps, maker })
  const contractCall = createContractCalls(deps.networks)
  const routeDeps = {
    ...deps,
    ...deps.contracts,
    read,
    maker,
    clientSecrets,
    verifyCallbackUrl,
    contractCall,
    publicAnswer: createPublicAnswers({ ...deps, contractCall }),
    createDeposit: createDeposits({ ...deps, draftDeposit, maker }),
    createCrossChain: createCrossChainPayments({ ...deps, draftDeposit, maker, verifyCallbackUrl }),
    requireCaller: required,
    callerOrLenient: callerOrLenient(required, deps.lenientClients),
    callerOrClientSecret: callerOrClientSecret(required),
  }
  const api = new OpenAPIHono<Env>({
    defaultHook: (result) => {
      if (!result.success) throw new ValidationError(sentence(result.error.issues[0]))
    },
  })
  if (deps.lenientClients) api.use(lenientMetadata())
  createDepositRoute(api, routeDeps)
  depositStatusRoute(api, routeDeps)
  agentPolicyRoutes(api, routeDeps)
  ratesRoutes(api, routeDeps)
  refundRequestRoute(api, { ...routeDeps, requestRefund: createRefundRequests(deps) })
  networkRoutes(api, routeDeps)
  depositChainsRoute(api, routeDeps)
  crossChainSourcesRoute(api, routeDeps)
  paymentHealthRoute(api, routeDeps)
  contractPaymentRoutes(api, routeDeps)
  crossChainRoutes(api, routeDeps)
  failPaymentRoute(api, { ...routeDeps, failPayment: createPaymentFailure(deps) })
  acceptLateRoute(api, { ...routeDeps, acceptLate: createLateAcceptance(deps) })
  reportRoutes(api, { ...routeDeps, reports: createReports(deps.db) })
  sandboxRoutes(api, routeDeps)
  webhookRoutes(api, routeDeps)
  readPaymentRoutes(api, routeDeps)
  paymentEventsRoute(api, routeDeps)
  // Last: its path takes whatever stands behind /payments/.
  paymentRecordRoutes(api, routeDeps)
  openApiRoutes(app, api)
  elementScriptRoutes(app, deps.elementFiles)
  logoRoutes(app)
  payPageRoute(app, routeDeps)
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
