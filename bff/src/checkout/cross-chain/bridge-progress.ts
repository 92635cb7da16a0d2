import type { Log } from '../../core/log.ts'
import type { Runtime } from '../../core/runtime.ts'
import { runWorker } from '../../core/worker.ts'
import type { Db } from '../../db/db.ts'
import { bridgeOf } from '../../payment/bridge.ts'
import type { Ledger } from '../../payment/ledger.ts'
import type { Bridge, BridgeReport, Payment } from '../../payment/payment.ts'
import { loadPayment } from '../../payment/store/payment-store.ts'
import { isWellWatched } from '../../payment/store/watched-payments-store.ts'
import { type BridgePoll, deletePoll, duePolls, savePoll } from './bridge-poll-store.ts'
import { isReindexDue, planAfterFault, planPoll } from './poll-interval.ts'
import { RelayDownError, RelayRefusal } from './relay-faults.ts'
import type { Relay, RelayStatus } from './relay-provider.ts'
import type { RelaySettings } from './relay-settings.ts'

/** Bridges per pass, one call each: at the default interval this stays below Relay's 200 calls a minute. */
const pollsMax = 15

/** Maximum pause while the relay is down. */
const downPauseMaxMs = 60_000

type Deps = { db: Db; ledger: Ledger; relay: Relay; settings: RelaySettings; runtime: Runtime; log: Log }

/** Polls the relay for the progress of bridges. The progress is shown and emitted; only the watcher decides whether a payment is paid. */
export type BridgeProgress = {
  /**
   * One bounded pass. Its input is read from the database, so it can be killed at any point and run again.
   * @returns the number of bridges that were polled.
   * @throws {RelayDownError} when the relay answers no request.
   */
  pass(signal: AbortSignal): Promise<number>
  /** Runs passes until the signal, and finishes the current one. Never rejects. */
  run(signal: AbortSignal): Promise<void>
}

export function createBridgeProgress({ db, ledger, relay, settings, runtime, log }: Deps): BridgeProgress {
  const { pollMs, reindexAfterMs } = settings

  async function pass(signal: AbortSignal): Promise<number> {
    const polls = await db.read((tx) => duePolls(tx, runtime.nowMs(), pollsMax))
    let done = 0
    let fault: unknown
    for (const poll of polls) {
      if (signal.aborted) break
      try {
        await follow(poll, signal)
        done += 1
      } catch (error) {
        const failures = poll.failures + 1
        const dueAtMs = planAfterFault(failures, runtime.nowMs(), pollMs)
        await db.write((tx) => savePoll(tx, { ...poll, failures }, { dueAtMs, isAnswered: false }))
        fault ??= error
        // The other polls would fail too, and a busy relay must not receive all of them.
        if (error instanceof RelayDownError) break
        log.warn({ err: error, paymentId: poll.paymentId }, 'Reading the progress of a bridge failed; retrying')
      }
    }
    if (fault instanceof RelayDownError && !signal.aborted) throw fault
    return done
  }

  async function follow(poll: BridgePoll, signal: AbortSignal): Promise<void> {
    const payment = await db.read((tx) => loadPayment(tx, poll.paymentId))
    const bridge = payment && bridgeOf(payment)
    if (!payment || !bridge) return void (await db.write((tx) => deletePoll(tx, poll.paymentId)))
    const { createdAtMs, expiresAtMs } = payment
    let reported = await ask(bridge, signal)
    let { reindexes } = poll
    const asked = () => ({ status: reported.status ?? bridge.status, createdAtMs, expiresAtMs, nowMs: runtime.nowMs() })
    if (isReindexDue(asked(), reindexes, reindexAfterMs)) {
      const { originChainId, relayDepositAddress } = bridge.terms
      const isAccepted = await relay.reindex(originChainId, relayDepositAddress, signal)
      log.info(
        { paymentId: payment.id, status: reported.statusText, isAccepted },
        'The relay was asked to index the deposit address again',
      )
      if (isAccepted) reindexes += 1
      if (asked().status === 'waiting') reported = (await otherRequest(bridge, signal)) ?? reported
    }
    const report = reportOf(payment, bridge, reported)
    const nextMs = planPoll({ ...asked(), status: report.status, pollMs })
    await db.write(async (tx) => {
      const atMs = runtime.nowMs()
      await ledger.applyIn(tx, payment.id, { type: 'bridge.moved', report, atMs })
      // The watcher leaves the window's end to this response, and may see no other block for a while.
      const { windowOverMs: blockTimeMs } = poll
      // While money of the payment waits to be applied, the watcher ends it.
      if (blockTimeMs !== null && (await isWellWatched(tx, payment.id)))
        await ledger.applyIn(tx, payment.id, { type: 'window.ended', blockTimeMs, atMs })
      if (nextMs === null) await deletePoll(tx, payment.id)
      else await savePoll(tx, { ...poll, failures: 0, reindexes }, { dueAtMs: nextMs, isAnswered: true })
    })
  }

  /**
   * An order unknown to the relay keeps its status.
   * @throws {RelayDownError}
   */
  async function ask({ terms, ...known }: Bridge, signal: AbortSignal): Promise<RelayStatus> {
    try {
      return await relay.status(terms.requestId, signal)
    } catch (error) {
      if (!(error instanceof RelayRefusal) || error.status !== 404) throw error
      return { ...known, statusText: 'not known to the relay' }
    }
  }

  /** The customer's money can arrive under another order: the relay's requests for the deposit address show it. */
  async function otherRequest({ terms }: Bridge, signal: AbortSignal): Promise<RelayStatus | undefined> {
    const requests = await relay.requests(terms.relayDepositAddress, signal)
    return requests.find(({ id, status }) => id !== terms.requestId && status !== null && status !== 'waiting')
  }

  /** An unknown status changes nothing and is never final. */
  function reportOf({ id }: Payment, bridge: Bridge, answer: RelayStatus): BridgeReport {
    const { status, statusText, ...transactions } = answer
    if (status === null) log.warn({ paymentId: id, status: statusText }, 'The relay reported an unknown status')
    return { ...transactions, status: status ?? bridge.status }
  }

  return {
    pass,
    run: (signal) =>
      runWorker(
        {
          pauseMs: pollMs,
          backOffMaxMs: downPauseMaxMs,
          retryAfterMs: (error) => (error instanceof RelayDownError ? (error.retryAfterMs ?? 0) : 0),
          async pass() {
            await pass(signal)
            return false
          },
          onFailure: ({ error, failures, pauseMs }) =>
            log.warn({ err: error, faults: failures, pauseMs }, 'The relay does not respond; retrying'),
        },
        signal,
      ),
  }
}
