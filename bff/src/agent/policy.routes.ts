import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi'
import type { MiddlewareHandler } from 'hono'
import { PaymentError, ValidationError } from '../core/errors.ts'
import { findNetwork, type Networks } from '../core/families.ts'
import { type BaseUnits, formatAmount } from '../core/money.ts'
import type { Runtime } from '../core/runtime.ts'
import type { Db } from '../db/db.ts'
import * as schemas from '../http/common-schemas.ts'
import type { Env } from '../http/env.ts'
import type { Caller } from '../merchant/caller.ts'
import { type AgentPolicy, dollarDecimals, parseDollars, type Spent } from './policy.ts'
import { type AgentKey, deletePolicy, loadPolicy, loadSpent, savePolicy } from './policy-store.ts'

/** Networks or currencies in one policy: more than there are. */
const listMax = 100

const dollarPattern = /^\d{1,12}(\.\d{1,18})?$/

const dollarLimit = z
  .union([z.string(), z.number()])
  .transform(String)
  .refine((text) => dollarPattern.test(text), 'must be a plain decimal number such as "250.00", or null')
  .nullish()
  .openapi({
    type: ['string', 'null'],
    pattern: dollarPattern.source,
    description: 'Dollars (whole stablecoins), as decimal text; null is no limit.',
    example: '250.00',
  })

const PolicyBody = z
  .object({
    maxPerTransaction: dollarLimit,
    dailyBudget: dollarLimit,
    monthlyBudget: dollarLimit,
    allowedNetworks: z.array(z.string().max(40)).max(listMax).nullish(),
    allowedCurrencies: z
      .array(z.enum(['USDC', 'USDT']))
      .max(listMax)
      .nullish(),
    autonomousAllowed: z.boolean('must be true or false').optional(),
    expiresAt: z.iso.datetime({ offset: true, error: 'must be an ISO 8601 date-time, or null' }).nullish(),
  })
  .openapi('AgentPolicyTerms', {
    description: 'The whole policy: a limit that is left out is none; autonomous payments must be allowed.',
  })

const limit = z.string().nullable().openapi({ example: '250.00' })
const time = z.iso.datetime()

const Policy = z
  .object({
    agentId: z.string(),
    maxPerTransaction: limit,
    dailyBudget: limit,
    monthlyBudget: limit,
    allowedNetworks: z.array(z.string()).nullable(),
    allowedCurrencies: z.array(z.string()).nullable(),
    autonomousAllowed: z.boolean(),
    expiresAt: time.nullable(),
    spentToday: z.string(),
    spentThisMonth: z.string(),
    isTest: z.boolean(),
    createdAt: time,
    updatedAt: time,
  })
  .openapi('AgentPolicy')

const answer = (policy: z.ZodType) => ({
  description: 'the policy',
  content: {
    'application/json': { schema: z.object({ success: z.literal(true), policy, message: z.string() }) },
  },
})

const params = z.object({
  agentId: schemas.agentId.openapi({ param: { name: 'agentId', in: 'path' }, example: 'shopping-agent-1' }),
})

const path = '/merchants/agent-policies/{agentId}'

const readRoute = createRoute({
  method: 'get',
  path,
  summary: "An agent's spending policy and what it has spent",
  description: 'For API key and secret. A live public key gets `policy: null`, whether there is one or not.',
  request: { params },
  responses: { 200: answer(z.union([Policy, z.null()])), ...schemas.errorResponses },
})

const putRoute = createRoute({
  method: 'put',
  path,
  summary: "Create or replace an agent's spending policy",
  request: { params, body: { required: true, content: { 'application/json': { schema: PolicyBody } } } },
  responses: { 200: answer(Policy), ...schemas.errorResponses },
})

const deleteRoute = createRoute({
  method: 'delete',
  path,
  summary: "Remove an agent's spending policy",
  request: { params },
  responses: {
    200: {
      description: 'removed',
      content: { 'application/json': { schema: z.object({ success: z.literal(true), message: z.string() }) } },
    },
    ...schemas.errorResponses,
  },
})

/** A public key is in everybody's hands: with it, only the policies of its own test mode can be read and changed. */
const mayRead = (caller: Caller): boolean => caller.kind === 'api' || caller.isTest

/** The same whether there is a policy or not. */
const withheld = 'Policies are shown to API key and secret.'

function checkMayWrite(caller: Caller): void {
  if (mayRead(caller)) return
  const message = 'Policies are changed with API key and secret: send x-api-key with x-api-secret, and no x-public-key.'
  throw new PaymentError('API_SECRET_REQUIRED', message, { status: 403, error: 'API key and secret are required' })
}

const keyOf = ({ merchantId, isTest }: Caller, agentId: string): AgentKey => ({ merchantId, isTest, agentId })

const iso = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString())
const money = (amount: BaseUnits): string => formatAmount(amount, dollarDecimals)

function view(policy: AgentPolicy, spent: Spent, isTest: boolean): z.infer<typeof Policy> {
  const limitText = (amount: BaseUnits | null) => (amount === null ? null : money(amount))
  return {
    agentId: policy.agentId,
    maxPerTransaction: limitText(policy.maxPerTransaction),
    dailyBudget: limitText(policy.dailyBudget),
    monthlyBudget: limitText(policy.monthlyBudget),
    allowedNetworks: policy.allowedNetworks && [...policy.allowedNetworks],
    allowedCurrencies: policy.allowedCurrencies && [...policy.allowedCurrencies],
    autonomousAllowed: policy.autonomousAllowed,
    expiresAt: iso(policy.expiresAtMs),
    spentToday: money(spent.today),
    spentThisMonth: money(spent.thisMonth),
    isTest,
    createdAt: new Date(policy.createdAtMs).toISOString(),
    updatedAt: new Date(policy.updatedAtMs).toISOString(),
  }
}

type Deps = { db: Db; networks: Networks; runtime: Runtime; requireCaller: MiddlewareHandler<Env> }

export function agentPolicyRoutes(app: OpenAPIHono<Env>, { db, networks, runtime, requireCaller }: Deps) {
  /** @throws {ValidationError} because a name that is misspelt would forbid what was meant to be allowed. */
  function knownNetwork(name: string): string {
    const network = findNetwork(networks, name)
    if (network) return network.shortName
    throw new ValidationError(
      `allowedNetworks: there is no network "${name}" (there are: ${[...networks.keys()].join(', ')})`,
    )
  }

  function policyOf(agentId: string, body: z.infer<typeof PolicyBody>): AgentPolicy {
    const dollars = (text: string | null | undefined) => (text == null ? null : parseDollars(text))
    const nowMs = runtime.nowMs()
    return {
      agentId,
      maxPerTransaction: dollars(body.maxPerTransaction),
      dailyBudget: dollars(body.dailyBudget),
      monthlyBudget: dollars(body.monthlyBudget),
      allowedNetworks: body.allowedNetworks?.map(knownNetwork) ?? null,
      allowedCurrencies: body.allowedCurrencies ?? null,
      autonomousAllowed: body.autonomousAllowed ?? false,
      expiresAtMs: body.expiresAt == null ? null : Date.parse(body.expiresAt),
      createdAtMs: nowMs,
      updatedAtMs: nowMs,
    }
  }

  app.openapi({ ...readRoute, middleware: [requireCaller] as const }, async (c) => {
    const caller = c.get('caller')
    const key = keyOf(caller, c.req.valid('param').agentId)
    if (!mayRead(caller)) return c.json({ success: true as const, policy: null, message: withheld }, 200)
    const found = await db.read(async (tx) => {
      const policy = await loadPolicy(tx, key)
      return policy && view(policy, await loadSpent(tx, key, runtime.nowMs()), caller.isTest)
    })
    const message = found ? 'The policy of this agent.' : 'This agent has no policy.'
    return c.json({ success: true as const, policy: found ?? null, message }, 200)
  })

  app.openapi({ ...putRoute, middleware: [requireCaller] as const }, async (c) => {
    const caller = c.get('caller')
    checkMayWrite(caller)
    const key = keyOf(caller, c.req.valid('param').agentId)
    const policy = policyOf(key.agentId, c.req.valid('json'))
    const saved = await db.write(async (tx) => {
      const before = await loadPolicy(tx, key)
      await savePolicy(tx, key, policy)
      const spent = await loadSpent(tx, key, policy.updatedAtMs)
      return view({ ...policy, createdAtMs: before?.createdAtMs ?? policy.createdAtMs }, spent, caller.isTest)
    })
    return c.json({ success: true as const, policy: saved, message: 'The policy was saved.' }, 200)
  })

  app.openapi({ ...deleteRoute, middleware: [requireCaller] as const }, async (c) => {
    const caller = c.get('caller')
    checkMayWrite(caller)
    const key = keyOf(caller, c.req.valid('param').agentId)
    if (await db.write((tx) => deletePolicy(tx, key))) {
      return c.json({ success: true as const, message: 'The policy was removed.' }, 200)
    }
    const message = `Agent ${key.agentId} has no policy.`
    throw new PaymentError('AGENT_POLICY_NOT_FOUND', message, { status: 404, error: 'Agent policy not found' })
  })
}
