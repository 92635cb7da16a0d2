import type { Log } from '../core/log.ts'
import type { Runtime } from '../core/runtime.ts'
import type { Db } from '../db/db.ts'
import type { Ledger } from '../payment/ledger.ts'
import { lateWindowMs, type PaymentId } from '../payment/payment.ts'
import { askOnceMore } from '../payment/store/bridge-store.ts'
import {
  endedLateWindows,
  endedWindows,
  unaskedBridges,
  type WindowsOf,
} from '../payment/store/watched-payments-store.ts'
import { createIsolatedApplier, type PaymentStep, storeFaults } from './apply-isolated.ts'
import { removeFault, windowFaults } from './watch-fault-store.ts'

/**
 * How long after its window a payment is watched: past the last block in which late money may still pay it, and one hour
 * more because the clocks of the chains differ.
 */
export const watchAfterWindowMs = lateWindowMs + 60 * 60 * 1000

/** No block of a live network is further ahead of a clock that is right. */
const aheadMaxMs = 15 * 60 * 1000

/**
 * The time of a block, as far as it can be true: a node that names a later one would end every window. Test networks are moved in time by
 * hand.
 */
export const believedTimeMs = (
  { isTestnet }: { isTestnet: boolean },
  { timeMs }: { timeMs: number },
  runtime: Pick<Runtime, 'nowMs'>,
): number => (isTestnet ? timeMs : Math.min(timeMs, runtime.nowMs() + aheadMaxMs))

/** Rows of one kind that one commit handles. */
const rowsMax = 500

/** Payments whose window could not be ended before, and that one pass tries again. */
const retriesMax = 5

/** Names the end of the time in which late money pays, among the faults; the end of the window has no name. */
const late = 'late'

/** `of`: whose windows; by default all. Its mode is given where another watcher sees the payments of the other one. */
type Deps = {
  db: Db
  ledger: Ledger
  network: string
  runtime: Runtime
  log: Log
  of?: WindowsOf
  /** Stores and returns those of the payments whose windows must not end now: something of them waits. */
  hold?: (ids: readonly PaymentId[]) => Promise<ReadonlySet<PaymentId>>
}

/** Times of the chain up to which all that paid in a window, or late, has been seen. */
type SeenUpTo = { windowMs: number; lateMs: number }

/** Whether a window is over by these times, or could not be ended before. */
export async function isWindowOver({ db, network, of = {} }: Deps, { windowMs, lateMs }: SeenUpTo): Promise<boolean> {
  const found = await db.read(async (tx) => [
    ...(await windowFaults(tx, network, of, 1)),
    ...(await endedWindows(tx, network, windowMs, 1, of)),
    ...(await endedLateWindows(tx, network, lateMs, 1, of)),
    ...(of.mode === 'contract' ? [] : await unaskedBridges(tx, network, windowMs, 1)),
  ])
  return found.length > 0
}

/**
 * Windows are judged by the time of a block that was fully applied and that no reorg replaces: what was in time has been seen before it. Of
 * a cross-chain payment the relay is asked once more before.
 */
export async function endWindows(deps: Deps, { windowMs, lateMs }: SeenUpTo, signal: AbortSignal): Promise<void> {
  const { db, network, runtime, of = {}, hold = async () => new Set<PaymentId>() } = deps
  await retryWindows(deps, { windowMs, lateMs })
  const applyIsolated = createIsolatedApplier(deps)
  while (!signal.aborted) {
    const [ended, lateEnded, unasked] = await db.read(async (tx) => [
      await endedWindows(tx, network, windowMs, rowsMax, of),
      await endedLateWindows(tx, network, lateMs, rowsMax, of),
      of.mode === 'contract' ? [] : await unaskedBridges(tx, network, windowMs, rowsMax),
    ])
    if (ended.length + lateEnded.length + unasked.length === 0) return
    const held = await hold([...new Set([...ended, ...lateEnded, ...unasked])])
    const isEnding = (id: PaymentId) => !held.has(id)
    const atMs = runtime.nowMs()
    if (unasked.length > 0) {
      await db.write(async (tx) => {
        for (const id of unasked) await askOnceMore(tx, id, { blockTimeMs: windowMs, nowMs: atMs })
      })
    }
    const step = (id: PaymentId, place: string, blockTimeMs: number): PaymentStep => {
      return { id, part: 'window', place, event: { type: 'window.ended', blockTimeMs, atMs } }
    }
    await applyIsolated([
      ...ended.filter(isEnding).map((id) => step(id, '', windowMs)),
      ...lateEnded.filter(isEnding).map((id) => step(id, late, lateMs)),
    ])
  }
}

/** A payment whose window is ended now is as every other again. */
async function retryWindows(deps: Deps, seenUpTo: SeenUpTo): Promise<void> {
  const { db, ledger, network, runtime, of = {} } = deps
  for (const fault of await db.read((tx) => windowFaults(tx, network, of, retriesMax))) {
    const blockTimeMs = fault.place === late ? seenUpTo.lateMs : seenUpTo.windowMs
    try {
      await db.write(async (tx) => {
        await ledger.applyIn(tx, fault.id, { type: 'window.ended', blockTimeMs, atMs: runtime.nowMs() })
        await removeFault(tx, network, fault)
      })
    } catch (error) {
      await storeFaults(deps, [{ ...fault, error }])
    }
  }
}
