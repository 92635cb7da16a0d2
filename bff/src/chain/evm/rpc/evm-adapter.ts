import { erc20Abi, getAbiItem, type Hex, toEventSelector } from 'viem'
import type { Network } from '../../../core/families.ts'
import type { BaseUnits } from '../../../core/money.ts'
import type { BlockRef } from '../../../network/heads.ts'
import type { AttestedTransfer, ChainAdapter, SeenTransfer, TransferRange } from '../../chain-adapter.ts'
import type { PoolDeps, RpcNode } from '../../rpc-pool.ts'
import { isSplitLog, readSplitLog, splitTopic } from '../split/split-log.ts'
import { createStateReader, type ReadBalances, type ReadSettled } from './evm-balances.ts'
import { createEvmPool, type EvmPool, type RpcBlock } from './evm-pool.ts'
import { createHeadReader } from './head-reader.ts'
import { type Bloom, hidesLogs, isBloomOf, type LogQuery, parseBloom, provesNone } from './log-check.ts'

const transferTopic = toEventSelector(getAbiItem({ abi: erc20Abi, name: 'Transfer' }))

/** Maximum block filters cached until their logs are read. */
const bloomsMax = 64

/** Maximum blocks per range whose filters are compared with their logs: as many as appear between two polls. */
const checkedBlocksMax = 8

/** Characters of one 32-byte word in hex, with `0x`. */
const wordLength = 66

type RpcReceipt = { status: Hex; blockNumber: Hex; blockHash: Hex; logs: RpcLog[] } | null
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

type Ask = <T>(method: string, params: unknown[], signal: AbortSignal) => Promise<T>

/** A mined transaction. */
type Receipt = { isSuccess: boolean; blockNumber: number; blockHash: string; logs: RpcLog[] }

/** Reads that prove the outcome of an account's transaction. */
type TransactionReads = Pick<ChainAdapter, 'block'> & {
  /** Undefined if the node knows no block with the transaction. */
  receipt(txId: string, signal: AbortSignal): Promise<Receipt | undefined>
  /** The transaction's signer and nonce. Undefined if the node knows it neither in a block nor in its pool. */
  signed(txId: string, signal: AbortSignal): Promise<{ from: string; nonce: number } | undefined>
  /** How many transactions the account had sent by that block. */
  transactionCount(account: string, block: number, signal: AbortSignal): Promise<number>
  /** Transfers and splits in these blocks, both ends inclusive, by the node's logs alone. Without block times. */
  loggedTransfers(logged: LoggedTransfers, signal: AbortSignal): Promise<SeenTransfer[]>
}

/** `sources`: tokens and splitters. `few`: what the events name as recipient or as terms. */
type LoggedTransfers = { from: number; to: number; sources: string[]; few: string[] }

export type EvmAdapter = ChainAdapter &
  TransactionReads & {
    /** The node's chain id; the pool has compared it with the configured one. */
    chainId(signal: AbortSignal): Promise<number>
    /** Whether nodes of two hosts (if configured) each prove it by their own responses. */
    isProven(proves: (reads: TransactionReads) => Promise<boolean>, signal: AbortSignal): Promise<boolean>
    balances: ReadBalances
    /** Balances are always those of the newest block. */
    readonly balancesAtHead?: true
    areSettled: ReadSettled
  }

/**
 * An EVM chain over JSON-RPC. Reads raw logs and decodes only those of watched topics: most transfers in a block are not.
 * @param options - `hasNoFilters`: the chain's blocks have no bloom filters, so none are requested.
 */
export function createEvmAdapter(
  network: Network,
  deps: PoolDeps,
  pool = createEvmPool(network, deps),
  { hasNoFilters = false }: { hasNoFilters?: boolean } = {},
): EvmAdapter {
  const blooms = new Map<string, Bloom>()
  const tokens = network.tokens.map((token) => token.address.toLowerCase())
  /** Some chains leave all filters empty: until one is filled, an empty one proves nothing. */
  let hasFilters = false

  async function request<T>(method: string, params: unknown[], signal: AbortSignal): Promise<T> {
    return (await pool.ask<T>(method, params, signal)).answer
  }

  async function askInTurn<T>(method: string, params: unknown[], turn: number | undefined, signal: AbortSignal) {
    if (turn === undefined) return await pool.ask<T>(method, params, signal)
    const nodes = pool.candidates()
    const node = nodes[turn % nodes.length] as RpcNode
    return { node, answer: await pool.askNode<T>(node, method, params) }
  }

  function bloomOf(text: Hex): Bloom {
    const bloom = parseBloom(text)
    hasFilters ||= bloom.some((byte) => byte !== 0)
    return bloom
  }

  function remember(block: NonNullable<RpcBlock>): BlockRef {
    if (block.logsBloom) blooms.set(block.hash, bloomOf(block.logsBloom))
    const [oldest] = blooms.keys()
    if (blooms.size > bloomsMax && oldest !== undefined) blooms.delete(oldest)
    return toBlockRef(block)
  }

  /** The range's logs. For a block whose filter shows that the node omitted some: all logs of the block. */
  async function readLogs(range: TransferRange, sources: string[], signal: AbortSignal): Promise<RpcLog[]> {
    const query = logFilter(range, sources)
    const { node, answer: logs } = await askInTurn<RpcLog[]>('eth_getLogs', [query], range.turn, signal)
    const complete = [...logs]
    let proven = 0
    for (const { hash, bloom } of await readBlooms(node, range)) {
      const known = logs.filter(({ blockHash }) => blockHash === hash)
      if (!hidesLogs(bloom, query, known)) {
        if (hasFilters && provesNone(bloom, query)) proven += 1
        continue
      }
      const all = await pool.askNode<RpcLog[]>(node, 'eth_getLogs', [{ blockHash: hash }])
      if (!isBloomOf(bloom, all)) throw pool.distrust(node, `omits logs of a block up to ${range.to}`)
      const isNew = ({ logIndex }: RpcLog) => !known.some((log) => log.logIndex === logIndex)
      complete.push(...all.filter(isNew))
      proven += 1
    }
    if (proven === range.to - range.from + 1) range.onProven?.()
    return complete
  }

  /** The filters of a short range's blocks. In a long range, read after downtime, each would cost a call. */
  async function readBlooms(node: RpcNode, { from, to, blockHash }: TransferRange) {
    if (hasNoFilters) return []
    const known = blockHash === undefined ? undefined : blooms.get(blockHash)
    if (blockHash !== undefined) return known ? [{ hash: blockHash, bloom: known }] : []
    if (to - from >= checkedBlocksMax) return []
    const numbers = Array.from({ length: to - from + 1 }, (_, index) => `0x${(from + index).toString(16)}`)
    const read = numbers.map((number) => pool.askNode<RpcBlock>(node, 'eth_getBlockByNumber', [number, false]))
    return (await Promise.all(read)).flatMap((block) =>
      block?.logsBloom ? [{ hash: block.hash as string, bloom: bloomOf(block.logsBloom) }] : [],
    )
  }

  const readsBy = (ask: Ask): TransactionReads => ({
    async block(number, signal) {
      const block = await ask<RpcBlock>('eth_getBlockByNumber', [`0x${number.toString(16)}`, false], signal)
      return block ? remember(block) : undefined
    },
    async receipt(txId, signal) {
      const receipt = await ask<RpcReceipt>('eth_getTransactionReceipt', [txId], signal)
      if (!receipt) return undefined
      const { status, blockNumber, blockHash, logs } = receipt
      return { isSuccess: status === '0x1', blockNumber: Number(blockNumber), blockHash, logs }
    },
    async signed(txId, signal) {
      const found = await ask<{ from: Hex; nonce: Hex } | null>('eth_getTransactionByHash', [txId], signal)
      return found ? { from: found.from, nonce: Number(found.nonce) } : undefined
    },
    async loggedTransfers({ sources, ...range }, signal) {
      const logs = await ask<RpcLog[]>('eth_getLogs', [logFilter(range, sources)], signal)
      return logs.flatMap((log) => toTransfer(network, log, 0) ?? []).filter(({ amount }) => amount > 0n)
    },
    transactionCount: async (account, block, signal) =>
      Number(await ask<Hex>('eth_getTransactionCount', [account, `0x${block.toString(16)}`], signal)),
  })

  /** Whether the node has the transfer, as stored, in a canonical block with the required confirmations by its own head. */
  async function attests(
    node: RpcNode,
    { txId, logIndex, blockNumber, blockHash, required, ...stored }: AttestedTransfer,
  ): Promise<boolean> {
    if (!(await isDeep(pool, node, blockNumber, required))) return false
    const receipt = await pool.askNode<RpcReceipt>(node, 'eth_getTransactionReceipt', [txId])
    const place = [`0x${blockNumber.toString(16)}`, false]
    const block = await pool.askNode<RpcBlock>(node, 'eth_getBlockByNumber', place)
    const isInBlock = receipt?.status === '0x1' && receipt.blockHash === blockHash && block?.hash === blockHash
    const log = isInBlock ? receipt.logs.find((one) => Number(one.logIndex) === logIndex) : undefined
    const found = log && toTransfer(network, log, 0)
    return found !== undefined && isSameMovement(found, stored)
  }

  /** Block times by hash. If a node's logs have no time, each block is read once. */
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
    ...readsBy(request),
    isProven: (proves, signal) =>
      pool.isAttested((node) => proves(readsBy((method, params) => pool.askNode(node, method, params))), signal),
    head: createHeadReader(network, pool, deps.nowMs, remember),
    isAttested: (transfer, signal) => pool.isAttested((node) => attests(node, transfer), signal),
    ...createStateReader(request),
    async transfers(range, signal) {
      const sources = new Set([...tokens, ...(range.tokens ?? []), ...range.splitters])
      const logs = await readLogs(range, [...sources], signal)
      const topics = new Set(logs.flatMap(({ topics, removed }) => (removed ? [] : (topics[2] ?? []))))
      const watched = await range.findWatched([...topics])
      const isSource = ({ address }: RpcLog) => sources.has(address.toLowerCase())
      const ours = logs.filter((log) => !log.removed && isSource(log) && watched.has(log.topics[2] ?? ''))
      const times = await blockTimes(ours, signal)
      return ours
        .map((log) => toTransfer(network, log, times.get(log.blockHash) ?? 0))
        .filter((transfer) => transfer !== undefined)
        .filter((transfer) => transfer.amount > 0n)
        .sort((a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex)
    },
  }
}

/** Uses the node's own head: a node that invents newer blocks must not make other nodes' blocks deep. */
export async function isDeep(pool: Pick<EvmPool, 'askNode'>, node: RpcNode, blockNumber: number, required: number) {
  const head = await pool.askNode<RpcBlock>(node, 'eth_getBlockByNumber', ['latest', false])
  return head !== null && Number(head.number) - blockNumber + 1 >= required
}

type Moved = Pick<SeenTransfer, 'source' | 'payer' | 'topic' | 'amount'>

/** A node that falsifies payer or recipient must not be confirmed by a node with another transfer at the same place. */
const isSameMovement = (one: Moved, other: Moved): boolean =>
  one.amount === other.amount &&
  one.source === other.source.toLowerCase() &&
  one.topic.toLowerCase() === other.topic.toLowerCase() &&
  one.payer.toLowerCase() === other.payer.toLowerCase()

function logFilter(
  range: Pick<TransferRange, 'from' | 'to' | 'few' | 'blockHash'>,
  address: string[],
): LogQuery & Record<string, unknown> {
  const kinds = [transferTopic, splitTopic]
  const topics = range.few ? [kinds, null, range.few] : [kinds]
  if (range.blockHash !== undefined) return { address, topics, blockHash: range.blockHash }
  return { address, topics, fromBlock: `0x${range.from.toString(16)}`, toBlock: `0x${range.to.toString(16)}` }
}

/** Undefined if the log cannot pay a payment. */
function toTransfer(network: Network, log: RpcLog, blockTimeMs: number): SeenTransfer | undefined {
  return isSplitLog(log.topics) ? splitToTransfer(network, log, blockTimeMs) : tokenTransfer(network, log, blockTimeMs)
}

/** A payment through a splitter, as a transfer of the received amount. Its hash also covers the splitter. */
function splitToTransfer(network: Network, log: RpcLog, blockTimeMs: number): SeenTransfer | undefined {
  const split = readSplitLog(network.chainId, log)
  return split && movement(network, log, blockTimeMs, split.payer, split.received)
}

/** Parses only ERC-20 transfers: an ERC-721 transfer has a fourth topic. */
export function tokenTransfer(network: Network, log: RpcLog, blockTimeMs: number): SeenTransfer | undefined {
  if (log.topics.length !== 3 || log.topics[0] !== transferTopic || log.data.length < wordLength) return undefined
  return movement(network, log, blockTimeMs, `0x${log.topics[1]?.slice(26)}`, BigInt(log.data.slice(0, wordLength)))
}

/** The transfer described by a log. */
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
