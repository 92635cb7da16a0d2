import type { BlockRef } from '../network/heads.ts'
import type { Transfer } from '../payment/event.ts'

/**
 * A transfer to a watched address or terms hash, before its payment is known. `topic` names the target in the event;
 * `source` is the contract that emitted the event, in lower case.
 */
export type SeenTransfer = Transfer & { topic: string; source: string }

/** What the watcher may ask of a chain. Numbers of blocks, never seconds. Every call may throw when the node does. */
export type ChainAdapter = {
  readonly network: string
  head(signal: AbortSignal): Promise<BlockRef>
  /** The canonical block of that number, undefined when the chain has none (yet). */
  block(number: number, signal: AbortSignal): Promise<BlockRef | undefined>
  /**
   * Transfers of the tokens and payments through splitters to the topics that are watched, in block then
   * log order. Both ends inclusive. `few` is the list of watched topics when it is short enough to let the node filter.
   */
  transfers(range: TransferRange, signal: AbortSignal): Promise<SeenTransfer[]>
  /** Whether nodes of two hosts have this transfer of `source` in this block; one host, where only one is configured. */
  isAttested(transfer: Transfer & { source: string }, signal: AbortSignal): Promise<boolean>
}

export type TransferRange = {
  from: number
  to: number
  /** When the range is one block: the node then refuses to answer for another block of that number. */
  blockHash?: string
  /** Finds those that are watched. Called once, with the topics of what the node answered, each once. */
  findWatched: (topics: readonly string[]) => Promise<{ has(topic: string): boolean }>
  few: readonly string[] | undefined
  /** The splitters of the watched payments, in lower case, also those that are no longer in the configuration. */
  splitters: ReadonlySet<string>
  /** Tokens beside the configured ones, in lower case: those of payments whose token has left the configuration. */
  tokens?: ReadonlySet<string>
  /** Which of the nodes that are well is asked, counted round from the first in the configured order. By default each call finds one. */
  turn?: number
  /** Called where the blocks' own filters prove that the answer is whole. Otherwise a node may have left something out. */
  onProven?: () => void
}
