import type { PublicPayment, Unchecked } from '../../bff/src/api-types.ts'

/** What the service wrote, before anything of it was checked. */
export type Json = Record<string, unknown>

/** A QR code as the service drew it: `modules` holds size × size bits, row by row, highest bit first, 1 is dark. */
export type QrModules = { size: number; modules: Uint8Array }

/** What the element knows of a payment. Amounts are exact decimal text in whole tokens; empty text is "not said". */
export type Payment = {
  id: string
  outcome: string
  isFinal: boolean
  /** The window ended on the chain's clock, which may be ahead of the service's. */
  isExpired: boolean
  paymentState: string
  settlement: { state: string; message: string }
  amount: string
  /** Confirmed so far. */
  received: string
  /** Seen on chain, confirmed or not. */
  detected: string
  /** Still to send; what is seen but unconfirmed counts as sent. */
  remaining: string
  excess: string
  currency: string
  network: string
  /** Empty for a contract payment. */
  depositAddress: string
  /** The customer's wallet calls the splitter; there is no address to send to. */
  isContract: boolean
  /** Where a browser's wallet can pay it: negative on Solana, which has no number; 0 where none can: test payments are on no chain. */
  chainId: number
  confirmations: number
  requiredConfirmations: number
  expiresAtMs: number
  transactionHash: string
  isTest: boolean
  explorer: { address: string; transaction: string }
  merchant: string
  /** Addresses of pictures; empty where the service has none. */
  logo: { token: string; network: string }
  qr: { address: QrModules | null; uri: QrModules | null }
}

/**
 * One answer of the service. `serverTimeMs` is its clock, the only one that `expiresAtMs` may be compared with; `wire` is
 * the payment as it was written, for the wallet code to read its part of.
 */
export type Answer = { payment: Payment; serverTimeMs: number; wire: Unchecked<PublicPayment> }

/**
 * The screen a payment calls for. Decided by `outcome` and the amounts, never by `status`; whatever is unknown waits.
 */
export type Stage = 'awaiting' | 'underpaid' | 'confirming' | 'paid' | 'expired' | 'closed'

export function stageOf({ payment, serverTimeMs }: Answer): Stage {
  if (payment.outcome === 'paid') return 'paid'
  const isOver = payment.isExpired || serverTimeMs >= payment.expiresAtMs
  if (payment.outcome === 'failed') return isOver ? 'expired' : 'closed'
  if (!seenOf(payment)) return 'awaiting'
  return isPositive(payment.remaining) ? 'underpaid' : 'confirming'
}

/** The money for it that was seen on chain, confirmed or not; empty when there is none. */
export function seenOf({ detected, received }: Payment): string {
  return [detected, received].find(isPositive) ?? ''
}

/** What the customer has to send now. */
export function toSend({ remaining, amount }: Payment): string {
  return isPositive(remaining) ? remaining : amount
}

/** What lies at the address and goes back, as it was written; the file with its screens reads it. */
export function returnsOf({ wire }: Answer): unknown[] {
  return [wire.refund, wire.unmatched]
}

/** True for decimal text above zero. Never through a float: 0.000000000000000001 is money. */
export function isPositive(amount: string): boolean {
  return /[1-9]/.test(amount)
}

/** `25` and `25.00` are the same amount. What is no text is none. */
export function isSameAmount(one: unknown, other: unknown): boolean {
  return trimZeros(one) === trimZeros(other)
}

function trimZeros(amount: unknown): string {
  return `${amount}`.replace(/\.0*$|(\.\d*?)0+$/, '$1')
}
