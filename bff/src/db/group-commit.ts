import { setTimeout as sleep } from 'node:timers/promises'
import type { Tx, Unit } from './db.ts'
import { DatabaseUnavailableError } from './unavailable.ts'

/** Maximum units per commit: bounds how long the first unit waits for the last. */
const groupMax = 200

/**
 * Maximum units that wait for a commit. With more, the database is too slow for the load, and a refusal is
 * better than running out of memory.
 */
const queueMax = 20_000

/** Maximum runs of one group while the database asks for retries. */
const runsMax = 5

/** Pause before a group is retried, plus up to as much again at random, so that two replicas do not collide twice. */
const againMs = 20

/** Called after every commit with the number of its units and the time from the first unit to the disk. */
export type CommitObserver = { committed(tookMs: number, units: number): void; commitFailed(): void }

export const unobserved: CommitObserver = { committed: () => undefined, commitFailed: () => undefined }

export type Statements = Pick<Tx, 'run' | 'write' | 'get' | 'all'>

/** The one connection that writes, with one transaction at a time. */
export type Writer = {
  statements: Statements
  /** The first failed statement of a transaction that accepts no more until a unit is rolled back. */
  failure(): unknown
  /**
   * Counts the statements that wrote or failed. After one of them, the transaction cannot continue as if the unit had
   * not run.
   */
  changes(): number
  begin(): Promise<void>
  /** Resolves when every statement of `write` is done. Never rejects: `failure` returns the first failure. */
  written(): Promise<void>
  /**
   * Resolves only when the transaction is durable. Rejects when it is not, or when the result is unknown.
   * @param notified - The ids that the transaction's units notify of.
   */
  commit(notified: ReadonlySet<string>): Promise<void>
  /** Ends the transaction in any state. Never rejects. */
  rollback(): Promise<void>
  savepoint(): Promise<void>
  release(): Promise<void>
  undo(): Promise<void>
  /** Whether the failure is not the units' fault and nothing was stored, so that the group can be retried. */
  isWorthRepeating(reason: unknown): boolean
  /** The error that the callers get. */
  toCallersError(reason: unknown): unknown
}

type Waiting = { unit: Unit<unknown>; resolve: (value: unknown) => void; reject: (reason: unknown) => void }

/**
 * Group commit: units that queue up while one commit runs share the next one. A unit that fails does not
 * affect the others.
 */
export function groupCommits(writer: Writer, observer: CommitObserver) {
  const queue: Waiting[] = []
  let running: Promise<void> | undefined
  let done: (() => void)[] = []
  let notified = new Set<string>()
  const tx: Tx = {
    ...writer.statements,
    afterCommit: (one) => void done.push(one),
    notify: (id) => void notified.add(id),
  }
  const takeDone = () => {
    const taken = done
    done = []
    return taken
  }

  /**
   * Runs the group in one transaction.
   * @returns `guard` when a unit wrote and then failed: the group was rolled back and must run with
   *   savepoints. `again` when it was rolled back for a reason outside the units.
   */
  async function runGroup(group: Waiting[], isGuarded: boolean, isLast: boolean): Promise<'ended' | 'guard' | 'again'> {
    const settled: (() => void)[] = []
    notified = new Set()
    const startedMs = performance.now()
    try {
      await writer.begin()
      for (const { unit, resolve, reject } of group) {
        if (isGuarded) await writer.savepoint()
        const changesBefore = writer.changes()
        try {
          const value = await unit(tx)
          // Attributes a failure to its unit. Without savepoints a failure rolls back all units, so there is
          // no need to wait.
          if (isGuarded) await writer.written()
          // A unit whose statement failed is not stored, even if it caught the error.
          if (writer.failure() !== undefined) throw writer.failure()
          settled.push(...takeDone(), () => resolve(value))
        } catch (reason) {
          takeDone()
          if (writer.isWorthRepeating(writer.failure())) throw writer.failure()
          if (isGuarded) await writer.undo()
          else if (writer.changes() !== changesBefore) {
            await writer.rollback()
            return 'guard'
          }
          settled.push(() => reject(writer.toCallersError(reason)))
        }
        if (isGuarded) await writer.release()
      }
      await writer.written()
      const failure = writer.failure()
      if (failure !== undefined) {
        if (isGuarded || writer.isWorthRepeating(failure)) throw failure
        await writer.rollback()
        return 'guard'
      }
      await writer.commit(notified)
    } catch (reason) {
      await writer.rollback()
      takeDone()
      if (!isLast && writer.isWorthRepeating(reason)) return 'again'
      observer.commitFailed()
      const error = writer.toCallersError(reason)
      for (const { reject } of group) reject(error)
      return 'ended'
    }
    observer.committed(performance.now() - startedMs, group.length)
    for (const settle of settled) settle()
    return 'ended'
  }

  async function drain(): Promise<void> {
    // After the poll phase, so that all requests that arrived together are in the first group.
    await new Promise((resolve) => setImmediate(resolve))
    while (queue.length > 0) {
      const group = queue.splice(0, groupMax)
      // Savepoints cost a third of the throughput, so they are used only when a unit must be rolled back.
      let isGuarded = false
      let runs = 1
      for (;;) {
        const end = await runGroup(group, isGuarded, runs === runsMax)
        if (end === 'ended') break
        // Happens once: a guarded group rolls a unit back to its savepoint.
        if (end === 'guard') isGuarded = true
        else {
          runs += 1
          await sleep(againMs * (1 + Math.random()))
        }
      }
      await new Promise((resolve) => setImmediate(resolve))
    }
  }

  return {
    write<T>(unit: Unit<T>): Promise<T> {
      if (queue.length >= queueMax)
        return Promise.reject(new DatabaseUnavailableError(new Error(`${queueMax} writes are waiting.`)))
      return new Promise<T>((resolve, reject) => {
        queue.push({ unit, resolve: resolve as (value: unknown) => void, reject })
        running ??= drain().finally(() => {
          running = undefined
        })
      })
    },
    async idle() {
      while (running) await running
    },
  }
}
