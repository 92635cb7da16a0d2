import type { Log } from '../../core/log.ts'
import type { Runtime } from '../../core/runtime.ts'
import { runWorker } from '../../core/worker.ts'
import type { Db } from '../../db/db.ts'
import { writeEach } from '../../db/write-each.ts'
import type { Ledger } from '../../payment/ledger.ts'
import { loadPayment } from '../../payment/store/payment-store.ts'
import { openSimulatedChain } from './simulated-chain.ts'
import { dueTests, lateEndedTests } from './test-clock-store.ts'

/** A test payment that nobody simulates expires within this time after its window ends. */
const pauseMs = 1_000
/** Maximum number of payments in one commit, so that no request waits long for it. */
const rowsMax = 200
/** Transfers of test payments are dropped after this time without confirmation; a real chain takes minutes. */
const abandonedMs = 60 * 60 * 1000

type Deps = { db: Db; ledger: Ledger; runtime: Runtime; log: Log }

/**
 * Does for one batch of test payments what a watcher does for live ones: ends their windows and drops abandoned
 * transfers, so that no test payment stays open forever.
 * @returns how many payments were due.
 * @throws the first fault, after every other payment was handled.
 */
export async function endTestPayments({ db, ledger, runtime }: Omit<Deps, 'log'>): Promise<number> {
  const due = await db.read(async (tx) => [
    ...(await dueTests(tx, runtime.nowMs(), abandonedMs, rowsMax)),
    ...(await lateEndedTests(tx, runtime.nowMs(), rowsMax)),
  ])
  if (due.length === 0) return 0
  const failed = await writeEach(db, due, async (tx, id) => {
    const payment = await loadPayment(tx, id)
    if (!payment) return
    const chain = await openSimulatedChain(tx, payment, { ledger, runtime })
    await chain.advance(0)
    if (chain.clockMs() > payment.windowEndsAtMs + abandonedMs) await chain.dropSeen()
  })
  const [fault] = failed.values()
  if (fault !== undefined) throw fault
  return due.length
}

/**
 * Ends the windows of test payments until the signal aborts. Never rejects. A worker does this, not the reads of a
 * payment, because webhooks are also sent for payments that nobody reads.
 */
export function runTestExpiry(deps: Deps, signal: AbortSignal): Promise<void> {
  return runWorker(
    {
      pauseMs,
      pass: async () => (await endTestPayments(deps)) >= rowsMax,
      onFailure: ({ error }) => deps.log.warn({ err: error }, 'Ending the windows of test payments failed; retrying'),
    },
    signal,
  )
}
