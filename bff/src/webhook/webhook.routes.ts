import { type OpenAPIHono, z } from '@hono/zod-openapi'
import type { Env } from '../access/context/env.ts'
import { jsonBody } from '../access/operation/common-schemas.ts'
import type { Operations } from '../access/operation/operation-registry.ts'
import type { Runtime } from '../core/runtime.ts'
import type { Db } from '../db/db.ts'
import type { Vault } from '../db/vault.ts'
import type { DescribePayment } from '../payment/store/outbox-store.ts'
import { endpointRoutes } from './endpoints/endpoint.routes.ts'
import { createEndpoints } from './endpoints/endpoint.ts'
import { eventTypes, testEvent } from './event-types.ts'
import { webhookReportRoutes } from './reports/delivery-report.routes.ts'
import { createWebhookReports } from './reports/delivery-report.ts'
import type { AdaptCallback } from './send/post.ts'
import type { Targets } from './send/target.ts'

type Deps = {
  db: Db
  runtime: Runtime
  vault: Vault
  /** The `data` of an event: the payment as its merchant reads it. */
  describe: DescribePayment
  webhookTargets: Targets
  adaptCallback?: AdaptCallback | undefined
}

export function webhookRoutes(api: Operations, deps: Deps) {
  const endpoints = createEndpoints(deps)
  const reports = createWebhookReports(deps)
  endpointRoutes(api, { ...deps, endpoints })
  webhookReportRoutes(api, { ...deps, endpoints, reports })
}

/** The headers of each webhook, as components of the OpenAPI document. */
const signedHeaders = {
  WebhookId: { name: 'webhook-id', description: 'The same for every attempt: drop what you have seen.' },
  WebhookTimestamp: { name: 'webhook-timestamp', description: 'Unix seconds of this attempt.' },
  WebhookSignature: {
    name: 'webhook-signature',
    description: 'Entries `v1,…` separated by spaces; one of them must match.',
  },
}

/** `payment.created` is `onPaymentCreated`, `deposit.sweep_failed` is `onDepositSweepFailed`. */
const operationIdOf = (type: string) =>
  `on${type.replace(/(?:^|[._])([a-z])/g, (_, first: string) => first.toUpperCase())}`

/**
 * Adds the webhooks that this service posts to the OpenAPI document.
 * @param paymentSchema - The schema of `data`: the payment as its merchant reads it.
 * @param refundSchema - The schema of `data.merchantRefund`, in the events of a merchant refund.
 */
export function documentEvents(app: OpenAPIHono<Env>, paymentSchema: z.ZodType, refundSchema: z.ZodType): void {
  const withRefund = paymentSchema.and(z.object({ merchantRefund: refundSchema }))
  const timestamp = '2026-11-21T12:01:16.000Z'
  const shown = Object.entries(eventTypes).map(([type, { description, example }]) => ({
    type,
    description,
    example,
    data: 'merchantRefund' in example ? withRefund : paymentSchema,
  }))
  const test = { ...testEvent, data: z.object({ isTest: z.literal(true), message: z.string() }) as z.ZodType }
  const parameters = Object.entries(signedHeaders).map(
    ([name, header]) =>
      app.openAPIRegistry.registerComponent('parameters', name, {
        ...header,
        in: 'header',
        required: true,
        schema: { type: 'string' },
      }).ref,
  )
  for (const { type, description, example, data } of [...shown, test]) {
    const schema = z
      .object({ type: z.literal(type), timestamp: z.iso.datetime(), data })
      .openapi({ example: { type, timestamp, data: example } })
    app.openAPIRegistry.registerWebhook({
      method: 'post',
      path: type,
      operationId: operationIdOf(type),
      tags: ['webhooks'],
      summary: description,
      parameters,
      request: { body: jsonBody(schema) },
      responses: {
        '2XX': {
          description:
            'The event was received. Any other response, a redirect too, is a failure, and the delivery is retried.',
        },
        410: { description: 'The endpoint is gone for good: it is disabled.' },
      },
    })
  }
}
