import { type BaseUnits, baseUnits } from '../core/money.ts'
import type { Payment } from '../payment/payment.ts'

/**
 * Dollars: whole stablecoins, whatever the decimals of the token on its network. No token that can be configured has
 * more decimals than this, so that every amount is exact in it and amounts of different tokens can be compared.
 */
export const dollarDecimals = 36

/** What an agent may spend. Null is no limit. */
export type AgentPolicy = {
  agentId: string
  /** Dollars, as the budgets are. */
  maxPerTransaction: BaseUnits | null
  /** Of a UTC day, of a UTC month. */
  dailyBudget: BaseUnits | null
  monthlyBudget: BaseUnits | null
  /** Short names; symbols. */
  allowedNetworks: readonly string[] | null
  allowedCurrencies: readonly string[] | null
  /** Payments that no person confirmed. */
  autonomousAllowed: boolean
  expiresAtMs: number | null
  createdAtMs: number
  updatedAtMs: number
}

/** Dollars that are spent or promised: payments that did not fail. */
export type Spent = { today: BaseUnits; thisMonth: BaseUnits }

/** An amount of a token in dollars. */
export function dollars(amount: BaseUnits, tokenDecimals: number): BaseUnits {
  return (amount * 10n ** BigInt(dollarDecimals - tokenDecimals)) as BaseUnits
}

/** Decimal text to dollars, exactly. The text must have been checked by the schema: digits, a point, at most 18 digits. */
export function parseDollars(text: string): BaseUnits {
  const [whole = '0', fraction = ''] = text.split('.')
  return baseUnits(whole + fraction.padEnd(dollarDecimals, '0'))
}

/** The UTC day and month of a time, as unix milliseconds of their first moment. */
export function periodsOf(atMs: number): { dayMs: number; monthMs: number } {
  const at = new Date(atMs)
  const [year, month] = [at.getUTCFullYear(), at.getUTCMonth()]
  return { dayMs: Date.UTC(year, month, at.getUTCDate()), monthMs: Date.UTC(year, month) }
}

export type Spending = Pick<Payment, 'network' | 'currency' | 'due' | 'tokenDecimals' | 'createdAtMs'>

/** Why the policy does not permit a payment, one reason a line; undefined when it does. `spent` is without the payment. */
export function refusalOf(
  policy: AgentPolicy,
  payment: Spending,
  isAutonomous: boolean,
  spent: Spent,
): string | undefined {
  const { maxPerTransaction, dailyBudget, monthlyBudget, allowedNetworks, allowedCurrencies, expiresAtMs } = policy
  const amount = dollars(payment.due, payment.tokenDecimals)
  if (expiresAtMs !== null && expiresAtMs <= payment.createdAtMs) return 'policy has expired'
  if (isAutonomous && !policy.autonomousAllowed) return 'autonomous payments are not allowed'
  if (allowedNetworks && !allowedNetworks.includes(payment.network)) return `network not allowed: ${payment.network}`
  if (allowedCurrencies && !allowedCurrencies.includes(payment.currency))
    return `currency not allowed: ${payment.currency}`
  if (maxPerTransaction !== null && amount > maxPerTransaction) return 'per-transaction limit exceeded'
  if (dailyBudget !== null && spent.today + amount > dailyBudget) return 'daily budget exceeded'
  if (monthlyBudget !== null && spent.thisMonth + amount > monthlyBudget) return 'monthly budget exceeded'
  return undefined
}
