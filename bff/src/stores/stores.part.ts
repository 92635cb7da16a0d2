import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Env } from '../access/context/env.ts'
import type { RateLimits } from '../access/limits/rate-limit.ts'
import type { Operations } from '../access/operation/operation-registry.ts'
import type { LinkPages } from '../checkout/link/links.part.ts'
import type { Links } from '../checkout/link/manage-links.ts'
import type { MerchantRefundViewer } from '../checkout/merchant-refund/merchant-refund-view.ts'
import type { MerchantRefunds } from '../checkout/merchant-refund/merchant-refunds.ts'
import type { ElementFiles } from '../checkout/pay-page/element-files.ts'
import type { Networks } from '../core/families.ts'
import type { Log } from '../core/log.ts'
import type { Runtime } from '../core/runtime.ts'
import type { Dashboard } from '../dashboard/dashboard.part.ts'
import type { DashboardFiles } from '../dashboard/page/page.routes.ts'
import type { Db } from '../db/db.ts'
import type { Vault } from '../db/vault.ts'
import type { Ledger } from '../payment/ledger.ts'
import type { ReadRates } from '../rates/read-rates.ts'
import type { Targets } from '../webhook/send/target.ts'
import { openDoor } from './door.ts'
import { invoiceCalls } from './invoice-calls.ts'
import { createInvoices } from './invoices.ts'
import { newWebhookRoutes } from './new-webhook.routes.ts'
import { pairingRoutes } from './pairing.routes.ts'
import { refundCalls } from './refund-calls.ts'
import { createStoreRefunds } from './refunds.ts'
import { storeCalls } from './store-calls.ts'
import { storePages } from './store-pages.routes.ts'
import { createStoreWebhooks } from './store-webhooks.ts'
import { webhookCalls } from './webhook-calls.ts'

export { createInvoiceWorker } from './invoice-worker.ts'

/** The base path of a BTCPay server: an owner enters its address into a plug-in. */
const storeBase = '/btcpay'

type Deps = {
  db: Db
  ledger: Ledger
  networks: Networks
  runtime: Runtime
  log: Log
  vault: Vault
  limits: RateLimits
  readRates: ReadRates
  webhookTargets: Targets
  elementFiles: ElementFiles
  dashboardFiles: DashboardFiles
  publicUrl: string | null
  dashboard: Dashboard
  links: { links: Links; pages: LinkPages }
  merchantRefunds: MerchantRefunds
  refundViewer: MerchantRefundViewer
}

/** The part for plug-ins of shops, which speak BTCPay's Greenfield API. */
export function openStores(deps: Deps) {
  const { links, dashboard } = deps
  const invoices = createInvoices({ ...deps, links: links.links })
  const door = openDoor(deps)
  storeCalls(door, deps)
  invoiceCalls(door, { ...deps, invoices })
  const webhooks = createStoreWebhooks(deps)
  webhookCalls(door, { ...deps, webhooks })
  refundCalls(door, { refunds: createStoreRefunds({ ...deps, invoices }) })
  door.refuseOthers()
  return {
    /** Every call, with its permission. */
    calls: door.calls,
    pairing(api: Operations): void {
      pairingRoutes(api, dashboard)
      newWebhookRoutes(api, { ...dashboard, webhooks })
    },
    /** Must come before the dashboard's pages, whose paths include one of these. */
    routes(app: OpenAPIHono<Env>): void {
      app.route(`${storeBase}/api/v1`, door.app)
      storePages(app, storeBase, { ...deps, invoices, links: links.pages, pageOf: dashboard.pageOf })
    },
  }
}
