import { believedTimeMs, endWindows, isWindowOver } from '../../watch-window.ts'
import type { SolanaAdapter, SolanaHead } from '../rpc/solana-adapter.ts'

type Deps = Parameters<typeof endWindows>[0] & {
  adapter: Pick<SolanaAdapter, 'finalHead'>
  isTestnet: boolean
}

/**
 * Ends the windows that were over in the newest final slot: a fork of younger ones can move a transfer to an earlier block, and so into the
 * window.
 * @param head - Up to which all that came was read. `lateMs`: up to when all that came late was.
 * @throws {Error} when no node responds.
 */
export async function endFinalWindows(
  { adapter, isTestnet, ...windows }: Deps,
  { head, lateMs }: { head: SolanaHead; lateMs: number },
  signal: AbortSignal,
): Promise<void> {
  // The final slot is asked for only where a window may be over.
  if (!(await isWindowOver(windows, { windowMs: head.timeMs, lateMs }))) return
  const final = await adapter.finalHead(signal)
  const finalMs = believedTimeMs({ isTestnet }, final, windows.runtime)
  const windowMs = final.slot < head.slot ? Math.min(head.timeMs, finalMs) : head.timeMs
  await endWindows(windows, { windowMs, lateMs: Math.min(lateMs, windowMs) }, signal)
}
