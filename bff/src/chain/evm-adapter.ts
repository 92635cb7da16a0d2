import { createPublicClient, fallback, type Hex, http } from 'viem'
import type { BaseUnits } from '../money.ts'
import type { BlockRef, ChainAdapter, SeenTransfer, TransferRange } from './adapter.ts'
import type { Network } from './networks.ts'
import { isSplitLog, readSplitLog, splitTopic } from './split-log.ts'

/** keccak256("Transfer(address,address,uint256)"), ERC-20. */
const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

/** A node that has not answered after this long is treated as down, and the next one is asked. */
const rpcTimeoutMs = 10_000

/** Tries per node and request; a pass that fails all the same is repeated from the same cursor. */
const rpcRetries = 2

type RpcReceipt = { status: Hex; blockNumber: Hex; blockHash: Hex; logs: RpcLog[] } | null
type RpcBlock = { number: Hex; hash: Hex; parentHash: Hex; timestamp: Hex } | null
export type RpcLog = {
  address: Hex
  topics: Hex[]
  data: Hex
  blockNumber: Hex
  blockHash: Hex
  blockTimestamp?: Hex
  transactionHash: Hex
  logIndex: Hex
  removed?: boolean
}

/** What a node says of a transaction that is in a block. */
type Receipt = { isSuccess: boolean; blockNumber: number; blockHash: string; logs: RpcLog[] }

export type EvmAdapter = ChainAdapter & {
  /** As the node says; must equal the configured one before anything is believed. */
  chainId(signal: AbortSignal): Promise<number>
  /** Undefined while no block holds the transaction, as far as the node knows. */
  receipt(txId: string, signal: AbortSignal): Promise<Receipt | undefined>
}

/**
 * A chain of the Ethereum family over JSON-RPC. Logs are read raw and decoded only where they are ours:
 * most of a block's transfers are not.
 */
export function createEvmAdapter(network: Network): EvmAdapter {
  const transport = fallback(
    network.rpcUrls.map((url) => http(url, { timeout: rpcTimeoutMs, retryCount: rpcRetries })),
    { retryCount: 0 },
  )
  const client = createPublicClient({ transport, cacheTime: 0 })
  const tokens = network.tokens.map((token) => token.address.toLowerCase())

  async function request<T>(method: string, params: unknown[], signal: AbortSignal): Promise<T> {
    signal.throwIfAborted()
    // The methods are a closed list in this file; viem types each of them apart.
    const ask = client.request as unknown as (call: { method: string; params: unknown[] }) => Promise<T>
    return await ask({ method, params })
  }

  async function readBlock(tag: string, signal: AbortSignal): Promise<BlockRef | undefined> {
    const block = await request<RpcBlock>('eth_getBlockByNumber', [tag, false], signal)
    return block ? toBlockRef(block) : undefined
  }

  /** Nodes that do not put the time on a log are asked for the block, once a block. */
  async function blockTimes(logs: RpcLog[], signal: AbortSignal): Promise<Map<Hex, number>> {
    const times = new Map<Hex, number>()
    for (const log of logs) {
      if (times.has(log.blockHash)) continue
      if (log.blockTimestamp) {
        times.set(log.blockHash, Number(log.blockTimestamp) * 1000)
        continue
      }
      const block = await request<RpcBlock>('eth_getBlockByHash', [log.blockHash, false], signal)
      if (!block) throw new Error(`${network.shortName}: block ${log.blockHash} is gone`)
      times.set(log.blockHash, Number(block.timestamp) * 1000)
    }
    return times
  }

  return {
    network: network.shortName,
    chainId: async (signal) => Number(await request<Hex>('eth_chainId', [], signal)),
    async receipt(txId, signal) {
      const receipt = await request<RpcReceipt>('eth_getTransactionReceipt', [txId], signal)
      if (!receipt) return undefined
      const { status, blockNumber, blockHash, logs } = receipt
      return { isSuccess: status === '0x1', blockNumber: Number(blockNumber), blockHash, logs }
    },
    async head(signal) {
      const block = await readBlock('latest', signal)
      if (!block) throw new Error(`${network.shortName}: the node has no latest block`)
      return block
    },
    block: (number, signal) => readBlock(`0x${number.toString(16)}`, signal),
    async transfers(range, signal) {
      const logs = await request<RpcLog[]>('eth_getLogs', [logFilter(range, [...tokens, ...range.splitters])], signal)
      const ours = logs.filter((log) => isWatchedLog(log, range.isWatched))
      const times = await blockTimes(ours, signal)
      return ours
        .map((log) => toTransfer(network, log, times.get(log.blockHash) ?? 0))
        .filter((transfer) => transfer !== undefined)
        .filter((transfer) => transfer.amount > 0n)
        .sort((a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex)
    },
  }
}

function logFilter(range: TransferRange, address: string[]) {
  const kinds = [transferTopic, splitTopic]
  const topics = range.few ? [kinds, null, range.few] : [kinds]
  if (range.blockHash !== undefined) return { address, topics, blockHash: range.blockHash }
  return { address, topics, fromBlock: `0x${range.from.toString(16)}`, toBlock: `0x${range.to.toString(16)}` }
}

/** Of a busy block's logs nearly all are not ours, so that this comes first. */
function isWatchedLog(log: RpcLog, isWatched: (topic: string) => boolean): boolean {
  const topic = log.topics[2]
  return topic !== undefined && isWatched(topic) && log.removed !== true
}

/** Undefined when the log is nothing that pays. */
function toTransfer(network: Network, log: RpcLog, blockTimeMs: number): SeenTransfer | undefined {
  return isSplitLog(log.topics) ? splitToTransfer(network, log, blockTimeMs) : tokenTransfer(network, log, blockTimeMs)
}

/** A payment through a splitter, as a movement of what its recipients received. Its hash names the splitter too. */
function splitToTransfer(network: Network, log: RpcLog, blockTimeMs: number): SeenTransfer | undefined {
  const split = readSplitLog(network.chainId, log)
  return split && movement(network, log, blockTimeMs, split.payer, split.received)
}

/** Only a log of a configured token, in the shape of ERC-20: ERC-721 has a fourth topic. */
function tokenTransfer(network: Network, log: RpcLog, blockTimeMs: number): SeenTransfer | undefined {
  const isToken = network.tokens.some(({ address }) => address.toLowerCase() === log.address.toLowerCase())
  if (!isToken || log.topics.length !== 3 || log.topics[0] !== transferTopic) return undefined
  return movement(network, log, blockTimeMs, `0x${log.topics[1]?.slice(26)}`, BigInt(log.data.slice(0, 66)))
}

/** A log that pays, as the movement that it tells of. */
export function movement(
  network: Network,
  log: RpcLog,
  blockTimeMs: number,
  payer: string,
  amount: bigint,
): SeenTransfer {
  return {
    network: network.shortName,
    txId: log.transactionHash,
    logIndex: Number(log.logIndex),
    payer,
    topic: log.topics[2] ?? '',
    source: log.address.toLowerCase(),
    amount: amount as BaseUnits,
    blockNumber: Number(log.blockNumber),
    blockHash: log.blockHash,
    blockTimeMs,
  }
}

function toBlockRef(block: NonNullable<RpcBlock>): BlockRef {
  return {
    number: Number(block.number),
    hash: block.hash,
    parentHash: block.parentHash,
    timeMs: Number(block.timestamp) * 1000,
  }
}
