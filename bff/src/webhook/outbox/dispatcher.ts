import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../../core/log.ts'
import type { Runtime } from '../../core/runtime.ts'
import type { Db } from '../../db/db.ts'
import type { Vault } from '../../merchant/vault.ts'
import { type Attempt, createTry } from './attempt.ts'
import { planAfter } from './delivery-retry.ts'
import { type DueDelivery, dueDeliveries, loadDelivery, type Outcome, saveOutcome } from './delivery-store.ts'
import { createLanes, type LaneLimits } from './endpoint-limiter.ts'
import { createTargetAgent, type Targets } from './target.ts'
import { createBell } from './wake-signal.ts'

/** Waits of milliseconds; `tryTimeoutMs` is what a receiver has for its answer. */
export type Limits = LaneLimits & { tryTimeoutMs: number; finishMs: number }

const defaultLimits: Limits = {
  // A waiting socket is cheap: room for 30 hanging receivers beside those that answer.
  inHandMax: 256,
  // Enough for 500 deliveries a second to a receiver that answers in 15 ms, and few enough to be kind to a small one.
  perLaneMax: 8,
  tryTimeoutMs: 15_000,
  // At shutdown: most answers are there within it, and a supervisor's patience is usually 10 s.
  finishMs: 3_000,
}

/** How old news can be before it is sent when nobody calls `wake`. */
const pollMs = 100
/** Ends of tries that come together are one reason to start others. */
const spacingMs = 2
/** A look into the database rests so many times as long as it took: it holds up all else, and many receivers make it long. */
const restPerLook = 9
/** After a fault of the database, which will not be gone in a moment. */
const faultPauseMs = 1_000
/** Rows of one look. Bodies are loaded when a try starts. */
const lookMax = 4_096

type DispatcherDeps = { db: Db; runtime: Runtime; log: Log; vault: Vault; targets: Targets; limits?: Partial<Limits> }

/** Since the start: what the metrics show. */
type Counts = { delivered: number; retried: number; givenUp: number; endpointsDisabled: number }

/**
 * Posts the outbox to the merchants: at least once, one payment's events in order, under one id for all tries. What is
 * in hand is only in memory and its row stays due until the outcome is stored, so a process that is killed at any
 * point sends it again and never forgets it. One dispatcher per database.
 */
export type Dispatcher = {
  /** Tries once what is due now and fits the limits, and waits for the outcomes. @returns how many were tried. */
  pass(signal: AbortSignal): Promise<number>
  /** Delivers until the signal; then finishes what is in hand, or drops it uncounted after `finishMs`. Never rejects. */
  run(signal: AbortSignal): Promise<void>
  /** There is news: look at once. Call it after the commit. */
  wake(): void
  readonly counts: Readonly<Counts>
  /** Closes the connections. Call it after `run` or `pass` has ended. */
  close(): Promise<void>
}

export function createDispatcher({ db, runtime, log, vault, targets, limits: given }: DispatcherDeps): Dispatcher {
  const limits = { ...defaultLimits, ...given }
  const agent = createTargetAgent(targets)
  const tryOnce = createTry({ agent, runtime, vault, targets, timeoutMs: limits.tryTimeoutMs })
  const lanes = createLanes(limits)
  const inHand = new Map<number, Promise<boolean>>()
  const unstoredMax = 2 * limits.inHandMax
  const bell = createBell()
  const counts: Counts = { delivered: 0, retried: 0, givenUp: 0, endpointsDisabled: 0 }

  /** Due and without a place at the last look, in its order. Whoever is first for his payment then, is so still. */
  let waiting: DueDelivery[] = []

  /** @returns how long it took. */
  async function look(): Promise<number> {
    if (lanes.isFull() || inHand.size >= unstoredMax) return 0
    const startedMs = performance.now()
    // Twice the lane: some are in hand, and the next find their places taken by the time they are free.
    waiting = await db.read((tx) => dueDeliveries(tx, runtime.nowMs(), 2 * limits.perLaneMax, lookMax))
    return performance.now() - startedMs
  }

  /** Starts what fits, until `stop`; `drop` ends what was started. None of the tries rejects. */
  function start(stop: AbortSignal, drop: AbortSignal): Promise<boolean>[] {
    // Every try in hand, and every pause after a fault, listens: that many are no leak.
    setMaxListeners(2 * unstoredMax, drop)
    const tries: Promise<boolean>[] = []
    const due = waiting
    waiting = []
    for (const one of due) {
      // While outcomes cannot be stored, places become free and the rows stay: that must end too.
      if (stop.aborted || inHand.size >= unstoredMax) break
      if (inHand.has(one.number)) continue
      if (!lanes.enter(one.lane)) {
        waiting.push(one)
        continue
      }
      const tried = deliver(one, drop).finally(() => {
        inHand.delete(one.number)
        bell.ring()
      })
      inHand.set(one.number, tried)
      tries.push(tried)
    }
    return tries
  }

  /** Never rejects. @returns whether a try was made and stored. */
  async function deliver({ number, lane }: DueDelivery, drop: AbortSignal): Promise<boolean> {
    let attempt: Attempt | undefined
    try {
      const delivery = await db.read((tx) => loadDelivery(tx, number))
      if (delivery) attempt = await tryOnce(delivery, drop)
    } catch (error) {
      log.error({ delivery: number, err: error }, 'webhook could not be tried')
      await pause(faultPauseMs, drop)
    }
    // The place is free from here on: storing the outcome is our work, not the receiver's.
    lanes.leave(lane, attempt && 'code' in attempt.result)
    bell.ring()
    return attempt ? store(attempt, drop) : false
  }

  /** Stays until it is stored: a row that looks due would be posted again and again. @returns false when dropped. */
  async function store({ delivery, result, startedAtMs }: Attempt, drop: AbortSignal): Promise<boolean> {
    const atMs = runtime.nowMs()
    const plan = planAfter(result, delivery.tries + 1, atMs, chance(runtime))
    const dueAtMs = plan.state === 'due' ? atMs + plan.delayMs : null
    const { code, error, answer } =
      'code' in result
        ? { code: result.code, error: null, answer: result.text }
        : { code: null, error: result.error, answer: '' }
    const outcome: Outcome = { state: plan.state, dueAtMs, code, error, answer, sentAtMs: startedAtMs, atMs }
    let disabledReason: Awaited<ReturnType<typeof saveOutcome>>
    while (true) {
      try {
        disabledReason = await db.write((tx) => saveOutcome(tx, delivery, outcome))
        break
      } catch (error) {
        log.error({ delivery: delivery.number, err: error }, 'webhook outcome could not be stored')
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
      // Only this: merchants put keys into paths and queries.
      host: hostOf(url),
      try: attempts + 1,
      code,
      error,
      tookMs: atMs - startedAtMs,
    }
    if (plan.state === 'delivered') {
      counts.delivered += 1
      log.info(fields, 'webhook delivered')
    } else if (disabledReason !== null) {
      counts.givenUp += 1
      counts.endpointsDisabled += 1
      log.error({ ...fields, merchantId, reason: disabledReason }, 'webhook endpoint disabled')
    } else if (plan.state === 'due') {
      counts.retried += 1
      log.warn({ ...fields, dueAtMs }, 'webhook will be tried again')
    } else {
      counts.givenUp += 1
      log.error(fields, 'webhook given up')
    }
    return true
  }

  return {
    async pass(signal) {
      await look()
      const areStored = await Promise.all(start(signal, signal))
      return areStored.filter(Boolean).length
    },

    async run(signal) {
      const drop = new AbortController()
      signal.addEventListener('abort', bell.ring)
      let nextLookMs = 0
      let isBehind = true
      while (!signal.aborted) {
        try {
          if (isBehind && performance.now() >= nextLookMs) {
            isBehind = false
            const tookMs = await look()
            nextLookMs = performance.now() + restPerLook * tookMs
          }
          void start(signal, drop.signal)
          await pause(spacingMs, signal)
        } catch (error) {
          log.error({ err: error }, 'due webhooks could not be read')
          isBehind = true
          await pause(faultPauseMs, signal)
        }
        const restMs = isBehind ? Math.max(0, nextLookMs - performance.now()) : pollMs
        await bell.heard(signal.aborted ? 0 : restMs)
        // It rang, or it is time to look for what nobody rang for.
        isBehind = true
      }
      signal.removeEventListener('abort', bell.ring)
      const timer = setTimeout(() => drop.abort(), limits.finishMs)
      await Promise.all(inHand.values())
      clearTimeout(timer)
    },

    wake: bell.ring,
    counts,
    close: () => agent.destroy(),
  }
}

/** An abort ends it early. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => {})
}

/** At least 0, below 1. */
function chance(runtime: Runtime): number {
  const bytes = runtime.randomBytes(4)
  return Buffer.from(bytes).readUInt32BE() / 2 ** 32
}

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : 'not a URL')
