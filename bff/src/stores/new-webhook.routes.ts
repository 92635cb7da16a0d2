import { z } from '@hono/zod-openapi'
import { defineOperation } from '../access/context/operation.ts'
import { errorResponses, jsonBody, jsonContent } from '../access/operation/common-schemas.ts'
import type { Operations } from '../access/operation/operation-registry.ts'
import { PaymentError, ValidationError } from '../core/errors.ts'
import type { Audit } from '../dashboard/audit/audit.ts'
import { tags } from '../dashboard/sign-in/webauthn-schemas.ts'
import type { Db } from '../db/db.ts'
import type { MerchantId } from '../payment/payment.ts'
import { storeKeyParam } from './pairing.routes.ts'
import { Refusal } from './refusal.ts'
import { loadStoreKey, type StoreKey } from './store-key-store.ts'
import type { StoreWebhooks } from './store-webhooks.ts'

const route = defineOperation({
  method: 'post',
  path: '/dashboard/stores/{storeKeyId}/webhooks',
  access: 'session',
  role: 'owner',
  passkey: 'always',
  operationId: 'createStoreWebhook',
  tags,
  summary: 'Register a webhook for a paired shop whose plug-in registers none; the response shows its secret once',
  request: {
    params: storeKeyParam,
    body: jsonBody(
      z.object({
        url: z.string('url is required').max(2_048, 'url must be at most 2048 characters').openapi({
          description: "An address at the shop's origin.",
          example: 'https://forum.example/payment_callback',
        }),
      }),
    ),
  },
  responses: {
    200: jsonContent(
      'registered for every event of invoices',
      z.object({
        success: z.literal(true),
        webhook: z.object({ id: z.string(), url: z.string() }),
        secret: z.string().openapi({ example: 'BNhHp7dUoA33jeeqtP1mabdS7mA' }),
      }),
    ),
    ...errorResponses,
  },
})

type Deps = { db: Db; audit: Audit; webhooks: StoreWebhooks }

/** Lets an owner register a webhook in the dashboard, for a plug-in that asks only for a secret. */
export function newWebhookRoutes(api: Operations, { db, audit, webhooks }: Deps) {
  async function activeKey(merchantId: MerchantId, id: string): Promise<StoreKey> {
    const key = await db.read((tx) => loadStoreKey(tx, merchantId, id))
    if (key?.revokedAtMs === null) return key
    throw new PaymentError('NOT_FOUND', `There is no paired store ${id.slice(0, 60)}.`)
  }

  api.serve(route, async (c) => {
    const caller = c.get('caller')
    const { url } = c.req.valid('json')
    const key = await activeKey(caller.merchantId, c.req.valid('param').storeKeyId)
    verifyOrigin(url, key.shopOrigin)
    const terms = { url, secret: null, enabled: true, retries: true, types: null }
    try {
      const { endpoint, secret } = await webhooks.create(key, terms, async (tx, { id }) => {
        await audit(tx, caller, { action: 'webhookEndpoint.created', subject: id, after: JSON.stringify({ url }) })
      })
      return c.json({ success: true as const, webhook: { id: endpoint.id, url }, secret }, 200)
    } catch (error) {
      throw error instanceof Refusal ? new ValidationError(error.message) : error
    }
  })
}

/** The webhook must be at the shop that was paired, because all its payments are reported there. Null: the shop's origin is unknown. */
function verifyOrigin(url: string, shopOrigin: string | null): void {
  if (shopOrigin === null || (URL.canParse(url) && new URL(url).origin === shopOrigin)) return
  throw new ValidationError(`url must be an address at ${shopOrigin}`)
}
