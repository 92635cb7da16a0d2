import type { Context } from 'hono'
import { z } from 'zod'
import type { Env } from '../access/context/env.ts'
import type { RateLimits } from '../access/limits/rate-limit.ts'
import type { Endpoint } from '../webhook/endpoints/endpoint-store.ts'
import type { Door } from './door.ts'
import { parseFields, parseJson } from './invoice-body.ts'
import { deliveryIdOf } from './invoice-outbox.ts'
import { Verbatim } from './json-text.ts'
import type { ListedDelivery } from './store-webhook-store.ts'
import type { StoreWebhooks, WebhookTerms } from './store-webhooks.ts'

const manage = 'btcpay.store.webhooks.canmodifywebhooks'

/** Unknown event names are accepted: plug-ins also list events of newer servers. */
const terms = z.object({
  url: z.string('must be a URL').min(1, 'must be a URL').max(2_048),
  secret: z.string('must be text').max(200).nullish(),
  enabled: z.boolean('must be true or false').nullish(),
  automaticRedelivery: z.boolean('must be true or false').nullish(),
  authorizedEvents: z
    .object({
      everything: z.boolean('must be true or false').nullish(),
      specificEvents: z.array(z.string().max(100)).max(100).nullish(),
    })
    .nullish(),
})

function termsOf(text: string): WebhookTerms {
  const { url, secret, enabled, automaticRedelivery, authorizedEvents } = parseFields(terms, parseJson(text))
  const specific = authorizedEvents?.specificEvents ?? []
  const isEverything = authorizedEvents?.everything ?? specific.length === 0
  return {
    url,
    secret: secret || null,
    enabled: enabled ?? true,
    retries: automaticRedelivery ?? true,
    types: isEverything ? null : specific,
  }
}

const webhookView = ({ id, url, types, retries, disabledReason }: Endpoint) => ({
  id,
  enabled: disabledReason === null,
  automaticRedelivery: retries,
  url,
  authorizedEvents: { everything: types === null, specificEvents: types ?? [] },
})

function deliveryView({ paymentId, sequence, createdAtMs, doneAtMs, state, code, error }: ListedDelivery) {
  const status = state === 'delivered' ? 'HttpSuccess' : code === null ? 'Failed' : 'HttpError'
  return {
    id: deliveryIdOf(String(paymentId), sequence),
    timestamp: Math.floor((doneAtMs ?? createdAtMs) / 1000),
    httpCode: code,
    errorMessage: error,
    status,
  }
}

/** Deliveries in one list. */
const countMax = 100

type Deps = { webhooks: StoreWebhooks; limits: Pick<RateLimits, 'redelivered'> }

export function webhookCalls(door: Door, { webhooks, limits }: Deps): void {
  const all = '/stores/:storeId/webhooks'
  const one = `${all}/:webhookId`
  const idOf = (c: Context<Env>) => c.req.param('webhookId') ?? ''
  const deliveryOf = (c: Context<Env>) => c.req.param('deliveryId') ?? ''

  door.serve({ method: 'get', path: all, permission: manage }, async (_c, { merchantId }) =>
    (await webhooks.list(merchantId)).map(webhookView),
  )
  door.serve({ method: 'post', path: all, permission: manage }, async (c, key) => {
    const { endpoint, secret } = await webhooks.create(key, termsOf(await c.req.text()))
    return { ...webhookView(endpoint), secret }
  })
  door.serve({ method: 'get', path: one, permission: manage }, async (c, { merchantId }) =>
    webhookView(await webhooks.read(merchantId, idOf(c))),
  )
  door.serve({ method: 'put', path: one, permission: manage }, async (c, key) =>
    webhookView(await webhooks.change(key, idOf(c), termsOf(await c.req.text()))),
  )
  door.serve({ method: 'delete', path: one, permission: manage }, async (c, { merchantId }) => {
    await webhooks.remove(merchantId, idOf(c))
    return {}
  })
  door.serve({ method: 'get', path: `${one}/deliveries`, permission: manage }, async (c, { merchantId }) => {
    const asked = Number(c.req.query('count') ?? countMax)
    const count = Number.isInteger(asked) && asked > 0 ? Math.min(asked, countMax) : countMax
    return (await webhooks.deliveries(merchantId, idOf(c), count)).map(deliveryView)
  })
  door.serve({ method: 'get', path: `${one}/deliveries/:deliveryId`, permission: manage }, async (c, { merchantId }) =>
    deliveryView(await webhooks.delivery(merchantId, idOf(c), deliveryOf(c))),
  )
  door.serve(
    { method: 'get', path: `${one}/deliveries/:deliveryId/request`, permission: manage },
    async (c, { merchantId }) => new Verbatim((await webhooks.delivery(merchantId, idOf(c), deliveryOf(c))).body),
  )
  door.serve(
    { method: 'post', path: `${one}/deliveries/:deliveryId/redeliver`, permission: manage },
    async (c, { merchantId }) => {
      await limits.redelivered(c.get('caller'))
      return await webhooks.redeliver(merchantId, idOf(c), deliveryOf(c))
    },
  )
}
