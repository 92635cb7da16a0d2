import type { Tx } from '../db/db.ts'
import type { Payment } from '../payment/payment.ts'

/** What the agents' policies say of payments. The port is checkout's; `agent/agent-guard.ts` implements it. */
export type AgentGuard = {
  /**
   * Checks a new payment against its agent's policy. Call it in the unit of work that stores the payment, before it is stored.
   * @returns what logs the decision; call it in the same unit with the payment that was stored.
   * @throws {PaymentError} AGENT_CONSTRAINT_VIOLATED, naming the limit.
   */
  checkCreate(tx: Tx, payment: Payment, isAutonomous: boolean): Promise<(created: Payment) => Promise<void>>
  /** Logs the refusal that a create ended with, in a unit of its own, because the unit that was refused changed nothing. Ignores other errors. */
  logRefusal(payment: Payment, error: unknown): Promise<void>
  /**
   * Checks a payment that exists before it is paid, and logs the decision, also where it refuses.
   * @throws {PaymentError} AGENT_CONSTRAINT_VIOLATED, naming the limit.
   */
  checkPays(payment: Payment): Promise<void>
}
