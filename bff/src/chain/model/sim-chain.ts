import type { BlockRef } from '../adapter.ts'

/** A token transfer in a block. `to` and `source` are addresses in lower case. */
export type SimTransfer = {
  txId: string
  logIndex: number
  to: string
  source: string
  amount: bigint
  isOurToken: boolean
}

export type SimBlock = BlockRef & { transfers: readonly SimTransfer[] }

export type SimChain = ReturnType<typeof createSimChain>

/** A chain of blocks with transfers, whose tail can be replaced, and put back. Hashes are never used twice. For tests. */
export function createSimChain(startMs: number) {
  let hashes = 0
  let highest = 0
  let removed: SimBlock[] = []
  const genesis: SimBlock = { number: 0, hash: '0xb0', parentHash: '0x', timeMs: startMs, transfers: [] }
  const blocks = [genesis]

  const tip = () => blocks.at(-1) ?? genesis

  function mine(transfers: readonly SimTransfer[], seconds: number): void {
    const parent = tip()
    hashes += 1
    const hash = `0xb${parent.number + 1}-${hashes}`
    const timeMs = parent.timeMs + seconds * 1_000
    blocks.push({ number: parent.number + 1, hash, parentHash: parent.hash, timeMs, transfers })
    highest = Math.max(highest, tip().number)
  }

  return {
    blocks,
    tip,
    mine,
    /** How many of the newest blocks may go when no chain may go back by more than `max` from its highest block. */
    depthMax: (max: number) => Math.max(0, Math.min(tip().number, tip().number - (highest - max))),
    /**
     * Replaces the newest `depth` blocks by `length` others. `kept` says of each transfer of the old ones, bit by bit,
     * whether it is in the new ones; the first of these has them all, or the last.
     */
    reorg({ depth, length, kept, isFirst }: { depth: number; length: number; kept: number; isFirst: boolean }): void {
      if (depth === 0) return
      removed = blocks.splice(blocks.length - depth)
      const transfers = removed.flatMap((block) => block.transfers).filter((_, index) => (kept >> (index % 16)) & 1)
      const at = isFirst ? 0 : length - 1
      for (let index = 0; index < length; index += 1) mine(index === at ? transfers : [], 1)
    },
    /** The blocks that the last reorg took come back under their old hashes, where their parent still stands. */
    undo(max: number): void {
      const parent = blocks.findIndex((block) => block.hash === removed[0]?.parentHash)
      if (parent === -1 || parent < highest - max) return
      const back = removed
      removed = blocks.splice(parent + 1)
      blocks.push(...back)
      highest = Math.max(highest, tip().number)
    },
  }
}
