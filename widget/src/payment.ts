/** A QR code as the service drew it: `modules` holds size × size bits, row by row, highest bit first, 1 is dark. */
export type QrModules = { size: number; modules: Uint8Array }

/** What the element knows of a payment. Amounts are exact decimal text in whole tokens; null is "not said". */
export type Payment = {
  id: string
  outcome: 'pending' | 'paid' | 'failed'
  isFinal: boolean
  paymentState: string
  settlement: { state: string; message: string }
  amount: string
  /** Confirmed so far. */
  received: string | null
  /** Seen on chain, confirmed or not. */
  detected: string | null
  /** Still to send; what is seen but unconfirmed counts as sent. */
  remaining: string | null
  excess: string | null
  currency: string
  network: string
  depositAddress: string
  confirmations: number
  requiredConfirmations: number
  expiresAtMs: number
  transactionHash: string | null
  isTest: boolean
  explorer: { address: string | null; transaction: string | null }
  merchant: string
  qr: { address: QrModules | null; uri: QrModules | null }
}

/** One answer of the service. `serverTimeMs` is its clock, the only one that `expiresAtMs` may be compared with. */
export type Answer = { payment: Payment; serverTimeMs: number }

/**
 * The screen a payment calls for. Decided by `outcome`, `paymentState` and the amounts, never by `status`;
 * whatever is unknown here waits.
 */
export type Stage = 'awaiting' | 'underpaid' | 'confirming' | 'paid' | 'expired' | 'closed'

export function stageOf({ payment, serverTimeMs }: Answer): Stage {
  if (payment.outcome === 'paid') return 'paid'
  if (payment.outcome === 'failed') return serverTimeMs < payment.expiresAtMs ? 'closed' : 'expired'
  if (!isSeen(payment)) return 'awaiting'
  return isPositive(payment.remaining) ? 'underpaid' : 'confirming'
}

/** Whether any money for it was seen on chain, confirmed or not. */
export function isSeen(payment: Payment): boolean {
  return isPositive(payment.detected) || isPositive(payment.received)
}

/** What the customer has to send now. */
export function toSend(payment: Payment): string {
  return isPositive(payment.remaining) ? payment.remaining : payment.amount
}

/** Part of the payment that was seen, in hundredths from 0 to 100, rounded down so that 100 means all of it. */
export function seenPercent(payment: Payment): number {
  const due = toUnits(payment.amount)
  const left = toUnits(payment.remaining ?? '0')
  return due === 0n || left > due ? 0 : Number(((due - left) * 100n) / due)
}

/** True for decimal text above zero. Never through a float: 0.000000000000000001 is money. */
export function isPositive(amount: string | null): amount is string {
  return amount !== null && /[1-9]/.test(amount)
}

/** `25` and `25.00` are the same amount. */
export function isSameAmount(one: string, other: string): boolean {
  return toUnits(one) === toUnits(other)
}

/** Enough places for any token, so that two amounts of one payment compare exactly. */
const scaleDigits = 36

function toUnits(amount: string): bigint {
  const [whole = '0', fraction = ''] = amount.split('.')
  return BigInt(whole + fraction.padEnd(scaleDigits, '0'))
}
