import type { BlockRef } from '../network/heads.ts'
import type { Transfer } from '../payment/event.ts'

/**
 * A transfer to a watched address or terms hash, before its payment is known. `topic` names the target in the event;
 * `source` is the contract that emitted the event, in lower case.
 */
export type SeenTransfer = Transfer & { topic: string; source: string }

/** A transfer about which nodes are asked. `required`: its confirmations. */
export type AttestedTransfer = SeenTransfer & { required: number; isHighValue?: boolean }

/** What the watcher reads from a chain. Block numbers, never seconds. Every call may throw the node's error. */
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
  /**
   * Whether nodes of two hosts have this transfer of `source` to `topic`, by this payer, in this block, with the required
   * confirmations by the head of each; one host, where only one is configured.
   */
  isAttested(transfer: AttestedTransfer, signal: AbortSignal): Promise<boolean>
  /** Each transfer must be attested, whatever its value: its depth alone does not make it final. */
  readonly needsAttestation?: true
}

export type TransferRange = {
  from: number
  to: number
  /** When the range is one block: the node then refuses to answer for another block of that number. */
  blockHash?: string
  /** Returns the watched ones. Called once, with the distinct topics of the node's response. */
  findWatched: (topics: readonly string[]) => Promise<{ has(topic: string): boolean }>
  few: readonly string[] | undefined
  /** The splitters of the watched payments, in lower case, also those that are no longer in the configuration. */
  splitters: ReadonlySet<string>
  /** Tokens beside the configured ones, in lower case: those of payments whose token has left the configuration. */
  tokens?: ReadonlySet<string>
  /** Index of the healthy node to ask, in the configured order, wrapping around. By default each call picks one. */
  turn?: number
  /** Called when the blocks' bloom filters prove that the response is complete. */
  onProven?: () => void
  /** Called when two nodes have different transfers of one transaction in one block: one of them lies. */
  onContradicted?: () => void
}
