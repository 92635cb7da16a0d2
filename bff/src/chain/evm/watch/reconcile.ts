import type { BlockRef } from '../../../network/heads.ts'
import type { Header } from '../../cursor-store.ts'

/** What a new head means for the headers that are kept. */
export type Reconciliation =
  /** We keep no header yet: begin at the head. */
  | { type: 'start' }
  /** Nothing new. */
  | { type: 'unchanged' }
  /** The head follows our newest header directly. */
  | { type: 'extended'; ancestor: Header }
  /** Only the chain can say whether our headers are still part of it: to be compared with its blocks, newest first. */
  | { type: 'check'; candidates: Header[] }

/**
 * Compares the new head with our headers without asking the chain.
 * @param local - In ascending order, at least the newest one unless nothing was applied yet.
 */
export function reconcile(local: readonly Header[], head: BlockRef): Reconciliation {
  const tip = local.at(-1)
  if (!tip) return { type: 'start' }
  if (head.hash === tip.hash) return { type: 'unchanged' }
  if (head.number === tip.number + 1 && head.parentHash === tip.hash) return { type: 'extended', ancestor: tip }
  const candidates = local.filter((header) => header.number <= head.number).reverse()
  return { type: 'check', candidates }
}

/**
 * Whether the node is behind: it has our older headers and not the newest. The watcher waits for it, because a chain does not get shorter.
 * @param ancestor - The newest of our headers that the chain still has.
 */
export function isLagging(local: readonly Header[], head: BlockRef, ancestor: Header): boolean {
  const tip = local.at(-1)
  if (!tip || head.number >= tip.number) return false
  const newestBelowHead = local.findLast((header) => header.number <= head.number)
  return newestBelowHead?.hash === ancestor.hash
}
