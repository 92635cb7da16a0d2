import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../core/log.ts'
import { createWakeSignal } from '../core/wake-signal.ts'
import type { Db } from './db.ts'
import { fenced, LeaseLostError } from './fenced.ts'
import {
  countReplicas,
  deleteReplica,
  type Heartbeats,
  type LeaseKey,
  type Replica,
  releaseLease,
  renewLease,
  saveReplica,
  takeLease,
} from './lease-store.ts'
import { DatabaseUnavailableError } from './unavailable.ts'

/** The lease of the workers that serve all networks. No network has this name. */
export const allNetworks = '*'

export type LeaseTimes = {
  /** Interval between two heartbeats, which renew held leases and attempt to take free ones. */
  beatMs: number
  /**
   * A lease ends this long after its last renewal. Several heartbeats fit, in case a busy machine delays some. Another replica
   * takes over within 10 s of a crash.
   */
  leaseMs: number
  /** A holder that cannot renew stops this long before the lease ends, before another replica can start. */
  marginMs: number
}

/** A replica that was not seen for this long has lost its leases. */
export const leaseMs = 7_000

/** How long startup retries its first heartbeat: a busy database may take longer than one heartbeat waits. */
const firstBeatMaxMs = 20_000

const defaultTimes: LeaseTimes = { beatMs: 1_000, leaseMs, marginMs: 500 }

/** What a lease's workers get. */
export type Lease = {
  /** Refuses to write once another replica has the lease. */
  db: Db
  /** Aborts when the service stops, or with {@link LeaseLostError} when the lease is lost. */
  signal: AbortSignal
  /** Also correct in a process that was suspended and resumes before its timers have run. */
  isHeld(): boolean
}

export type Leases = {
  /** Sends the first heartbeat, with retries while the database does not respond in time. @throws the database's error. */
  open(): Promise<void>
  /** Records where the replica listens, for `doctor`. */
  listensAt(url: string): void
  /**
   * Waits for the lease, works while this replica holds it, and releases it when the work ends. Repeats until
   * the signal aborts.
   * @param work - Ends soon after `signal` of its lease. It must not reject.
   */
  whileHeld(name: string, work: (lease: Lease) => Promise<unknown>, signal: AbortSignal): Promise<void>
  isHeld(name: string): boolean
  /** Number of replicas that serve the database, including this one, as of the newest heartbeat. */
  replicas(): number
  /** Whether another process has taken over a database that only one process may serve. */
  isReplaced(): boolean
  /** Sends heartbeats until the signal aborts and every lease is released. Never rejects. */
  run(signal: AbortSignal): Promise<void>
}

type Held = { key: LeaseKey; endsAtMs: number; timer: NodeJS.Timeout | undefined; lost: AbortController; work: Lease }

type Deps = {
  db: Db
  /** Undefined for a single-process database. */
  heartbeats?: Heartbeats | undefined
  replica: Replica
  log: Log
  /** Overridden by tests. */
  times?: LeaseTimes | undefined
  /** This machine's clock, in Unix milliseconds. */
  nowMs: () => number
  /** Called with the database's time and the two times of this machine's clock between which it was read. */
  onClock?: (databaseMs: number, fromMs: number, toMs: number) => void
}

/**
 * Divides the work that must be done only once among the replicas that share a database.
 *
 * A SQLite file serves one process: it takes each lease at its start, without heartbeats, and the leases end at once. A second
 * process on the same file takes over; the first one then writes only for requests.
 */
export function createLeases({
  db,
  heartbeats,
  replica: started,
  log,
  nowMs,
  onClock,
  times = defaultTimes,
}: Deps): Leases {
  const { beatMs, leaseMs, marginMs } = times
  let replica = started
  const held = new Map<string, Held>()
  /** The leases that this replica attempts to take. */
  const wanted = new Map<string, (held: Held) => void>()
  const isShared = heartbeats !== undefined
  const beatSignal = createWakeSignal()
  const takeSignal = createWakeSignal()
  let isReplaced = false
  let replicas = 1

  /** Does not wait for other writes, neither this replica's nor others'. */
  async function beat(statements: Heartbeats): Promise<void> {
    const failures: unknown[] = []
    // A locked row of one lease must not cost the replica its other leases.
    for (const one of [...held.values()]) await renew(statements, one).catch((error: unknown) => failures.push(error))
    if (failures.length > 0) throw failures[0]
    const fromMs = nowMs()
    const databaseMs = await saveReplica(statements, replica)
    onClock?.(databaseMs, fromMs, nowMs())
    replicas = await countReplicas(statements, leaseMs)
  }

  async function renew(statements: Heartbeats, one: Held): Promise<void> {
    // The work may have ended and the lease been released in the meantime.
    const isOurs = () => held.get(one.key.name) === one && !one.lost.signal.aborted
    if (!isOurs()) return
    const askedAtMs = performance.now()
    const isRenewed = await renewLease(statements, one.key, leaseMs)
    if (!isOurs()) return
    if (isRenewed) extend(one, askedAtMs)
    else lose(one)
  }

  /** Takes all free leases in one commit. */
  async function takeFree(): Promise<void> {
    const names = [...wanted.keys()]
    const taken = await db.write(async (tx) => {
      const taken: { key: LeaseKey; askedAtMs: number }[] = []
      for (const name of names) {
        const askedAtMs = performance.now()
        const epoch = await takeLease(tx, name, replica.id, isShared ? leaseMs : 0)
        if (epoch !== undefined) taken.push({ key: { name, holder: replica.id, epoch }, askedAtMs })
      }
      return taken
    })
    for (const { key, askedAtMs } of taken) await hand(key, askedAtMs)
  }

  /** Hands the lease to the waiter, if the service is not stopping. */
  async function hand(key: LeaseKey, askedAtMs: number): Promise<void> {
    const resolve = wanted.get(key.name)
    wanted.delete(key.name)
    if (!resolve) return await giveBack(key)
    const lost = new AbortController()
    const one: Held = {
      key,
      endsAtMs: Number.POSITIVE_INFINITY,
      timer: undefined,
      lost,
      work: {
        db: fenced(db, key, () => lose(one)),
        signal: lost.signal,
        isHeld: () => !lost.signal.aborted && performance.now() < one.endsAtMs,
      },
    }
    held.set(key.name, one)
    if (isShared) extend(one, askedAtMs)
    resolve(one)
  }

  /** Uses this process's monotonic clock from before the query, so never later than the lease's end in the database. */
  function extend(one: Held, askedAtMs: number): void {
    one.endsAtMs = askedAtMs + leaseMs - marginMs
    clearTimeout(one.timer)
    one.timer = setTimeout(() => lose(one), one.endsAtMs - performance.now())
    one.timer.unref()
  }

  function lose(one: Held): void {
    if (one.lost.signal.aborted) return
    clearTimeout(one.timer)
    const fields = { lease: one.key.name, epoch: one.key.epoch }
    if (isShared) log.warn(fields, 'This replica has lost a lease and stops its work')
    else {
      isReplaced = true
      log.error(
        fields,
        'Another process has taken over this SQLite database; this one stops watching chains and sending payouts',
      )
    }
    one.lost.abort(new LeaseLostError(one.key.name))
  }

  async function giveBack(key: LeaseKey): Promise<void> {
    try {
      await db.write((tx) => releaseLease(tx, key))
    } catch (error) {
      log.warn({ lease: key.name, err: error }, 'Releasing a lease failed; another replica can take it when it ends')
    }
  }

  /** @returns undefined when the signal aborts first. */
  function take(name: string, signal: AbortSignal): Promise<Held | undefined> {
    return new Promise((resolve) => {
      if (signal.aborted) return resolve(undefined)
      const stop = () => {
        wanted.delete(name)
        resolve(undefined)
      }
      signal.addEventListener('abort', stop, { once: true })
      wanted.set(name, (one) => {
        signal.removeEventListener('abort', stop)
        resolve(one)
      })
      takeSignal.wake()
    })
  }

  return {
    async open() {
      if (!heartbeats) return
      const endsAtMs = performance.now() + firstBeatMaxMs
      for (;;) {
        try {
          return await beat(heartbeats)
        } catch (error) {
          if (!(error instanceof DatabaseUnavailableError) || performance.now() >= endsAtMs) throw error
          log.warn({ err: error }, 'First heartbeat failed; retrying')
        }
        await sleep(beatMs)
      }
    },
    listensAt(url) {
      replica = { ...replica, url }
    },
    isHeld: (name) => held.get(name)?.work.isHeld() ?? false,
    isReplaced: () => isReplaced,
    replicas: () => replicas,
    async whileHeld(name, work, signal) {
      while (!signal.aborted && !isReplaced) {
        const one = await take(name, signal)
        if (!one) return
        log.info({ lease: name, epoch: one.key.epoch }, 'This replica has taken a lease')
        const either = AbortSignal.any([signal, one.lost.signal])
        // Every worker listens to it.
        setMaxListeners(0, either)
        await work({ ...one.work, signal: either })
        clearTimeout(one.timer)
        held.delete(name)
        if (!one.lost.signal.aborted) await giveBack(one.key)
        beatSignal.wake()
      }
    },
    async run(signal) {
      await Promise.all([heartbeats && beatUntil(heartbeats, signal), takeUntil(signal)])
      if (isShared) await db.write((tx) => deleteReplica(tx, replica.id)).catch(() => undefined)
    },
  }

  async function beatUntil(statements: Heartbeats, signal: AbortSignal): Promise<void> {
    signal.addEventListener('abort', beatSignal.wake)
    while (!signal.aborted || held.size > 0) {
      await beat(statements).catch((error: unknown) => log.warn({ err: error }, 'Renewing the leases failed; retrying'))
      await beatSignal.wait(beatMs)
    }
    signal.removeEventListener('abort', beatSignal.wake)
  }

  async function takeUntil(signal: AbortSignal): Promise<void> {
    signal.addEventListener('abort', takeSignal.wake)
    while (!signal.aborted) {
      if (wanted.size > 0) {
        await takeFree().catch((error: unknown) => log.warn({ err: error }, 'Taking leases failed; retrying'))
      }
      await takeSignal.wait(beatMs)
    }
    signal.removeEventListener('abort', takeSignal.wake)
  }
}
