import { z } from '@hono/zod-openapi'
import { defineOperation } from '../../access/context/operation.ts'
import { agentId, errorResponses, jsonBody, jsonContent, time } from '../../access/operation/common-schemas.ts'
import type { Operations } from '../../access/operation/operation-registry.ts'
import { iso, type Runtime } from '../../core/runtime.ts'
import type { Db } from '../../db/db.ts'
import { keyScopes } from '../../merchant/key-scope.ts'
import { kindOf } from '../../merchant/key-store.ts'
import { createKey, readKeys, renameKey, revokeKey, rotateKey } from '../../merchant/keys.ts'
import { keyKinds } from '../../payment/payment.ts'
import type { Audit } from '../audit/audit.ts'
import { doneResponse, tags } from '../sign-in/webauthn-schemas.ts'

const hourMs = 3_600_000
/** Long enough to replace a key on every server of a shop, and in every cached page. */
const overlapHoursDefault = 24
const overlapHoursMax = 30 * 24

const keyParam = z.object({
  key: z
    .string()
    .max(100)
    .regex(/^[\w-]+$/)
    .openapi({ param: { name: 'key', in: 'path' }, example: 'ak_7f0f1f4e' }),
})

const keyName = z.string().trim().min(1).max(60)

const newKeyResponse = jsonContent(
  'the key, and its secret, which is shown once',
  z.object({
    success: z.literal(true),
    key: z.string(),
    kind: z.enum(keyKinds),
    scope: z.enum(keyScopes),
    agentId: z.string().nullable(),
    secret: z.string().nullable(),
  }),
)

const listRoute = defineOperation({
  method: 'get',
  path: '/dashboard/keys',
  access: 'session',
  role: 'owner',
  operationId: 'listKeys',
  tags,
  summary: "The merchant's keys, oldest first",
  responses: {
    200: jsonContent(
      'the keys',
      z.object({
        success: z.literal(true),
        keys: z.array(
          z
            .object({
              key: z.string(),
              kind: z.enum(keyKinds),
              scope: z.enum(keyScopes),
              agentId: z.string().nullable(),
              name: z.string().nullable(),
              createdAt: time,
              lastUsedAt: time.nullable().openapi({ description: 'Rounded to the hour; null if never used.' }),
              endsAt: time.nullable(),
              isGood: z.boolean(),
            })
            .openapi('DashboardKey'),
        ),
      }),
    ),
    ...errorResponses,
  },
})

const createKeyRoute = defineOperation({
  method: 'post',
  path: '/dashboard/keys',
  access: 'session',
  role: 'owner',
  passkey: 'always',
  operationId: 'createKey',
  tags,
  summary: 'Create a key for a page, for test payments in a page, or for a server',
  request: {
    body: jsonBody(
      z.object({
        kind: z.enum(keyKinds),
        name: keyName.optional().openapi({ description: 'Your name for it.' }),
        scope: z.enum(keyScopes).default('merchant').openapi({
          description:
            "Of kind `api`: `agent` may create and read payments and links, as an agent's tools do, and nothing else.",
        }),
        agentId: agentId.optional().openapi({
          description: "Of scope `agent`, and required there: the agent whose payments the key's payments count as.",
        }),
      }),
    ),
  },
  responses: { 200: newKeyResponse, ...errorResponses },
})

const renameRoute = defineOperation({
  method: 'patch',
  path: '/dashboard/keys/{key}',
  access: 'session',
  role: 'owner',
  passkey: 'always',
  operationId: 'renameKey',
  tags,
  summary: 'Rename a key',
  request: {
    params: keyParam,
    body: jsonBody(
      z.object({
        name: keyName.nullable().openapi({ description: 'Your name for it; null for none.', example: 'Shop server' }),
      }),
    ),
  },
  responses: { 200: doneResponse, ...errorResponses },
})

const rotateRoute = defineOperation({
  method: 'post',
  path: '/dashboard/keys/{key}/rotate',
  access: 'session',
  role: 'owner',
  passkey: 'always',
  operationId: 'rotateKey',
  tags,
  summary: 'Rotate a key: create one of the same kind while the old one stays valid for a time',
  request: {
    params: keyParam,
    body: jsonBody(z.object({ overlapHours: z.int().min(0).max(overlapHoursMax).default(overlapHoursDefault) })),
  },
  responses: { 200: newKeyResponse, ...errorResponses },
})

const revokeRoute = defineOperation({
  method: 'delete',
  path: '/dashboard/keys/{key}',
  access: 'session',
  role: 'owner',
  passkey: 'always',
  operationId: 'endKey',
  tags,
  summary: 'End a key: calls with it fail within a second',
  request: { params: keyParam },
  responses: { 200: doneResponse, ...errorResponses },
})

type Deps = { db: Db; runtime: Runtime; audit: Audit }

export function keyRoutes(api: Operations, { db, runtime, audit }: Deps) {
  const success = true as const

  api.serve(listRoute, async (c) => {
    const nowMs = runtime.nowMs()
    const keys = (await readKeys(db, c.get('caller').merchantId)).map((row) => ({
      key: row.id,
      kind: kindOf(row),
      scope: row.scope,
      agentId: row.agentId,
      name: row.name,
      createdAt: iso(row.createdAtMs),
      lastUsedAt: iso(row.lastUsedAtMs),
      endsAt: iso(row.endsAtMs),
      isGood: row.endsAtMs === null || row.endsAtMs > nowMs,
    }))
    return c.json({ success, keys }, 200)
  })

  api.serve(createKeyRoute, async (c) => {
    const caller = c.get('caller')
    const made = await db.write(async (tx) => {
      const created = await createKey(tx, runtime, caller.merchantId, c.req.valid('json'))
      const after = created.scope === 'merchant' ? created.kind : `${created.kind}, ${created.scope} ${created.agentId}`
      await audit(tx, caller, { action: 'key.created', subject: created.key, after })
      return created
    })
    return c.json({ success, ...made }, 200)
  })

  api.serve(renameRoute, async (c) => {
    const caller = c.get('caller')
    const { key } = c.req.valid('param')
    const { name } = c.req.valid('json')
    await db.write(async (tx) => {
      const before = await renameKey(tx, key, name, caller.merchantId)
      await audit(tx, caller, { action: 'key.renamed', subject: key, before, after: name })
    })
    return c.json({ success }, 200)
  })

  api.serve(rotateRoute, async (c) => {
    const caller = c.get('caller')
    const { key: old } = c.req.valid('param')
    const { overlapHours } = c.req.valid('json')
    const { kind, scope, agentId, key, secret } = await db.write(async (tx) => {
      const rotated = await rotateKey(tx, runtime, old, overlapHours * hourMs, caller.merchantId)
      await audit(tx, caller, { action: 'key.rotated', subject: old, before: old, after: rotated.key })
      return rotated
    })
    return c.json({ success, kind, scope, agentId, key, secret }, 200)
  })

  api.serve(revokeRoute, async (c) => {
    const caller = c.get('caller')
    const { key } = c.req.valid('param')
    await db.write(async (tx) => {
      await revokeKey(tx, runtime, key, caller.merchantId)
      await audit(tx, caller, { action: 'key.revoked', subject: key })
    })
    return c.json({ success }, 200)
  })
}
