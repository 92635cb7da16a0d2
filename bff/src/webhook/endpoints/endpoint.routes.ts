import { createRoute, type OpenAPIHono } from '@hono/zod-openapi'
import type { MiddlewareHandler } from 'hono'
import { errorResponses, jsonBody, jsonContent } from '../../access/common-schemas.ts'
import type { Env } from '../../access/env.ts'
import { requireSecret } from '../../access/require-secret.ts'
import type { createEndpoints } from './endpoint.ts'
import * as schemas from './endpoint-schemas.ts'
import type { Endpoint } from './endpoint-store.ts'

const path = '/webhooks/endpoints'
const onePath = `${path}/{endpointId}` as const

const createEndpoint = createRoute({
  method: 'post',
  path,
  operationId: 'createWebhookEndpoint',
  tags: ['webhooks'],
  summary: 'Add a receiver of webhooks; the answer shows its secret once',
  request: { body: jsonBody(schemas.NewEndpoint) },
  responses: { 200: jsonContent('added', schemas.endpointSecretResponse), ...schemas.conflict, ...errorResponses },
})

const listRoute = createRoute({
  method: 'get',
  path,
  operationId: 'listWebhookEndpoints',
  tags: ['webhooks'],
  summary: "The merchant's webhook endpoints and their state",
  responses: { 200: jsonContent('all of them, oldest first', schemas.endpointsResponse), ...errorResponses },
})

const readRoute = createRoute({
  method: 'get',
  path: onePath,
  operationId: 'readWebhookEndpoint',
  tags: ['webhooks'],
  summary: 'One receiver of webhooks',
  request: { params: schemas.endpointParam },
  responses: { 200: jsonContent('the endpoint', schemas.endpointResponse), ...errorResponses },
})

const changeRoute = createRoute({
  method: 'patch',
  path: onePath,
  operationId: 'updateWebhookEndpoint',
  tags: ['webhooks'],
  summary: 'Change the URL, the event types or the state of a webhook endpoint',
  request: { params: schemas.endpointParam, body: jsonBody(schemas.EndpointChanges) },
  responses: { 200: jsonContent('changed', schemas.endpointResponse), ...errorResponses },
})

const removeRoute = createRoute({
  method: 'delete',
  path: onePath,
  operationId: 'removeWebhookEndpoint',
  tags: ['webhooks'],
  summary: 'Remove a receiver; what was still due to it is not sent',
  request: { params: schemas.endpointParam },
  responses: { 200: jsonContent('removed', schemas.removedResponse), ...errorResponses },
})

const rotateRoute = createRoute({
  method: 'post',
  path: `${onePath}/rotate-secret`,
  operationId: 'rotateEndpointSecret',
  tags: ['webhooks'],
  summary: "Replace a receiver's secret; for a day both sign",
  request: { params: schemas.endpointParam, body: jsonBody(schemas.Rotation) },
  responses: { 200: jsonContent('replaced', schemas.endpointSecretResponse), ...errorResponses },
})

const rotateMerchantRoute = createRoute({
  method: 'post',
  path: '/webhooks/rotate-secret',
  operationId: 'rotateCallbackSecret',
  tags: ['webhooks'],
  summary: 'Replace the secret that signs what goes to callbackUrls; for a day both sign',
  request: { body: jsonBody(schemas.Rotation) },
  responses: { 200: jsonContent('replaced', schemas.secretResponse), ...errorResponses },
})

const iso = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString())

/** Without the secrets, sealed as they are. */
function view(endpoint: Endpoint): schemas.EndpointView {
  return {
    id: endpoint.id,
    url: endpoint.url,
    description: endpoint.description,
    eventTypes: endpoint.types && [...endpoint.types],
    isTest: endpoint.isTest,
    enabled: endpoint.disabledReason === null,
    disabledReason: endpoint.disabledReason,
    disabledAt: iso(endpoint.disabledAtMs),
    failingSince: iso(endpoint.failingSinceMs),
    previousSecretExpiresAt: iso(endpoint.previousSecretUntilMs),
    createdAt: new Date(endpoint.createdAtMs).toISOString(),
    updatedAt: new Date(endpoint.updatedAtMs).toISOString(),
  }
}

/** What a merchant sets, as JSON, for the audit log. */
function termsText(endpoint: Endpoint): string {
  const { url, description, eventTypes, enabled } = view(endpoint)
  return JSON.stringify({ url, description, eventTypes, enabled })
}

/** Only the fields that were sent: an undefined field must not overwrite a stored one. */
function defined<Fields extends object>(fields: Fields): { [Name in keyof Fields]: Exclude<Fields[Name], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never
}

type Deps = { endpoints: ReturnType<typeof createEndpoints>; requireCaller: MiddlewareHandler<Env> }

export function endpointRoutes(app: OpenAPIHono<Env>, { endpoints, requireCaller }: Deps) {
  const middleware = requireSecret(requireCaller, 'Webhooks are')
  const success = true as const

  app.openapi({ ...createEndpoint, middleware }, async (c) => {
    const { isTest, eventTypes, url, description } = c.req.valid('json')
    const terms = { url, description, types: eventTypes }
    const { endpoint, secret } = await endpoints.create(c.get('caller'), isTest, terms)
    c.set('change', { subject: endpoint.id, after: termsText(endpoint) })
    return c.json({ success, endpoint: view(endpoint), secret }, 200)
  })

  app.openapi({ ...listRoute, middleware }, async (c) =>
    c.json({ success, endpoints: (await endpoints.list(c.get('caller'))).map(view) }, 200),
  )

  app.openapi({ ...readRoute, middleware }, async (c) => {
    const endpoint = await endpoints.read(c.get('caller'), c.req.valid('param').endpointId)
    return c.json({ success, endpoint: view(endpoint) }, 200)
  })

  app.openapi({ ...changeRoute, middleware }, async (c) => {
    const { eventTypes, ...fields } = c.req.valid('json')
    const changes = defined({ ...fields, types: eventTypes })
    const { endpointId } = c.req.valid('param')
    const { before, endpoint } = await endpoints.change(c.get('caller'), endpointId, changes)
    c.set('change', { subject: endpointId, before: termsText(before), after: termsText(endpoint) })
    return c.json({ success, endpoint: view(endpoint) }, 200)
  })

  app.openapi({ ...removeRoute, middleware }, async (c) => {
    const { endpointId } = c.req.valid('param')
    const removed = await endpoints.remove(c.get('caller'), endpointId)
    c.set('change', { subject: endpointId, before: termsText(removed) })
    return c.json({ success, message: `The endpoint ${endpointId} was removed.` }, 200)
  })

  app.openapi({ ...rotateRoute, middleware }, async (c) => {
    const { immediately } = c.req.valid('json')
    const { endpointId } = c.req.valid('param')
    const { endpoint, secret } = await endpoints.rotateSecret(c.get('caller'), endpointId, immediately)
    c.set('change', { subject: endpointId })
    return c.json({ success, endpoint: view(endpoint), secret }, 200)
  })

  app.openapi({ ...rotateMerchantRoute, middleware }, async (c) => {
    const { immediately } = c.req.valid('json')
    const { secret, previousUntilMs } = await endpoints.rotateMerchantSecret(c.get('caller'), immediately)
    c.set('change', { subject: 'callbackUrl' })
    return c.json({ success, secret, previousSecretExpiresAt: iso(previousUntilMs) }, 200)
  })
}
