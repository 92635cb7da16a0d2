import { setMaxListeners } from 'node:events'
import type { Log } from '../../core/log.ts'
import type { Runtime } from '../../core/runtime.ts'
import { createWakeSignal } from '../../core/wake-signal.ts'
import { pause } from '../../core/worker.ts'
import type { Db } from '../../db/db.ts'
import { LeaseLostError } from '../../db/fenced.ts'
import type { Vault } from '../../db/vault.ts'
import type { AdaptCallback } from '../send/post.ts'
import { createTargetAgent, type Targets } from '../send/target.ts'
import { type Attempt, createAttempts } from './attempt.ts'
import { planOf } from './delivery-retry.ts'
import { type DueDelivery, dueDeliveries, loadDelivery, type Outcome, saveOutcome } from './delivery-store.ts'
import { createEndpointLimiter, type EndpointLimits } from './endpoint-limiter.ts'

/** `attemptTimeoutMs`: how long a receiver may take to respond. `finishMs`: how long a stop waits for attempts under way. */
export type Limits = EndpointLimits & { attemptTimeoutMs: number; finishMs: number }

const defaultLimits: Limits = {
  // A waiting socket is cheap: this leaves room for 30 unresponsive receivers beside those that respond.
  attemptsMax: 256,
  // Enough for all endpoints of a merchant at once, and a quarter is left for others.
  perMerchantMax: 192,
  // Enough for 500 deliveries a second to a receiver that responds in 15 ms, and few enough for a small server.
  perReceiverMax: 8,
  callbacksMax: 128,
  callbacksPerMerchantMax: 64,
  attemptTimeoutMs: 15_000,
  // Most receivers respond within this time, and a supervisor usually kills a process after 10 s.
  finishMs: 3_000,
}

/** Time between two database reads when no change is notified. */
const pollMs = 100
/** Attempts that end within this time of each other trigger one start of the next attempts. */
const spacingMs = 2
/** Pause between two reads, as a multiple of the last read's duration, because reading holds up requests. */
const restPerRead = 9
/** The pause after a database failure. */
const faultPauseMs = 1_000
/** Receivers in one read beside the endpoints: 10 ms on a slow machine, and more than the callbackUrls of honest shops have origins. */
const receiversMax = 1_000
/** Rows of one read. Bodies are loaded when an attempt starts. */
const rowsMax = 4_096

type DispatcherDeps = {
  db: Db
  runtime: Runtime
  log: Log
  vault: Vault
  targets: Targets
  limits?: Partial<Limits>
  counts?: DeliveryCounts
  /** False as soon as another dispatcher may deliver. */
  isHeld?: () => boolean
  adaptCallback?: AdaptCallback | undefined
}

/** Counts since the start of the process, for the metrics. */
export type DeliveryCounts = { delivered: number; retried: number; givenUp: number; endpointsDisabled: number }

export const newDeliveryCounts = (): DeliveryCounts => ({ delivered: 0, retried: 0, givenUp: 0, endpointsDisabled: 0 })

/**
 * Posts the deliveries of the outbox to the merchants: each at least once, the events of one payment in order, with the same
 * message id for all attempts of an event. A delivery stays due in the database until the result of its attempt is stored:
 * after a crash at any point it is posted again and never lost.
 *
 * One dispatcher per database, held by lease: a receiver's limits apply across replicas, and no delivery runs
 * at two replicas at once. Without its lease a dispatcher drops its attempts and stores nothing.
 */
export type Dispatcher = {
  /** Attempts each due delivery that the limits allow once, and waits for the results. @returns the number of attempts. */
  pass(signal: AbortSignal): Promise<number>
  /**
   * Delivers until the signal aborts, then waits up to `finishMs` for attempts under way and drops the rest uncounted; after a
   * lost lease it drops them at once. Never rejects.
   */
  run(signal: AbortSignal): Promise<void>
  readonly counts: Readonly<DeliveryCounts>
  /** Closes the connections. Call it after `run` or `pass` has ended. */
  close(): Promise<void>
}

export function createDispatcher({
  db,
  runtime,
  log,
  vault,
  targets,
  limits: given,
  counts = newDeliveryCounts(),
  isHeld = () => true,
  adaptCallback,
}: DispatcherDeps): Dispatcher {
  const limits = { ...defaultLimits, ...given }
  const agent = createTargetAgent(targets)
  const makeAttempt = createAttempts({
    agent,
    runtime,
    vault,
    targets,
    timeoutMs: limits.attemptTimeoutMs,
    adaptCallback,
  })
  const limiter = createEndpointLimiter(limits)
  const underWay = new Map<number, Promise<boolean>>()
  const unstoredMax = 2 * limits.attemptsMax
  const wakeSignal = createWakeSignal()

  /** Deliveries of the last read that the limits do not allow yet, in the order of the read. */
  let waiting: DueDelivery[] = []
  /** The receiver after which the next read continues. */
  let readAfter = ''

  /** Reads the due deliveries. @returns how long the read took, in milliseconds. */
  async function readDue(): Promise<number> {
    if (limiter.isFull() || underWay.size >= unstoredMax) return 0
    const startedMs = performance.now()
    // Twice the limit of a receiver: some of the rows are under way, and others start when these end.
    const bounds = { perReceiverMax: 2 * limits.perReceiverMax, receiversMax, limit: rowsMax }
    const read = await db.read((tx) => dueDeliveries(tx, runtime.nowMs(), bounds, readAfter))
    waiting = read.due
    readAfter = read.next
    return performance.now() - startedMs
  }

  /** Starts the attempts that the limits allow until `stop` aborts; `drop` ends started attempts. No attempt rejects. */
  function start(stop: AbortSignal, drop: AbortSignal): Promise<boolean>[] {
    // Each attempt under way and each pause after a failure listens to the signal: this many listeners are no leak.
    setMaxListeners(2 * unstoredMax, drop)
    const attempts: Promise<boolean>[] = []
    const due = waiting
    waiting = []
    for (const one of due) {
      // While results cannot be stored, attempts end and their rows stay due, so their number needs this bound too.
      if (stop.aborted || underWay.size >= unstoredMax) break
      if (underWay.has(one.number)) continue
      if (!limiter.enter(one.receiverKey, one.merchantId)) {
        waiting.push(one)
        continue
      }
      const attempt = deliver(one, drop).finally(() => {
        underWay.delete(one.number)
        wakeSignal.wake()
      })
      underWay.set(one.number, attempt)
      attempts.push(attempt)
    }
    return attempts
  }

  /** Never rejects. @returns whether an attempt was made and its result stored. */
  async function deliver({ number, receiverKey }: DueDelivery, drop: AbortSignal): Promise<boolean> {
    let attempt: Attempt | undefined
    try {
      const delivery = await db.read((tx) => loadDelivery(tx, number))
      // Also correct in a process that was suspended and whose timers have not run since.
      if (delivery && isHeld()) attempt = await makeAttempt(delivery, drop)
    } catch (error) {
      log.error({ delivery: number, err: error }, 'Webhook attempt failed; retrying')
      await pause(faultPauseMs, drop)
    }
    // The attempt ends here: storing its result must not count against the receiver.
    limiter.leave(receiverKey, attempt && 'code' in attempt.result)
    wakeSignal.wake()
    return attempt ? store(attempt, drop) : false
  }

  /** Repeats until the result is stored, because a row that stays due is posted again. @returns false when dropped. */
  async function store({ delivery, result, startedAtMs, signature }: Attempt, drop: AbortSignal): Promise<boolean> {
    const atMs = runtime.nowMs()
    const plan = planOf(delivery, result, atMs, chance(runtime))
    const dueAtMs = plan.state === 'due' ? atMs + plan.delayMs : null
    const { code, error, answer } =
      'code' in result
        ? { code: result.code, error: null, answer: result.text }
        : { code: null, error: result.error, answer: '' }
    const outcome: Outcome = { state: plan.state, dueAtMs, code, error, answer, signature, sentAtMs: startedAtMs, atMs }
    let disabledReason: Awaited<ReturnType<typeof saveOutcome>>
    while (true) {
      try {
        disabledReason = await db.write((tx) => saveOutcome(tx, delivery, outcome))
        break
      } catch (error) {
        // The replica that now has the lease repeats the attempt.
        if (error instanceof LeaseLostError) return false
        log.error(
          { delivery: delivery.number, err: error },
          'Storing a webhook result failed; sending the webhook again later',
        )
        if (drop.aborted) return false
        await pause(faultPauseMs, drop)
      }
    }
    const { number, messageId, merchantId, paymentId, endpointId, type, url, attempts } = delivery
    const fields = {
      delivery: number,
      messageId,
      paymentId,
      endpointId,
      type,
      // Only the host: merchants put keys into paths and queries.
      host: hostOf(url),
      try: attempts + 1,
      code,
      error,
      tookMs: atMs - startedAtMs,
    }
    if (plan.state === 'delivered') {
      counts.delivered += 1
      log.info(fields, 'Webhook delivered')
    } else if (disabledReason !== null) {
      counts.givenUp += 1
      counts.endpointsDisabled += 1
      log.error({ ...fields, merchantId, reason: disabledReason }, 'Webhook endpoint disabled')
    } else if (plan.state === 'due') {
      counts.retried += 1
      log.warn({ ...fields, dueAtMs }, 'Webhook attempt failed; retrying')
    } else {
      counts.givenUp += 1
      log.error(fields, 'Webhook abandoned after its last attempt')
    }
    return true
  }

  return {
    async pass(signal) {
      await readDue()
      const areStored = await Promise.all(start(signal, signal))
      return areStored.filter(Boolean).length
    },

    async run(signal) {
      const drop = new AbortController()
      signal.addEventListener('abort', wakeSignal.wake)
      // Payment changes queue deliveries.
      const endListening = db.listen(wakeSignal.wake)
      let nextReadMs = 0
      let isBehind = true
      while (!signal.aborted) {
        try {
          if (isBehind && performance.now() >= nextReadMs) {
            isBehind = false
            const tookMs = await readDue()
            nextReadMs = performance.now() + restPerRead * tookMs
          }
          void start(signal, drop.signal)
          await pause(spacingMs, signal)
        } catch (error) {
          log.error({ err: error }, 'Reading due webhooks failed; retrying')
          await pause(faultPauseMs, signal)
        }
        const restMs = isBehind ? Math.max(0, nextReadMs - performance.now()) : pollMs
        await wakeSignal.wait(signal.aborted ? 0 : restMs)
        // The loop was woken, or the next read is due.
        isBehind = true
      }
      signal.removeEventListener('abort', wakeSignal.wake)
      endListening()
      const timer = setTimeout(() => drop.abort(), signal.reason instanceof LeaseLostError ? 0 : limits.finishMs)
      await Promise.all(underWay.values())
      clearTimeout(timer)
    },

    counts,
    close: () => agent.destroy(),
  }
}

/** At least 0, below 1. */
function chance(runtime: Runtime): number {
  const bytes = runtime.randomBytes(4)
  return Buffer.from(bytes).readUInt32BE() / 2 ** 32
}

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : 'not a URL')
