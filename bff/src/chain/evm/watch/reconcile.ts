import type { BlockRef } from '../../../network/heads.ts'
import type { Header } from '../../cursor-store.ts'

/** A new head's relation to the kept headers. */
export type Reconciliation =
  /** No headers are kept yet: start at the head. */
  | { type: 'start' }
  /** No change. */
  | { type: 'unchanged' }
  /** The head directly follows the newest kept header. */
  | { type: 'extended'; ancestor: Header }
  /** The kept headers may no longer be on the chain: compare them with its blocks, newest first. */
  | { type: 'check'; candidates: Header[] }

/**
 * Compares the new head with the kept headers, without calling the chain.
 * @param local - In ascending order; includes the newest header, unless none is kept.
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
 * Whether the node lags: it has the older headers but not the newest. The watcher then waits, because a chain does not get
 * shorter.
 * @param ancestor - The newest kept header still on the chain.
 */
export function isLagging(local: readonly Header[], head: BlockRef, ancestor: Header): boolean {
  const tip = local.at(-1)
  if (!tip || head.number >= tip.number) return false
  const newestBelowHead = local.findLast((header) => header.number <= head.number)
  return newestBelowHead?.hash === ancestor.hash
}
