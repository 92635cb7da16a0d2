import { PaymentError } from '../core/errors.ts'
import { excess, zero } from '../core/money.ts'
import type { Tx } from '../db/db.ts'
import type { Payment } from '../payment/payment.ts'
import type { Verdict } from './decision.ts'
import { dollars, type Refusal, refusalOf, type Spending, type Spent } from './policy.ts'
import { type AgentKey, loadPolicy, loadSpent } from './policy-store.ts'

/** The agent's policy does not permit it; a retry helps only after the policy or the day changes. */
export class AgentConstraintError extends PaymentError {
  readonly verdict: Verdict

  constructor(agentId: string | null, refusal: Refusal) {
    const message = agentId === null ? `${refusal.reason}.` : `Agent ${agentId}: ${refusal.reason}.`
    super('AGENT_CONSTRAINT_VIOLATED', message, { fields: { rule: refusal.rule } })
    this.verdict = { rule: refusal.rule, refusal }
  }
}

const nothingSpent: Spent = { today: zero, thisMonth: zero, unrated: { today: [], thisMonth: [] } }

export type AgentPayment = Spending & Pick<Payment, 'merchantId' | 'isTest' | 'agentId'>

/** The payment's agent; null: none. */
export const agentKeyOf = ({ merchantId, isTest, agentId }: AgentPayment): AgentKey | null =>
  agentId === null ? null : { merchantId, isTest, agentId }

const autonomousWithoutPolicy: Refusal = {
  rule: 'autonomous',
  reason: 'autonomous payments are not allowed without a policy that allows them',
}

/**
 * Checks a new payment against its agent's policy. Call it in the unit of work that stores the payment, before it is
 * stored: the payment is then its own reservation, and units run one after the other, those of all replicas too, so that
 * creates that arrive together never overspend.
 * @returns what to log.
 * @throws {AgentConstraintError} naming the limit.
 */
export async function checkAgentPolicy(tx: Tx, payment: AgentPayment, isAutonomous: boolean): Promise<Verdict> {
  const key = agentKeyOf(payment)
  const policy = key && (await loadPolicy(tx, key))
  if (!key || !policy) {
    if (!isAutonomous) return { rule: 'no_policy', refusal: undefined }
    throw new AgentConstraintError(payment.agentId, autonomousWithoutPolicy)
  }
  const hasBudget = policy.dailyBudget !== null || policy.monthlyBudget !== null
  const spent = hasBudget ? await loadSpent(tx, key, payment.createdAtMs) : nothingSpent
  const refusal = refusalOf(policy, payment, isAutonomous, spent)
  if (refusal !== undefined) throw new AgentConstraintError(key.agentId, refusal)
  return { rule: 'within_policy', refusal: undefined }
}

/**
 * Checks a payment that exists against the policy of its agent as it is now, because the policy may have ended or been tightened since
 * the payment was created.
 * @returns what to log.
 * @throws {AgentConstraintError} naming the limit.
 */
export async function checkAgentPays(tx: Tx, payment: AgentPayment, nowMs: number): Promise<Verdict> {
  const key = agentKeyOf(payment)
  const policy = key && (await loadPolicy(tx, key))
  if (!key || !policy) return { rule: 'no_policy', refusal: undefined }
  const { today, thisMonth, unrated } = await loadSpent(tx, key, payment.createdAtMs)
  // Without a rate the payment is refused by every limit, so that the others do not matter.
  const own = payment.dollarRate === null ? zero : dollars(payment.due, payment.tokenDecimals, payment.dollarRate)
  const others = { today: excess(today, own), thisMonth: excess(thisMonth, own), unrated }
  const refusal = refusalOf(policy, { ...payment, createdAtMs: nowMs }, false, others)
  if (refusal !== undefined) throw new AgentConstraintError(key.agentId, refusal)
  return { rule: 'within_policy', refusal: undefined }
}
