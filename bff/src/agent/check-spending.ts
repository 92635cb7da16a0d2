import { PaymentError, ValidationError } from '../core/errors.ts'
import { zero } from '../core/money.ts'
import type { Tx } from '../db/db.ts'
import type { Payment } from '../payment/payment.ts'
import { refusalOf, type Spending } from './policy.ts'
import { loadPolicy, loadSpent } from './policy-store.ts'

/** The agent's policy does not permit it; trying again helps only after the policy or the day has changed. */
class AgentConstraintError extends PaymentError {
  constructor(agentId: string | null, reason: string) {
    const message = agentId === null ? `${reason}.` : `Agent ${agentId}: ${reason}.`
    super('AGENT_CONSTRAINT_VIOLATED', message, { status: 403, error: 'Agent policy does not permit the payment' })
  }
}

/** @throws {ValidationError} when one of the pair is there without the other. */
export function checkAgentPair(body: { agentId?: string | null | undefined; agentOwner?: string | null | undefined }) {
  if ((body.agentId == null) !== (body.agentOwner == null)) {
    throw new ValidationError('Both agentId and agentOwner must be provided together')
  }
}

export type AgentPayment = Spending & Pick<Payment, 'merchantId' | 'isTest' | 'agentId'>

/**
 * Holds a new payment against its agent's policy. Call it in the unit of work that stores the payment, before it is
 * stored: the payment is then its own reservation, and units run one after the other, so that creates that arrive
 * together never overspend. (Where units run side by side, the policy's row must be locked here.)
 * @throws {AgentConstraintError} naming the limit.
 */
export async function checkAgentPolicy(tx: Tx, payment: AgentPayment, isAutonomous: boolean): Promise<void> {
  const { merchantId, isTest, agentId } = payment
  const key = agentId === null ? null : { merchantId, isTest, agentId }
  const policy = key && (await loadPolicy(tx, key))
  if (!key || !policy) {
    if (!isAutonomous) return
    throw new AgentConstraintError(agentId, 'autonomous payments are not allowed without a policy that allows them')
  }
  const hasBudget = policy.dailyBudget !== null || policy.monthlyBudget !== null
  const spent = hasBudget ? await loadSpent(tx, key, payment.createdAtMs) : { today: zero, thisMonth: zero }
  const reason = refusalOf(policy, payment, isAutonomous, spent)
  if (reason !== undefined) throw new AgentConstraintError(agentId, reason)
}
