import { OpenAPIHono } from '@hono/zod-openapi'
import { createAuthenticator, createGoodness, noSessions, noTills } from './access/callers/authenticate.ts'
import { createClientSecrets } from './access/callers/client-secret.ts'
import { createGuard } from './access/callers/guard.ts'
import { keyOriginRoutes } from './access/callers/key-origins.routes.ts'
import type { Env } from './access/context/env.ts'
import type { Operation } from './access/context/operation.ts'
import { awaitBody, limitBody } from './access/http/body-limit.ts'
import { createClientDigest, publicOrigin } from './access/http/client-address.ts'
import { commonHeaders } from './access/http/common-headers.ts'
import { errorHandler, notFoundHandler } from './access/http/error-body.ts'
import { dropNullFields } from './access/http/null-fields.ts'
import { observeRequests } from './access/http/observe.ts'
import { createRegistry } from './access/operation/operation-registry.ts'
import { verifyInput } from './access/operation/validation.ts'
import { openApiRoutes } from './access/reference/openapi.routes.ts'
import { createAgentGuard } from './agent/agent-guard.ts'
import { createPolicies } from './agent/policies.ts'
import { agentPolicyRoutes } from './agent/policy.routes.ts'
import { examples } from './api-examples.ts'
import type { AppDeps } from './app-deps.ts'
import { acceptLateRoute } from './checkout/accept-late.routes.ts'
import { createLateAcceptance } from './checkout/accept-late.ts'
import { authorizeRoute } from './checkout/authorization/authorize.routes.ts'
import { createAuthorizations } from './checkout/authorization/authorize.ts'
import { contractPaymentRoutes } from './checkout/contract/contract-payments.routes.ts'
import { createContractPayments } from './checkout/contract/create-contract-payment.ts'
import { createCrossChainPayments } from './checkout/cross-chain/create-cross-chain.ts'
import { crossChainRoutes } from './checkout/cross-chain/cross-chain.routes.ts'
import { crossChainSourcesRoute } from './checkout/cross-chain/sources.routes.ts'
import { customerLinkRoutes } from './checkout/customer-link.routes.ts'
import { createAccountRefusals } from './checkout/deposit/account-refusal.ts'
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
import { merchantRefundRoutes } from './checkout/merchant-refund/merchant-refund.routes.ts'
import { openMerchantRefunds } from './checkout/merchant-refund/merchant-refunds.ts'
import { refundPromptRoutes } from './checkout/merchant-refund/refund-prompt.routes.ts'
import { createRefundPrompts } from './checkout/merchant-refund/refund-prompts.ts'
import { logoRoutes } from './checkout/networks/logo.routes.ts'
import { networkRoutes } from './checkout/networks/network.routes.ts'
import { createListedNetworks } from './checkout/networks/payable-tokens.ts'
import { paymentHealthRoute } from './checkout/networks/payment-health.routes.ts'
import { elementScriptRoutes } from './checkout/pay-page/element-script.routes.ts'
import { merchantLogoRoute } from './checkout/pay-page/merchant-logo.routes.ts'
import { payPageRoute } from './checkout/pay-page/pay-page.routes.ts'
import { receiptPageRoute, receiptRoute } from './checkout/pay-page/receipt/receipt.routes.ts'
import { createPaymentMaker, type VerifyCallbackUrl } from './checkout/payment-maker.ts'
import { paymentEventsRoute } from './checkout/read/event-stream.routes.ts'
import { paymentCountsRoutes } from './checkout/read/payment-counts.routes.ts'
import { createPaymentReader } from './checkout/read/payment-reader.ts'
import { paymentRecordRoutes } from './checkout/read/payment-record.routes.ts'
import { paymentSearchRoutes } from './checkout/read/payment-search.routes.ts'
import { createPaymentSearch } from './checkout/read/payment-search.ts'
import { readPaymentRoutes } from './checkout/read/payment-status.routes.ts'
import { createPublicResponses } from './checkout/read/public-response.ts'
import { createWaits } from './checkout/read/wait-for-payment.ts'
import { refundPageRoute } from './checkout/refund-page/refund-page.routes.ts'
import { createSandboxPayments } from './checkout/sandbox/create-sandbox.ts'
import { sandboxRoutes } from './checkout/sandbox/sandbox.routes.ts'
import { refundOfEvent } from './checkout/wire/merchant-refund-schemas.ts'
import { recordResponse } from './checkout/wire/payment-schemas.ts'
import { ratesRoutes } from './rates/rates.routes.ts'
import { reportRoutes } from './reports/payment-report.routes.ts'
import { createReports } from './reports/payment-report.ts'
import { curesRoutes } from './system/cures.routes.ts'
import { healthRoutes } from './system/health.routes.ts'
import { homeRoutes } from './system/home.routes.ts'
import { systemRoutes } from './system/system.routes.ts'
import { verifyTarget } from './webhook/send/target.ts'
import { documentEvents, webhookRoutes } from './webhook/webhook.routes.ts'

/** The HTTP side: one set of routes, answered under `/api/v1` and under `/api`. */
export const createApp = (deps: AppDeps): OpenAPIHono<Env> => createService(deps).app

/** The same, with what its operations declare. */
export function createService(deps: AppDeps): { app: OpenAPIHono<Env>; operations: readonly Operation[] } {
  const app = new OpenAPIHono<Env>()
  app.onError(errorHandler(deps.log))
  app.notFound(notFoundHandler)
  app.use(commonHeaders(deps.runtime))
  app.use(observeRequests(deps.observe, deps.apiErrors))
  app.use(publicOrigin(deps.publicUrl, deps.trustedProxies))
  app.use(limitBody())
  app.use(deps.limits.anybody)
  app.on(['POST', 'PUT', 'PATCH', 'DELETE'], '/*', awaitBody())

  const { parts } = deps
  const read = createPaymentReader(deps.db)
  const dashboard = parts.dashboard?.openDashboard(deps)
  const callers = dashboard?.sessions.callers ?? noSessions
  const authenticator = createAuthenticator(deps.db, deps.runtime)
  const tills = dashboard?.tills.callers ?? noTills
  const guardOf = createGuard({ ...deps, authenticator, sessions: callers, tills })
  const operations = createRegistry((operation) =>
    deps.lenientClients && operation.rate === 'creates'
      ? [lenientMetadata(), ...guardOf(operation)]
      : guardOf(operation),
  )
  const clientSecrets = createClientSecrets(deps.vault)
  const verifyCallbackUrl: VerifyCallbackUrl = (url) => verifyTarget('callbackUrl', url, deps.webhookTargets)
  const clientDigest = createClientDigest(deps.vault)
  const agents = createAgentGuard(deps)
  const maker = createPaymentMaker({ ...deps, agents, clientSecrets, clientDigest, verifyCallbackUrl })
  const { draftDeposit, placeDeposit } = createDepositDrafts({ ...deps, maker })
  const refunds = openMerchantRefunds({ ...deps, clientSecrets })
  const routeDeps = {
    ...deps,
    ...deps.contracts,
    read,
    maker,
    agents,
    clientSecrets,
    policies: createPolicies(deps),
    verifyCallbackUrl,
    clientDigest,
    ...refunds,
    refundPrompts: createRefundPrompts({ ...deps, ...deps.contracts }),
    authorizations: createAuthorizations({ ...deps, ...deps.contracts }),
    publicBody: createPublicResponses({ ...deps, refundsOf: refunds.refundsOf }),
    createDeposit: createDeposits({
      ...deps,
      accountRefusal: createAccountRefusals({ ...deps, ...deps.contracts }),
      draftDeposit,
      placeDeposit,
      maker,
    }),
    createContractPayment: createContractPayments({ ...deps, ...deps.contracts, maker }),
    createCrossChain: createCrossChainPayments({ ...deps, draftDeposit, maker, verifyCallbackUrl }),
    isStillGood: createGoodness(authenticator, callers),
  }
  const listedNetworks = createListedNetworks(deps.networks, deps.health)
  const waitForPayment = createWaits({ db: deps.db, stopping: deps.contracts.stopping })
  const versioned = new OpenAPIHono<Env>({ defaultHook: verifyInput })
  versioned.on('POST', '/*', dropNullFields())
  const api = operations.on(versioned)
  if (dashboard)
    parts.dashboard?.dashboardRoutes(api, { ...dashboard, operations: operations.all, readRates: deps.readRates })
  createDepositRoute(api, routeDeps)
  depositStatusRoute(api, routeDeps)
  agentPolicyRoutes(api, routeDeps)
  ratesRoutes(api, routeDeps)
  const requestRefund = createRefundRequests(deps)
  refundRequestRoute(api, { ...routeDeps, requestRefund })
  networkRoutes(api, { ...routeDeps, listedNetworks })
  const links = parts.links?.openLinks({ ...routeDeps, payableTokens: listedNetworks.payableTokens })
  links?.routes(api)
  const failPayment = createPaymentFailure(deps)
  if (dashboard && links) {
    const selling = { ...routeDeps, links: links.links, failPayment, payableTokens: listedNetworks.payableTokens }
    parts.dashboard?.sellingRoutes(api, dashboard, selling)
  }
  const stores = dashboard && links && parts.stores?.openStores({ ...routeDeps, dashboard, links })
  stores?.pairing(api)
  depositChainsRoute(api, routeDeps)
  crossChainSourcesRoute(api, routeDeps)
  paymentHealthRoute(api, routeDeps)
  contractPaymentRoutes(api, routeDeps)
  parts.solana?.solanaPayRoutes(api, routeDeps)
  authorizeRoute(api, routeDeps)
  crossChainRoutes(api, routeDeps)
  merchantRefundRoutes(api, routeDeps)
  refundPromptRoutes(api, routeDeps)
  failPaymentRoute(api, { ...routeDeps, failPayment })
  acceptLateRoute(api, { ...routeDeps, acceptLate: createLateAcceptance(deps) })
  keyOriginRoutes(api, routeDeps)
  reportRoutes(api, { ...routeDeps, reports: createReports(deps.db, deps.networks) })
  systemRoutes(api, routeDeps)
  curesRoutes(api, routeDeps)
  parts.reports?.merchantReportRoutes(api, routeDeps)
  sandboxRoutes(api, routeDeps)
  const { stablezact: clients } = deps
  const adaptCallback = clients === null ? undefined : parts.stablezact?.createCallbackAdapter(deps.networks)
  webhookRoutes(api, { ...routeDeps, describe: deps.viewer.merchant, adaptCallback })
  documentEvents(versioned, recordResponse.shape.payment, refundOfEvent)
  if (parts.mail) {
    parts.mail.receiptMailRoute(api, { ...routeDeps, requestReceiptMail: parts.mail.createReceiptMails(deps) })
  }
  if (dashboard) {
    customerLinkRoutes(api, routeDeps)
    parts.notices?.noticeRoutes(app, api, { ...deps, pageOf: dashboard.pageOf, hasMail: parts.mail !== null })
  }
  readPaymentRoutes(api, routeDeps)
  receiptRoute(api, { ...routeDeps, links: links?.pages ?? null })
  paymentEventsRoute(api, routeDeps)
  const paymentSearch = createPaymentSearch(deps)
  paymentCountsRoutes(api, { paymentSearch })
  paymentSearchRoutes(api, { ...routeDeps, paymentSearch })
  // Last: its path takes whatever stands behind /payments/.
  paymentRecordRoutes(api, routeDeps)
  const x402 = parts.x402?.openX402({ ...routeDeps, waitForPayment })
  if (x402) {
    // Beside the API's paths also at the root, where it is short enough for a header or a link.
    const x402App = new OpenAPIHono<Env>({ defaultHook: verifyInput })
    x402.routes(operations.on(x402App))
    versioned.route('/', x402App)
    app.route('/', x402App)
  }
  const unversioned = new OpenAPIHono<Env>()
  healthRoutes(operations.on(unversioned, versioned.openAPIRegistry), deps.isReady, deps.system.instance)
  openApiRoutes(app, {
    api: versioned,
    operations: operations.all,
    examples,
    limits: deps.limits,
  })
  homeRoutes(app, { hasDashboard: dashboard !== undefined, limits: deps.limits })
  elementScriptRoutes(app, deps.elementFiles)
  logoRoutes(app)
  merchantLogoRoute(app, deps)
  stores?.routes(app)
  if (dashboard) parts.dashboard?.dashboardPageRoutes(app, { ...dashboard, files: deps.dashboardFiles })
  const hasMail = parts.mail !== null
  receiptPageRoute(app, { ...routeDeps, links: links?.pages ?? null, hasMail })
  payPageRoute(app, { ...routeDeps, links: links?.pages ?? null, x402: x402?.pay ?? null, hasMail })
  refundPageRoute(app, routeDeps)
  const createSandbox = createSandboxPayments(routeDeps)
  if (links && parts.tools) {
    const toolDeps = { ...routeDeps, createSandbox, links: links.links, requestRefund, waitForPayment }
    parts.tools.toolRoutes(app, operations.on(app), toolDeps)
  }
  operations.verifyDeclared(versioned)
  app.route('/api/v1', versioned)
  app.route('/api', versioned)
  app.route('/api', unversioned)
  if (clients !== null) {
    const stablezactDeps = { ...routeDeps, settings: clients, failPayment, operationsOn: operations.on }
    parts.stablezact?.stablezactPart(app, versioned, stablezactDeps)
  }
  return { app, operations: operations.all }
}
