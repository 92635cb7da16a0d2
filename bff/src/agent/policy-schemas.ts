import { z } from '@hono/zod-openapi'
import { amountText, time } from '../access/operation/common-schemas.ts'
import { symbolPattern } from '../core/families.ts'
import { type BaseUnits, formatAmount } from '../core/money.ts'
import { iso } from '../core/runtime.ts'
import { agentActions, type Decision, decisionRules } from './decision.ts'
import { type AgentPolicy, dollarDecimals, type Spent } from './policy.ts'

/** Maximum networks or currencies in one policy: more than there are. */
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
    description:
      'Dollars, as decimal text; null is no limit. A token of another currency counts at the rate of the creation of the payment, and is refused without one.',
    example: '250.00',
  })

/** The terms of a policy in a request. */
export const PolicyBody = z
  .strictObject({
    maxPerTransaction: dollarLimit,
    dailyBudget: dollarLimit,
    monthlyBudget: dollarLimit,
    allowedNetworks: z.array(z.string().max(40)).max(listMax).nullish(),
    allowedCurrencies: z
      .array(z.string().regex(symbolPattern, 'must be the symbol of a token such as USDC'))
      .max(listMax)
      .nullish(),
    autonomousAllowed: z.boolean('must be true or false').optional(),
    expiresAt: z.iso.datetime({ offset: true, error: 'must be an ISO 8601 date-time, or null' }).nullish(),
  })
  .openapi('AgentPolicyTerms', {
    description: 'The whole policy. An omitted limit is unlimited; autonomous payments must be allowed explicitly.',
  })

const limit = z.string().nullable().openapi({ example: '250.00' })

/** A policy with what the agent has spent. */
export const Policy = z
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

/** One entry of the log of decisions about an agent. */
export const DecisionItem = z
  .object({
    sequence: z.int(),
    decidedAt: time,
    action: z
      .enum(agentActions)
      .openapi({ description: 'A payment was created for the agent, or the agent paid it through x402.' }),
    isAllowed: z.boolean(),
    rule: z.enum(decisionRules).openapi({ description: 'The rule that refused, or `within_policy` or `no_policy`.' }),
    amount: amountText,
    currency: z.string(),
    network: z.string(),
    paymentId: z.uuid().nullable().openapi({ description: 'Null for a refused payment.' }),
  })
  .openapi('AgentDecision')

/** Maximum policies per response, because the spending of each agent is summed up for it. */
const policiesMax = 50

export const policiesQuery = z.object({
  isTest: z
    .enum(['true', 'false'], 'isTest must be true or false')
    .default('false')
    .transform((text) => text === 'true')
    .openapi({ description: 'Policies for test payments instead of live ones.' }),
  limit: z.coerce.number('limit must be a number').int().min(1).max(policiesMax).default(20),
  after: z
    .string()
    .max(100, 'after must be the value of `next` in an earlier response')
    .default('')
    .openapi({ description: 'Only agents after this one: `next` of the previous page.' }),
})

/** Maximum decisions per response. */
const decisionsMax = 100

export const decisionsQuery = z.object({
  limit: z.coerce.number('limit must be a number').int().min(1).max(decisionsMax).default(50),
  before: z.coerce
    .number('before must be a number')
    .int()
    .min(1)
    .max(Number.MAX_SAFE_INTEGER)
    .optional()
    .openapi({ description: 'Only decisions with a lower `sequence`: `next` of the previous page.' }),
})

const money = (amount: BaseUnits): string => formatAmount(amount, dollarDecimals)

export function policyView(policy: AgentPolicy, spent: Spent, isTest: boolean): z.infer<typeof Policy> {
  return {
    agentId: policy.agentId,
    ...termsView(policy),
    spentToday: money(spent.today),
    spentThisMonth: money(spent.thisMonth),
    isTest,
    createdAt: iso(policy.createdAtMs),
    updatedAt: iso(policy.updatedAtMs),
  }
}

/** The terms as JSON, for the audit log. */
export const policyText = (policy: AgentPolicy): string => JSON.stringify(termsView(policy))

function termsView(policy: AgentPolicy) {
  const limitText = (amount: BaseUnits | null) => (amount === null ? null : money(amount))
  return {
    maxPerTransaction: limitText(policy.maxPerTransaction),
    dailyBudget: limitText(policy.dailyBudget),
    monthlyBudget: limitText(policy.monthlyBudget),
    allowedNetworks: policy.allowedNetworks && [...policy.allowedNetworks],
    allowedCurrencies: policy.allowedCurrencies && [...policy.allowedCurrencies],
    autonomousAllowed: policy.autonomousAllowed,
    expiresAt: iso(policy.expiresAtMs),
  }
}

export function decisionView(decision: Decision & { sequence: number }): z.infer<typeof DecisionItem> {
  const { sequence, action, isAllowed, rule, currency, network, paymentId } = decision
  const amount = formatAmount(decision.amount, decision.tokenDecimals)
  const decidedAt = iso(decision.decidedAtMs)
  return { sequence, decidedAt, action, isAllowed, rule, amount, currency, network, paymentId }
}
