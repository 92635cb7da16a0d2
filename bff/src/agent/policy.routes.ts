import { z } from '@hono/zod-openapi'
import type { Caller } from '../access/context/caller.ts'
import { defineOperation } from '../access/context/operation.ts'
import * as schemas from '../access/operation/common-schemas.ts'
import type { Operations } from '../access/operation/operation-registry.ts'
import { PaymentError } from '../core/errors.ts'
import type { Policies } from './policies.ts'
import { DecisionItem, decisionsQuery, Policy, PolicyBody, policiesQuery } from './policy-schemas.ts'

const policyResponse = (policy: z.ZodType) =>
  schemas.jsonContent('the policy', z.object({ success: z.literal(true), policy, message: z.string() }))

const params = z.object({
  agentId: schemas.agentId.openapi({ param: { name: 'agentId', in: 'path' }, example: 'shopping-agent-1' }),
})

const path = '/merchants/agent-policies/{agentId}'

export const readAgentPolicyOperation = defineOperation({
  method: 'get',
  path,
  access: 'key',
  role: 'viewer',
  scope: 'agent',
  operationId: 'readAgentPolicy',
  tags: ['agents'],
  summary: "An agent's spending policy and what it has spent",
  description: 'Requires API key and secret. A live public key always gets `policy: null`.',
  request: { params },
  responses: { 200: policyResponse(z.union([Policy, z.null()])), ...schemas.errorResponses },
})

const listRoute = defineOperation({
  method: 'get',
  path: '/merchants/agent-policies',
  access: 'secret',
  secretFor: 'Policies are',
  role: 'viewer',
  operationId: 'listAgentPolicies',
  tags: ['agents'],
  summary: "The agents' spending policies and what each has spent",
  request: { query: policiesQuery },
  responses: {
    200: schemas.jsonContent(
      'one page',
      z.object({
        success: z.literal(true),
        policies: z.array(Policy),
        next: z.string().nullable().openapi({ description: 'The `after` of the next page; null: there is none.' }),
      }),
    ),
    ...schemas.errorResponses,
  },
})

export const setAgentPolicyOperation = defineOperation({
  method: 'put',
  path,
  access: 'key',
  role: 'owner',
  passkey: 'always',
  audit: 'agentPolicy.changed',
  operationId: 'setAgentPolicy',
  tags: ['agents'],
  summary: "Create or replace an agent's spending policy",
  request: { params, body: schemas.jsonBody(PolicyBody) },
  responses: { 200: policyResponse(Policy), ...schemas.errorResponses },
})

const deleteRoute = defineOperation({
  method: 'delete',
  path,
  access: 'key',
  role: 'owner',
  passkey: 'always',
  audit: 'agentPolicy.removed',
  operationId: 'removeAgentPolicy',
  tags: ['agents'],
  summary: "Remove an agent's spending policy",
  request: { params },
  responses: {
    200: schemas.jsonContent('removed', z.object({ success: z.literal(true), message: z.string() })),
    ...schemas.errorResponses,
  },
})

const decisionsResponse = z.object({
  success: z.literal(true),
  decisions: z.array(DecisionItem),
  next: z.int().nullable().openapi({ description: 'The `before` of the next page; null: there is none.' }),
})

export const listAgentDecisionsOperation = defineOperation({
  method: 'get',
  path: `${path}/decisions`,
  access: 'key',
  role: 'viewer',
  scope: 'agent',
  operationId: 'listAgentDecisions',
  tags: ['agents'],
  summary: "Decisions about an agent's payments, newest first",
  description: 'Of each agent the newest 10,000 decisions of the last 90 days are kept.',
  request: { params, query: decisionsQuery },
  responses: { 200: schemas.jsonContent('the decisions', decisionsResponse), ...schemas.errorResponses },
})

/** Anyone may hold a live public key, so it neither reads nor changes policies. A test key may, in test mode. */
const mayRead = (caller: Caller): boolean => caller.kind === 'api' || caller.isTest

/** The same message whether or not there is a policy. */
const withheld = 'Policies are shown to API key and secret.'

function requireRights(caller: Caller, what: string): void {
  if (mayRead(caller)) return
  const message = `${what} with API key and secret: send x-api-key with x-api-secret, and no x-public-key.`
  throw new PaymentError('API_SECRET_REQUIRED', message)
}

type Deps = { policies: Policies }

export function agentPolicyRoutes(api: Operations, { policies }: Deps) {
  const success = true as const

  api.serve(listRoute, async (c) => {
    const page = await policies.list(c.get('caller'), c.req.valid('query'))
    return c.json({ success, ...page }, 200)
  })

  api.serve(readAgentPolicyOperation, async (c) => {
    const caller = c.get('caller')
    const { agentId } = c.req.valid('param')
    if (!mayRead(caller)) return c.json({ success, policy: null, message: withheld }, 200)
    const policy = await policies.read(caller, agentId)
    const message = policy ? 'The policy of this agent.' : 'This agent has no policy.'
    return c.json({ success, policy, message }, 200)
  })

  api.serve(setAgentPolicyOperation, async (c) => {
    const caller = c.get('caller')
    requireRights(caller, 'Policies are changed')
    const { agentId } = c.req.valid('param')
    const { policy, change } = await policies.save(caller, agentId, c.req.valid('json'))
    c.set('change', { subject: agentId, ...change })
    return c.json({ success, policy, message: 'The policy was saved.' }, 200)
  })

  api.serve(deleteRoute, async (c) => {
    const caller = c.get('caller')
    requireRights(caller, 'Policies are changed')
    const { agentId } = c.req.valid('param')
    c.set('change', { subject: agentId, before: await policies.remove(caller, agentId) })
    return c.json({ success, message: 'The policy was removed.' }, 200)
  })

  api.serve(listAgentDecisionsOperation, async (c) => {
    const caller = c.get('caller')
    requireRights(caller, 'Decisions are shown')
    const page = await policies.decisions(caller, c.req.valid('param').agentId, c.req.valid('query'))
    return c.json({ success, ...page }, 200)
  })
}
