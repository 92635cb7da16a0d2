import type { ErrorCode } from '../../core/error-codes.ts'
import type { DepositPayment } from '../../payment/payment.ts'
import type { Proof } from './x402-wire.ts'

/** The requester of a settlement, and how long the settlement may take. */
export type SettleOptions = {
  /** A digest of the client's address, by which gas is limited; null for a merchant's server. */
  client: string | null
  /**
   * A digest of the client's address, by which node calls and waits are limited; also set for a client that a
   * merchant's server names.
   */
  asker: string | null
  /** A digest of a value that only this client was given; null: none. A later request must present the same value. */
  presenter: string | null
  waitMs: number
  /** Aborted when the client disconnects: the wait ends, but a stored proof is still sent. */
  signal: AbortSignal
}

/** `isIn`: a block contains the transaction. `txId`: null before the transaction is signed. */
export type Sent = { isIn: boolean; txId: string | null }

/** A proof parsed for its network. */
export type ParsedProof = {
  payer: string
  /** The signed amount, in base units. */
  value: bigint
  /**
   * Whether this proof was accepted for this payment before. A known proof is followed, not verified again.
   * @throws {PaymentError} when another proof with the same payer and nonce was accepted.
   */
  isKnown(presenter: string | null): Promise<boolean>
  /**
   * Checks everything that can be checked without spending. Stores nothing.
   * @param asking - The client whose node calls are counted; absent: the merchant's server.
   * @throws {PaymentError}
   */
  verify(asking?: Pick<SettleOptions, 'client' | 'asker'>): Promise<void>
  /** Stores the proof and has it sent once. @throws {PaymentError} when the proof is refused and has paid nothing. */
  settle(options: SettleOptions): Promise<Sent>
  /**
   * After a refusal: the transaction by which someone else settled this proof; undefined when the chain has none.
   * @throws {PaymentError} when the chain cannot be read.
   */
  findExternalSettlement(options: SettleOptions, refusal: ErrorCode): Promise<Sent | undefined>
}

/** Scheme `exact` of x402 on one network. */
export type ExactScheme = {
  /** x402's reasons for our error codes, where they depend on the network's family. */
  reasons: Readonly<Record<string, string>>
  /** The accounts that send what clients signed. */
  signers: readonly string[]
  /** The `extra` of the requirements; undefined when the payment's token cannot be paid by this scheme. */
  extraOf(
    payment: Pick<DepositPayment, 'id' | 'currency' | 'tokenAddress'>,
  ): Readonly<Record<string, string>> | undefined
  /**
   * The `extra` for following a proof after its token can no longer be paid by this scheme; undefined: the proof has
   * none.
   */
  formerExtraOf(payment: DepositPayment, proof: Proof): Readonly<Record<string, string>> | undefined
  /** Additional fields of this scheme in `GET /x402/supported`. */
  supportedExtra?: Readonly<Record<string, string>>
  /**
   * Called before a client is asked to pay: creates what its transfer needs on chain. `asker`: as in `SettleOptions`.
   * @throws {PaymentError}
   */
  prepare(payment: DepositPayment, asker: string | null): Promise<void>
  /** A proof that was accepted for the payment and is not known to be in a block. */
  underWay(payment: DepositPayment): Promise<{ txId: string | null } | undefined>
  /** @throws {ValidationError} when the proof has the wrong format. */
  parse(payment: DepositPayment, proof: Proof): ParsedProof
}
