import { energyPriceSun, quantity, tronBlock, tronLog, tronReceipt } from './tron-form.ts'
import type { TronView } from './tron-view.ts'

/** Limits of `node.jsonrpc.maxBlockRange` and other defaults of java-tron's `config.conf`. */
const blockRangeMax = 5_000
const subTopicsMax = 1_000
const resultsMax = 10_000

/** Methods that java-tron lists only to refuse them: it has no nonces, and no accounts of its own. */
const refused = new Set([
  'eth_sendRawTransaction',
  'eth_sendTransaction',
  'eth_sign',
  'eth_signTransaction',
  'eth_getTransactionCount',
  'eth_getUncleByBlockHashAndIndex',
  'eth_getUncleByBlockNumberAndIndex',
  'eth_getUncleCountByBlockHash',
  'eth_getUncleCountByBlockNumber',
  'eth_getWork',
  'eth_hashrate',
  'eth_mining',
  'eth_submitWork',
  'eth_submitHashrate',
])

/** The node's refusal of a call. */
export class TronRpcError extends Error {
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

const invalid = (message: string) => new TronRpcError(-32602, message)

type Filter = { fromBlock?: string; toBlock?: string; blockHash?: string; address?: unknown; topics?: unknown }

/** The JSON-RPC of java-tron's full node, as far as this service reads it, with its limits and refusals. */
export function createTronRpc(view: TronView, chainId: number) {
  /** A block number from a number or tag, as `eth_getBlockByNumber` accepts it. */
  async function numberOf(text: unknown): Promise<number> {
    switch (text) {
      case 'earliest':
        return 0
      case 'latest':
        return await view.head()
      case 'finalized':
        if (view.isOld()) throw invalid('TAG finalized not supported')
        return await view.solidified()
      case 'pending':
      case 'safe':
        throw invalid(`TAG ${text} not supported`)
      default:
        if (typeof text !== 'string' || !/^0x[0-9a-f]{1,16}$/i.test(text)) throw invalid('invalid block number')
        return Number(text)
    }
  }

  async function shownBlock(number: number) {
    const block = await view.block(number)
    return block && tronBlock(block, await view.block(number - 1))
  }

  /** State exists only at the newest block. */
  function verifyLatest(tag: unknown): void {
    if (tag === 'latest') return
    if (tag === 'earliest' || tag === 'pending' || tag === 'finalized')
      throw invalid('TAG [earliest | pending | finalized] not supported')
    throw invalid('QUANTITY not supported, just support TAG as latest')
  }

  async function rangeOf({ fromBlock, toBlock, blockHash }: Filter): Promise<{ from: number; to: number }> {
    const head = await view.head()
    if (blockHash !== undefined) {
      if (fromBlock !== undefined || toBlock !== undefined)
        throw invalid('cannot specify both BlockHash and FromBlock/ToBlock, choose one or the other')
      const block = await view.blockById(idOf(blockHash))
      if (block === null) throw invalid('invalid blockHash')
      return { from: Number(block.number), to: Number(block.number) }
    }
    const to = toBlock === undefined || toBlock === 'latest' ? Number.MAX_SAFE_INTEGER : await numberOf(toBlock)
    const from = fromBlock === undefined ? Math.min(to, head) : await numberOf(fromBlock)
    if (from > to) throw invalid('please verify: fromBlock <= toBlock')
    if (Math.min(to, head) - from > blockRangeMax) throw invalid(`exceed max block range: ${blockRangeMax}`)
    return { from, to: Math.min(to, head) }
  }

  async function logs(filter: Filter) {
    const { address, topics = [] } = filter
    if (!Array.isArray(topics)) throw invalid('invalid topic(s)')
    if (topics.length > 4) throw invalid('topics size should be <= 4')
    for (const topic of topics) {
      if (Array.isArray(topic) && topic.length > subTopicsMax) throw invalid(`exceed max topics: ${subTopicsMax}`)
      for (const one of [topic].flat()) {
        if (one !== null && !/^0x[0-9a-f]{64}$/i.test(String(one))) throw invalid('invalid topic(s)')
      }
    }
    const found = await view.logs({ ...(await rangeOf(filter)), address, topics })
    if (found.length > resultsMax) throw new TronRpcError(-32005, `query returned more than ${resultsMax} results`)
    return found.map(tronLog)
  }

  const methods: Readonly<Record<string, (params: readonly unknown[]) => Promise<unknown>>> = {
    web3_clientVersion: async () => 'TRON/v4.8.0/emulated',
    net_version: async () => quantity(chainId),
    eth_chainId: async () => quantity(chainId),
    eth_blockNumber: async () => quantity(await view.head()),
    eth_gasPrice: async () => quantity(energyPriceSun),
    eth_getBlockByNumber: async ([tag]) => await shownBlock(await numberOf(tag)),
    async eth_getBlockByHash([id]) {
      const block = await view.blockById(idOf(id))
      return block && (await shownBlock(Number(block.number)))
    },
    eth_getLogs: async ([filter]) => await logs(filter as Filter),
    async eth_getTransactionReceipt([txId]) {
      const receipt = await view.receipt(idOf(txId))
      return receipt && tronReceipt(receipt)
    },
    async eth_call([call, tag]) {
      verifyLatest(tag)
      const { to, data } = call as { to?: string; data?: string }
      // A call cannot create anything.
      if (to === undefined || !/^0x[0-9a-f]{40}$/i.test(to)) throw invalid('invalid address hash value')
      return await view.call({ to, data }).catch((error: unknown) => {
        throw new TronRpcError(-32000, error instanceof Error ? error.message : 'REVERT opcode executed')
      })
    },
    async eth_getBalance([address, tag]) {
      verifyLatest(tag)
      return await view.balance(String(address))
    },
    async eth_getCode([address, tag]) {
      verifyLatest(tag)
      return await view.code(String(address))
    },
  }

  return async function answer(method: string, params: readonly unknown[]): Promise<unknown> {
    const call = methods[method]
    if (refused.has(method) || call === undefined)
      throw new TronRpcError(-32601, `the method ${method} does not exist/is not available`)
    return await call(params)
  }
}

/** 32 bytes, with or without 0x. */
function idOf(text: unknown): string {
  if (typeof text !== 'string' || !/^(?:0x)?[0-9a-f]{64}$/i.test(text)) throw invalid('invalid hash value')
  return `0x${text.slice(-64).toLowerCase()}`
}
