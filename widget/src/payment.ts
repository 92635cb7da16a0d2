import type { PublicPayment, Unchecked } from '../../bff/src/api-types.ts'

/** The service's JSON before validation. */
export type Json = Record<string, unknown>

/** A QR code drawn by the service: `modules` holds size × size bits, row by row, highest bit first, 1 is dark. */
export type QrModules = { size: number; modules: Uint8Array }

/** The element's view of a payment. Amounts are exact decimal text in whole tokens; empty text means unknown. */
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
  /** Detected on chain, confirmed or not. */
  detected: string
  /** Still to send; detected but unconfirmed transfers count as sent. */
  remaining: string
  excess: string
  currency: string
  network: string
  /** Empty for a contract payment. */
  depositAddress: string
  /** The customer's wallet calls the splitter; the payment has no deposit address. */
  isContract: boolean
  /**
   * The EVM chain id for browser wallets; -1 on Solana, which has none; -2 on Tron in a browser with a Tron wallet; 0 if no wallet can pay,
   * as for test payments, which are on no chain.
   */
  chainId: number
  confirmations: number
  requiredConfirmations: number
  expiresAtMs: number
  transactionHash: string
  isTest: boolean
  explorer: { address: string; transaction: string }
  merchant: string
  /** Image URLs; empty if the service has none. */
  logo: { token: string; network: string }
  qr: { address: QrModules | null; uri: QrModules | null }
}

/**
 * One response of the service. `serverTimeMs` is the service's clock, the only one comparable with `expiresAtMs`;
 * `wire` is the unparsed payment, from which the wallet code reads its fields.
 */
export type Answer = { payment: Payment; serverTimeMs: number; wire: Unchecked<PublicPayment> }

/** The screen for a payment. Decided by `outcome` and the amounts, never by `status`; unknown values wait. */
export type Stage = 'awaiting' | 'underpaid' | 'confirming' | 'paid' | 'expired' | 'closed'

export function stageOf({ payment, serverTimeMs }: Answer): Stage {
  if (payment.outcome === 'paid') return 'paid'
  const isOver = payment.isExpired || serverTimeMs >= payment.expiresAtMs
  if (payment.outcome === 'failed') return isOver ? 'expired' : 'closed'
  if (!seenOf(payment)) return 'awaiting'
  return isPositive(payment.remaining) ? 'underpaid' : 'confirming'
}

/** Money detected on chain for this payment, confirmed or not; empty if none. */
export function seenOf({ detected, received }: Payment): string {
  return [detected, received].find(isPositive) ?? ''
}

/** The amount the customer has to send now. */
export function toSend({ remaining, amount }: Payment): string {
  return isPositive(remaining) ? remaining : amount
}

/** Money at the address that is to be returned, unparsed; the refund screens read it. */
export function returnsOf({ wire }: Answer): unknown[] {
  return [wire.refund, wire.unmatched]
}

/** True for decimal text above zero. Never parsed as a float: 0.000000000000000001 is money. */
export function isPositive(amount: string): boolean {
  return /[1-9]/.test(amount)
}

/** Whether two amounts are equal: `25` and `25.00` are. False if either is not decimal text. */
export function isSameAmount(one: unknown, other: unknown): boolean {
  return trimZeros(one) === trimZeros(other)
}

function trimZeros(amount: unknown): string {
  return `${amount}`.replace(/\.0*$|(\.\d*?)0+$/, '$1')
}
