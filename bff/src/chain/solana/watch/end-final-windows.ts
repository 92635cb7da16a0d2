import type { PaymentId } from '../../../payment/payment.ts'
import { believedTimeMs, endWindows, isWindowOver } from '../../watch-window.ts'
import type { SolanaAdapter, SolanaHead } from '../rpc/solana-adapter.ts'
import { promptMs } from './account-watch-list.ts'

type Deps = Parameters<typeof endWindows>[0] & {
  adapter: Pick<SolanaAdapter, 'finalHead'>
  isTestnet: boolean
}

/**
 * Ends windows that were over in the newest final slot: a fork of younger slots can move a transfer to an earlier block, and so
 * into the window.
 * @param head - Everything up to it was read. `lateMs`: late money up to this time was read.
 * @throws {Error} when no node responds.
 */
export async function endFinalWindows(
  { adapter, isTestnet, ...windows }: Deps,
  { head, lateMs }: { head: SolanaHead; lateMs: number },
  signal: AbortSignal,
): Promise<void> {
  // Read the final slot only if a window may be over.
  if (!(await isWindowOver(windows, { windowMs: head.timeMs, lateMs }))) return
  const final = await adapter.finalHead(signal)
  const finalMs = believedTimeMs({ isTestnet }, final, windows.runtime)
  const windowMs = final.slot < head.slot ? Math.min(head.timeMs, finalMs) : head.timeMs
  await endWindows(windows, { windowMs, lateMs: Math.min(lateMs, windowMs) }, signal)
}

/**
 * For each deposit not read up to the head, the chain's time up to which its money was seen. 0 keeps its window open.
 * @param due - Deposits to read in this pass; `open`: those not read to the end. A deposit that is not due may have become late while
 * no node answered: the round of late deposits that `lateMs` stands for had only windows that ended `promptMs` before it.
 */
export function seenUpTo(
  ids: readonly PaymentId[],
  { due, open, lateMs }: { due: readonly { id: PaymentId }[]; open: readonly PaymentId[]; lateMs: number },
): Map<PaymentId, number> {
  const isDue = new Set(due.map(({ id }) => id))
  const others = ids.filter((id) => !isDue.has(id)).map((id): [PaymentId, number] => [id, lateMs - promptMs])
  return new Map([...others, ...open.map((id): [PaymentId, number] => [id, 0])])
}
