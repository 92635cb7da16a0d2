import type { Log } from '../core/log.ts'
import type { Runtime } from '../core/runtime.ts'
import { runWorker } from '../core/worker.ts'
import type { Db } from '../db/db.ts'
import { writeEach } from '../db/write-each.ts'
import type { Ledger } from '../payment/ledger.ts'
import { surplusPayments } from './open-payments-store.ts'

const pauseMs = 5_000
/** Maximum number of payments ended in one commit. */
const batchMax = 100

/**
 * Cancels the open payments of links that have reached their payment limit, so that no further customer is asked for
 * money. Payments with detected money stay open. Also runs while links are switched off, because existing payments of a
 * link stay open.
 * @throws the first fault, after every other payment was cancelled.
 */
export async function endSurplus({ db, ledger, runtime }: { db: Db; ledger: Ledger; runtime: Runtime }) {
  const surplus = await db.read((tx) => surplusPayments(tx, batchMax))
  if (surplus.length === 0) return false
  const atMs = runtime.nowMs()
  const failed = await writeEach(db, surplus, (tx, id) =>
    ledger.applyIn(tx, id, { type: 'payment.closed', as: 'cancelled', atMs }),
  )
  const [fault] = failed.values()
  if (fault !== undefined) throw fault
  return surplus.length === batchMax
}

export function runSurplusEnding(
  deps: { db: Db; ledger: Ledger; runtime: Runtime; log: Log },
  signal: AbortSignal,
): Promise<void> {
  return runWorker(
    {
      pauseMs,
      pass: () => endSurplus(deps),
      onFailure: ({ error }) =>
        deps.log.warn({ err: error }, 'Cancelling open payments of paid links failed; retrying'),
    },
    signal,
  )
}
