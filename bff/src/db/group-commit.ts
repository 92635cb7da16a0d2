import { setTimeout as sleep } from 'node:timers/promises'
import type { Tx, Unit } from './db.ts'
import { DatabaseUnavailableError } from './unavailable.ts'

/** Units that share one commit at the most: bounds how long the first of them waits for the last. */
const groupMax = 200

/** Units that may wait for a commit: beyond it the database is too slow for the load, and saying so beats running out of memory. */
const queueMax = 20_000

/** How often one group is run at the most, where the database asks for it to be run again. */
const runsMax = 5

/** Before a group is run again, with up to as much again by chance, so that two replicas do not meet a second time. */
const againMs = 20

/** Called after every commit: `units` shared it, and it took so long from its first unit to the disk. */
export type CommitObserver = { committed(tookMs: number, units: number): void; commitFailed(): void }

export const unobserved: CommitObserver = { committed: () => undefined, commitFailed: () => undefined }

export type Statements = Pick<Tx, 'run' | 'write' | 'get' | 'all'>

/** The one connection that writes, with one transaction at a time. */
export type Writer = {
  statements: Statements
  /** The first statement that failed in the transaction, where nothing more can be done in it until a unit is undone. */
  failure(): unknown
  /** Counts the statements since which a transaction cannot go on as if nothing had happened: they have written, or failed. */
  changes(): number
  begin(): Promise<void>
  /** Resolves when every statement of `write` is done. Never rejects: `failure` is there when one has failed. */
  written(): Promise<void>
  /**
   * Resolves only when the transaction is durable, and rejects only when it is not, or when nobody can say.
   * @param notified - The ids of which the transaction's units notify.
   */
  commit(notified: ReadonlySet<string>): Promise<void>
  /** Ends the transaction whatever its state, and never rejects. */
  rollback(): Promise<void>
  savepoint(): Promise<void>
  release(): Promise<void>
  undo(): Promise<void>
  /** Whether the failure says nothing about the units, and nothing of the transaction was stored: then the group is run again. */
  isWorthRepeating(reason: unknown): boolean
  /** The error that the callers get. */
  toCallersError(reason: unknown): unknown
}

type Waiting = { unit: Unit<unknown>; resolve: (value: unknown) => void; reject: (reason: unknown) => void }

/** Group commit: what queues up while one commit runs shares the next one; a unit that fails takes nothing of the others with it. */
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
   * @returns `guard` when a unit wrote and then failed: the group was undone and must be run with savepoints. `again` when it was
   * undone for a reason that is none of the units'.
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
          // So that a failure is that of the unit. Without savepoints it undoes all of them, and nobody waits here.
          if (isGuarded) await writer.written()
          // A unit that has caught the failure of a statement is not stored, whatever it returns.
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
      // A savepoint each costs a third of the throughput, so it is taken only when a unit has to be undone.
      let isGuarded = false
      let runs = 1
      for (;;) {
        const end = await runGroup(group, isGuarded, runs === runsMax)
        if (end === 'ended') break
        // Happens once: a guarded group undoes a unit by its savepoint.
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
