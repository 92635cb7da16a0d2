import { z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { roles, sessionOf } from '../../access/context/caller.ts'
import type { Env } from '../../access/context/env.ts'
import { defineOperation } from '../../access/context/operation.ts'
import { errorResponses, jsonBody, jsonContent, time } from '../../access/operation/common-schemas.ts'
import type { Operations } from '../../access/operation/operation-registry.ts'
import { PaymentError } from '../../core/errors.ts'
import { iso, type Runtime } from '../../core/runtime.ts'
import type { Db } from '../../db/db.ts'
import type { Audit } from '../audit/audit.ts'
import type { PageOrigin } from '../page/page-origin.ts'
import { deleteInvitation, listInvitations } from '../sign-in/invitation-store.ts'
import { commandLineName, invite, linkOf, peopleMax } from '../sign-in/invitations.ts'
import { doneResponse, tags } from '../sign-in/webauthn-schemas.ts'
import { personName } from './people.routes.ts'

const path = '/dashboard/people/invitations'

const invitationId = z.string().regex(/^[0-9a-f]{64}$/, 'invitationId is the id of an invitation')

const inviteRoute = defineOperation({
  method: 'post',
  path,
  access: 'session',
  role: 'owner',
  passkey: 'always',
  operationId: 'createInvitation',
  tags,
  summary: 'Create an invitation link, valid once within ten minutes',
  description: 'It ends early if its creator is no longer an owner.',
  request: { body: jsonBody(z.object({ name: personName, role: z.enum(roles) })) },
  responses: {
    200: jsonContent(
      'the link, which is shown once',
      z.object({ success: z.literal(true), id: invitationId, link: z.string(), endsAt: time }),
    ),
    ...errorResponses,
  },
})

const invitation = z
  .object({
    id: invitationId,
    name: z.string(),
    role: z.enum(roles),
    isDemo: z.boolean().openapi({ description: 'It signs in without a passkey, on test networks.' }),
    replacesPasskey: z.boolean().openapi({ description: 'It replaces the lost passkey of a person.' }),
    invitedBy: z.string().openapi({ description: 'The name of the person, or `command line`.' }),
    createdAt: time,
    endsAt: time,
  })
  .openapi('DashboardInvitation')

const listRoute = defineOperation({
  method: 'get',
  path,
  access: 'session',
  role: 'owner',
  operationId: 'listInvitations',
  tags,
  summary: 'Invitations that can still be accepted, newest first',
  responses: {
    200: jsonContent('the invitations', z.object({ success: z.literal(true), invitations: z.array(invitation) })),
    ...errorResponses,
  },
})

const takeBackRoute = defineOperation({
  method: 'delete',
  path: `${path}/{invitationId}`,
  access: 'session',
  role: 'owner',
  operationId: 'deleteInvitation',
  tags,
  summary: 'Revoke an invitation',
  request: {
    params: z.object({ invitationId: invitationId.openapi({ param: { name: 'invitationId', in: 'path' } }) }),
  },
  responses: { 200: doneResponse, ...errorResponses },
})

type Deps = {
  db: Db
  runtime: Runtime
  audit: Audit
  pageOf: (c: Context<Env>) => PageOrigin
}

export function invitationRoutes(api: Operations, { db, runtime, audit, pageOf }: Deps) {
  const success = true as const

  api.serve(inviteRoute, async (c) => {
    const caller = c.get('caller')
    const { name, role } = c.req.valid('json')
    const { merchantId } = caller
    const { personId: invitedBy } = sessionOf(caller)
    const { id, token, endsAtMs } = await db.write(async (tx) => {
      await audit(tx, caller, { action: 'person.invited', subject: name, after: role })
      return await invite(tx, runtime, { merchantId, name, role, personId: null, invitedBy })
    })
    return c.json({ success, id, link: linkOf(pageOf(c).origin, token), endsAt: iso(endsAtMs) }, 200)
  })

  api.serve(listRoute, async (c) => {
    const { merchantId } = c.get('caller')
    const found = await db.read((tx) => listInvitations(tx, merchantId, runtime.nowMs(), peopleMax))
    const invitations = found.map(
      ({ tokenSha256: id, name, role, isDemo, personId, inviterName, createdAtMs, endsAtMs }) => ({
        id,
        name,
        role,
        isDemo,
        replacesPasskey: personId !== null && !isDemo,
        invitedBy: inviterName ?? commandLineName,
        createdAt: iso(createdAtMs),
        endsAt: iso(endsAtMs),
      }),
    )
    return c.json({ success, invitations }, 200)
  })

  api.serve(takeBackRoute, async (c) => {
    const caller = c.get('caller')
    const { invitationId } = c.req.valid('param')
    await db.write(async (tx) => {
      const name = await deleteInvitation(tx, caller.merchantId, invitationId, runtime.nowMs())
      if (name === undefined) {
        const message = 'There is no such invitation: it was accepted or revoked, or has expired.'
        throw new PaymentError('NOT_FOUND', message)
      }
      await audit(tx, caller, { action: 'invitation.takenBack', subject: name })
    })
    return c.json({ success }, 200)
  })
}
