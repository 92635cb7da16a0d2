/** The fields of a block that are kept. */
export type BlockRef = { number: number; hash: string; parentHash: string; timeMs: number }

/** Newest block that was fully applied, per network: what confirmations are counted from. */
export type Heads = { get(network: string): BlockRef | undefined; set(network: string, block: BlockRef): void }

export function createHeads(): Heads {
  const heads = new Map<string, BlockRef>()
  return { get: (network) => heads.get(network), set: (network, block) => void heads.set(network, block) }
}
