import type { Tx } from '../db/db.ts'
import type { Payment } from '../payment/payment.ts'

/** Agents' policies on payments. A port of checkout, implemented by `agent/agent-guard.ts`. */
export type AgentGuard = {
  /**
   * Checks a new payment against its agent's policy. Call it in the unit of work that stores the payment, before it is
   * stored.
   * @returns a function that logs the decision; call it in the same unit with the stored payment.
   * @throws {PaymentError} AGENT_CONSTRAINT_VIOLATED, naming the limit.
   */
  checkCreate(tx: Tx, payment: Payment, isAutonomous: boolean): Promise<(created: Payment) => Promise<void>>
  /** Logs a refused create in a separate unit of work, because the refused one is rolled back. Ignores other errors. */
  logRefusal(payment: Payment, error: unknown): Promise<void>
  /**
   * Checks an existing payment before it is paid, and logs the decision, including refusals.
   * @throws {PaymentError} AGENT_CONSTRAINT_VIOLATED, naming the limit.
   */
  checkPays(payment: Payment): Promise<void>
}
