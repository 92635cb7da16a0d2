import type { BaseUnits } from '../core/money.ts'

/** Of the amount due: who sends so much each time pays a hundred times the price for a hundred webhooks. */
const worthShare = 100n

/**
 * Whether a sum's move is worth a webhook: because it is at least a hundredth of what is due, or has doubled the sum or halved
 * it. So drops of dust, however many, are told as often as a sum can double, and nothing of size goes untold.
 */
export function isWorthTelling(due: BaseUnits, before: BaseUnits, after: BaseUnits): boolean {
  const moved = after > before ? after - before : before - after
  return moved * worthShare >= due || bitsOf(before) !== bitsOf(after)
}

const bitsOf = (sum: bigint): number => (sum === 0n ? 0 : sum.toString(2).length)
