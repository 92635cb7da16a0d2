import type { ChainAdapter } from '@stablecoin-checkout/bff/testing/chain'
import type { EvmAdapter } from '@stablecoin-checkout/bff/testing/evm'
import type { BlockRef } from '@stablecoin-checkout/bff/testing/network'

/** Money on its way: it is in the next block. `to` in lower case. */
export type Pay = { to: string; amount: bigint; isOurToken: boolean }

/** One transaction, with a log for each of its one or two payments. The same serial is the same transaction. */
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

/** What chains are made of: simulated, or a real one. */
export type Ground = {
  genesis: ModelBlock
  /** Puts a block on the tip. @param branch - Blocks of different branches have different hashes. */
  mine(
    parent: BlockRef,
    transactions: readonly ModelTransaction[],
    seconds: number,
    branch: number,
  ): Promise<ModelBlock>
  /** Takes the newest blocks away. */
  cut(depth: number): Promise<void>
  /** Puts blocks that were cut back on the tip, under their old hashes. */
  restore(blocks: readonly ModelBlock[]): Promise<void>
}

/** What a node does wrong during one pass. `call` counts its answers from 0. */
export type Lie =
  | { type: 'none' }
  /** 429, 5xx, a timeout, HTML instead of JSON. */
  | { type: 'fails'; call: number }
  /** It is behind by so many blocks, in all its answers. */
  | { type: 'lags'; blocks: number }
  /** A backend that is behind answers this call, and healthy ones the others. */
  | { type: 'forgets'; call: number }
  /** The chain is reorganised just before this call. */
  | { type: 'moves'; call: number; depth: number; kept: number }
  /** Every log comes twice. */
  | { type: 'doubles' }
  /** Logs of other contracts that name our addresses, and of our token to strangers. */
  | { type: 'invents' }
  /** No logs, where there are some. Only over HTTP: the adapter finds it out. */
  | { type: 'hides' }
  /** It says that it is on another chain. Only over HTTP, again. */
  | { type: 'wrongChain' }

/** The node between the watcher and the chain. */
export type ModelNode = {
  /** What a new process asks it by. @param nowMs - Of that process's clock. */
  connect(nowMs: () => number): ChainAdapter & Pick<EvmAdapter, 'balances' | 'areSettled'>
  /** How deep the block was under a head that the node has named; 0: it never was. */
  shownDepth(blockHash: string): number
  /** From the next call on. */
  tell(lie: Lie): Promise<void>
}
