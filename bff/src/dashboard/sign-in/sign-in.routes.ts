import { z } from '@hono/zod-openapi'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { Context } from 'hono'
import { roles } from '../../access/context/caller.ts'
import type { Env } from '../../access/context/env.ts'
import { defineOperation } from '../../access/context/operation.ts'
import type { RateLimits } from '../../access/limits/rate-limit.ts'
import { errorResponses, jsonBody, jsonContent } from '../../access/operation/common-schemas.ts'
import type { Operations } from '../../access/operation/operation-registry.ts'
import type { Networks } from '../../core/families.ts'
import type { AuditAction } from '../../core/record-codes.ts'
import type { Runtime } from '../../core/runtime.ts'
import type { Db } from '../../db/db.ts'
import { loadAccount } from '../../merchant/account-store.ts'
import { insertAuditEntry } from '../audit/audit-store.ts'
import type { PageOrigin } from '../page/page-origin.ts'
import { deleteInvitationsBy, type Invitation, loadInvitation, nameInvited, useInvitation } from './invitation-store.ts'
import { invitationEnded, verifyTestNetworks } from './invitations.ts'
import { type Passkeys, sha256 } from './passkeys.ts'
import { deletePasskeys, insertPasskey, insertPerson, loadPasskeys, loadPerson } from './people-store.ts'
import { passkeyRefused } from './registrations.ts'
import { endSessionsOf } from './session-store.ts'
import type { Sessions } from './sessions.ts'
import {
  assertionJson,
  doneResponse,
  optionsResponse,
  plainJson,
  registrationJson,
  tags,
  webauthnOptions,
} from './webauthn-schemas.ts'

const token = z.string().regex(/^[\w-]{43}$/, 'token is incomplete')

const signInOptionsRoute = defineOperation({
  method: 'post',
  path: '/dashboard/sign-in/options',
  access: 'page',
  rate: 'signIns',
  operationId: 'createSignInChallenge',
  tags,
  summary: 'A challenge to sign in with a passkey',
  responses: { 200: optionsResponse, ...errorResponses },
})

const signInRoute = defineOperation({
  method: 'post',
  path: '/dashboard/sign-in',
  access: 'page',
  rate: 'signIns',
  operationId: 'signIn',
  tags,
  summary: 'Sign in with a passkey: sets the cookie of a new session, which ends after 12 hours',
  request: { body: jsonBody(z.object({ response: assertionJson })) },
  responses: { 200: doneResponse, ...errorResponses },
})

const invitationOptionsRoute = defineOperation({
  method: 'post',
  path: '/dashboard/invitation/options',
  access: 'page',
  rate: 'signIns',
  operationId: 'createInvitationChallenge',
  tags,
  summary: 'The details of an invitation, and a challenge to create its passkey',
  request: { body: jsonBody(z.object({ token })) },
  responses: {
    200: jsonContent(
      'for the browser',
      z.object({
        success: z.literal(true),
        options: webauthnOptions,
        invitation: z.object({ name: z.string(), role: z.enum(roles), merchantName: z.string() }),
      }),
    ),
    ...errorResponses,
  },
})

const acceptRoute = defineOperation({
  method: 'post',
  path: '/dashboard/invitation/accept',
  access: 'page',
  rate: 'signIns',
  operationId: 'acceptInvitation',
  tags,
  summary: 'Accept an invitation with a new passkey, and sign in',
  request: { body: jsonBody(z.object({ token, response: registrationJson })) },
  responses: { 200: doneResponse, ...errorResponses },
})

const demoRoute = defineOperation({
  method: 'post',
  path: '/dashboard/demo-sign-in',
  access: 'page',
  rate: 'signIns',
  operationId: 'signInToDemo',
  tags,
  summary: 'Sign in with the link of the demo, where all networks are test networks',
  request: { body: jsonBody(z.object({ token })) },
  responses: { 200: doneResponse, ...errorResponses },
})

type Deps = {
  db: Db
  runtime: Runtime
  networks: Networks
  limits: RateLimits
  passkeys: Passkeys
  sessions: Sessions
  pageOf: (c: Context<Env>) => PageOrigin
}

/** Routes before sign-in: they ignore cookies, and accept only requests from the dashboard's own page. */
export function signInRoutes(api: Operations, deps: Deps) {
  const { db, runtime, networks, limits, passkeys, sessions, pageOf } = deps
  const success = true as const

  api.serve(signInOptionsRoute, async (c) => {
    const options = await passkeys.signInOptions(pageOf(c), 'sign-in', '')
    return c.json({ success, options: plainJson(options) }, 200)
  })

  api.serve(signInRoute, async (c) => {
    const response = c.req.valid('json').response as AuthenticationResponseJSON
    await limits.signsInWith(c, response.id)
    const assertion = await passkeys.verifyAssertion(pageOf(c), 'sign-in', '', response)
    const setCookie = await db.write(async (tx) => {
      await passkeys.use(tx, assertion)
      const person = await loadPerson(tx, assertion.passkey.personId)
      if (!person) throw passkeyRefused()
      return await sessions.start(tx, c, person.id)
    })
    setCookie()
    return c.json({ success }, 200)
  })

  async function findInvitation(token: string, isDemo: boolean): Promise<Invitation> {
    const invitation = await db.read((tx) => loadInvitation(tx, sha256(token), runtime.nowMs()))
    if (invitation?.isDemo !== isDemo) throw invitationEnded()
    return invitation
  }

  api.serve(invitationOptionsRoute, async (c) => {
    const invitation = await findInvitation(c.req.valid('json').token, false)
    const { merchantId, personId, name, role, tokenSha256 } = invitation
    const { account, known } = await db.read(async (tx) => ({
      account: await loadAccount(tx, merchantId),
      known: personId === null ? [] : await loadPasskeys(tx, personId),
    }))
    const merchantName = account?.name ?? ''
    const person = { name, merchantName, passkeys: known }
    const options = await passkeys.registrationOptions(pageOf(c), 'invitation', tokenSha256, person)
    return c.json({ success, options: plainJson(options), invitation: { name, role, merchantName } }, 200)
  })

  api.serve(acceptRoute, async (c) => {
    const { token, response } = c.req.valid('json')
    const invitation = await findInvitation(token, false)
    const { tokenSha256, merchantId, name, role } = invitation
    const made = await passkeys.verifyRegistration(
      pageOf(c),
      'invitation',
      tokenSha256,
      response as RegistrationResponseJSON,
    )
    const newId = runtime.newUuid()
    const address = limits.addressOf(c)
    const setCookie = await db.write(async (tx) => {
      const nowMs = runtime.nowMs()
      if (!(await useInvitation(tx, tokenSha256, nowMs))) throw invitationEnded()
      const person = invitation.personId === null ? undefined : await loadPerson(tx, invitation.personId)
      if (invitation.personId !== null && !person) throw invitationEnded()
      const personId = person?.id ?? newId
      if (person) {
        // Revoke the lost passkey, and the access of anyone who holds it.
        await deletePasskeys(tx, person.id)
        await endSessionsOf(tx, person.id, nowMs)
        await deleteInvitationsBy(tx, person.id)
      } else {
        await insertPerson(tx, { id: personId, merchantId, name, role, createdAtMs: nowMs })
      }
      if (!(await insertPasskey(tx, { ...made, personId, createdAtMs: nowMs }))) throw passkeyRefused()
      const action: AuditAction = person ? 'passkey.replaced' : 'person.joined'
      const entry = { action, subject: person?.name ?? name, before: null, after: person?.role ?? role }
      await insertAuditEntry(tx, { merchantId, personId, personName: name, atMs: nowMs, address, ...entry })
      return await sessions.start(tx, c, personId)
    })
    setCookie()
    return c.json({ success }, 200)
  })

  api.serve(demoRoute, async (c) => {
    // Checked here as well as when the link is created: a test networks' database may later be used with real ones.
    verifyTestNetworks(networks)
    const invitation = await findInvitation(c.req.valid('json').token, true)
    const { tokenSha256, merchantId, name, role } = invitation
    const newId = runtime.newUuid()
    const setCookie = await db.write(async (tx) => {
      const now = await loadInvitation(tx, tokenSha256, runtime.nowMs())
      if (!now) throw invitationEnded()
      const personId = now.personId ?? newId
      if (now.personId === null) {
        await insertPerson(tx, { id: personId, merchantId, name, role, createdAtMs: runtime.nowMs() })
        await nameInvited(tx, tokenSha256, personId)
      } else if (!(await loadPerson(tx, personId))) throw invitationEnded()
      return await sessions.start(tx, c, personId)
    })
    setCookie()
    return c.json({ success }, 200)
  })
}
