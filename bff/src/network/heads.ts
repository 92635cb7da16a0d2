/** The fields that are kept of a block. */
export type BlockRef = { number: number; hash: string; parentHash: string; timeMs: number }

/** Maximum difference between this host's clock and a chain's. */
export const clockSkewMs = 15 * 60 * 1000

/** The newest fully applied block of each network, from which confirmations are counted. */
export type Heads = { get(network: string): BlockRef | undefined; set(network: string, block: BlockRef): void }

export function createHeads(): Heads {
  const heads = new Map<string, BlockRef>()
  return { get: (network) => heads.get(network), set: (network, block) => void heads.set(network, block) }
}
