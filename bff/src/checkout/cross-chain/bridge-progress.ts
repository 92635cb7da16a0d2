import type { Log } from '../../core/log.ts'
import type { Runtime } from '../../core/runtime.ts'
import { runWorker } from '../../core/worker.ts'
import type { Db } from '../../db/db.ts'
import { bridgeOf } from '../../payment/bridge.ts'
import type { Ledger } from '../../payment/ledger.ts'
import type { Bridge, BridgeReport, Payment } from '../../payment/payment.ts'
import { loadPayment } from '../../payment/payment-store.ts'
import { deleteLook, dueLooks, type Look, saveLook } from './bridge-poll-store.ts'
import { isReindexDue, planAfterFault, planLook } from './poll-interval.ts'
import { RelayDownError, RelayRefusal } from './relay-client.ts'
import type { Relay, RelayStatus } from './relay-provider.ts'
import type { RelaySettings } from './relay-settings.ts'

/** Bridges of one pass, one call each: at the default pace this stays below Relay's 200 calls a minute. */
const looksMax = 15

/** Longest pause of all while the relay is down. */
const downPauseMaxMs = 60_000

type Deps = { db: Db; ledger: Ledger; relay: Relay; settings: RelaySettings; runtime: Runtime; log: Log }

/** Asks the relay how far the money is. What it says is told and shown; whether it pays is the watcher's to see. */
export type BridgeProgress = {
  /**
   * One bounded step. Everything is read from the database, so it may be killed anywhere and begun again.
   * @returns how many were looked at.
   * @throws {RelayDownError} when the relay answers nobody now.
   */
  pass(signal: AbortSignal): Promise<number>
  /** Passes until the signal, then finishes the one in hand. Never rejects. */
  run(signal: AbortSignal): Promise<void>
}

export function createBridgeProgress({ db, ledger, relay, settings, runtime, log }: Deps): BridgeProgress {
  const { pollMs, reindexAfterMs } = settings

  async function pass(signal: AbortSignal): Promise<number> {
    const looks = await db.read((tx) => dueLooks(tx, runtime.nowMs(), looksMax))
    let done = 0
    let fault: unknown
    for (const look of looks) {
      if (signal.aborted) break
      try {
        await follow(look, signal)
        done += 1
      } catch (error) {
        const failures = look.failures + 1
        await db.write((tx) => saveLook(tx, { ...look, failures }, planAfterFault(failures, runtime.nowMs(), pollMs)))
        fault ??= error
        // The others would fare no better, and a relay that is busy is not to be asked by each of them.
        if (error instanceof RelayDownError) break
        log.warn({ err: error, paymentId: look.paymentId }, 'A bridge could not be followed now')
      }
    }
    if (fault instanceof RelayDownError && !signal.aborted) throw fault
    return done
  }

  async function follow(look: Look, signal: AbortSignal): Promise<void> {
    const payment = await db.read((tx) => loadPayment(tx, look.paymentId))
    const bridge = payment && bridgeOf(payment)
    if (!payment || !bridge) return void (await db.write((tx) => deleteLook(tx, look.paymentId)))
    const { createdAtMs, expiresAtMs } = payment
    let answer = await ask(bridge, signal)
    let { reindexes } = look
    const asked = () => ({ status: answer.status ?? bridge.status, createdAtMs, expiresAtMs, nowMs: runtime.nowMs() })
    if (isReindexDue(asked(), reindexes, reindexAfterMs)) {
      const { originChainId, relayDepositAddress } = bridge.terms
      const isTaken = await relay.reindex(originChainId, relayDepositAddress, signal)
      log.info({ paymentId: payment.id, status: answer.statusText, isTaken }, 'The relay was asked to look again')
      if (isTaken) reindexes += 1
      if (asked().status === 'waiting') answer = (await otherRequest(bridge, signal)) ?? answer
    }
    const news = newsOf(payment, bridge, answer)
    const nextMs = planLook({ ...asked(), status: news.status, pollMs })
    await db.write(async (tx) => {
      await ledger.applyIn(tx, payment.id, { type: 'bridge.moved', news, atMs: runtime.nowMs() })
      if (nextMs === null) await deleteLook(tx, payment.id)
      else await saveLook(tx, { ...look, failures: 0, reindexes }, nextMs)
    })
  }

  /** @throws {RelayDownError} An order that Relay knows nothing of yet is one that waits. */
  async function ask({ terms, ...known }: Bridge, signal: AbortSignal): Promise<RelayStatus> {
    try {
      return await relay.status(terms.requestId, signal)
    } catch (error) {
      if (!(error instanceof RelayRefusal) || error.status !== 404) throw error
      return { ...known, statusText: 'unknown to the relay' }
    }
  }

  /** Money at the address that came as another order than ours: the address tells what the order does not. */
  async function otherRequest({ terms }: Bridge, signal: AbortSignal): Promise<RelayStatus | undefined> {
    const requests = await relay.requests(terms.relayDepositAddress, signal)
    return requests.find(({ id, status }) => id !== terms.requestId && status !== null && status !== 'waiting')
  }

  /** A status that this version does not know changes none that it does, and is never the end. */
  function newsOf({ id }: Payment, bridge: Bridge, answer: RelayStatus): BridgeReport {
    const { status, statusText, ...transactions } = answer
    if (status === null)
      log.warn({ paymentId: id, status: statusText }, 'The relay has a status that is not known here')
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
            log.warn(
              { err: error, faults: failures, pauseMs },
              'The relay cannot be asked now, and will be asked again',
            ),
        },
        signal,
      ),
  }
}
