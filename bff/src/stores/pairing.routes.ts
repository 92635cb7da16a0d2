import { z } from '@hono/zod-openapi'
import { sessionOf } from '../access/context/caller.ts'
import { defineOperation } from '../access/context/operation.ts'
import { errorResponses, jsonBody, jsonContent, time } from '../access/operation/common-schemas.ts'
import type { Operations } from '../access/operation/operation-registry.ts'
import { ValidationError } from '../core/errors.ts'
import { iso, type Runtime } from '../core/runtime.ts'
import { isSafeUrl } from '../core/safe-url.ts'
import type { Audit } from '../dashboard/audit/audit.ts'
import { doneResponse, tags } from '../dashboard/sign-in/webauthn-schemas.ts'
import type { Db } from '../db/db.ts'
import { listEndpoints } from '../webhook/endpoints/endpoint-store.ts'
import { readPermissions } from './permissions.ts'
import { listStoreKeys } from './store-key-store.ts'
import { pairStore, unpairStore } from './store-keys.ts'

const path = '/dashboard/stores'

/** Pairings in the list, active and revoked. */
const listMax = 200

const labelMax = 100

const permissionNames = z.array(z.string()).openapi({ example: ['btcpay.store.canviewinvoices'] })

export const storeKeyParam = z.object({
  storeKeyId: z
    .string()
    .regex(/^[\w-]{1,60}$/, 'storeKeyId is the id of a paired shop')
    .openapi({ param: { name: 'storeKeyId', in: 'path' }, example: 'st_7f0f1f4e' }),
})

const listRoute = defineOperation({
  method: 'get',
  path,
  access: 'session',
  role: 'owner',
  operationId: 'listStores',
  tags,
  summary: 'The shops that were paired, newest first, and the webhooks that they registered',
  responses: {
    200: jsonContent(
      'pairings and webhooks',
      z.object({
        success: z.literal(true),
        stores: z.array(
          z
            .object({
              id: z.string(),
              label: z
                .string()
                .openapi({ description: 'The name that the plug-in gave itself.', example: 'Corner shop' }),
              shopOrigin: z.string().nullable(),
              permissions: permissionNames,
              createdAt: time,
              revokedAt: time.nullable(),
            })
            .openapi('PairedStore'),
        ),
        webhooks: z.array(
          z
            .object({
              id: z.string(),
              url: z.string().openapi({ example: 'https://shop.example/webhook' }),
              enabled: z.boolean(),
              failingSince: time.nullable(),
            })
            .openapi('StoreWebhook'),
        ),
      }),
    ),
    ...errorResponses,
  },
})

const pairRoute = defineOperation({
  method: 'post',
  path,
  access: 'session',
  role: 'owner',
  passkey: 'always',
  operationId: 'pairStore',
  tags,
  summary: "Pair a shop: create a key with exactly the permissions that the shop's plug-in asked for",
  request: {
    body: jsonBody(
      z.object({
        applicationName: z.string().trim().max(labelMax).default('').openapi({ example: 'Corner shop' }),
        permissions: z
          .array(z.string().max(200))
          .min(1, 'permissions must name at least one')
          .max(20)
          .openapi({ example: ['btcpay.store.canviewinvoices', 'btcpay.store.cancreateinvoice'] }),
        redirect: z.string().max(2_048).optional().openapi({
          description: 'Where the key is posted to: the origin is the shop whose pages may frame the payment page.',
        }),
      }),
    ),
  },
  responses: {
    200: jsonContent(
      'the key, which is shown once',
      z.object({
        success: z.literal(true),
        apiKey: z.string().openapi({ example: 'hJ3v2Yb0qkZrVQ4d8m1nX5c7L9s6T2wE0aFgUiOpRtY' }),
        userId: z.string().openapi({ example: '7f0f1f4e-6a43-4a2e-9d2b-0a9f6d9d0a11' }),
        permissions: permissionNames,
      }),
    ),
    ...errorResponses,
  },
})

const unpairRoute = defineOperation({
  method: 'delete',
  path: `${path}/{storeKeyId}`,
  access: 'session',
  role: 'owner',
  passkey: 'always',
  operationId: 'revokeStore',
  tags,
  summary: 'Revoke the key of a paired shop; calls with it fail at once',
  request: { params: storeKeyParam },
  responses: { 200: doneResponse, ...errorResponses },
})

const plainOrigin = /^https?:\/\/([a-z0-9._-]+|\[[0-9a-f:]+\])(:\d+)?$/

/** The origin of the page that receives the key. @throws {ValidationError} when others could read the key on its way there. */
export function shopOriginOf(redirect: string | undefined): string | null {
  if (redirect === undefined || redirect === '') return null
  const url = isSafeUrl(redirect) && URL.canParse(redirect) ? new URL(redirect) : undefined
  // In `https://shop.example@evil.example` a hurried reader takes the wrong part for the host.
  const origin = url?.username === '' && url.password === '' ? url.origin : ''
  // The origin becomes part of policies and of an attribute, and hosts of URLs may contain quotes, semicolons and asterisks.
  if (plainOrigin.test(origin)) return origin
  throw new ValidationError('redirect must be an https URL without user and password; http only for localhost')
}

type Deps = { db: Db; runtime: Runtime; audit: Audit }

/** The pairings of plug-ins, for the dashboard. */
export function pairingRoutes(api: Operations, { db, runtime, audit }: Deps) {
  const success = true as const

  api.serve(listRoute, async (c) => {
    const { merchantId } = c.get('caller')
    const { keys, endpoints } = await db.read(async (tx) => ({
      keys: await listStoreKeys(tx, merchantId, listMax),
      endpoints: await listEndpoints(tx, merchantId, 'btcpay'),
    }))
    const stores = keys.map(({ id, label, shopOrigin, permissions, createdAtMs, revokedAtMs }) => ({
      id,
      label,
      shopOrigin,
      permissions: [...permissions],
      createdAt: iso(createdAtMs),
      revokedAt: iso(revokedAtMs),
    }))
    const webhooks = endpoints.map(({ id, url, disabledReason, failingSinceMs }) => ({
      id,
      url,
      enabled: disabledReason === null,
      failingSince: iso(failingSinceMs),
    }))
    return c.json({ success, stores, webhooks }, 200)
  })

  api.serve(pairRoute, async (c) => {
    const caller = c.get('caller')
    const { merchantId } = caller
    const { applicationName, permissions, redirect } = c.req.valid('json')
    const { granted, refused } = readPermissions(permissions, merchantId)
    if (refused.length > 0) {
      throw new ValidationError(`permissions must be of one store; not granted: ${refused.join(', ')}`)
    }
    const shopOrigin = shopOriginOf(redirect)
    const { personId } = sessionOf(caller)
    const label = applicationName || (shopOrigin ?? '')
    const { key } = await db.write(async (tx) => {
      const paired = await pairStore(tx, runtime, { merchantId, personId, label, permissions: granted, shopOrigin })
      const after = JSON.stringify({ label, shopOrigin, permissions: granted })
      await audit(tx, caller, { action: 'store.paired', subject: paired.stored.id, after })
      return paired
    })
    const scoped = granted.map((one) => `${one}:${merchantId}`)
    return c.json({ success, apiKey: key, userId: personId, permissions: scoped }, 200)
  })

  api.serve(unpairRoute, async (c) => {
    const caller = c.get('caller')
    const { storeKeyId } = c.req.valid('param')
    await db.write(async (tx) => {
      const { label } = await unpairStore(tx, caller.merchantId, storeKeyId, runtime.nowMs())
      await audit(tx, caller, { action: 'store.revoked', subject: storeKeyId, before: label })
    })
    return c.json({ success }, 200)
  })
}
