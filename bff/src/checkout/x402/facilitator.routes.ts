import { z } from '@hono/zod-openapi'
import { defineOperation } from '../../access/context/operation.ts'
import { errorResponses, jsonBody, jsonContent } from '../../access/operation/common-schemas.ts'
import type { Operations } from '../../access/operation/operation-registry.ts'
import type { Facilitator } from './facilitator.ts'
import { proofSchema, requirementsSchema, settlementSchema, x402Version } from './x402-wire.ts'

const asked = z
  .object({
    x402Version: z.literal(x402Version, 'x402Version must be 2'),
    paymentPayload: proofSchema,
    paymentRequirements: requirementsSchema,
  })
  .openapi('X402Request')

const supportedRoute = defineOperation({
  method: 'get',
  path: '/x402/supported',
  access: 'secret',
  secretFor: 'The facilitator is',
  role: 'none',
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

const verifyRoute = defineOperation({
  method: 'post',
  path: '/x402/verify',
  access: 'secret',
  secretFor: 'The facilitator is',
  role: 'none',
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

const settleRoute = defineOperation({
  method: 'post',
  path: '/x402/settle',
  access: 'secret',
  secretFor: 'The facilitator is',
  role: 'none',
  operationId: 'settleX402Payment',
  tags: ['x402'],
  summary: 'Settle an x402 proof for another server of yours',
  description:
    '`payTo` must be the deposit address of a payment of yours. `success` is true when the payment is paid, and once: a repeat is `duplicate_settlement`. `settlement_pending` asks you to call again with the same proof.',
  request: { body: jsonBody(asked) },
  responses: { 200: jsonContent('read `success`', settlementSchema), ...errorResponses },
})

type Deps = { facilitator: Facilitator; waitMs: number }

export function facilitatorRoutes(api: Operations, { facilitator, waitMs }: Deps) {
  api.serve(supportedRoute, (c) => c.json(facilitator.supported(), 200))

  api.serve(verifyRoute, async (c) => c.json(await facilitator.verify(c.get('caller'), c.req.valid('json')), 200))

  api.serve(settleRoute, async (c) =>
    c.json(await facilitator.settle(c.get('caller'), c.req.valid('json'), waitMs, c.req.raw.signal), 200),
  )
}
