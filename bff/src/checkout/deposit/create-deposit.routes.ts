import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi'
import type { MiddlewareHandler } from 'hono'
import type { Runtime } from '../../core/runtime.ts'
import { type Env, requestInfo, setHeader } from '../../http/env.ts'
import * as schemas from '../../http/schemas.ts'
import { formatCreatedAnswer } from '../create-response.ts'
import { idempotencyKey } from '../idempotency-store.ts'
import type { createDeposits } from './create-deposit.ts'

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
    const created = await createDeposit(c.get('caller'), requestInfo(c), body, key)
    c.set('paymentId', created.id)
    if (created.isReplay) setHeader(c, 'Idempotent-Replayed', 'true')
    const includeQr = c.req.valid('query').include === 'qr'
    const text = formatCreatedAnswer(created, { nowMs: runtime.nowMs(), includeQr })
    return c.body(text, 200, { 'Content-Type': 'application/json' }) as never
  })
}
