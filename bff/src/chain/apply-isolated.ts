import { faultText } from '../core/fault-text.ts'
import type { Log } from '../core/log.ts'
import type { Runtime } from '../core/runtime.ts'
import type { Db, Tx } from '../db/db.ts'
import { isDatabaseFault } from '../db/unavailable.ts'
import type { PaymentEvent } from '../payment/event.ts'
import type { Ledger } from '../payment/ledger.ts'
import type { PaymentId } from '../payment/payment.ts'
import { saveFault, type WatchFault } from './watch-fault-store.ts'

/** Longer error texts are truncated. */
const errorMaxLength = 500

/** One event of one payment, and what to retry when it cannot be applied. */
export type PaymentStep = WatchFault & { event: PaymentEvent }

type Deps = { db: Db; ledger: Ledger; network: string; runtime: Runtime; log: Log }

/**
 * Applies events of many payments in one commit. If that fails, each payment gets its own commit, so that one broken payment does
 * not stop the others. Failures are stored in the same commit as `also`, so no cursor moves past them.
 */
export function createIsolatedApplier(deps: Deps) {
  const { db, ledger } = deps

  /**
   * @param also - Writes in the final commit, for example a cursor. Receives each failed payment with its error.
   * @throws {Error} when the database fails.
   */
  return async function applyIsolated(
    steps: readonly PaymentStep[],
    also: (tx: Tx, failed: ReadonlyMap<PaymentId, unknown>) => Promise<void> = async () => undefined,
  ): Promise<void> {
    try {
      await db.write(async (tx) => {
        for (const { id, event } of withArriving(steps)) await ledger.applyIn(tx, id, event)
        await also(tx, new Map())
      })
      return
    } catch (error) {
      if (steps.length === 0 || isDatabaseFault(error)) throw error
    }
    const failed = new Map<PaymentId, unknown>()
    // Reorged transfers are removed first, from all payments: another payment's transfer may now have their log position. What arrives
    // instead is stored by another commit, before which this process may die, and the chain change.
    for (const some of [steps.filter(isReverted), steps.filter((step) => !isReverted(step))]) {
      for (const [id, own] of byPayment(some)) {
        if (failed.has(id)) continue
        const error = await applyAlone(own)
        if (error !== undefined) failed.set(id, error)
      }
    }
    const faults = steps.flatMap((step) => {
      const error = failed.get(step.id)
      return error === undefined ? [] : [{ ...step, error }]
    })
    await storeFaults(deps, faults, (tx) => also(tx, failed))
  }

  /** @returns the error if the payment cannot take the events. @throws {Error} when the database fails. */
  async function applyAlone(own: readonly PaymentStep[]): Promise<unknown> {
    try {
      await db.write(async (tx) => {
        for (const { id, event } of own) await ledger.applyIn(tx, id, event)
      })
      return undefined
    } catch (error) {
      if (isDatabaseFault(error)) throw error
      return error
    }
  }
}

const isReverted = ({ event }: Pick<PaymentStep, 'event'>) => event.type === 'transfer.reverted'

/** The steps of one commit, with what arrives instead of what is reverted. */
export function withArriving<Step extends Pick<PaymentStep, 'id' | 'event'>>(steps: readonly Step[]): Step[] {
  const transactionOf = ({ id, event }: Step) => ('transfer' in event ? `${id} ${event.transfer.txId}` : '')
  const reverted = new Set(steps.filter(isReverted).map(transactionOf))
  const arriving = new Map<PaymentId, bigint>()
  for (const step of steps) {
    const { id, event } = step
    if (event.type === 'transfer.seen' && reverted.has(transactionOf(step)))
      arriving.set(id, (arriving.get(id) ?? 0n) + event.transfer.amount)
  }
  return steps.map((step) =>
    isReverted(step) ? { ...step, event: { ...step.event, arriving: arriving.get(step.id) ?? 0n } } : step,
  )
}

function byPayment(steps: readonly PaymentStep[]): Map<PaymentId, PaymentStep[]> {
  const grouped = new Map<PaymentId, PaymentStep[]>()
  for (const step of steps) grouped.set(step.id, [...(grouped.get(step.id) ?? []), step])
  return grouped
}

/** Stores the failures. Logs the 1st, 2nd, 4th, 8th … failure of each. */
export async function storeFaults(
  { db, network, runtime, log }: Pick<Deps, 'db' | 'network' | 'runtime' | 'log'>,
  faults: readonly (WatchFault & { error: unknown })[],
  also: (tx: Tx) => Promise<void> = async () => undefined,
): Promise<void> {
  const distinct = new Map(faults.map((fault) => [`${fault.id} ${fault.part} ${fault.place}`, fault]))
  const atMs = runtime.nowMs()
  await db.write(async (tx) => {
    for (const fault of distinct.values()) {
      const error = faultText(fault.error).slice(0, errorMaxLength)
      const failures = await saveFault(tx, network, fault, { error, atMs })
      if (!Number.isInteger(Math.log2(failures))) continue
      const { id: paymentId, part, place } = fault
      tx.afterCommit(() =>
        log.error(
          { network, paymentId, part, place, failures, err: fault.error },
          'Changing one payment failed; retrying',
        ),
      )
    }
    await also(tx)
  })
}
