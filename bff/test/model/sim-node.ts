import type { ChainAdapter, SeenTransfer } from '@stablecoin-checkout/bff/testing/chain'
import { baseUnits } from '@stablecoin-checkout/bff/testing/core'
import type { EvmAdapter } from '@stablecoin-checkout/bff/testing/evm'
import type { BlockRef } from '@stablecoin-checkout/bff/testing/network'
import type { ModelChain } from './model-chain.ts'
import type { Lie, ModelBlock, ModelNode } from './port.ts'

const topicOf = (address: string) => `0x${address.slice(2).padStart(64, '0')}`

/** A node called in-process. */
export function createSimNode(chain: ModelChain, reorgMax: number): ModelNode {
  let lie: Lie = { type: 'none' }
  let calls = 0
  /** Each block's depth under a head that the node has reported. */
  const shownDepths = new Map<string, number>()

  function blocks(): readonly ModelBlock[] {
    return lie.type === 'lags' ? chain.blocks.slice(0, Math.max(1, chain.blocks.length - lie.blocks)) : chain.blocks
  }

  /** @returns whether a lagging backend responds. */
  async function answer(): Promise<boolean> {
    const call = calls
    calls += 1
    if (lie.type === 'fails' && lie.call === call) throw new Error('the node is down')
    if (lie.type === 'moves' && lie.call === call) {
      await chain.reorg({ depth: lie.depth, max: reorgMax, longer: 0, kept: lie.kept, isFirst: true })
    }
    return lie.type === 'forgets' && lie.call === call
  }

  const refOf = ({ number, hash, parentHash, timeMs }: ModelBlock): BlockRef => ({ number, hash, parentHash, timeMs })

  function seen(block: ModelBlock): SeenTransfer[] {
    return block.transfers.map(({ txId, logIndex, to, source, amount }) => ({
      network: 'devnet',
      txId,
      logIndex,
      payer: `0x${'aa'.repeat(20)}`,
      amount: baseUnits(String(amount)),
      blockNumber: block.number,
      blockHash: block.hash,
      blockTimeMs: block.timeMs,
      topic: topicOf(to),
      source,
    }))
  }

  const adapter: ChainAdapter & Pick<EvmAdapter, 'balances' | 'areSettled'> = {
    network: 'devnet',
    async head() {
      const isBehind = await answer()
      const known = isBehind ? blocks().slice(0, Math.max(1, blocks().length - 2)) : blocks()
      const head = known.at(-1)
      if (!head) throw new Error('the node has no block')
      for (const { hash, number } of known) {
        shownDepths.set(hash, Math.max(shownDepths.get(hash) ?? 0, head.number - number + 1))
      }
      return refOf(head)
    },
    async block(number) {
      const block = (await answer()) ? undefined : blocks().find((one) => one.number === number)
      return block && refOf(block)
    },
    async balances(token, addresses, block) {
      await answer()
      const known = blocks().filter(({ number }) => number <= block)
      if (known.at(-1)?.number !== block) throw new Error('the node has no such block')
      const transfers = known.flatMap((one) => one.transfers).filter(({ source }) => source === token)
      return addresses.map((address) =>
        transfers.filter(({ to }) => to === address.toLowerCase()).reduce((sum, { amount }) => sum + amount, 0n),
      )
    },
    async areSettled(forwarders) {
      await answer()
      return forwarders.map(() => false)
    },
    isAttested: async ({ blockHash }) => blocks().some(({ hash }) => hash === blockHash),
    async transfers({ from, to, blockHash, findWatched }) {
      await answer()
      const known = blocks()
      if (blockHash !== undefined && !known.some(({ hash }) => hash === blockHash)) throw new Error('unknown block')
      const asked = known.filter(({ number }) => number >= from && number <= to)
      const found = asked.flatMap(seen)
      const watched = await findWatched([...new Set(found.map(({ topic }) => topic))])
      if (lie.type === 'doubles') return [...found, ...found].filter(({ topic }) => watched.has(topic))
      if (lie.type === 'invents') {
        const strangers = found.map((one) => ({ ...one, logIndex: one.logIndex + 100, topic: topicOf('0x5a') }))
        const others = found.map((one) => ({ ...one, logIndex: one.logIndex + 200, source: `0x${'ee'.repeat(20)}` }))
        return [...others, ...found, ...strangers]
      }
      return found.filter(({ topic }) => watched.has(topic))
    },
  }

  return {
    connect: () => adapter,
    shownDepth: (blockHash) => shownDepths.get(blockHash) ?? 0,
    async tell(next): Promise<void> {
      lie = next
      calls = 0
    },
  }
}
