import type { CheckedAuthorization, IdentifiedAuthorization, SignedAuthorization } from '../payment/authorization.ts'
import type { DepositPayment, Payment } from '../payment/payment.ts'

/** What the call would cost now. */
export type SimulatedAuthorization = {
  /** Millionths of a dollar: as the chain's fees are, and at most with the fees that the transaction allows. */
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

/** What becomes of a transaction that carries an authorization: undefined while no block has it. */
type AuthorizationReceipt = 'done' | 'reverted' | undefined

/**
 * What the chain says of an authorization that this service did not bring to it. `here`: a transaction moved the payer's money to the
 * payment by it. `elsewhere`: it was used for something else, or cancelled. `unused`: it still can be sent. `unknown`: it was used, and what
 * it did cannot be read yet.
 */
export type ExternalSettlement = { state: 'here'; txId: string } | { state: 'elsewhere' | 'unused' | 'unknown' }

/** Payments by signature on one network that is connected. */
export type Authorizer = {
  limits: AuthorizationLimits
  /** Has queued authorizations sent at once where this process sends for the network. Another process finds them by itself. */
  wake(): void
  /** @throws {AuthorizationRefused} Asks no node. */
  check(payment: Payment, signed: SignedAuthorization, nowMs: number): Promise<CheckedAuthorization>
  /** Reads what is signed, also for a payment that is paid or has ended by now. @throws {AuthorizationRefused} Asks no node. */
  identify(payment: Payment, signed: SignedAuthorization): Promise<IdentifiedAuthorization>
  /**
   * Simulates the very transaction.
   * @param client - A digest of the client's address; null or absent: a merchant's server.
   * @throws {AuthorizationRefused} also when no node answers.
   */
  simulate(checked: CheckedAuthorization, client?: string | null): Promise<SimulatedAuthorization>
  /**
   * Looks on the chain for a transaction by which somebody else brought the authorization. Absent where nobody else can.
   * @param known - `txIds`: transactions that brought the payment money of the payer’s account. `createdAtMs`: of the payment; older blocks are not read.
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
  /** The transaction, in base64, in the form of an authorization. @throws {AuthorizationRefused} when it is no payment that the fee payer pays for. */
  signedOf(payment: Payment, transaction: string): SignedAuthorization
  /**
   * The transaction, unsigned and in base64, by which an account pays what is open, with a sentence for the customer.
   * @throws {PaymentError} when nothing is to be paid by it, or not yet.
   */
  transactionOf(payment: Payment, account: string): Promise<{ transaction: string; message: string }>
  /** Whether a transfer to the deposit can arrive. @throws the node's error. */
  isReady(payment: DepositPayment): Promise<boolean>
}
