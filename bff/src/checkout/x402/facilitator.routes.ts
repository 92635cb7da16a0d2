import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi'
import type { MiddlewareHandler } from 'hono'
import { errorResponses, jsonBody, jsonContent } from '../../access/common-schemas.ts'
import type { Env } from '../../access/env.ts'
import { requireSecret } from '../../access/require-secret.ts'
import type { Facilitator } from './facilitator.ts'
import { proofSchema, requirementsSchema, settlementSchema, x402Version } from './x402-wire.ts'

const asked = z
  .object({
    x402Version: z.literal(x402Version, 'x402Version must be 2'),
    paymentPayload: proofSchema,
    paymentRequirements: requirementsSchema,
  })
  .openapi('X402Request')

const supportedRoute = createRoute({
  method: 'get',
  path: '/x402/supported',
  operationId: 'listX402Kinds',
  tags: ['x402'],
  summary: 'What this service settles as an x402 facilitator',
  responses: {
    200: jsonContent(
      'schemes and networks',
      z.object({
        kinds: z.array(
          z.object({
            x402Version: z.literal(x402Version),
            scheme: z.string(),
            network: z.string(),
            extra: z.record(z.string(), z.string()).optional().openapi({
              description: 'On Solana: `feePayer`, which the client signs beside.',
            }),
          }),
        ),
        extensions: z.array(z.string()),
        signers: z.record(z.string(), z.array(z.string())),
      }),
    ),
    ...errorResponses,
  },
})

const verifyRoute = createRoute({
  method: 'post',
  path: '/x402/verify',
  operationId: 'verifyX402Payment',
  tags: ['x402'],
  summary: 'Check an x402 proof without settling it',
  request: { body: jsonBody(asked) },
  responses: {
    200: jsonContent(
      'read `isValid`',
      z.object({
        isValid: z.boolean(),
        invalidReason: z.string().optional(),
        invalidMessage: z.string().optional(),
        payer: z.string().optional(),
      }),
    ),
    ...errorResponses,
  },
})

const settleRoute = createRoute({
  method: 'post',
  path: '/x402/settle',
  operationId: 'settleX402Payment',
  tags: ['x402'],
  summary: 'Settle an x402 proof for another server of yours',
  description:
    '`payTo` must be the deposit address of a payment of yours. `success` is true when the payment is paid, and once: a repeat is `duplicate_settlement`. `settlement_pending` asks you to call again with the same proof.',
  request: { body: jsonBody(asked) },
  responses: { 200: jsonContent('read `success`', settlementSchema), ...errorResponses },
})

type Deps = { facilitator: Facilitator; waitMs: number; requireCaller: MiddlewareHandler<Env> }

export function facilitatorRoutes(app: OpenAPIHono<Env>, { facilitator, waitMs, requireCaller }: Deps) {
  const middleware = requireSecret(requireCaller, 'The facilitator is')

  app.openapi({ ...supportedRoute, middleware }, (c) => c.json(facilitator.supported(), 200))

  app.openapi({ ...verifyRoute, middleware }, async (c) =>
    c.json(await facilitator.verify(c.get('caller'), c.req.valid('json')), 200),
  )

  app.openapi({ ...settleRoute, middleware }, async (c) =>
    c.json(await facilitator.settle(c.get('caller'), c.req.valid('json'), waitMs, c.req.raw.signal), 200),
  )
}
