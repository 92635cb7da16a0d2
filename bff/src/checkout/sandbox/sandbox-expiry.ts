import type { Log } from '../../core/log.ts'
import type { Runtime } from '../../core/runtime.ts'
import { runWorker } from '../../core/worker.ts'
import type { Db } from '../../db/db.ts'
import type { Ledger } from '../../payment/ledger.ts'
import { loadPayment } from '../../payment/store/payment-store.ts'
import { openSimulatedChain } from './simulated-chain.ts'
import { dueTests, lateEndedTests } from './test-clock-store.ts'

/** A test payment that nobody simulates expires within this time after the end of its window. */
const pauseMs = 1_000
/** Payments of one commit, so that no request waits long behind it. */
const rowsMax = 200
/** A transfer of a test payment that was left unconfirmed for this long is dropped; a real chain takes minutes. */
const abandonedMs = 60 * 60 * 1000

type Deps = { db: Db; ledger: Ledger; runtime: Runtime; log: Log }

/**
 * Does for one batch of test payments what a watcher does for live ones: ends their windows, and drops transfers that were
 * left unconfirmed, so that no test payment stays open for ever. @returns how many payments were due.
 */
export async function endTestPayments({ db, ledger, runtime }: Omit<Deps, 'log'>): Promise<number> {
  const due = await db.read(async (tx) => [
    ...(await dueTests(tx, runtime.nowMs(), abandonedMs, rowsMax)),
    ...(await lateEndedTests(tx, runtime.nowMs(), rowsMax)),
  ])
  if (due.length === 0) return 0
  await db.write(async (tx) => {
    for (const id of due) {
      const payment = await loadPayment(tx, id)
      if (!payment) continue
      const chain = await openSimulatedChain(tx, payment, { ledger, runtime })
      await chain.advance(0)
      if (chain.clockMs() > payment.windowEndsAtMs + abandonedMs) await chain.dropSeen()
    }
  })
  return due.length
}

/**
 * Ends the windows of test payments until the signal. Never rejects. This is a worker, and not done when a payment is read,
 * because webhooks go out for payments that nobody reads too.
 */
export function runTestExpiry(deps: Deps, signal: AbortSignal): Promise<void> {
  return runWorker(
    {
      pauseMs,
      pass: async () => (await endTestPayments(deps)) >= rowsMax,
      onFailure: ({ error }) => deps.log.warn({ err: error }, 'windows of test payments could not be ended'),
    },
    signal,
  )
}
