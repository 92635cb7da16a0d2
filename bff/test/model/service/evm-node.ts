import { type Hex, numberToHex } from 'viem'
import { chainId, Revert } from './contracts.ts'
import { simulateCall } from './evm-calls.ts'
import { type Block, type EvmChain, gwei, type PlacedLog } from './evm-chain.ts'
import { splitter } from './splitter.ts'

/** A node's fault, until another is set. `call` counts its responses from 0. */
export type NodeFault =
  | { type: 'none' }
  /** Never responds. */
  | { type: 'down' }
  | { type: 'fails'; call: number }
  /** Is behind by this many blocks, in all its responses. */
  | { type: 'lags'; blocks: number }
  /** Its log index silently lacks the newest blocks. Like `hides-logs`, it omits a block in only one pass. */
  | { type: 'logs-lag'; blocks: number }
  /** Has no receipts. */
  | { type: 'forgets-receipts' }
  /** Has no logs. */
  | { type: 'hides-logs' }
  /** Has the tokens' logs, and none of the splitter. Like `hides-logs`, it omits those of a block in only one pass. */
  | { type: 'hides-splits' }
  /** Has no logs, in any pass. */
  | { type: 'keeps-logs-back' }
  /** A reorg happens just before this response. */
  | { type: 'moves'; call: number; depth: number; kept: number }
  /** Something else happens just before this response, which is correct. */
  | { type: 'meanwhile'; call: number }

class RpcError extends Error {
  readonly code: number
  readonly data: Hex | undefined
  constructor(code: number, message: string, data?: Hex) {
    super(message)
    this.code = code
    this.data = data
  }
}

/** On some networks it excludes no log. */
const anyBloom: Hex = `0x${'ff'.repeat(256)}`

type Query = { address?: Hex | Hex[]; topics?: (Hex | Hex[] | null)[]; blockHash?: Hex; fromBlock?: Hex; toBlock?: Hex }

const matches = (wanted: Hex | Hex[] | null | undefined, given: Hex | undefined): boolean =>
  wanted === null || wanted === undefined || [wanted].flat().some((one) => one.toLowerCase() === given?.toLowerCase())

/** JSON-RPC of a node with configurable faults. `reorg` and `interrupt` implement its faults `moves` and `meanwhile`. */
export function createEvmNode(
  chain: EvmChain,
  reorg: (depth: number, kept: number) => Promise<void>,
  interrupt: () => Promise<void> = async () => undefined,
) {
  let fault: NodeFault = { type: 'none' }
  let calls = 0
  /** Blocks whose logs were omitted before the current pass, and in it: indexes catch up before blocks are read a second time. */
  let leftOut = new Set<Hex>()
  const leavesOut = new Set<Hex>()

  const known = (): readonly Block[] =>
    fault.type === 'lags' ? chain.blocks.slice(0, Math.max(1, chain.blocks.length - fault.blocks)) : chain.blocks

  function blockAt(tag: string): Block | undefined {
    const blocks = known()
    return tag === 'latest' || tag === 'pending' ? blocks.at(-1) : blocks.find(({ number }) => number === Number(tag))
  }

  function stateAt(tag: string) {
    const block = blockAt(tag)
    if (!block) throw new RpcError(-32_000, 'header not found')
    return block
  }

  const rpcBlock = (block: Block | undefined) =>
    block
      ? {
          number: numberToHex(block.number),
          hash: block.hash,
          parentHash: block.parentHash,
          timestamp: numberToHex(Math.floor(block.timeMs / 1_000)),
          logsBloom: chain.rules.hasBlooms ? block.bloom : anyBloom,
          gasLimit: numberToHex(30_000_000n),
          gasUsed: '0x0',
          baseFeePerGas: numberToHex(gwei),
          size: '0x1',
          transactions: [],
          uncles: [],
        }
      : null

  const rpcLog = (block: Block, log: PlacedLog) => ({
    address: log.address,
    topics: log.topics,
    data: log.data,
    blockNumber: numberToHex(block.number),
    blockHash: block.hash,
    blockTimestamp: numberToHex(Math.floor(block.timeMs / 1_000)),
    transactionHash: log.txId,
    transactionIndex: numberToHex(log.transactionIndex),
    logIndex: numberToHex(log.logIndex),
    removed: false,
  })

  function logs({ address, topics = [], blockHash, fromBlock, toBlock }: Query) {
    const blocks = known()
    const [from, to] = [Number(fromBlock ?? 0), Number(toBlock ?? 0)]
    const asked = blocks.filter((block) =>
      blockHash ? block.hash === blockHash : block.number >= from && block.number <= to,
    )
    if (blockHash && asked.length === 0) throw new RpcError(-32_000, 'unknown block')
    if (fault.type === 'keeps-logs-back') return []
    const lag = fault.type === 'logs-lag' ? fault.blocks : fault.type === 'hides-logs' ? Number.POSITIVE_INFINITY : 0
    const indexed = (blocks.at(-1)?.number ?? 0) - lag
    const isLeftOut = ({ number, hash }: Block) => number > indexed && !leftOut.has(hash)
    const hidesSplits = ({ hash }: Block) => fault.type === 'hides-splits' && !leftOut.has(hash)
    for (const block of asked) if (isLeftOut(block) || hidesSplits(block)) leavesOut.add(block.hash)
    return asked
      .filter((block) => !isLeftOut(block))
      .flatMap((block) =>
        block.logs
          .filter((log) => log.address !== splitter || !hidesSplits(block))
          .filter((log) => matches(address, log.address) && topics.every((topic, at) => matches(topic, log.topics[at])))
          .map((log) => rpcLog(block, log)),
      )
  }

  function receipt(txId: Hex) {
    if (fault.type === 'forgets-receipts') return null
    for (const block of known()) {
      const at = block.receipts.findIndex(({ transaction }) => transaction.txId === txId)
      const found = block.receipts[at]
      if (!found) continue
      return {
        transactionHash: txId,
        transactionIndex: numberToHex(at),
        blockHash: block.hash,
        blockNumber: numberToHex(block.number),
        from: found.transaction.from,
        to: found.transaction.calls[0]?.to,
        cumulativeGasUsed: '0x186a0',
        gasUsed: '0x186a0',
        effectiveGasPrice: numberToHex(2n * gwei),
        contractAddress: null,
        logsBloom: block.bloom,
        status: found.isReverted ? '0x0' : '0x1',
        type: '0x2',
        logs: found.logs.map((log) => rpcLog(block, log)),
      }
    }
    return null
  }

  async function broadcast(raw: Hex) {
    const refusal = await chain.accept(raw)
    if (refusal !== undefined) throw new RpcError(-32_000, refusal)
    return `0x${'0'.repeat(64)}`
  }

  function nonceOf(account: string, tag: string): Hex {
    const nonce = stateAt(tag).state.nonces.get(account.toLowerCase()) ?? 0
    if (tag !== 'pending') return numberToHex(nonce)
    const waiting = new Set([...chain.pool.values()].map((one) => one.nonce))
    let next = nonce
    while (waiting.has(next)) next += 1
    return numberToHex(next)
  }

  async function answer(method: string, params: unknown[]): Promise<unknown> {
    const call = calls
    calls += 1
    if (fault.type === 'moves' && fault.call === call) await reorg(fault.depth, fault.kept)
    if (fault.type === 'meanwhile' && fault.call === call) {
      fault = { type: 'none' }
      await interrupt()
    }
    const [first, second = 'latest'] = params as [never, string]
    switch (method) {
      case 'eth_chainId':
        return numberToHex(chainId)
      case 'eth_blockNumber':
        return numberToHex(blockAt('latest')?.number ?? 0)
      case 'eth_getBlockByNumber':
        return rpcBlock(blockAt(first))
      case 'eth_getBlockByHash':
        return rpcBlock(known().find(({ hash }) => hash === first))
      case 'eth_getLogs':
        return logs(first)
      case 'eth_getTransactionReceipt':
        return receipt(first)
      case 'eth_getTransactionCount':
        return nonceOf(first, second)
      case 'eth_getBalance':
        return numberToHex(stateAt(second).state.coins.get(String(first).toLowerCase()) ?? 0n)
      case 'eth_maxPriorityFeePerGas':
        return numberToHex(gwei)
      case 'eth_getCode':
        return '0x'
      case 'eth_call':
        return await simulateCall(chain, first, stateAt(second))
      case 'eth_estimateGas':
        await simulateCall(chain, first, stateAt('latest'))
        return numberToHex(100_000n)
      case 'eth_sendRawTransaction':
        return await broadcast(first)
      default:
        throw new RpcError(-32_601, `the model has no ${method}`)
    }
  }

  return {
    /**
     * @param before - Blocks whose logs the nodes have omitted for this worker; blocks omitted now are added at the next call.
     */
    tell(next: NodeFault, before = new Set<Hex>()): void {
      for (const hash of leavesOut) leftOut.add(hash)
      leavesOut.clear()
      leftOut = before
      fault = next
      calls = 0
    },
    /** The body of the HTTP response to one call; undefined: none. */
    async respond(request: { id: number; method: string; params?: unknown[] }): Promise<object | undefined> {
      if (fault.type === 'down' || (fault.type === 'fails' && fault.call === calls)) {
        calls += 1
        return undefined
      }
      const base = { jsonrpc: '2.0', id: request.id }
      try {
        return { ...base, result: await answer(request.method, request.params ?? []) }
      } catch (error) {
        if (error instanceof Revert) return { ...base, error: { code: 3, message: error.message, data: error.data } }
        if (!(error instanceof RpcError)) throw error
        return { ...base, error: { code: error.code, message: error.message } }
      }
    },
  }
}
