import { type BaseUnits, baseUnits, multiplied, zero } from '../core/money.ts'
import type { Payment } from '../payment/payment.ts'

/**
 * The decimals of dollar amounts, for every token. No configurable token has more, so that amounts of different tokens can be compared, and
 * amounts of a dollar token are exact.
 */
export const dollarDecimals = 36

/** The limits of an agent's spending. Null is no limit. */
export type AgentPolicy = {
  agentId: string
  /** In dollars, like the budgets. */
  maxPerTransaction: BaseUnits | null
  /** Per UTC day, and per UTC month. */
  dailyBudget: BaseUnits | null
  monthlyBudget: BaseUnits | null
  /** Short names; symbols. */
  allowedNetworks: readonly string[] | null
  allowedCurrencies: readonly string[] | null
  /** Whether payments that no person confirmed are allowed. */
  autonomousAllowed: boolean
  expiresAtMs: number | null
  createdAtMs: number
  updatedAtMs: number
}

/**
 * Dollars that are spent or promised: payments that did not fail. `unrated`: symbols of payments that cannot be counted, because no
 * rate was known when they were created.
 */
export type Spent = {
  today: BaseUnits
  thisMonth: BaseUnits
  unrated: { today: readonly string[]; thisMonth: readonly string[] }
}

/**
 * An amount of a token in dollars, rounded up.
 * @param dollarRate - Dollars for one whole token.
 */
export function dollars(amount: BaseUnits, tokenDecimals: number, dollarRate: string): BaseUnits {
  return multiplied(amount * 10n ** BigInt(dollarDecimals - tokenDecimals), dollarRate) as BaseUnits
}

/** Decimal text to dollars, exactly. The text must have been checked by the schema: digits, a point, at most 18 digits. */
export function parseDollars(text: string): BaseUnits {
  const [whole = '0', fraction = ''] = text.split('.')
  return baseUnits(whole + fraction.padEnd(dollarDecimals, '0'))
}

/** The UTC day and month of a time, and the next ones, as unix milliseconds of their first moment. */
export function periodsOf(atMs: number) {
  const at = new Date(atMs)
  const [year, month, day] = [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()]
  return {
    dayMs: Date.UTC(year, month, day),
    nextDayMs: Date.UTC(year, month, day + 1),
    monthMs: Date.UTC(year, month),
    nextMonthMs: Date.UTC(year, month + 1),
  }
}

export type Spending = Pick<Payment, 'network' | 'currency' | 'due' | 'tokenDecimals' | 'dollarRate' | 'createdAtMs'>

/** The rules that can refuse a payment of an agent. */
export const refusalRules = [
  'expired',
  'autonomous',
  'network',
  'currency',
  'per_transaction',
  'daily_budget',
  'monthly_budget',
] as const

/** The rule that refuses, and the same as a part of a sentence. */
export type Refusal = { rule: (typeof refusalRules)[number]; reason: string }

/** Why the policy does not permit a payment, one rule per line; undefined when it does. `spent` is without the payment. */
export function refusalOf(
  policy: AgentPolicy,
  payment: Spending,
  isAutonomous: boolean,
  spent: Spent,
): Refusal | undefined {
  const { maxPerTransaction, dailyBudget, monthlyBudget, allowedNetworks, allowedCurrencies, expiresAtMs } = policy
  const { network, currency, dollarRate } = payment
  const refuse = (rule: Refusal['rule'], reason: string): Refusal => ({ rule, reason })
  if (expiresAtMs !== null && expiresAtMs <= payment.createdAtMs) return refuse('expired', 'policy has expired')
  if (isAutonomous && !policy.autonomousAllowed) return refuse('autonomous', 'autonomous payments are not allowed')
  if (allowedNetworks?.includes(network) === false) return refuse('network', `network not allowed: ${network}`)
  if (allowedCurrencies?.includes(currency) === false) return refuse('currency', `currency not allowed: ${currency}`)
  const limits = [
    { rule: 'per_transaction', name: 'per-transaction limit', most: maxPerTransaction, before: zero, unrated: [] },
    {
      rule: 'daily_budget',
      name: 'daily budget',
      most: dailyBudget,
      before: spent.today,
      unrated: spent.unrated.today,
    },
    {
      rule: 'monthly_budget',
      name: 'monthly budget',
      most: monthlyBudget,
      before: spent.thisMonth,
      unrated: spent.unrated.thisMonth,
    },
  ] as const
  for (const { rule, name, most, before, unrated } of limits) {
    if (most === null) continue
    const [unknown = null] = dollarRate === null ? [currency] : unrated
    if (unknown !== null || dollarRate === null) {
      return refuse(rule, `${name} is in dollars, and there is no rate of ${unknown} in dollars`)
    }
    if (before + dollars(payment.due, payment.tokenDecimals, dollarRate) > most) return refuse(rule, `${name} exceeded`)
  }
  return undefined
}
