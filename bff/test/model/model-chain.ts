import type { Ground, ModelBlock, ModelNode, ModelTransaction } from './port.ts'

export type ModelChain = ReturnType<typeof createModelChain>

/** A chain, and a node that serves it, for one life. */
/** `rpcUrl`: of a truthful node; null if the chain is in memory. */
export type Model = { chain: ModelChain; node: ModelNode; rpcUrl: string | null; close(): Promise<void> }

/** A chain of blocks with transfers, whose newest blocks can be replaced and restored. For tests. */
export function createModelChain(ground: Ground) {
  let branches = 0
  let highest = ground.genesis.number
  let removed: ModelBlock[] = []
  const blocks = [ground.genesis]
  let last: Promise<unknown> = Promise.resolve()

  const tip = () => blocks.at(-1) ?? ground.genesis
  const depthMax = (max: number) => Math.max(0, Math.min(blocks.length - 1, tip().number - (highest - max)))

  /** Runs one change after the other: a node's change may still be pending. */
  function inTurn(change: () => Promise<void>): Promise<void> {
    const done = last.then(change)
    last = done.catch(() => undefined)
    return done
  }

  async function mine(transactions: readonly ModelTransaction[], seconds: number): Promise<void> {
    blocks.push(await ground.mine(tip(), transactions, seconds, branches))
    highest = Math.max(highest, tip().number)
  }

  async function cut(depth: number): Promise<void> {
    removed = blocks.splice(blocks.length - depth)
    if (depth > 0) await ground.cut(depth)
  }

  return {
    /** The canonical blocks, oldest first. */
    blocks: blocks as readonly ModelBlock[],
    tip,
    /** Resolves when no change is pending. */
    settled: async (): Promise<void> => void (await last),
    mine: (transactions: readonly ModelTransaction[], seconds: number) => inTurn(() => mine(transactions, seconds)),
    /**
     * Replaces the newest blocks (at most `depth`, and none that is `max` below the highest) with as many others plus `longer`.
     * Each bit of `kept` decides whether an old transaction is in the new blocks, in the first or the last of them.
     */
    reorg: (wish: { depth: number; max: number; longer: number; kept: number; isFirst: boolean }) =>
      inTurn(async () => {
        const depth = Math.min(wish.depth, depthMax(wish.max))
        if (depth === 0) return
        await cut(depth)
        branches += 1
        const transactions = removed
          .flatMap((block) => block.transactions)
          .filter((_, index) => (wish.kept >> (index % 16)) & 1)
        const length = Math.max(1, depth + wish.longer)
        const at = wish.isFirst ? 0 : length - 1
        for (let index = 0; index < length; index += 1) await mine(index === at ? transactions : [], 1)
      }),
    /** Restores the blocks that the last reorg removed, under their old hashes, if their parent is canonical. */
    undo: (max: number) =>
      inTurn(async () => {
        const parent = blocks.findIndex((block) => block.hash === removed[0]?.parentHash)
        const number = blocks[parent]?.number
        if (number === undefined || number < highest - max) return
        const back = removed
        await cut(blocks.length - 1 - parent)
        await ground.restore(back)
        blocks.push(...back)
        highest = Math.max(highest, tip().number)
      }),
  }
}
