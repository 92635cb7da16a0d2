import type { Payment, PaymentId } from '../payment/payment.ts'
import { type Refusal, refusalRules } from './policy.ts'

/** The agent's action: a payment is created for it, or it pays one through x402. */
export const agentActions = ['create', 'pay'] as const
export type AgentAction = (typeof agentActions)[number]

/** Why a payment of an agent was allowed or refused. */
export const decisionRules = ['no_policy', 'within_policy', ...refusalRules] as const
export type DecisionRule = (typeof decisionRules)[number]

/** The deciding rule, and the refusal if it refuses. */
export type Verdict = { rule: DecisionRule; refusal: Refusal | undefined }

/** A decision about a payment of an agent, as the log keeps it. */
export type Decision = Pick<Payment, 'currency' | 'network' | 'tokenDecimals'> & {
  action: AgentAction
  decidedAtMs: number
  isAllowed: boolean
  rule: DecisionRule
  /** In base units. */
  amount: Payment['due']
  /** Null: the payment was refused before it was created. */
  paymentId: PaymentId | null
}

export function decisionOf(
  payment: Pick<Payment, 'currency' | 'network' | 'tokenDecimals' | 'due'>,
  { rule, refusal }: Verdict,
  of: Pick<Decision, 'action' | 'decidedAtMs' | 'paymentId'>,
): Decision {
  const { currency, network, tokenDecimals, due } = payment
  return { ...of, currency, network, tokenDecimals, amount: due, rule, isAllowed: refusal === undefined }
}
