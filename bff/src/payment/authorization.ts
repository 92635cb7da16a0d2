import type { AuthorizationCode } from '../core/error-codes.ts'
import { PaymentError } from '../core/errors.ts'
import type { SigningDomain } from '../core/families.ts'
import { type BaseUnits, excess, zero } from '../core/money.ts'
import { type MerchantId, outcomeOf, type Payment, type PaymentId } from './payment.ts'
import { seenOfDue } from './payment-sums.ts'

/** The alternative for the customer, shown with every refusal. */
const fallback = 'Pay by a transaction of your own wallet, or send the amount to the address of the payment.'

/** A refused authorization. The code is stable; the message is for the customer. */
export class AuthorizationRefused extends PaymentError {
  override readonly code: AuthorizationCode

  constructor(code: AuthorizationCode, message: string, fields: Record<string, unknown> = {}) {
    super(code, message, { fields: { fallback, ...fields } })
    this.code = code
  }
}

/** The merchant has turned off payments by signature. */
export const signaturesOff = () =>
  new AuthorizationRefused('SIGNATURE_NOT_OFFERED', 'The shop does not accept payments by signature.')

/** ERC-3009's fields as a wallet signed them, numbers as decimal text, and the signature of any length. */
export type SignedAuthorization = {
  from: string
  /** For Permit2 the witness: the deposit address, or the hash of a contract payment's terms. */
  to: string
  value: string
  /** Unix seconds, both exclusive, in block time. */
  validAfter: string
  validBefore: string
  /** 32 bytes. */
  nonce: string
  /** 65 bytes from an account's key, or a signature that a smart wallet's `isValidSignature` accepts (ERC-1271). */
  signature: string
  /** For Permit2: the token, and the spender that may submit it. */
  permit2?: { token: string; spender: string }
  /**
   * The signing domain as the payer sent it. Used when the token is no longer configured. A wrong domain
   * harms nobody: the token rejects the signature.
   */
  domain?: SigningDomain
}

/** The content of an authorization, independent of the payment's state. It names the payment's address or terms. */
export type IdentifiedAuthorization = {
  paymentId: PaymentId
  merchantId: MerchantId
  /** Short name. */
  network: string
  /** Lower case, like `payer`. */
  token: string
  payer: string
  nonce: string
  /** What was signed: ERC-3009's form, Permit2's, or a whole transaction. */
  kind: 'authorization' | 'permit2' | 'transaction'
  value: bigint
  /** The recipient, in lower case: the deposit address or the splitter. */
  recipient: string
  /** The call that the operator sends. */
  target: string
  data: string
  /** What was signed, as 32 bytes in hex. */
  digest: string
  signature: string
  /** Whether the payer's key made the signature. If not, only the payer's contract can validate it. */
  isKeySignature: boolean
}

/** An authorization that matches its payment, as far as can be checked without a node. */
export type CheckedAuthorization = IdentifiedAuthorization & {
  /** Unix milliseconds. A transaction sent later may arrive late. */
  sendBeforeMs: number
}

/** Identifies an authorization on its chain. */
export type AuthorizationKey = Pick<IdentifiedAuthorization, 'network' | 'token' | 'payer' | 'nonce'>

/** The sum that the customer still has to send: none once the accepted minimum was seen, confirmed or not, or late money was accepted. */
export function openAmountOf(payment: Payment): BaseUnits {
  const seen = seenOfDue(payment)
  const isEnough = seen >= payment.least || outcomeOf(payment) === 'paid'
  return isEnough ? zero : excess(payment.due, seen)
}

/** Amount that can still be paid by signature, in base units; zero when the payment accepts none. */
export function signableAmount(payment: Payment): bigint {
  const isBridged = payment.mode === 'deposit' && payment.bridge !== undefined
  return outcomeOf(payment) === 'pending' && !isBridged ? openAmountOf(payment) : 0n
}
