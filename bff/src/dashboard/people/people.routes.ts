import { z } from '@hono/zod-openapi'
import { type Role, roles, sessionOf } from '../../access/context/caller.ts'
import { defineOperation } from '../../access/context/operation.ts'
import { errorBody, errorResponses, jsonBody, jsonContent, time } from '../../access/operation/common-schemas.ts'
import type { Operations } from '../../access/operation/operation-registry.ts'
import { PaymentError } from '../../core/errors.ts'
import { iso, type Runtime } from '../../core/runtime.ts'
import type { Db, Tx } from '../../db/db.ts'
import type { MerchantId } from '../../payment/payment.ts'
import type { Audit } from '../audit/audit.ts'
import { deleteInvitationsBy } from '../sign-in/invitation-store.ts'
import { nameMax, peopleMax } from '../sign-in/invitations.ts'
import {
  countOwners,
  deletePasskeys,
  listPeople,
  loadPerson,
  type Person,
  removePerson,
  savePerson,
} from '../sign-in/people-store.ts'
import { endSession, endSessionsOf, listSessions } from '../sign-in/session-store.ts'
import { doneResponse, tags } from '../sign-in/webauthn-schemas.ts'

const person = z
  .object({
    id: z.string(),
    name: z.string(),
    role: z.enum(roles),
    createdAt: time,
    seenAt: time
      .nullable()
      .openapi({ description: 'When the person last signed in, or created or used a passkey; null if never.' }),
    isYou: z.boolean(),
  })
  .openapi('DashboardPerson')

export const personName = z.string().trim().min(1).max(nameMax)
const personParam = z.object({ personId: z.uuid().openapi({ param: { name: 'personId', in: 'path' } }) })
const conflict = {
  409: jsonContent('The last owner cannot be removed. Make another person an owner first.', errorBody),
}

const listRoute = defineOperation({
  method: 'get',
  path: '/dashboard/people',
  access: 'session',
  role: 'owner',
  operationId: 'listPeople',
  tags,
  summary: 'The people who can sign in for this merchant',
  responses: {
    200: jsonContent('the people', z.object({ success: z.literal(true), people: z.array(person) })),
    ...errorResponses,
  },
})

const changeRoute = defineOperation({
  method: 'patch',
  path: '/dashboard/people/{personId}',
  access: 'session',
  role: 'owner',
  passkey: 'always',
  operationId: 'updatePerson',
  tags,
  summary: "Change a person's role or name",
  request: {
    params: personParam,
    body: jsonBody(z.object({ name: personName.optional(), role: z.enum(roles).optional() })),
  },
  responses: { 200: doneResponse, ...errorResponses, ...conflict },
})

const removeRoute = defineOperation({
  method: 'delete',
  path: '/dashboard/people/{personId}',
  access: 'session',
  role: 'owner',
  passkey: 'always',
  operationId: 'removePerson',
  tags,
  summary: 'Remove a person; their sessions, streams and invitations end immediately',
  request: { params: personParam },
  responses: { 200: doneResponse, ...errorResponses, ...conflict },
})

const listedSession = z
  .object({
    id: z.string(),
    person: z.object({ id: z.string(), name: z.string() }),
    startedAt: time,
    endsAt: time,
    address: z.string(),
    browser: z.string(),
    isThis: z.boolean(),
  })
  .openapi('DashboardListedSession')

const sessionsRoute = defineOperation({
  method: 'get',
  path: '/dashboard/sessions',
  access: 'session',
  role: 'viewer',
  operationId: 'listSessions',
  tags,
  summary: 'Open sessions: owners see all, others their own',
  responses: {
    200: jsonContent('the sessions', z.object({ success: z.literal(true), sessions: z.array(listedSession) })),
    ...errorResponses,
  },
})

const endRoute = defineOperation({
  method: 'delete',
  path: '/dashboard/sessions/{sessionId}',
  access: 'session',
  role: 'viewer',
  operationId: 'endListedSession',
  tags,
  summary: 'End a session: owners any, others their own',
  request: { params: z.object({ sessionId: z.uuid().openapi({ param: { name: 'sessionId', in: 'path' } }) }) },
  responses: { 200: doneResponse, ...errorResponses },
})

const sessionsMax = 500

type Deps = {
  db: Db
  runtime: Runtime
  audit: Audit
}

export function peopleRoutes(api: Operations, { db, runtime, audit }: Deps) {
  const success = true as const

  api.serve(listRoute, async (c) => {
    const caller = c.get('caller')
    const { personId } = sessionOf(caller)
    const found = await db.read((tx) => listPeople(tx, caller.merchantId, peopleMax))
    const people = found.map(({ id, name, role, createdAtMs, seenAtMs }) => ({
      id,
      name,
      role,
      createdAt: iso(createdAtMs),
      seenAt: iso(seenAtMs),
      isYou: id === personId,
    }))
    return c.json({ success, people }, 200)
  })

  api.serve(changeRoute, async (c) => {
    const caller = c.get('caller')
    const changes = c.req.valid('json')
    await db.write(async (tx) => {
      const before = await knownPerson(tx, caller.merchantId, c.req.valid('param').personId)
      const after = { ...before, name: changes.name ?? before.name, role: changes.role ?? before.role }
      await verifyOwnerStays(tx, before, after.role)
      await savePerson(tx, after)
      if (after.role !== 'owner') await deleteInvitationsBy(tx, after.id)
      const text = ({ name, role }: Person) => `${name}, ${role}`
      await audit(tx, caller, {
        action: 'person.changed',
        subject: before.name,
        before: text(before),
        after: text(after),
      })
    })
    return c.json({ success }, 200)
  })

  api.serve(removeRoute, async (c) => {
    const caller = c.get('caller')
    await db.write(async (tx) => {
      const known = await knownPerson(tx, caller.merchantId, c.req.valid('param').personId)
      await verifyOwnerStays(tx, known, null)
      const nowMs = runtime.nowMs()
      await endSessionsOf(tx, known.id, nowMs)
      await deletePasskeys(tx, known.id)
      await deleteInvitationsBy(tx, known.id)
      await removePerson(tx, known.id, nowMs)
      await audit(tx, caller, { action: 'person.removed', subject: known.name, before: known.role })
    })
    return c.json({ success }, 200)
  })

  api.serve(sessionsRoute, async (c) => {
    const { merchantId, ...caller } = c.get('caller')
    const own = sessionOf(caller)
    const found = await db.read((tx) => listSessions(tx, merchantId, runtime.nowMs(), sessionsMax))
    const sessions = found
      .filter(({ personId }) => own.role === 'owner' || personId === own.personId)
      .map(({ id, personId, personName, createdAtMs, endsAtMs, address, browser }) => ({
        id,
        address,
        browser,
        person: { id: personId, name: personName },
        startedAt: iso(createdAtMs),
        endsAt: iso(endsAtMs),
        isThis: id === own.id,
      }))
    return c.json({ success, sessions }, 200)
  })

  api.serve(endRoute, async (c) => {
    const caller = c.get('caller')
    const own = sessionOf(caller)
    const { sessionId } = c.req.valid('param')
    await db.write(async (tx) => {
      const nowMs = runtime.nowMs()
      const all = await listSessions(tx, caller.merchantId, nowMs, sessionsMax)
      const ended = all.find(
        ({ id, personId }) => id === sessionId && (own.role === 'owner' || personId === own.personId),
      )
      if (!ended) {
        throw new PaymentError('NOT_FOUND', 'There is no such session, or it has ended.')
      }
      await endSession(tx, caller.merchantId, sessionId, nowMs)
      await audit(tx, caller, { action: 'session.ended', subject: ended.personName })
    })
    return c.json({ success }, 200)
  })
}

async function knownPerson(tx: Tx, merchantId: MerchantId, id: string): Promise<Person> {
  const known = await loadPerson(tx, id)
  if (known?.merchantId !== merchantId) {
    throw new PaymentError('NOT_FOUND', 'There is no such person in this account.')
  }
  return known
}

/** @param after - Null if the person is removed. @throws {PaymentError} LAST_OWNER. */
async function verifyOwnerStays(tx: Tx, { merchantId, role }: Person, after: Role | null): Promise<void> {
  if (role !== 'owner' || after === 'owner' || (await countOwners(tx, merchantId)) > 1) return
  throw new PaymentError('LAST_OWNER', 'This is the last owner: make another person an owner first.')
}
