import { NoNodeError } from '../../rpc-pool.ts'

/** Blocks per log query; halved when a node refuses, doubled again when it responds. */
const rangeMaxBlocks = 2_000

type Range = { from: number; to: number }

/**
 * Reads blocks in ranges, oldest first, both ends inclusive.
 * @param onRead - Called after each range with the number of blocks read so far.
 * @throws the node's error when it refuses a single block or no node is available.
 */
export async function readRanges(
  { from, to }: Range,
  read: (range: Range) => Promise<void>,
  onRead: (done: number, total: number) => void,
  signal: AbortSignal,
): Promise<void> {
  let blocks = rangeMaxBlocks
  for (let next = from; next <= to; ) {
    signal.throwIfAborted()
    const range = { from: next, to: Math.min(to, next + blocks - 1) }
    try {
      await read(range)
    } catch (error) {
      if (blocks === 1 || error instanceof NoNodeError || signal.aborted) throw error
      blocks = Math.max(1, Math.floor(blocks / 2))
      continue
    }
    next = range.to + 1
    blocks = Math.min(rangeMaxBlocks, blocks * 2)
    onRead(next - from, to - from + 1)
  }
}
