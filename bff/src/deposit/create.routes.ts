import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi'
import type { MiddlewareHandler } from 'hono'
import { type Env, setHeader } from '../http/env.ts'
import { idempotencyKey } from '../http/idempotency.ts'
import { paymentQr } from '../http/qr.ts'
import * as schemas from '../http/schemas.ts'
import type { CreatedPayment } from '../payment/create.ts'
import type { Runtime } from '../runtime.ts'
import type { createDeposits } from './create.ts'

const CreateDeposit = z
  .object({
    amount: schemas.amount,
    currency: z.enum(['USDT', 'USDC'], 'currency must be USDT or USDC'),
    network: schemas.networkName,
    customerEmail: schemas.customerEmail.optional(),
    callbackUrl: schemas.callbackUrl.optional(),
    orderId: schemas.orderId.optional(),
    metadata: schemas.metadata.optional(),
    expiresIn: z.unknown().optional().openapi({ type: 'integer', description: 'Ignored: the window is 900 seconds.' }),
    agentId: schemas.agentId.optional(),
    agentOwner: schemas.agentOwner.optional(),
    autonomous: z.boolean('autonomous must be true or false').optional(),
    existingPaymentId: schemas.existingPaymentId,
  })
  .openapi('CreateDeposit')

const route = createRoute({
  method: 'post',
  path: '/deposits/create',
  summary: 'Create a deposit-address payment',
  request: {
    query: schemas.includeQuery,
    body: { required: true, content: { 'application/json': { schema: CreateDeposit } } },
  },
  responses: {
    200: { description: 'created, or repeated', content: { 'application/json': { schema: schemas.createdAnswer } } },
    ...schemas.errorResponses,
  },
})

type Deps = {
  createDeposit: ReturnType<typeof createDeposits>
  runtime: Runtime
  requireCaller: MiddlewareHandler<Env>
}

export function createDepositRoute(app: OpenAPIHono<Env>, { createDeposit, runtime, requireCaller }: Deps) {
  app.openapi({ ...route, middleware: [requireCaller] as const }, async (c) => {
    const body = c.req.valid('json')
    const key = idempotencyKey(c.req.header('idempotency-key'), body.orderId)
    const created = await createDeposit(c.get('caller'), c.get('requestId'), body, key)
    c.set('paymentId', created.id)
    if (created.isReplay) setHeader(c, 'Idempotent-Replayed', 'true')
    const text = withExtras(created, runtime.nowMs(), c.req.valid('query').include === 'qr')
    return c.body(text, 200, { 'Content-Type': 'application/json' }) as never
  })
}

/**
 * What is added to the stored answer each time it is given: the time, and the QR codes when they were asked for.
 * The text is extended, not parsed and made again, because it ends with the payment's brace and its own.
 */
function withExtras({ json }: CreatedPayment, nowMs: number, includeQr: boolean): string {
  const serverTime = JSON.stringify(new Date(nowMs).toISOString())
  if (!includeQr) return `${json.slice(0, -1)},"serverTime":${serverTime}}`
  const { payment } = JSON.parse(json) as { payment: { depositAddress: string; paymentUri: string | null } }
  return `${json.slice(0, -2)},"qr":${JSON.stringify(paymentQr(payment))}},"serverTime":${serverTime}}`
}
