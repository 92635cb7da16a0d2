/**
 * The splitter's call parameters (`bff/contracts/src/PaymentDetails.sol`). `amount` in base units, shares in basis
 * points.
 */
export type SplitDetails = {
  token: string
  amount: bigint
  paymentId: string
  /** The three recipients and their shares, in the order of the struct. */
  recipients: readonly string[]
  shares: readonly number[]
}

/** The splitter's function selectors. */
const selectors = { plain: '0xc3ef0114', before: '0x4b798688', permit: '0x87b54796', hash: '0xf8886c71' }

const wordDigits = 64
/** Words of the struct before the payment's id, which is dynamic and encoded after them. */
const detailsWords = 9

/** `splitPayment(details)`. */
export function encodeSplit(details: SplitDetails): string {
  return selectors.plain + offsetAfter(1) + detailsTail(details)
}

/** `splitPaymentBefore(details, deadline)`. */
export function encodeSplitBefore(details: SplitDetails, deadlineSeconds: bigint): string {
  return selectors.before + offsetAfter(2) + word(deadlineSeconds) + detailsTail(details)
}

/** `termsHash(details)`: the splitter's key of the payment. */
export function encodeTermsHash(details: SplitDetails): string {
  return selectors.hash + offsetAfter(1) + detailsTail(details)
}

/** Position of v, r and s in the call data of `splitPaymentWithPermit`. */
export const permitSignatureOffset = 10 + 2 * wordDigits

/** `splitPaymentWithPermit(details, deadline, v, r, s)`, with zeros for the signature. */
export function encodeSplitWithPermit(details: SplitDetails, deadlineSeconds: bigint): string {
  const noSignature = '0'.repeat(3 * wordDigits)
  return selectors.permit + offsetAfter(5) + word(deadlineSeconds) + noSignature + detailsTail(details)
}

function detailsTail({ token, amount, paymentId, recipients, shares }: SplitDetails): string {
  const id = new TextEncoder().encode(paymentId)
  const idHex = Array.from(id, (byte) => byte.toString(16).padStart(2, '0')).join('')
  const idWords = idHex.padEnd(Math.ceil(idHex.length / wordDigits) * wordDigits, '0')
  const head = [BigInt(token), amount, detailsWords * 32, ...recipients.map(BigInt), ...shares]
  return head.map(word).join('') + word(id.length) + idWords
}

/** The struct is encoded after the other arguments, which start with its offset. */
const offsetAfter = (argumentCount: number): string => word(argumentCount * 32)

const word = (value: bigint | number): string => value.toString(16).padStart(wordDigits, '0')

/** Why the splitter would revert: wallets report its errors by selector or by name. */
export function splitterRefusal(message: string): 'paid' | 'late' | null {
  if (/cf4cf60d|PaymentIdAlreadyUsed/.test(message)) return 'paid'
  return /83f2ba20|DeadlinePassed/.test(message) ? 'late' : null
}
