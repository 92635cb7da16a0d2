import { defineOperation } from '../../access/context/operation.ts'
import { errorResponses, jsonBody, jsonContent } from '../../access/operation/common-schemas.ts'
import type { Operations } from '../../access/operation/operation-registry.ts'
import { iso } from '../../core/runtime.ts'
import type { createEndpoints } from './endpoint.ts'
import * as schemas from './endpoint-schemas.ts'
import type { Endpoint } from './endpoint-store.ts'

const path = '/webhooks/endpoints'
const onePath = `${path}/{endpointId}` as const

const createEndpoint = defineOperation({
  method: 'post',
  path,
  access: 'secret',
  secretFor: 'Webhooks are',
  role: 'owner',
  passkey: 'always',
  audit: 'webhookEndpoint.created',
  operationId: 'createWebhookEndpoint',
  tags: ['webhooks'],
  summary: 'Create a webhook endpoint; the response shows its secret once',
  request: { body: jsonBody(schemas.NewEndpoint) },
  responses: { 200: jsonContent('added', schemas.endpointSecretResponse), ...schemas.conflict, ...errorResponses },
})

const listRoute = defineOperation({
  method: 'get',
  path,
  access: 'secret',
  secretFor: 'Webhooks are',
  role: 'viewer',
  operationId: 'listWebhookEndpoints',
  tags: ['webhooks'],
  summary: "The merchant's webhook endpoints and their state",
  responses: { 200: jsonContent('all of them, oldest first', schemas.endpointsResponse), ...errorResponses },
})

const readRoute = defineOperation({
  method: 'get',
  path: onePath,
  access: 'secret',
  secretFor: 'Webhooks are',
  role: 'viewer',
  operationId: 'readWebhookEndpoint',
  tags: ['webhooks'],
  summary: 'One webhook endpoint',
  request: { params: schemas.endpointParam },
  responses: { 200: jsonContent('the endpoint', schemas.endpointResponse), ...errorResponses },
})

const changeRoute = defineOperation({
  method: 'patch',
  path: onePath,
  access: 'secret',
  secretFor: 'Webhooks are',
  role: 'owner',
  passkey: 'always',
  audit: 'webhookEndpoint.changed',
  operationId: 'updateWebhookEndpoint',
  tags: ['webhooks'],
  summary: 'Change the URL, the event types or the state of a webhook endpoint',
  request: { params: schemas.endpointParam, body: jsonBody(schemas.EndpointChanges) },
  responses: { 200: jsonContent('changed', schemas.endpointResponse), ...errorResponses },
})

const removeRoute = defineOperation({
  method: 'delete',
  path: onePath,
  access: 'secret',
  secretFor: 'Webhooks are',
  role: 'owner',
  passkey: 'always',
  audit: 'webhookEndpoint.removed',
  operationId: 'removeWebhookEndpoint',
  tags: ['webhooks'],
  summary: 'Remove a webhook endpoint; pending deliveries are discarded',
  request: { params: schemas.endpointParam },
  responses: { 200: jsonContent('removed', schemas.removedResponse), ...errorResponses },
})

const rotateRoute = defineOperation({
  method: 'post',
  path: `${onePath}/rotate-secret`,
  access: 'secret',
  secretFor: 'Webhooks are',
  role: 'owner',
  passkey: 'always',
  audit: 'webhookSecret.rotated',
  operationId: 'rotateEndpointSecret',
  tags: ['webhooks'],
  summary: "Replace an endpoint's secret; both sign for a day",
  request: { params: schemas.endpointParam, body: jsonBody(schemas.Rotation) },
  responses: { 200: jsonContent('replaced', schemas.endpointSecretResponse), ...errorResponses },
})

const rotateMerchantRoute = defineOperation({
  method: 'post',
  path: '/webhooks/rotate-secret',
  access: 'secret',
  secretFor: 'Webhooks are',
  role: 'owner',
  passkey: 'always',
  audit: 'webhookSecret.rotated',
  operationId: 'rotateCallbackSecret',
  tags: ['webhooks'],
  summary: 'Replace the secret that signs callbackUrl deliveries; both sign for a day',
  request: { body: jsonBody(schemas.Rotation) },
  responses: { 200: jsonContent('replaced', schemas.secretResponse), ...errorResponses },
})

/** The endpoint without its secrets. */
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
    createdAt: iso(endpoint.createdAtMs),
    updatedAt: iso(endpoint.updatedAtMs),
  }
}

/** The fields that a merchant sets, as JSON for the audit log. */
function termsText(endpoint: Endpoint): string {
  const { url, description, eventTypes, enabled } = view(endpoint)
  return JSON.stringify({ url, description, eventTypes, enabled })
}

/** Keeps only the fields that were sent: an undefined field must not overwrite a stored one. */
function defined<Fields extends object>(fields: Fields): { [Name in keyof Fields]: Exclude<Fields[Name], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never
}

type Deps = { endpoints: ReturnType<typeof createEndpoints> }

export function endpointRoutes(api: Operations, { endpoints }: Deps) {
  const success = true as const

  api.serve(createEndpoint, async (c) => {
    const { isTest, eventTypes, url, description } = c.req.valid('json')
    const terms = { url, description, types: eventTypes }
    const { endpoint, secret } = await endpoints.create(c.get('caller'), isTest, terms)
    c.set('change', { subject: endpoint.id, after: termsText(endpoint) })
    return c.json({ success, endpoint: view(endpoint), secret }, 200)
  })

  api.serve(listRoute, async (c) =>
    c.json({ success, endpoints: (await endpoints.list(c.get('caller'))).map(view) }, 200),
  )

  api.serve(readRoute, async (c) => {
    const endpoint = await endpoints.read(c.get('caller'), c.req.valid('param').endpointId)
    return c.json({ success, endpoint: view(endpoint) }, 200)
  })

  api.serve(changeRoute, async (c) => {
    const { eventTypes, ...fields } = c.req.valid('json')
    const changes = defined({ ...fields, types: eventTypes })
    const { endpointId } = c.req.valid('param')
    const { before, endpoint } = await endpoints.change(c.get('caller'), endpointId, changes)
    c.set('change', { subject: endpointId, before: termsText(before), after: termsText(endpoint) })
    return c.json({ success, endpoint: view(endpoint) }, 200)
  })

  api.serve(removeRoute, async (c) => {
    const { endpointId } = c.req.valid('param')
    const removed = await endpoints.remove(c.get('caller'), endpointId)
    c.set('change', { subject: endpointId, before: termsText(removed) })
    return c.json({ success, message: `The endpoint ${endpointId} was removed.` }, 200)
  })

  api.serve(rotateRoute, async (c) => {
    const { immediately } = c.req.valid('json')
    const { endpointId } = c.req.valid('param')
    const { endpoint, secret } = await endpoints.rotateSecret(c.get('caller'), endpointId, immediately)
    c.set('change', { subject: endpointId })
    return c.json({ success, endpoint: view(endpoint), secret }, 200)
  })

  api.serve(rotateMerchantRoute, async (c) => {
    const { immediately } = c.req.valid('json')
    const { secret, previousUntilMs } = await endpoints.rotateMerchantSecret(c.get('caller'), immediately)
    c.set('change', { subject: 'callbackUrl' })
    return c.json({ success, secret, previousSecretExpiresAt: iso(previousUntilMs) }, 200)
  })
}
