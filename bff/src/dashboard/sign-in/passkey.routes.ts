import { z } from '@hono/zod-openapi'
import type { RegistrationResponseJSON } from '@simplewebauthn/server'
import type { Context } from 'hono'
import { sessionOf } from '../../access/caller.ts'
import { errorBody, errorResponses, jsonBody, jsonContent } from '../../access/common-schemas.ts'
import type { Env } from '../../access/env.ts'
import { defineOperation } from '../../access/operation.ts'
import type { Operations } from '../../access/operation-registry.ts'
import { PaymentError } from '../../core/errors.ts'
import type { Runtime } from '../../core/runtime.ts'
import type { Db } from '../../db/db.ts'
import type { Audit } from '../audit/audit.ts'
import type { PageOrigin } from '../page/page-origin.ts'
import type { Passkeys } from './passkeys.ts'
import { insertPasskey, loadPasskeys } from './people-store.ts'
import { passkeyRefused } from './registrations.ts'
import { doneResponse, optionsResponse, plainJson, registrationJson, tags } from './webauthn-schemas.ts'

/** A telephone, a computer, a stick in a drawer. */
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
    const { id: sessionId, personId, personName } = sessionOf(caller)
    const response = c.req.valid('json').response as RegistrationResponseJSON
    const { challenge, ...made } = await passkeys.verifyRegistration(pageOf(c), 'passkey', sessionId, response)
    await db.write(async (tx) => {
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
}
