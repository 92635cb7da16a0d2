import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../../core/log.ts'
import type { Runtime } from '../../core/runtime.ts'
import type { Db } from '../../db/db.ts'
import type { Ledger } from '../../payment/ledger.ts'
import { loadPayment } from '../../payment/payment-store.ts'
import { openSimulatedChain } from './simulated-chain.ts'
import { endedLateTests, ripeTests } from './test-clock-store.ts'

/** A test payment that nobody touches says within this long that its window ended. */
const everyMs = 1_000
/** Payments per commit, so that nobody waits long behind it. */
const rowsMax = 200
/** A real chain confirms what was seen within minutes, or drops it; so long a test may take, then it is dropped. */
const abandonedMs = 60 * 60 * 1000

type Deps = { db: Db; ledger: Ledger; runtime: Runtime; log: Log }

/**
 * One batch of what a watcher does for live payments: ends the windows of test payments, and drops transfers that were left
 * unconfirmed, so that none stays open for ever. @returns how many payments.
 */
export async function endTestPayments({ db, ledger, runtime }: Omit<Deps, 'log'>): Promise<number> {
  const ripe = await db.read(async (tx) => [
    ...(await ripeTests(tx, runtime.nowMs(), abandonedMs, rowsMax)),
    ...(await endedLateTests(tx, runtime.nowMs(), rowsMax)),
  ])
  if (ripe.length === 0) return 0
  await db.write(async (tx) => {
    for (const id of ripe) {
      const payment = await loadPayment(tx, id)
      if (!payment) continue
      const chain = await openSimulatedChain(tx, payment, { ledger, runtime })
      await chain.advance(0)
      if (chain.clockMs() > payment.windowEndsAtMs + abandonedMs) await chain.dropSeen()
    }
  })
  return ripe.length
}

/** Until the signal. It is a worker and not done on reading, because webhooks go out also where nobody reads. Never rejects. */
export async function runTestExpiry(deps: Deps, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const ended = await endTestPayments(deps).catch((error: unknown) => {
      deps.log.warn({ err: error }, 'windows of test payments could not be ended')
      return 0
    })
    if (ended < rowsMax) await sleep(everyMs, undefined, { signal }).catch(() => undefined)
  }
}
