import type { Transfer } from '../payment/event.ts'

/** A block as far as we keep it. */
export type BlockRef = { number: number; hash: string; parentHash: string; timeMs: number }

/**
 * Money that came to something watched, before it is known whose it is. `topic` is what the event names its target by;
 * `source` is the contract that emitted it, in lower case.
 */
export type SeenTransfer = Transfer & { topic: string; source: string }

/** What the watcher may ask of a chain. Numbers of blocks, never seconds. Every call may throw when the node does. */
export type ChainAdapter = {
  readonly network: string
  head(signal: AbortSignal): Promise<BlockRef>
  /** The canonical block of that number, undefined when the chain has none (yet). */
  block(number: number, signal: AbortSignal): Promise<BlockRef | undefined>
  /**
   * Transfers of the configured tokens and payments through splitters to what `isWatched` says yes for, in block then
   * log order. Both ends inclusive. `few` is the list of watched topics when it is short enough to let the node filter.
   */
  transfers(range: TransferRange, signal: AbortSignal): Promise<SeenTransfer[]>
  /** Whether two nodes that know nothing of one another have this very transfer in this very block; one, where only one is configured. */
  isAttested(transfer: Transfer, signal: AbortSignal): Promise<boolean>
}

export type TransferRange = {
  from: number
  to: number
  /** When the range is one block: the node then refuses to answer for another block of that number. */
  blockHash?: string
  isWatched: (topic: string) => boolean
  few: readonly string[] | undefined
  /** Those of the watched payments, in lower case: one that the configuration has left meanwhile still counts for them. */
  splitters: ReadonlySet<string>
}

/** Newest block that was fully applied, per network: what confirmations are counted from. */
export type Heads = { get(network: string): BlockRef | undefined; set(network: string, block: BlockRef): void }

export function createHeads(): Heads {
  const heads = new Map<string, BlockRef>()
  return { get: (network) => heads.get(network), set: (network, block) => void heads.set(network, block) }
}
