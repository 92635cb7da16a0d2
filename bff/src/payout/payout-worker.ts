import { faultText } from '../core/fault-text.ts'
import { baseUnits } from '../core/money.ts'
import { runAll } from '../core/run-all.ts'
import { runWorker } from '../core/worker.ts'
import { loadPayment } from '../payment/store/payment-store.ts'
import type { PayoutChain, PayoutDeps, PayoutHead, Refused, StorePayouts } from './payout-chain.ts'
import { failPayouts, forEachPayout } from './payout-failure.ts'
import { sendableAtMs, sendingOf } from './payout-plan.ts'
import {
  ConflictError,
  countAttempts,
  type DuePayout,
  deletePayout,
  duePayouts,
  hasPayoutWork,
  insertOutgoingPayout,
  markPayoutSent,
  type PayoutKind,
  postponePayout,
} from './payout-queue-store.ts'

/** Refunds or returns per pass: each is a separate transaction that sweeps wait for. */
const singlesMax = 5

/** Sends the sweeps, refunds and returns of one network. */
export type PayoutWorker = {
  /**
   * One bounded step: monitors pending transactions, then sends due payouts. Everything is read from the
   * database, so the worker may be killed anywhere and started again, also by another process.
   * @returns the number of actions; zero: nothing to do.
   * @throws the first fault of a node or the database, after every step that does not need it.
   */
  pass(signal: AbortSignal): Promise<number>
  /** Runs passes until the signal, and finishes the current one. Never rejects. */
  run(signal: AbortSignal): Promise<void>
}

export function createPayoutWorker<Head extends PayoutHead>(deps: PayoutDeps, chain: PayoutChain<Head>): PayoutWorker {
  const { db, ledger, network, runtime, log } = deps

  async function pass(signal: AbortSignal): Promise<number> {
    const nowMs = runtime.nowMs()
    const isBusy = await db.read(
      async (tx) =>
        (await hasPayoutWork(tx, network.shortName, nowMs)) || ((await chain.hasOwnWork?.(tx, nowMs)) ?? false),
    )
    if (!isBusy || signal.aborted) return 0
    const monitored = await chain.monitor(signal)
    let { done, fault } = monitored
    // A fault of one step is thrown at the end, so that the other steps still run.
    const { beforePayouts = [], afterPayouts = [] } = chain
    for (const step of [...beforePayouts, () => sendDue(monitored.head), ...afterPayouts]) {
      if (signal.aborted || monitored.open >= chain.openMax) break
      try {
        done += await step()
      } catch (error) {
        fault ??= error
      }
    }
    if (fault !== undefined) throw fault
    return done
  }

  async function sendDue(known: Head | undefined): Promise<number> {
    const head = known ?? (await chain.head())
    return await runAll([
      async () => await chain.sendSweeps(await loadDue('sweep', head, chain.sweepsMax), head),
      () => sendSingles('refund', head),
      ...(chain.canReturn ? [() => sendSingles('return', head)] : []),
    ])
  }

  const loadDue = (kind: PayoutKind, head: Head, limit: number): Promise<DuePayout[]> =>
    db.read((tx) =>
      duePayouts(tx, { kind, network: network.shortName, nowMs: runtime.nowMs(), head: head.number, limit }),
    )

  /** Sends refunds and returns, each as its own transaction. @returns how many were sent or postponed. */
  async function sendSingles(kind: 'refund' | 'return', head: Head): Promise<number> {
    const due = await loadDue(kind, head, singlesMax)
    return await forEachPayout(deps, due, (payout) => sendSingle(payout, head), chain.outOfGasUntilMs)
  }

  async function sendSingle(payout: DuePayout, head: Head): Promise<number> {
    const payment = await db.read((tx) => loadPayment(tx, payout.paymentId))
    const planned = sendingOf(payment, payout)
    if (payment?.mode !== 'deposit' || planned === undefined) {
      await db.write((tx) => deletePayout(tx, payout))
      return 0
    }
    const notBeforeMs = sendableAtMs(await db.read((tx) => countAttempts(tx, payout)))
    if (runtime.nowMs() < notBeforeMs) {
      await db.write((tx) => postponePayout(tx, payout, notBeforeMs))
      return 0
    }
    const prepare = payout.kind === 'refund' ? chain.prepareRefund : chain.prepareReturn
    const ready = await prepare(payout, planned, payment, head)
    if ('isEmpty' in ready) return 1
    if ('retryAtMs' in ready) {
      await db.write((tx) => postponePayout(tx, payout, ready.retryAtMs))
      return 0
    }
    if ('refused' in ready) return await fail(payout, ready.refused)
    const sent = await ready.send(storing(payout, planned.address, ready.amount))
    if (sent === undefined) return 0
    if ('refused' in sent) return await fail(payout, sent.refused)
    const { kind, paymentId, token } = payout
    const amount = String(ready.amount)
    const fields = { network: network.shortName, paymentId, ...sent, address: planned.address, amount }
    if (kind === 'refund') log.info(fields, 'Sending a refund')
    else log.info({ ...fields, token }, 'Returning an unmatched transfer')
    return 1
  }

  async function fail(payout: DuePayout, refused: Refused): Promise<number> {
    await failPayouts(deps, [{ ...payout, refused }])
    return 1
  }

  /** A reorg or a new refund address changed the payout after it was planned. Nothing is sent. */
  const storing =
    (payout: DuePayout, address: string, amount: bigint): StorePayouts =>
    async (tx, transactionId) => {
      const now = sendingOf(await loadPayment(tx, payout.paymentId), payout)
      if (now === undefined || now.address !== address || now.amount < amount) throw new ConflictError()
      await markPayoutSent(tx, payout, transactionId)
      await insertOutgoingPayout(tx, payout, transactionId, { address, amount })
      if (payout.kind !== 'refund') return
      const sent = { type: 'refund.sent', amount: baseUnits(String(amount)), atMs: runtime.nowMs() } as const
      await ledger.applyIn(tx, payout.paymentId, sent)
    }

  const run = (signal: AbortSignal): Promise<void> =>
    runWorker(
      {
        pauseMs: network.pollMs,
        ...(deps.wakeSignal && { wakeSignal: deps.wakeSignal }),
        async pass(passSignal) {
          const done = await pass(passSignal)
          if (!passSignal.aborted) await chain.readGasBalance?.()
          return done > 0
        },
        onFailure: ({ error, failures, pauseMs }) =>
          log.error(
            { network: network.shortName, fault: faultText(error), faults: failures, pauseMs },
            'Payout pass failed; retrying',
          ),
      },
      signal,
    )

  return { pass, run }
}
