import { OpenAPIHono } from '@hono/zod-openapi'
import type { Env } from '../../access/context/env.ts'
import type { OperationsOn } from '../../access/operation/operation-registry.ts'
import { verifyInput } from '../../access/operation/validation.ts'
import type { Networks } from '../../core/families.ts'
import type { Db } from '../../db/db.ts'
import type { FailPayment } from '../fail-payment.ts'
import { lenientMetadata } from '../lenient-metadata.ts'
import type { MerchantRefundViewer } from '../merchant-refund/merchant-refund-view.ts'
import type { MerchantRefunds } from '../merchant-refund/merchant-refunds.ts'
import type { ReadPayment } from '../read/payment-reader.ts'
import type { PaymentViewer } from '../read/payment-view.ts'
import { stablezactRoutes } from './stablezact.routes.ts'
import { adaptClients } from './stablezact-adapter.ts'
import { createDetails } from './stablezact-rules.ts'
import type { StablezactSettings } from './stablezact-setting.ts'

export { createCallbackAdapter } from './stablezact-callback.ts'

/** These clients append `/api` to the address that they are given: `https://pay.example/stablezact`. */
const prefix = '/stablezact/api'

type Deps = {
  db: Db
  settings: StablezactSettings
  networks: Networks
  viewer: PaymentViewer
  read: ReadPayment
  failPayment: FailPayment
  merchantRefunds: MerchantRefunds
  refundViewer: MerchantRefundViewer
  operationsOn: OperationsOn
}

/** Mounts the whole API a second time, for clients of Stablezact. The responses at `/api` stay as they are. */
export function stablezactPart(app: OpenAPIHono<Env>, versioned: OpenAPIHono<Env>, deps: Deps): void {
  const details = createDetails(deps.networks, deps.viewer)
  const clients = new OpenAPIHono<Env>({ defaultHook: verifyInput })
  clients.use(adaptClients({ ...deps, details, prefix }))
  clients.on('POST', '/*', lenientMetadata())
  stablezactRoutes(deps.operationsOn(clients), { ...deps, details })
  clients.route('/', versioned)
  app.route(prefix, clients)
}
