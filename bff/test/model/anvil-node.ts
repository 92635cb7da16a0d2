import { createEvmAdapter, type RpcBlock, type RpcLog } from '@stablecoin-checkout/bff/testing/evm'
import type { LyingNode } from '../lying-node.ts'
import type { ModelChain } from './model-chain.ts'
import { network, reorgMax, silent } from './network.ts'
import type { Lie, ModelNode } from './port.ts'

/** HTTP statuses of a busy or broken provider. */
const refusals = [429, 500, 502, 503]

/** Blocks that a lagging backend lacks. */
const behindBlocks = 2

/** Longer ranges are read after downtime, and their logs are not checked; see the adapter. */
const hiddenBlocksMax = 8

const toHex = (number: number) => `0x${number.toString(16)}`

type Query = { fromBlock?: string; toBlock?: string }
const isLong = ({ fromBlock, toBlock }: Query) => Number(toBlock ?? 0) - Number(fromBlock ?? 0) >= hiddenBlocksMax

/** The service's adapter for an anvil behind a lying node; `others` are truthful. */
export function createAnvilNode(
  chain: ModelChain,
  liar: LyingNode,
  truth: string,
  others: readonly string[],
): ModelNode {
  let lie: Lie = { type: 'none' }
  let calls = 0
  const shownDepths = new Map<string, number>()

  liar.listen(async () => {
    const call = calls
    calls += 1
    if (!('call' in lie)) return
    const isNow = lie.call === call
    if (lie.type === 'fails' && isNow) liar.fail(refusals[call % refusals.length] ?? 500)
    if (lie.type === 'moves' && isNow)
      await chain.reorg({ depth: lie.depth, max: reorgMax, longer: 0, kept: lie.kept, isFirst: true })
    if (lie.type === 'forgets') {
      if (isNow) forget()
      else liar.mend()
    }
  })

  async function blockAt(number: number): Promise<RpcBlock> {
    const body = { jsonrpc: '2.0', id: 1, method: 'eth_getBlockByNumber', params: [toHex(Math.max(0, number)), false] }
    const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }
    return ((await (await fetch(truth, init)).json()) as { result: RpcBlock }).result
  }

  const isBlock = (block: unknown): block is NonNullable<RpcBlock> => block !== null && block !== undefined

  /** A backend without the newest blocks, or any block by number, answers one call. */
  function forget(): void {
    liar.lie('eth_getBlockByNumber', (block, [tag]) =>
      tag === 'latest' && isBlock(block) ? blockAt(Number(block.number) - behindBlocks) : null,
    )
    hide()
  }

  function hide(): void {
    liar.lie('eth_getLogs', (logs, [query]) => (isLong(query as Query) ? logs : []))
  }

  function lag(blocks: number): void {
    const tip = () => chain.tip().number - blocks
    liar.lie('eth_getBlockByNumber', (block, [tag]) => {
      if (tag === 'latest') return blockAt(tip())
      return Number(tag) > tip() ? null : block
    })
    liar.lie('eth_getLogs', (logs) => (logs as RpcLog[]).filter(({ blockNumber }) => Number(blockNumber) <= tip()))
  }

  function invent(logs: RpcLog[]): RpcLog[] {
    const at = (log: RpcLog, more: number) => toHex(Number(log.logIndex) + more) as RpcLog['logIndex']
    const stranger = `0x${'5a'.padStart(64, '0')}` as const
    const strangers = logs.map((log) => ({
      ...log,
      logIndex: at(log, 100),
      topics: log.topics.map((topic, index) => (index === 2 ? stranger : topic)),
    }))
    const others = logs.map((log) => ({ ...log, logIndex: at(log, 200), address: `0x${'ee'.repeat(20)}` as const }))
    return [...others, ...logs, ...strangers]
  }

  /** Lies that last for the whole pass. */
  function set(): void {
    if (lie.type === 'lags') lag(lie.blocks)
    if (lie.type === 'hides') hide()
    if (lie.type === 'wrongChain') liar.lie('eth_chainId', () => '0x1')
    if (lie.type === 'doubles') liar.lie('eth_getLogs', (logs) => [...(logs as RpcLog[]), ...(logs as RpcLog[])])
    if (lie.type === 'invents') liar.lie('eth_getLogs', (logs) => invent(logs as RpcLog[]))
  }

  return {
    connect(nowMs) {
      const adapter = createEvmAdapter({ ...network, rpcUrls: [liar.url, ...others] }, { nowMs, log: silent })
      return {
        ...adapter,
        async head(signal) {
          const head = await adapter.head(signal)
          const known = chain.blocks.filter(({ number }) => number <= head.number)
          if (known.at(-1)?.hash !== head.hash) return head
          for (const { hash, number } of known) {
            shownDepths.set(hash, Math.max(shownDepths.get(hash) ?? 0, head.number - number + 1))
          }
          return head
        },
      }
    },
    shownDepth: (blockHash) => shownDepths.get(blockHash) ?? 0,
    async tell(next) {
      await chain.settled()
      lie = next
      calls = 0
      liar.mend()
      set()
    },
  }
}
