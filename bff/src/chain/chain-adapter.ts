import type { BlockRef } from '../network/heads.ts'
import type { Transfer } from '../payment/event.ts'

/**
 * A transfer to a watched address or terms hash, before its payment is known. `topic`: the target named in the event. `source`:
 * the contract that emitted it, in lower case.
 */
export type SeenTransfer = Transfer & { topic: string; source: string }

/** A transfer to verify with several nodes. `required`: its required confirmations. */
export type AttestedTransfer = SeenTransfer & { required: number; isHighValue?: boolean }

/** What the watcher reads from a chain. Positions are block numbers, never times. Every call may throw the node's error. */
export type ChainAdapter = {
  readonly network: string
  head(signal: AbortSignal): Promise<BlockRef>
  /** The canonical block of that number; undefined if the chain has none yet. */
  block(number: number, signal: AbortSignal): Promise<BlockRef | undefined>
  /**
   * Transfers of the tokens, and payments through splitters, to watched topics, in block then log order. Both ends are inclusive.
   * `few`: the watched topics, when few enough for the node to filter by them.
   */
  transfers(range: TransferRange, signal: AbortSignal): Promise<SeenTransfer[]>
  /**
   * Whether nodes of two hosts report this transfer from `source` to `topic`, by this payer, in this block, with the required
   * confirmations below each node's head. One host is enough where only one is configured.
   */
  isAttested(transfer: AttestedTransfer, signal: AbortSignal): Promise<boolean>
  /** Every transfer must be attested, whatever its value: depth alone does not make it final. */
  readonly needsAttestation?: true
}

export type TransferRange = {
  from: number
  to: number
  /** Set when the range is one block: the node then refuses to answer for another block of that number. */
  blockHash?: string
  /** Returns the watched topics. Called once, with the distinct topics of the node's response. */
  findWatched: (topics: readonly string[]) => Promise<{ has(topic: string): boolean }>
  few: readonly string[] | undefined
  /** Splitters of the watched payments, in lower case, including those no longer configured. */
  splitters: ReadonlySet<string>
  /** Further tokens, in lower case: those of payments whose token is no longer configured. */
  tokens?: ReadonlySet<string>
  /** Index of the healthy node to ask, in configured order, wrapping around. By default each call picks one. */
  turn?: number
  /** Called when the blocks' bloom filters prove that the response is complete. */
  onProven?: () => void
  /** Called when two nodes report different transfers for one transaction in one block, so one of them lies. */
  onContradicted?: () => void
}
