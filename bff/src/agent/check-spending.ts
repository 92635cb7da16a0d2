import { PaymentError } from '../core/errors.ts'
import { excess, zero } from '../core/money.ts'
import type { Tx } from '../db/db.ts'
import type { Payment } from '../payment/payment.ts'
import type { Verdict } from './decision.ts'
import { dollars, type Refusal, refusalOf, type Spending, type Spent } from './policy.ts'
import { type AgentKey, loadPolicy, loadSpent } from './policy-store.ts'

/** The agent's policy does not permit the payment; a retry helps only after the policy or the day changes. */
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
 * Checks a new payment against its agent's policy. Call it in the unit of work that stores the payment, before it is stored: the stored
 * payment then reserves its amount. Units run one at a time across all replicas, so that concurrent creates never overspend.
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
 * Checks an existing payment against its agent's current policy, which may have ended or been tightened since the create.
 * @returns what to log.
 * @throws {AgentConstraintError} naming the limit.
 */
export async function checkAgentPays(tx: Tx, payment: AgentPayment, nowMs: number): Promise<Verdict> {
  const key = agentKeyOf(payment)
  const policy = key && (await loadPolicy(tx, key))
  if (!key || !policy) return { rule: 'no_policy', refusal: undefined }
  const { today, thisMonth, unrated } = await loadSpent(tx, key, payment.createdAtMs)
  // Without a rate every limit refuses the payment, so the other payments do not matter.
  const own = payment.dollarRate === null ? zero : dollars(payment.due, payment.tokenDecimals, payment.dollarRate)
  const others = { today: excess(today, own), thisMonth: excess(thisMonth, own), unrated }
  const refusal = refusalOf(policy, { ...payment, createdAtMs: nowMs }, false, others)
  if (refusal !== undefined) throw new AgentConstraintError(key.agentId, refusal)
  return { rule: 'within_policy', refusal: undefined }
}
