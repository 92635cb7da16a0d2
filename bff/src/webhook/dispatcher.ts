import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../db/db.ts'
import type { Log } from '../log.ts'
import type { Runtime } from '../runtime.ts'
import { createBell } from './bell.ts'
import {
  type Delivery,
  type DueDelivery,
  dueDeliveries,
  loadDelivery,
  type Outcome,
  saveOutcome,
} from './delivery-store.ts'
import { createLanes, type LaneLimits } from './lanes.ts'
import { postWebhook } from './post.ts'
import { planAfter, type Result } from './retry.ts'
import { signWebhook } from './sign.ts'
import { createTargetAgent, type Targets, targetFault } from './target.ts'

/** Waits of milliseconds; `tryTimeoutMs` is what a receiver has for its answer. */
export type Limits = LaneLimits & { tryTimeoutMs: number; finishMs: number }

const defaultLimits: Limits = {
  // A waiting socket is cheap: room for 30 hanging receivers beside those that answer.
  inHandMax: 256,
  // Enough for 500 deliveries a second to a receiver that answers in 15 ms, and few enough to be kind to a small one.
  perOriginMax: 8,
  tryTimeoutMs: 15_000,
  // At shutdown: most answers are there within it, and a supervisor's patience is usually 10 s.
  finishMs: 3_000,
}

/** How old news can be before it is sent when nobody calls `wake`. */
const pollMs = 100
/** Between two looks into the database while there is work: ends of tries that come together cause one look. */
const spacingMs = 2
/** After a fault of the database, which will not be gone in a moment. */
const faultPauseMs = 1_000
/** Rows of one look. Bodies are loaded when a try starts. */
const lookMax = 4_096

const millisecondsPerSecond = 1_000

type DispatcherDeps = { db: Db; runtime: Runtime; log: Log; targets: Targets; limits?: Partial<Limits> }

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
  /** Closes the connections. Call it after `run` or `pass` has ended. */
  close(): Promise<void>
}

export function createDispatcher({ db, runtime, log, targets, limits: given }: DispatcherDeps): Dispatcher {
  const limits = { ...defaultLimits, ...given }
  const agent = createTargetAgent(targets, limits.perOriginMax)
  const lanes = createLanes(limits)
  const inHand = new Map<string, Promise<boolean>>()
  const bell = createBell()

  /** Starts what is due and fits, until `stop`; `drop` ends what was started. None of the tries rejects. */
  async function start(stop: AbortSignal, drop: AbortSignal): Promise<{ tries: Promise<boolean>[] }> {
    const tries: Promise<boolean>[] = []
    const unstoredMax = 2 * limits.inHandMax
    if (lanes.isFull() || inHand.size >= unstoredMax) return { tries }
    // Every try in hand, and every pause after a fault, listens: that many are no leak.
    setMaxListeners(2 * unstoredMax, drop)
    // Twice the lane: some of the oldest are done, but their outcome is not stored yet.
    const due = await db.read((tx) => dueDeliveries(tx, runtime.nowMs(), 2 * limits.perOriginMax, lookMax))
    for (const { id, origin } of due) {
      // While outcomes cannot be stored, places become free and the rows stay: that must end too.
      if (stop.aborted || inHand.size >= unstoredMax) break
      if (inHand.has(id) || !lanes.enter(origin)) continue
      const tried = deliver({ id, origin }, drop).finally(() => {
        inHand.delete(id)
        bell.ring()
      })
      inHand.set(id, tried)
      tries.push(tried)
    }
    return { tries }
  }

  /** Never rejects. @returns whether a try was made and stored. */
  async function deliver({ id, origin }: DueDelivery, drop: AbortSignal): Promise<boolean> {
    let attempt: Attempt | undefined
    try {
      const delivery = await db.read((tx) => loadDelivery(tx, id))
      if (delivery) attempt = await tryOnce(delivery, drop)
    } catch (error) {
      log.error({ deliveryId: id, err: error }, 'webhook could not be tried')
      await pause(faultPauseMs, drop)
    }
    // The place is free from here on: storing the outcome is our work, not the receiver's.
    lanes.leave(origin, attempt && 'code' in attempt.result)
    bell.ring()
    return attempt ? store(attempt, drop) : false
  }

  type Attempt = { delivery: Delivery; result: Result; startedAtMs: number }

  async function tryOnce(delivery: Delivery, drop: AbortSignal): Promise<Attempt | undefined> {
    const startedAtMs = runtime.nowMs()
    const fault = targetFault(delivery.url, targets)
    if (fault !== undefined) return { delivery, startedAtMs, result: { error: `callbackUrl ${fault}` } }
    const sentAtSeconds = Math.floor(startedAtMs / millisecondsPerSecond)
    let signature: string
    try {
      signature = signWebhook(delivery.secret, delivery.id, sentAtSeconds, delivery.body)
    } catch (error) {
      return { delivery, startedAtMs, result: { error: error instanceof Error ? error.message : 'cannot be signed' } }
    }
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'stablecoin-checkout',
      'webhook-id': delivery.id,
      'webhook-timestamp': String(sentAtSeconds),
      'webhook-signature': signature,
    }
    const result = await postWebhook(
      agent,
      { url: delivery.url, headers, body: delivery.body },
      limits.tryTimeoutMs,
      drop,
    )
    return result && { delivery, startedAtMs, result }
  }

  /** Stays until it is stored: a row that looks due would be posted again and again. @returns false when dropped. */
  async function store({ delivery, result, startedAtMs }: Attempt, drop: AbortSignal): Promise<boolean> {
    const atMs = runtime.nowMs()
    const plan = planAfter(result, delivery.tries + 1, atMs, chance(runtime))
    const dueAtMs = plan.state === 'due' ? atMs + plan.delayMs : null
    const answer = 'code' in result ? { code: result.code, error: null } : { code: null, error: result.error }
    const outcome: Outcome = { state: plan.state, dueAtMs, atMs, ...answer }
    while (true) {
      try {
        await db.write((tx) => saveOutcome(tx, delivery, outcome))
        break
      } catch (error) {
        log.error({ deliveryId: delivery.id, err: error }, 'webhook outcome could not be stored')
        if (drop.aborted) return false
        await pause(faultPauseMs, drop)
      }
    }
    const { id, paymentId, type, url, tries } = delivery
    // Of the URL only the host: merchants put keys into paths and queries.
    const fields = {
      deliveryId: id,
      paymentId,
      type,
      host: hostOf(url),
      try: tries + 1,
      ...answer,
      tookMs: atMs - startedAtMs,
    }
    if (plan.state === 'delivered') log.info(fields, 'webhook delivered')
    else if (plan.state === 'due') log.warn({ ...fields, dueAtMs }, 'webhook will be tried again')
    else log.error(fields, 'webhook given up')
    return true
  }

  return {
    async pass(signal) {
      const { tries } = await start(signal, signal)
      const areStored = await Promise.all(tries)
      return areStored.filter(Boolean).length
    },

    async run(signal) {
      const drop = new AbortController()
      signal.addEventListener('abort', bell.ring)
      while (!signal.aborted) {
        try {
          await start(signal, drop.signal)
          await pause(spacingMs, signal)
        } catch (error) {
          log.error({ err: error }, 'due webhooks could not be read')
          await pause(faultPauseMs, signal)
        }
        await bell.heard(signal.aborted ? 0 : pollMs)
      }
      signal.removeEventListener('abort', bell.ring)
      const timer = setTimeout(() => drop.abort(), limits.finishMs)
      await Promise.all(inHand.values())
      clearTimeout(timer)
    },

    wake: bell.ring,
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
