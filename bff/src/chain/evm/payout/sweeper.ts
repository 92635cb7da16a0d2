import { faultText } from '../../../chain/fault-text.ts'
import { runWorker } from '../../../core/worker.ts'
import { hasDueRefund } from '../../../payout/refund-queue-store.ts'
import { hasDueStray } from '../../../payout/return-queue-store.ts'
import { hasWork } from '../../../payout/sweep-queue-store.ts'
import { confirmForeign } from './external-settlement.ts'
import { lookAtTank } from './gas-balance.ts'
import { advanceOpen, openMax } from './monitor.ts'
import { createContext, type SweeperDeps } from './payout-context.ts'
import { claimSweeps } from './preflight.ts'
import { sendRefunds } from './send-refunds.ts'
import { sendStrays } from './send-returns.ts'
import { sendSettlement } from './send-sweeps.ts'

/** Moves paid deposits of one network to their merchants, and what is owed back to its payers. */
export type Sweeper = {
  /**
   * One bounded step: looks after what is under way, then sends what is due. Everything is read from the database, so it
   * may be killed anywhere and begun again, also by another process.
   * @returns how many things were done; zero: there is nothing to do but wait.
   * @throws the first fault of a node or the database. What could be done without it is done.
   */
  pass(signal: AbortSignal): Promise<number>
  /** Passes until the signal, then finishes the one in hand. Never rejects. */
  run(signal: AbortSignal): Promise<void>
}

export function createSweeper(deps: SweeperDeps): Sweeper {
  const context = createContext(deps)
  const { db, network, sender, runtime, log } = context

  async function pass(signal: AbortSignal): Promise<number> {
    const nowMs = runtime.nowMs()
    const isBusy = await db.read(
      async (tx) =>
        (await hasWork(tx, network.shortName, nowMs)) ||
        (await hasDueRefund(tx, network.shortName, nowMs)) ||
        (await hasDueStray(tx, network.shortName, nowMs)),
    )
    if (!isBusy || signal.aborted) return 0
    const head = await sender.head()
    const advanced = await advanceOpen(context, head, signal)
    let { done } = advanced
    if (advanced.open < openMax && !signal.aborted) {
      const { failed, ready, settled } = await claimSweeps(context, head)
      done += failed + (await sendSettlement(context, ready, head))
      done += await confirmForeign(context, settled, head)
      done += await sendRefunds(context, head)
      done += await sendStrays(context, head)
    }
    if (advanced.fault !== undefined) throw advanced.fault
    return done
  }

  /** A pass, and now and then a look at the coins that pay for the next one. */
  async function turn(signal: AbortSignal): Promise<number> {
    const done = await pass(signal)
    if (!signal.aborted) await lookAtTank(context)
    return done
  }

  const run = (signal: AbortSignal): Promise<void> =>
    runWorker(
      {
        pauseMs: network.pollMs,
        pass: async (signal) => (await turn(signal)) > 0,
        onFailure: ({ error, failures, pauseMs }) =>
          log.error(
            { network: network.shortName, fault: faultText(error), faults: failures, pauseMs },
            'The sweeper met a fault and will go on',
          ),
      },
      signal,
    )
  return { pass, run }
}
