import type { CheckedAuthorization, IdentifiedAuthorization, SignedAuthorization } from '../payment/authorization.ts'
import type { DepositPayment, Payment } from '../payment/payment.ts'

/** Current cost of the call. */
export type SimulatedAuthorization = {
  /** Millionths of a dollar: at current fees, and at the maximum fees of the transaction. */
  costMicros: number
  costMaxMicros: number
  /** Of the payer, in base units of the token. */
  balance: bigint
}

/** Bounds of what the operator pays within 24 hours on one network. */
export type AuthorizationLimits = {
  perPayer: number
  perAddress: number
  /** Millionths of a dollar. */
  dailyBudgetMicros: number
}

/**
 * Result of a transaction that carries an authorization; undefined while no block has it. `reverted`: nodes of two hosts (if configured)
 * say so, because a customer then pays again.
 */
type AuthorizationReceipt = 'done' | 'reverted' | undefined

/**
 * State on chain of an authorization that a third party may have submitted. `settled`: it paid the payment.
 * `used`: for something else, or cancelled. `unused`: it can still be sent. `unknown`: used, with
 * an effect that cannot be read yet.
 */
export type ExternalSettlement = { state: 'settled'; txId: string } | { state: 'used' | 'unused' | 'unknown' }

/** Payments by signature on one network that is connected. */
export type Authorizer = {
  limits: AuthorizationLimits
  /** Wakes the sender of queued authorizations in this process. Another process finds them by polling. */
  wake(): void
  /** @throws {AuthorizationRefused} Asks no node. */
  check(payment: Payment, signed: SignedAuthorization, nowMs: number): Promise<CheckedAuthorization>
  /**
   * Reads the signed fields, even for a payment that is paid or has ended. @throws {AuthorizationRefused}
   * Asks no node.
   */
  identify(payment: Payment, signed: SignedAuthorization): Promise<IdentifiedAuthorization>
  /**
   * Simulates the exact transaction.
   * @param client - A digest of the client's address; null or absent: a merchant's server.
   * @throws {AuthorizationRefused} also when no node answers.
   */
  simulate(checked: CheckedAuthorization, client?: string | null): Promise<SimulatedAuthorization>
  /**
   * Searches the chain for a third party's transaction that carries the authorization. Absent where no third
   * party can submit it.
   * @param known - `txIds`: transactions that brought the payment money of the payer’s account.
   *   `createdAtMs`: of the payment; older blocks are not read.
   * @throws {AuthorizationRefused} when the signature is not the payer's, and when no node answers.
   */
  findSettlement?(
    own: IdentifiedAuthorization,
    known: { txIds: readonly string[]; createdAtMs: number },
    client: string | null,
  ): Promise<ExternalSettlement>
  /** @throws the node's error. */
  receipt(txId: string): Promise<AuthorizationReceipt>
  /** Where customers sign a whole transaction, beside the account that pays its fee. */
  sponsor?: Sponsor
}

export type Sponsor = {
  feePayer: string
  /**
   * The transaction, in base64, in the form of an authorization. @throws {AuthorizationRefused} when the fee
   * payer does not sponsor the transaction.
   */
  signedOf(payment: Payment, transaction: string): SignedAuthorization
  /**
   * The unsigned transaction, in base64, that pays the open amount, with a message for the customer. @throws
   * {PaymentError} when no amount is open, or not yet.
   */
  transactionOf(payment: Payment, account: string): Promise<{ transaction: string; message: string }>
  /** Whether a transfer to the deposit can arrive. @throws the node's error. */
  isReady(payment: DepositPayment): Promise<boolean>
}
