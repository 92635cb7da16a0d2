import { PaymentError } from '../core/errors.ts'
import type { SigningDomain } from '../core/families.ts'
import { excess } from '../core/money.ts'
import { type MerchantId, outcomeOf, type Payment, type PaymentId } from './payment.ts'

/** Every reason for which an authorization is not sent, or was sent in vain. */
const authorizationCodes = [
  /** No operator, no price of the coin, or a token that is not signed for so. */
  'SIGNATURE_NOT_OFFERED',
  'PAYMENT_NOT_OPEN',
  'WRONG_RECIPIENT',
  'WRONG_VALUE',
  'WRONG_NONCE',
  /** `validAfter` is in the future. */
  'NOT_YET_VALID',
  /** `validBefore`, or the end of the payment's window, is too near. */
  'EXPIRES_TOO_SOON',
  'INVALID_SIGNATURE',
  /** The nonce was used or cancelled on the chain, or pays another payment. */
  'AUTHORIZATION_USED',
  /** Another authorization of the same payment is under way. */
  'AUTHORIZATION_UNDER_WAY',
  'INSUFFICIENT_FUNDS',
  /** The paying account has not approved Permit2 to take so much of the token. */
  'PERMIT2_NOT_APPROVED',
  /** The chain refuses the very transaction. */
  'TRANSFER_REFUSED',
  'GAS_TOO_EXPENSIVE',
  'PAYER_LIMIT',
  'CLIENT_LIMIT',
  'DAILY_LIMIT',
  /** No RPC node answered, or the operator's account is empty. */
  'RELAY_UNAVAILABLE',
] as const
export type AuthorizationCode = (typeof authorizationCodes)[number]

/** What a customer can do instead: shown after every refusal. */
const fallback = 'Pay by a transaction of your own wallet, or send the amount to the address of the payment.'

const statusOf: Partial<Record<AuthorizationCode, PaymentError['status']>> = {
  AUTHORIZATION_UNDER_WAY: 409,
  PAYER_LIMIT: 429,
  CLIENT_LIMIT: 429,
  DAILY_LIMIT: 429,
  RELAY_UNAVAILABLE: 503,
}

/** An authorization that is not sent. The code is stable; the message is for the customer. */
export class AuthorizationRefused extends PaymentError {
  override readonly code: AuthorizationCode

  constructor(code: AuthorizationCode, message: string, fields: Record<string, unknown> = {}) {
    const status = statusOf[code] ?? 400
    super(code, message, { status, error: 'Payment by signature refused', fields: { fallback, ...fields } })
    this.code = code
  }
}

/** Of a merchant who has turned payments by signature off. */
export const signaturesOff = () =>
  new AuthorizationRefused('SIGNATURE_NOT_OFFERED', 'The shop takes no payments by signature.')

/** ERC-3009's fields as a wallet signed them, numbers as decimal text, and the signature of any length. */
export type SignedAuthorization = {
  from: string
  /** Of Permit2, the witness: the deposit address, or the hash of a contract payment's terms. */
  to: string
  value: string
  /** Unix seconds; the authorization is valid in blocks after the first and before the second. */
  validAfter: string
  validBefore: string
  /** 32 bytes. */
  nonce: string
  /** 65 bytes of an account, or what a smart wallet's `isValidSignature` takes (ERC-1271). */
  signature: string
  /** Where Permit2's form was signed: for which token, and who may bring it. */
  permit2?: { token: string; spender: string }
  /**
   * The domain that the payer says it was signed under. Used where the configuration has none for the token any more. Nobody but the payer can
   * sign under a wrong one, and the token takes no such signature.
   */
  domain?: SigningDomain
}

/** What an authorization says, whatever has become of its payment since: it names the payment's own address or terms. */
export type IdentifiedAuthorization = {
  paymentId: PaymentId
  merchantId: MerchantId
  /** Short name. */
  network: string
  /** Lower case, as `payer`. */
  token: string
  payer: string
  nonce: string
  /** What was signed: ERC-3009's form, Permit2's, or a whole transaction. */
  kind: 'authorization' | 'permit2' | 'transaction'
  value: bigint
  /** Where the money goes by it, in lower case: the deposit address, or the splitter. */
  recipient: string
  /** The call that the operator sends. */
  target: string
  data: string
  /** What was signed, as 32 bytes in hex. */
  digest: string
  signature: string
  /** The signature is that of the payer's key; else only the payer's contract can say whether it is valid. */
  isKeySignature: boolean
}

/** An authorization that fits its payment, as far as that can be known without a node. */
export type CheckedAuthorization = IdentifiedAuthorization & {
  /** Unix milliseconds: a transaction that is sent later may come too late. */
  sendBeforeMs: number
}

/** What an authorization is known by on its chain. */
export type AuthorizationKey = Pick<IdentifiedAuthorization, 'network' | 'token' | 'payer' | 'nonce'>

/** What is still to be paid by a signature, in base units of the token; zero when the payment takes none. */
export function signableAmount(payment: Payment): bigint {
  const isBridged = payment.mode === 'deposit' && payment.bridge !== undefined
  return outcomeOf(payment) === 'pending' && !isBridged ? excess(payment.due, payment.seen) : 0n
}
