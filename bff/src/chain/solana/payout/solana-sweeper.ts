import { faultText } from '../../../chain/fault-text.ts'
import { runWorker } from '../../../core/worker.ts'
import { hasDueRefund } from '../../../payout/refund-queue-store.ts'
import { hasWork } from '../../../payout/sweep-queue-store.ts'
import type { Sweeper } from '../../evm/payout/sweeper.ts'
import { advanceSolana, openMax } from './monitor-transactions.ts'
import { createSolanaContext, type SolanaSweeperDeps } from './solana-context.ts'
import { hasDueAccount } from './solana-outgoing-store.ts'
import { sendSolanaRefunds } from './solana-refunds.ts'
import { sendSweeps } from './solana-sweeps.ts'
import { closeAccounts, openAccounts } from './token-accounts.ts'

/** Moves paid deposits of one network of Solana, makes and closes their token accounts, and sends back what is owed. */
export function createSolanaSweeper(deps: SolanaSweeperDeps): Sweeper {
  const context = createSolanaContext(deps)
  const { db, network, sender, runtime, log } = context

  async function pass(signal: AbortSignal): Promise<number> {
    const nowMs = runtime.nowMs()
    const { shortName } = network
    const isBusy = await db.read(
      async (tx) =>
        (await hasWork(tx, shortName, nowMs)) ||
        (await hasDueRefund(tx, shortName, nowMs)) ||
        (await hasDueAccount(tx, shortName, nowMs)),
    )
    if (!isBusy || signal.aborted) return 0
    const advanced = await advanceSolana(context, signal)
    let { done, fault } = advanced
    // What fails says so and waits; the others have their turn.
    const step = async (send: () => Promise<number>): Promise<void> => {
      if (signal.aborted || advanced.open >= openMax) return
      try {
        done += await send()
      } catch (error) {
        fault ??= error
      }
    }
    await step(() => openAccounts(context))
    await step(async () => {
      const head = await sender.head()
      return (await sendSweeps(context, head.slot)) + (await sendSolanaRefunds(context, head))
    })
    await step(() => closeAccounts(context))
    if (fault !== undefined) throw fault
    return done
  }

  const run = (signal: AbortSignal): Promise<void> =>
    runWorker(
      {
        pauseMs: network.pollMs,
        pass: async (signal) => (await pass(signal)) > 0,
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
