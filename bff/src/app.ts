import { OpenAPIHono } from '@hono/zod-openapi'
import { agentPolicyRoutes } from './agent/policy.routes.ts'
import type { Heads } from './chain/chain-adapter.ts'
import { acceptLateRoute } from './checkout/accept-late.routes.ts'
import { createLateAcceptance } from './checkout/accept-late.ts'
import { createClientSecrets } from './checkout/client-secret.ts'
import { type ContractSettings, contractPaymentRoutes } from './checkout/contract/contract-payments.routes.ts'
import type { Bridges } from './checkout/cross-chain/bridges.ts'
import { createCrossChainPayments } from './checkout/cross-chain/create-cross-chain.ts'
import { crossChainRoutes } from './checkout/cross-chain/cross-chain.routes.ts'
import { crossChainSourcesRoute } from './checkout/cross-chain/sources.routes.ts'
import { createDepositRoute } from './checkout/deposit/create-deposit.routes.ts'
import { createDeposits } from './checkout/deposit/create-deposit.ts'
import { depositChainsRoute } from './checkout/deposit/deposit-chains.routes.ts'
import { createDepositDrafts } from './checkout/deposit/deposit-draft.ts'
import { depositStatusRoute } from './checkout/deposit/deposit-status.routes.ts'
import { refundRequestRoute } from './checkout/deposit/refund-request.routes.ts'
import { createRefundRequests } from './checkout/deposit/refund-request.ts'
import { failPaymentRoute } from './checkout/fail-payment.routes.ts'
import { createPaymentFailure } from './checkout/fail-payment.ts'
import { lenientMetadata } from './checkout/lenient-metadata.ts'
import type { ElementFiles } from './checkout/pay-page/element-files.ts'
import { elementScriptRoutes } from './checkout/pay-page/element-script.routes.ts'
import { payPageRoute } from './checkout/pay-page/pay-page.routes.ts'
import { createPaymentMaker, type VerifyCallbackUrl } from './checkout/payment-maker.ts'
import { recordResponse } from './checkout/payment-schemas.ts'
import { paymentEventsRoute } from './checkout/read/event-stream.routes.ts'
import { createPaymentReader } from './checkout/read/payment-reader.ts'
import { paymentRecordRoutes } from './checkout/read/payment-record.routes.ts'
import { readPaymentRoutes } from './checkout/read/payment-status.routes.ts'
import type { PaymentViewer } from './checkout/read/payment-view.ts'
import { createPublicResponses } from './checkout/read/public-response.ts'
import { sandboxRoutes } from './checkout/sandbox/sandbox.routes.ts'
import { ValidationError } from './core/errors.ts'
import type { Networks } from './core/families.ts'
import type { Log } from './core/log.ts'
import type { Runtime } from './core/runtime.ts'
import type { Db } from './db/db.ts'
import { callerOrClientSecret, callerOrLenient, createAuthenticator, requireCaller } from './http/authenticate.ts'
import { limitBody } from './http/body-limit.ts'
import { createClientDigest } from './http/client-address.ts'
import { commonHeaders } from './http/common-headers.ts'
import type { Env } from './http/env.ts'
import { errorHandler, notFoundHandler } from './http/error-body.ts'
import { type ObserveRequest, observeRequests } from './http/observe.ts'
import { openApiRoutes } from './http/openapi.routes.ts'
import { publicOrigin } from './http/public-origin.ts'
import type { RateLimits } from './http/rate-limit.ts'
import { reportRoutes } from './merchant/payment-report.routes.ts'
import { createReports } from './merchant/payment-report.ts'
import type { Vault } from './merchant/vault.ts'
import { logoRoutes } from './network/logo.routes.ts'
import { networkRoutes } from './network/network.routes.ts'
import type { NetworkHealth } from './network/network-health.ts'
import { paymentHealthRoute } from './network/payment-health.routes.ts'
import { healthRoutes } from './ops/metrics/health.routes.ts'
import type { ReadReadiness } from './ops/metrics/readiness.ts'
import type { Ledger } from './payment/ledger.ts'
import type { GasBalances } from './payout/gas-balances.ts'
import { ratesRoutes } from './rates/rates.routes.ts'
import type { ReadRates } from './rates/rates.ts'
import { type Targets, verifyTarget } from './webhook/outbox/target.ts'
import { webhookRoutes } from './webhook/webhook.routes.ts'

export type AppDeps = {
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
  const routeDeps = {
    ...deps,
    ...deps.contracts,
    read,
    maker,
    clientSecrets,
    verifyCallbackUrl,
    publicBody: createPublicResponses(deps),
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
  webhookRoutes(api, { ...routeDeps, describe: deps.viewer.merchant, paymentSchema: recordResponse.shape.payment })
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
