import type { ChainAdapter } from '@stablecoin-checkout/bff/testing/chain'
import type { EvmAdapter } from '@stablecoin-checkout/bff/testing/evm'
import type { BlockRef } from '@stablecoin-checkout/bff/testing/network'

/** A pending payment, which the next block includes. `to` in lower case. */
export type Pay = { to: string; amount: bigint; isOurToken: boolean }

/** A transaction with a log for each of its one or two payments. The same serial is the same transaction. */
export type ModelTransaction = { serial: number; pays: readonly Pay[] }

/** A token transfer in a block. `to` and `source` are addresses in lower case. */
export type ModelTransfer = {
  txId: string
  logIndex: number
  to: string
  source: string
  amount: bigint
  isOurToken: boolean
}

export type ModelBlock = BlockRef & {
  transactions: readonly ModelTransaction[]
  transfers: readonly ModelTransfer[]
}

/** The ground of a chain: simulated, or a real one. */
export type Ground = {
  genesis: ModelBlock
  /** Adds a block to the tip. @param branch - Blocks of different branches have different hashes. */
  mine(
    parent: BlockRef,
    transactions: readonly ModelTransaction[],
    seconds: number,
    branch: number,
  ): Promise<ModelBlock>
  /** Removes the newest blocks. */
  cut(depth: number): Promise<void>
  /** Puts removed blocks back on the tip, under their old hashes. */
  restore(blocks: readonly ModelBlock[]): Promise<void>
}

/** A node's fault during one pass. `call` counts its responses from 0. */
export type Lie =
  | { type: 'none' }
  /** Returns 429, 5xx, a timeout, or HTML instead of JSON. */
  | { type: 'fails'; call: number }
  /** Is behind by this many blocks, in all its responses. */
  | { type: 'lags'; blocks: number }
  /** A lagging backend answers this call, healthy ones the others. */
  | { type: 'forgets'; call: number }
  /** A reorg happens just before this call. */
  | { type: 'moves'; call: number; depth: number; kept: number }
  /** Returns every log twice. */
  | { type: 'doubles' }
  /** Adds logs of other contracts that name the watched addresses, and of the payments' token to strangers. */
  | { type: 'invents' }
  /** Omits all logs. Only over HTTP, where the adapter detects it. */
  | { type: 'hides' }
  /** Claims to be on another chain. Only over HTTP, where the adapter detects it. */
  | { type: 'wrongChain' }

/** The node between the watcher and the chain. */
export type ModelNode = {
  /** The adapter of a new process. @param nowMs - That process's clock. */
  connect(nowMs: () => number): ChainAdapter & Pick<EvmAdapter, 'balances' | 'areSettled'>
  /** The block's depth under a head that the node has reported; 0 if it never was. */
  shownDepth(blockHash: string): number
  /** Applies from the next call on. */
  tell(lie: Lie): Promise<void>
}
