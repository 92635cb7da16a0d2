import type { ErrorCode } from '../../core/error-codes.ts'
import type { DepositPayment } from '../../payment/payment.ts'
import type { Proof } from './x402-wire.ts'

/** How long a settlement may take, and who asks for it. */
export type SettleOptions = {
  /** A digest of the client's address, by which gas is bounded; null: a merchant's server. */
  client: string | null
  /** A digest of the client's address, by which calls to nodes and waits are bounded, also behind a merchant's server that names it. */
  asker: string | null
  /** A digest of what only this client was given; null: nothing. A later one must present the same. */
  presenter: string | null
  waitMs: number
  /** Aborted when the client has gone: the wait ends, and what was stored is sent all the same. */
  signal: AbortSignal
}

/** `isIn`: a block has the transaction. `txId`: null before the transaction is signed. */
export type Sent = { isIn: boolean; txId: string | null }

/** A proof that has the form of its network. */
export type ParsedProof = {
  payer: string
  /** What was signed, in base units. */
  value: bigint
  /**
   * Whether this very proof was taken for this payment before: then it is followed, and not checked again.
   * @throws {PaymentError} when another proof with the same payer and nonce was.
   */
  isKnown(presenter: string | null): Promise<boolean>
  /**
   * Checks everything that can be checked without spending. Nothing is stored. @param asking - Whose calls to nodes are counted; absent: the
   * merchant's server. @throws {PaymentError}
   */
  verify(asking?: Pick<SettleOptions, 'client' | 'asker'>): Promise<void>
  /** Stores the proof and has it sent, once. @throws {PaymentError} when it is refused: nothing was paid by it. */
  settle(options: SettleOptions): Promise<Sent>
  /**
   * After a refusal: what somebody else has brought to the chain by this proof; undefined when the chain says that nobody has.
   * @throws {PaymentError} when the chain cannot be read.
   */
  findExternalSettlement(options: SettleOptions, refusal: ErrorCode): Promise<Sent | undefined>
}

/** Scheme `exact` of x402 on one network. */
export type ExactScheme = {
  /** x402's words for refusals, by the codes of ours, where they name the network's family. */
  reasons: Readonly<Record<string, string>>
  /** The accounts that send what clients signed. */
  signers: readonly string[]
  /** The `extra` of the requirements; undefined where the payment's token cannot be paid so. */
  extraOf(
    payment: Pick<DepositPayment, 'id' | 'currency' | 'tokenAddress'>,
  ): Readonly<Record<string, string>> | undefined
  /** The `extra` by which a proof is followed when the payment's token cannot be paid so any more; undefined: the proof names none. */
  formerExtraOf(payment: DepositPayment, proof: Proof): Readonly<Record<string, string>> | undefined
  /** What `GET /x402/supported` says beside scheme and network. */
  supportedExtra?: Readonly<Record<string, string>>
  /** Called before a client is asked to pay: makes what its transfer needs on the chain. `asker`: as of a settlement. @throws {PaymentError} */
  prepare(payment: DepositPayment, asker: string | null): Promise<void>
  /** A proof that was taken for the payment and that no block is known to have. */
  underWay(payment: DepositPayment): Promise<{ txId: string | null } | undefined>
  /** @throws {ValidationError} when the proof has another form. */
  parse(payment: DepositPayment, proof: Proof): ParsedProof
}
