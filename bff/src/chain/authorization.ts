import type { Network } from '../core/families.ts'
import { parseAmount } from '../core/money.ts'
import type { CheckedAuthorization, IdentifiedAuthorization, SignedAuthorization } from '../payment/authorization.ts'
import type { DepositPayment, Payment } from '../payment/payment.ts'
import { microDecimals } from '../payout/payout-plan.ts'

/** Current cost of the call. */
export type SimulatedAuthorization = {
  /** Millionths of a dollar: at current fees, and at the maximum fees of the transaction. */
  costMicros: number
  costMaxMicros: number
  /** The payer's balance, in base units of the token. */
  balance: bigint
}

/** Limits on what the operator pays within 24 hours on one network. */
export type AuthorizationLimits = {
  perPayer: number
  perAddress: number
  /** Millionths of a dollar. */
  dailyBudgetMicros: number
}

/** The configured limits. Null: the operator pays for no signatures. */
export function limitsOf({ signatureGas }: Pick<Network, 'signatureGas'>): AuthorizationLimits | null {
  if (signatureGas === null) return null
  const { perPayer, perAddress, dailyBudget } = signatureGas
  return { perPayer, perAddress, dailyBudgetMicros: Number(parseAmount(dailyBudget, microDecimals)) }
}

/**
 * Result of a transaction that carries an authorization; undefined while no block has it. `reverted`: nodes of two hosts (if configured)
 * say so, because a customer then pays again.
 */
type AuthorizationReceipt = 'done' | 'reverted' | undefined

/**
 * On-chain state of an authorization that a third party may have submitted. `settled`: it paid the payment. `used`: spent on
 * something else, or cancelled. `unused`: it can still be sent. `unknown`: used, but its effect cannot be read yet.
 */
export type ExternalSettlement = { state: 'settled'; txId: string } | { state: 'used' | 'unused' | 'unknown' }

/** Payments by signature on one connected network. */
export type Authorizer = {
  /** Null: new authorizations are refused; accepted ones are still followed, because they may have moved money. */
  limits: AuthorizationLimits | null
  /** Wakes this process's sender of queued authorizations. Other processes find them by polling. */
  wake(): void
  /** Calls no node. @throws {AuthorizationRefused} */
  check(payment: Payment, signed: SignedAuthorization, nowMs: number): Promise<CheckedAuthorization>
  /**
   * Reads the signed fields, even if the payment is paid or has ended. Calls no node.
   * @throws {AuthorizationRefused}
   */
  identify(payment: Payment, signed: SignedAuthorization): Promise<IdentifiedAuthorization>
  /**
   * Simulates the exact transaction.
   * @param client - Digest of the client's network; null or absent for a merchant's server.
   * @throws {AuthorizationRefused} also when no node answers.
   */
  simulate(checked: CheckedAuthorization, client?: string | null): Promise<SimulatedAuthorization>
  /**
   * Searches the chain for a third party's transaction that carries the authorization. Absent where only this service can submit
   * it.
   * @param known - `txIds`: transactions by which the payer's account paid this payment.
   * `createdAtMs`: when the payment was created; older blocks are not read.
   * @throws {AuthorizationRefused} when the signature is not the payer's, and when no node answers.
   */
  findSettlement?(
    own: IdentifiedAuthorization,
    known: { txIds: readonly string[]; createdAtMs: number },
    client: string | null,
  ): Promise<ExternalSettlement>
  /** @throws the node's error. */
  receipt(txId: string): Promise<AuthorizationReceipt>
  /** Present where customers sign a whole transaction and another account pays its fee. */
  sponsor?: Sponsor
}

export type Sponsor = {
  feePayer: string
  /**
   * Wraps a base64 transaction as an authorization.
   * @throws {AuthorizationRefused} when the fee payer does not sponsor the transaction.
   */
  signedOf(payment: Payment, transaction: string): SignedAuthorization
  /**
   * The unsigned transaction, in base64, that pays the open amount, with a message for the customer.
   * @throws {PaymentError} when no amount is open, or not yet.
   */
  transactionOf(payment: Payment, account: string): Promise<{ transaction: string; message: string }>
  /** Whether the deposit address can receive a transfer. @throws the node's error. */
  isReady(payment: DepositPayment): Promise<boolean>
}
