import type { Runtime } from '../core/runtime.ts'
import type { Db } from '../db/db.ts'
import type { Ledger } from '../payment/ledger.ts'
import { lateWindowMs, type Payment } from '../payment/payment.ts'
import { askOnceMore } from '../payment/store/bridge-store.ts'
import { endedLateWindows, endedWindows, unaskedBridges } from '../payment/store/watched-payments-store.ts'

/**
 * How long after its window a payment is watched: past the last block in which late money may still pay it, and one hour
 * more because the clocks of the chains differ.
 */
export const watchAfterWindowMs = lateWindowMs + 60 * 60 * 1000

/** Rows of one kind that one commit handles. */
const rowsMax = 500

/** `mode`: only the payments of that mode, where another watcher sees the others; by default all. */
type Deps = { db: Db; ledger: Ledger; network: string; runtime: Runtime; mode?: Payment['mode'] }

/** Times of the chain up to which all that paid in a window, or late, has been seen. */
type SeenUpTo = { windowMs: number; lateMs: number }

/**
 * Windows are judged by the time of a block that was fully applied: what was in time has been seen before it. Of a cross-chain payment
 * the relay is asked once more before.
 */
export async function endWindows(
  { db, ledger, network, runtime, mode }: Deps,
  { windowMs, lateMs }: SeenUpTo,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const [ended, lateEnded, unasked] = await db.read(async (tx) => [
      await endedWindows(tx, network, windowMs, rowsMax, mode),
      await endedLateWindows(tx, network, lateMs, rowsMax, mode),
      mode === 'contract' ? [] : await unaskedBridges(tx, network, windowMs, rowsMax),
    ])
    if (ended.length + lateEnded.length + unasked.length === 0) return
    const atMs = runtime.nowMs()
    await db.write(async (tx) => {
      for (const id of unasked) await askOnceMore(tx, id, { blockTimeMs: windowMs, nowMs: atMs })
      for (const id of ended) await ledger.applyIn(tx, id, { type: 'window.ended', blockTimeMs: windowMs, atMs })
      for (const id of lateEnded) await ledger.applyIn(tx, id, { type: 'window.ended', blockTimeMs: lateMs, atMs })
    })
  }
}
