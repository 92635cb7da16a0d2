type Hex = `0x${string}`

/** The outcome of a received deposit, as set by a switch at that time. */
export type Outcome = 'fill' | 'short' | 'refund' | 'expire'

/** A quote and its progress. Amounts are base units as text, so that an order can be written to a file. */
export type Order = {
  requestId: Hex
  depositAddress: Hex
  /** The key of the order's deposit address. */
  privateKey: Hex
  originChainId: number
  originToken: Hex
  destinationChainId: number
  destinationToken: Hex
  recipient: Hex
  amountIn: string
  amountOut: string
  createdAtMs: number
  expiresAtMs: number
  /** Start blocks by chain: older transfers do not belong to this order. */
  originBlock: string
  destinationBlock: string
  status: 'waiting' | 'depositing' | 'pending' | 'delayed' | 'submitted' | 'success' | 'failure' | 'refund'
  /** Whether its deposit is detected only after a reindex request. */
  isHidden: boolean
  outcome: Outcome
  /** No step runs before this time. */
  readyAtMs: number
  payer: Hex | null
  received: string | null
  inTxHash: Hex | null
  outTxHash: Hex | null
  refundTxHash: Hex | null
  failReason: string | null
}

/** 0.05 of a token, and 0.1 %, rounded up: similar to the real fee for stablecoins. */
export const feeOf = (amountOut: bigint): bigint => 50_000n + (amountOut + 999n) / 1_000n

/** Whether the order is final. */
export const isOver = ({ status }: Order): boolean => status === 'success' || status === 'refund'
