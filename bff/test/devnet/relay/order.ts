type Hex = `0x${string}`

/** What becomes of money that arrives, as a switch says at that moment. */
export type Outcome = 'fill' | 'short' | 'refund' | 'expire'

/** What a quote promised, and what became of it. Amounts are base units as text, so that an order can be written to a file. */
export type Order = {
  requestId: Hex
  depositAddress: Hex
  /** Of the deposit address: made for this order. */
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
  /** Of each chain: transfers in older blocks are none of this order's. */
  originBlock: string
  destinationBlock: string
  status: 'waiting' | 'depositing' | 'pending' | 'delayed' | 'submitted' | 'success' | 'failure' | 'refund'
  /** Its deposit is not seen before somebody asks to look again. */
  isHidden: boolean
  outcome: Outcome
  /** No step is taken before. */
  readyAtMs: number
  payer: Hex | null
  received: string | null
  inTxHash: Hex | null
  outTxHash: Hex | null
  refundTxHash: Hex | null
  failReason: string | null
}

/** 0.05 of a token, and 0.1 %, rounded up: what the real one takes for stablecoins is of that size. */
export const feeOf = (amountOut: bigint): bigint => 50_000n + (amountOut + 999n) / 1_000n

/** Nothing more happens to it. */
export const isOver = ({ status }: Order): boolean => status === 'success' || status === 'refund'
