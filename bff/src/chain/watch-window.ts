import type { Log } from '../core/log.ts'
import type { Runtime } from '../core/runtime.ts'
import type { Db } from '../db/db.ts'
import { clockSkewMs } from '../network/heads.ts'
import type { Ledger } from '../payment/ledger.ts'
import { lateWindowMs, type PaymentId } from '../payment/payment.ts'
import { askOnceMore } from '../payment/store/bridge-store.ts'
import {
  type EndedWindow,
  endedLateWindows,
  endedWindows,
  unaskedBridges,
  type WindowsOf,
} from '../payment/store/watched-payments-store.ts'
import { createIsolatedApplier, type PaymentStep, storeFaults } from './apply-isolated.ts'
import { removeFault, windowFaults } from './watch-fault-store.ts'

/**
 * How long after its window a payment is watched: until the last block in which late money may pay it, plus one hour because
 * chains' clocks differ.
 */
export const watchAfterWindowMs = lateWindowMs + 60 * 60 * 1000

/**
 * A block's time, bounded by what is plausible: a node that reports a later one would end every window. Test networks are exempt,
 * because their time is moved manually.
 */
export const believedTimeMs = (
  { isTestnet }: { isTestnet: boolean },
  { timeMs }: { timeMs: number },
  runtime: Pick<Runtime, 'nowMs'>,
): number => (isTestnet ? timeMs : Math.min(timeMs, runtime.nowMs() + clockSkewMs))

/** Maximum rows of one kind per commit. */
const rowsMax = 500

/** Payments per pass whose window is retried after a failure. */
const retriesMax = 5

/** Place of a fault at the end of late payment; a fault at the end of the window has an empty place. */
const late = 'late'

/** `of`: whose windows; all by default. Its mode is set where another watcher handles the other mode. */
type Deps = {
  db: Db
  ledger: Ledger
  network: string
  runtime: Runtime
  log: Log
  of?: WindowsOf
  /**
   * The payments of whose money less was seen, with the chain's time up to which it was. 0 keeps a window open; what the payment waits
   * for may be stored.
   */
  hold?: (ids: readonly PaymentId[]) => Promise<ReadonlyMap<PaymentId, number>>
}

const holdNone = async (): Promise<ReadonlyMap<PaymentId, number>> => new Map()

/** Chain times up to which everything that paid in time, or late, has been seen. */
type SeenUpTo = { windowMs: number; lateMs: number }

/** Whether a window is over at these times, or could not be ended before. */
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
 * Ends windows by the time of a fully applied block that no reorg can replace: everything in time was seen before it. For a
 * cross-chain payment, the relay is first asked once more.
 */
export async function endWindows(deps: Deps, { windowMs, lateMs }: SeenUpTo, signal: AbortSignal): Promise<void> {
  const { db, network, runtime, of = {}, hold = holdNone } = deps
  await retryWindows(deps, { windowMs, lateMs })
  const applyIsolated = createIsolatedApplier(deps)
  let [after, lateAfter]: (EndedWindow | undefined)[] = []
  while (!signal.aborted) {
    const { ended, lateEnded, unasked } = await db.read(async (tx) => ({
      ended: await endedWindows(tx, network, windowMs, rowsMax, of, after),
      lateEnded: await endedLateWindows(tx, network, lateMs, rowsMax, of, lateAfter),
      unasked: of.mode === 'contract' ? [] : await unaskedBridges(tx, network, windowMs, rowsMax),
    }))
    if (ended.length + lateEnded.length + unasked.length === 0) return
    // Windows that stay open are passed by: they must not delay those behind them.
    after = ended.at(-1) ?? after
    lateAfter = lateEnded.at(-1) ?? lateAfter
    const held = await hold([...new Set([...[...ended, ...lateEnded].map(({ id }) => id), ...unasked])])
    const atMs = runtime.nowMs()
    if (unasked.length > 0) {
      await db.write(async (tx) => {
        for (const id of unasked) await askOnceMore(tx, id, { blockTimeMs: windowMs, nowMs: atMs })
      })
    }
    const steps = ({ id, endedAtMs }: EndedWindow, place: string, seenMs: number): PaymentStep[] => {
      const blockTimeMs = Math.min(seenMs, held.get(id) ?? seenMs)
      return endedAtMs < blockTimeMs
        ? [{ id, part: 'window', place, event: { type: 'window.ended', blockTimeMs, atMs } }]
        : []
    }
    await applyIsolated([
      ...ended.flatMap((one) => steps(one, '', windowMs)),
      ...lateEnded.flatMap((one) => steps(one, late, lateMs)),
    ])
  }
}

/** Retries windows that could not be ended. */
async function retryWindows(deps: Deps, seenUpTo: SeenUpTo): Promise<void> {
  const { db, ledger, network, runtime, of = {}, hold = holdNone } = deps
  const faults = await db.read((tx) => windowFaults(tx, network, of, retriesMax))
  const held = await hold(faults.map(({ id }) => id))
  for (const fault of faults) {
    const seenMs = fault.place === late ? seenUpTo.lateMs : seenUpTo.windowMs
    const blockTimeMs = Math.min(seenMs, held.get(fault.id) ?? seenMs)
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
