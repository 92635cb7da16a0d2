import { rpcCall } from '../rpc.ts'
import {
  blockIdOf,
  type ChainBlock,
  type ChainLog,
  type ChainReceipt,
  type Hex,
  numberOfId,
  quantity,
} from './tron-form.ts'

/** The newest blocks on which fewer than 19 of the 27 witnesses have built, including the head. */
const unsolidifiedBlocks = 18

/** Changes that a test makes to a running node. */
export type TronSwitches = {
  /** Blocks by which the node is behind. */
  lagBlocks: number
  /** Whether the node closes connections without responding. */
  isDown: boolean
  /** Logs that the node omits from `eth_getLogs`. */
  omits: (log: ChainLog) => boolean
  /** Changes a log in lists and receipts. */
  alters: (log: ChainLog) => ChainLog
  /** Changes a log in lists only. */
  lists: (log: ChainLog) => ChainLog
  /** A transaction that the node claims not to have. */
  denies: string | null
  /** First block of the node's own fork, from which all its ids differ; null for none. */
  forkedFrom: number | null
  /** The newest solidified block; null: {@link unsolidifiedBlocks} behind the node's head. */
  solidified: number | null
  /** Whether its version does not know the tag of the newest solidified block. */
  isOld: boolean
}

export const honest = (): TronSwitches => ({
  lagBlocks: 0,
  isDown: false,
  omits: () => false,
  alters: (log) => log,
  lists: (log) => log,
  denies: null,
  forkedFrom: null,
  solidified: null,
  isOld: false,
})

export type TronView = ReturnType<typeof createTronView>

/** What one node knows: the chain behind it, up to the node's own head. */
export function createTronView(anvilUrl: string, switches: TronSwitches, chainId: number) {
  const ask = <T>(method: string, params: readonly unknown[]) => rpcCall(anvilUrl, method, params) as Promise<T>

  async function head(): Promise<number> {
    return Math.max(0, Number(await ask<Hex>('eth_blockNumber', [])) - switches.lagBlocks)
  }

  async function block(number: number): Promise<ChainBlock | null> {
    if (number < 0 || number > (await head())) return null
    const found = await ask<ChainBlock | null>('eth_getBlockByNumber', [quantity(number), false])
    if (found === null) return null
    if (number > 0) return { ...found, hash: idHere(number, found.hash) }
    // A chain's id is the end of its first block's id: wallets identify the chain by it.
    return { ...found, hash: `${found.hash.slice(0, -8)}${chainId.toString(16).padStart(8, '0')}` as Hex }
  }

  /** The id of a block that the node has. */
  const idHere = (number: number, hash: Hex): Hex =>
    number < (switches.forkedFrom ?? Number.POSITIVE_INFINITY) ? hash : `${hash.slice(0, -8) as Hex}deadbeef`

  const logHere = (log: ChainLog): ChainLog =>
    switches.alters({ ...log, blockHash: idHere(Number(log.blockNumber), log.blockHash) })

  return {
    head,
    block,
    isOld: () => switches.isOld,
    async solidified(): Promise<number> {
      const newest = await head()
      return Math.max(0, Math.min(newest, switches.solidified ?? newest - unsolidifiedBlocks))
    },
    async blockById(id: string): Promise<ChainBlock | null> {
      const found = await block(numberOfId(id))
      return found && blockIdOf(found) === id.toLowerCase() ? found : null
    },
    async receipt(txId: string): Promise<ChainReceipt | null> {
      if (switches.denies === txId) return null
      const found = await ask<ChainReceipt | null>('eth_getTransactionReceipt', [txId])
      if (!found || Number(found.blockNumber) > (await head())) return null
      const blockHash = idHere(Number(found.blockNumber), found.blockHash)
      return { ...found, blockHash, logs: found.logs.map(logHere) }
    },
    async logs(filter: { from: number; to: number; address?: unknown; topics?: unknown }): Promise<ChainLog[]> {
      const last = Math.min(filter.to, await head())
      if (filter.from > last) return []
      const { address, topics } = filter
      const query = { fromBlock: quantity(filter.from), toBlock: quantity(last), address, topics }
      const found = await ask<ChainLog[]>('eth_getLogs', [query])
      return found
        .filter((log) => !switches.omits(log))
        .map(logHere)
        .map(switches.lists)
    },
    call: async (call: object) => await ask<Hex>('eth_call', [call, quantity(await head())]),
    balance: async (address: string) => await ask<Hex>('eth_getBalance', [address, quantity(await head())]),
    code: async (address: string) => await ask<Hex>('eth_getCode', [address, quantity(await head())]),
  }
}
