import type { ChainAdapter } from '../../chain-adapter.ts'

/**
 * The number of the newest block up to `to` that is older than a time by the chain's clock; 0 if there is none. Searches back
 * from `to` in doubling steps, because many nodes prune old blocks. Takes about twice as many calls as the distance has bits.
 * @throws {Error} when the node lacks one of these blocks.
 */
export async function newestBlockBefore(
  adapter: Pick<ChainAdapter, 'block'>,
  timeMs: number,
  to: number,
  signal: AbortSignal,
): Promise<number> {
  async function isOlder(number: number): Promise<boolean> {
    const block = await adapter.block(number, signal)
    if (block === undefined) throw new Error(`A node has no block ${number}`)
    return block.timeMs < timeMs
  }
  /** The oldest block known not to be older; `low` ends at an older one, or 0. */
  let notOlder = to + 1
  let low = to
  for (let step = 1; low > 0 && !(await isOlder(low)); step *= 2) {
    notOlder = low
    low = Math.max(0, low - step)
  }
  while (low + 1 < notOlder) {
    const middle = Math.floor((low + notOlder) / 2)
    if (await isOlder(middle)) low = middle
    else notOlder = middle
  }
  return low
}
