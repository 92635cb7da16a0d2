import { z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { roles, sessionOf } from '../../access/context/caller.ts'
import type { Env } from '../../access/context/env.ts'
import { defineOperation, type Operation } from '../../access/context/operation.ts'
import { errorResponses, jsonBody, jsonContent, time } from '../../access/operation/common-schemas.ts'
import { namesOf, type Operations } from '../../access/operation/operation-registry.ts'
import { PaymentError } from '../../core/errors.ts'
import type { Db } from '../../db/db.ts'
import { logoPath } from '../../merchant/branding.ts'
import { loadBranding } from '../../merchant/branding-store.ts'
import type { PageOrigin } from '../page/page-origin.ts'
import { allows } from '../roles.ts'
import type { Passkeys } from './passkeys.ts'
import { loadPasskeys } from './people-store.ts'
import { bindingOf, modeOf, type Sessions } from './sessions.ts'
import { doneResponse, optionsResponse, plainJson, tags } from './webauthn-schemas.ts'

const sessionBody = z
  .object({
    person: z.object({ id: z.string(), name: z.string() }),
    role: z.enum(roles),
    merchant: z.object({
      id: z.string(),
      name: z.string(),
      logo: z.string().nullable().openapi({
        description: 'Path of the image; null for none.',
        example: '/logos/merchants/3f9a0c5d1e7b4a62.png',
      }),
      currency: z.string().nullable().openapi({
        description: "The shop's default currency, as ISO 4217 code; null: not chosen.",
        example: 'EUR',
      }),
    }),
    endsAt: time,
    /** Operation ids that the role may call: the page hides the buttons of all others. */
    operations: z.array(z.string()),
    hasPasskey: z.boolean(),
  })
  .openapi('DashboardSession')
const sessionResponse = jsonContent('the session', z.object({ success: z.literal(true), session: sessionBody }))
const sessionRoute = defineOperation({
  method: 'get',
  path: '/dashboard/session',
  access: 'session',
  role: 'viewer',
  operationId: 'readSession',
  tags,
  summary: 'Who is signed in',
  responses: { 200: sessionResponse, ...errorResponses },
})

const signOutRoute = defineOperation({
  method: 'delete',
  path: '/dashboard/session',
  access: 'session',
  role: 'viewer',
  operationId: 'endSession',
  tags,
  summary: 'End this session',
  responses: { 200: doneResponse, ...errorResponses },
})

const confirmationRoute = defineOperation({
  method: 'post',
  path: '/dashboard/confirmations',
  access: 'session',
  role: 'viewer',
  operationId: 'createConfirmationChallenge',
  tags,
  summary: 'A challenge for one request that requires the passkey',
  description:
    'The signature is valid once, within five minutes, for exactly this method, path, body and `X-Mode`. Repeat the request with the browser’s response, as base64url of its JSON, in the header `X-Confirmation`.',
  request: {
    body: jsonBody(
      z.object({
        method: z.enum(['POST', 'PUT', 'PATCH', 'DELETE']),
        path: z
          .string()
          .max(500)
          .regex(/^\/[^#\s]*$/, 'must be the path, without /api/v1')
          .openapi({ example: '/dashboard/keys' }),
        body: z
          .string()
          .max(65_536)
          .openapi({ description: 'The text of the body, as it will be sent; empty for none.' }),
      }),
    ),
  },
  responses: { 200: optionsResponse, ...errorResponses },
})

type Deps = {
  db: Db
  passkeys: Passkeys
  sessions: Sessions
  pageOf: (c: Context<Env>) => PageOrigin
  /** All operations of the service. */
  operations: readonly Operation[]
}

/** Routes for the current session, and for challenges of requests that require the passkey. */
export function sessionRoutes(api: Operations, { db, passkeys, sessions, pageOf, operations }: Deps) {
  const success = true as const

  api.serve(sessionRoute, async (c) => {
    const { merchantId, merchantName, settings, ...caller } = c.get('caller')
    const { personId, personName, role, endsAtMs } = sessionOf(caller)
    const { known, logo } = await db.read(async (tx) => ({
      known: await loadPasskeys(tx, personId),
      logo: (await loadBranding(tx, merchantId)).logo,
    }))
    const session = {
      person: { id: personId, name: personName },
      role,
      merchant: { id: merchantId, name: merchantName, logo: logo && logoPath(logo), currency: settings.currency },
      endsAt: new Date(endsAtMs).toISOString(),
      operations: namesOf(operations, ({ role: least = 'none' }) => allows(least, role)),
      hasPasskey: known.length > 0,
    }
    return c.json({ success, session }, 200)
  })

  api.serve(signOutRoute, async (c) => {
    await sessions.end(c)
    return c.json({ success }, 200)
  })

  api.serve(confirmationRoute, async (c) => {
    const { id, personId } = sessionOf(c.get('caller'))
    const own = await db.read((tx) => loadPasskeys(tx, personId))
    if (own.length === 0) {
      const message = 'You have no passkey: add one on the page People, then repeat this.'
      throw new PaymentError('NO_PASSKEY', message)
    }
    const binding = bindingOf(id, { ...c.req.valid('json'), mode: modeOf(c) })
    const options = await passkeys.signInOptions(pageOf(c), 'confirmation', binding, own)
    return c.json({ success, options: plainJson(options) }, 200)
  })
}
