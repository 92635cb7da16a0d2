import { z } from '@hono/zod-openapi'
import type { RegistrationResponseJSON } from '@simplewebauthn/server'
import type { Context } from 'hono'
import { sessionOf } from '../../access/context/caller.ts'
import type { Env } from '../../access/context/env.ts'
import { defineOperation } from '../../access/context/operation.ts'
import { errorBody, errorResponses, jsonBody, jsonContent, time } from '../../access/operation/common-schemas.ts'
import type { Operations } from '../../access/operation/operation-registry.ts'
import { PaymentError } from '../../core/errors.ts'
import { iso, type Runtime } from '../../core/runtime.ts'
import type { Db } from '../../db/db.ts'
import type { Audit } from '../audit/audit.ts'
import type { PageOrigin } from '../page/page-origin.ts'
import type { Passkeys } from './passkeys.ts'
import { deletePasskey, insertPasskey, listPasskeys, loadPasskeys, namePasskey } from './people-store.ts'
import { passkeyRefused } from './registrations.ts'
import { isSessionGood } from './session-store.ts'
import { sessionEnded } from './sessions.ts'
import { doneResponse, optionsResponse, plainJson, registrationJson, tags } from './webauthn-schemas.ts'

/** Enough for a phone, a computer and a spare security key. */
const passkeysMax = 10

const optionsRoute = defineOperation({
  method: 'post',
  path: '/dashboard/passkeys/options',
  access: 'session',
  role: 'viewer',
  operationId: 'createPasskeyChallenge',
  tags,
  summary: 'A challenge to create another passkey of your own',
  responses: { 200: optionsResponse, ...errorResponses },
})

const addRoute = defineOperation({
  method: 'post',
  path: '/dashboard/passkeys',
  access: 'session',
  role: 'viewer',
  passkey: 'ifAny',
  operationId: 'addPasskey',
  tags,
  summary: 'Add a passkey of your own, signed with an existing one if you have any',
  request: { body: jsonBody(z.object({ response: registrationJson })) },
  responses: {
    200: doneResponse,
    ...errorResponses,
    409: jsonContent(`A person has at most ${passkeysMax} passkeys.`, errorBody),
  },
})

const path = '/dashboard/passkeys/{passkeyId}'
const passkeyParam = z.object({
  passkeyId: z
    .string()
    .max(1_364)
    .regex(/^[\w-]+$/, 'passkeyId is the id of a passkey')
    .openapi({ param: { name: 'passkeyId', in: 'path' } }),
})

const listRoute = defineOperation({
  method: 'get',
  path: '/dashboard/passkeys',
  access: 'session',
  role: 'viewer',
  operationId: 'listPasskeys',
  tags,
  summary: 'Your passkeys, oldest first',
  responses: {
    200: jsonContent(
      'your passkeys',
      z.object({
        success: z.literal(true),
        passkeys: z.array(
          z
            .object({
              id: z.string(),
              name: z.string().nullable(),
              createdAt: time,
              lastUsedAt: time.nullable(),
            })
            .openapi('DashboardPasskey'),
        ),
      }),
    ),
    ...errorResponses,
  },
})

const nameRoute = defineOperation({
  method: 'patch',
  path,
  access: 'session',
  role: 'viewer',
  operationId: 'namePasskey',
  tags,
  summary: 'Name a passkey of your own',
  request: { params: passkeyParam, body: jsonBody(z.object({ name: z.string().trim().min(1).max(60) })) },
  responses: { 200: doneResponse, ...errorResponses },
})

const removeRoute = defineOperation({
  method: 'delete',
  path,
  access: 'session',
  role: 'viewer',
  passkey: 'always',
  operationId: 'removePasskey',
  tags,
  summary: 'Remove a passkey of your own, but not the last one',
  request: { params: passkeyParam },
  responses: {
    200: doneResponse,
    ...errorResponses,
    409: jsonContent('It is your last passkey. Add another one first.', errorBody),
  },
})

type Deps = {
  db: Db
  runtime: Runtime
  passkeys: Passkeys
  audit: Audit
  pageOf: (c: Context<Env>) => PageOrigin
}

export function passkeyRoutes(api: Operations, { db, runtime, passkeys, audit, pageOf }: Deps) {
  const success = true as const

  api.serve(optionsRoute, async (c) => {
    const { merchantName, ...caller } = c.get('caller')
    const { id, personId, personName: name } = sessionOf(caller)
    const known = await db.read((tx) => loadPasskeys(tx, personId))
    const person = { name, merchantName, passkeys: known }
    return c.json(
      { success, options: plainJson(await passkeys.registrationOptions(pageOf(c), 'passkey', id, person)) },
      200,
    )
  })

  api.serve(addRoute, async (c) => {
    const caller = c.get('caller')
    const session = sessionOf(caller)
    const { personId, personName } = session
    const response = c.req.valid('json').response as RegistrationResponseJSON
    const { challenge, ...made } = await passkeys.verifyRegistration(pageOf(c), 'passkey', session.id, response)
    await db.write(async (tx) => {
      // The person may have replaced a lost passkey meanwhile: whoever holds it must not add another.
      if (!(await isSessionGood(tx, session, runtime.nowMs()))) throw sessionEnded()
      if ((await loadPasskeys(tx, personId)).length >= passkeysMax) {
        const message = `You already have ${passkeysMax} passkeys, the maximum.`
        throw new PaymentError('TOO_MANY_PASSKEYS', message)
      }
      if (!(await passkeys.useNonce(tx, challenge))) throw passkeyRefused()
      const isNew = await insertPasskey(tx, { ...made, personId, createdAtMs: runtime.nowMs() })
      if (!isNew) throw passkeyRefused()
      await audit(tx, caller, { action: 'passkey.added', subject: personName })
    })
    return c.json({ success }, 200)
  })

  const noPasskey = () => new PaymentError('NOT_FOUND', 'You have no such passkey.')

  api.serve(listRoute, async (c) => {
    const { personId } = sessionOf(c.get('caller'))
    const found = await db.read((tx) => listPasskeys(tx, personId))
    const shown = found.map(({ id, name, createdAtMs, lastUsedAtMs }) => ({
      id,
      name,
      createdAt: iso(createdAtMs),
      lastUsedAt: iso(lastUsedAtMs),
    }))
    return c.json({ success, passkeys: shown }, 200)
  })

  api.serve(nameRoute, async (c) => {
    const { personId } = sessionOf(c.get('caller'))
    const { passkeyId } = c.req.valid('param')
    const isKnown = await db.write((tx) => namePasskey(tx, personId, passkeyId, c.req.valid('json').name))
    if (!isKnown) throw noPasskey()
    return c.json({ success }, 200)
  })

  api.serve(removeRoute, async (c) => {
    const caller = c.get('caller')
    const { personId, personName } = sessionOf(caller)
    const { passkeyId } = c.req.valid('param')
    await db.write(async (tx) => {
      const all = await listPasskeys(tx, personId)
      const removed = all.find(({ id }) => id === passkeyId)
      if (!removed) throw noPasskey()
      if (all.length === 1) throw new PaymentError('LAST_PASSKEY', 'This is your last passkey: add another one first.')
      await deletePasskey(tx, personId, passkeyId)
      await audit(tx, caller, { action: 'passkey.removed', subject: personName, before: removed.name })
    })
    return c.json({ success }, 200)
  })
}
