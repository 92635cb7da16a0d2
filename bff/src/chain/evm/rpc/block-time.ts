import type { ChainAdapter } from '../../chain-adapter.ts'

/**
 * The number of the newest block up to `to` that is older than a time of the chain's clock; 0 where none is. Asks for about as many
 * blocks as the number of the newest has bits.
 */
export async function newestBlockBefore(
  adapter: Pick<ChainAdapter, 'block'>,
  timeMs: number,
  to: number,
  signal: AbortSignal,
): Promise<number> {
  let [low, high] = [0, to]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    const block = await adapter.block(middle, signal)
    if (block === undefined) throw new Error(`A node has no block ${middle}`)
    if (block.timeMs < timeMs) low = middle
    else high = middle - 1
  }
  return low
}
