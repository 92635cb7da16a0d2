import type { Db, Unit } from '@stablecoin-checkout/bff/testing/db'
import type { TestDatabase } from '../../test-database.ts'

/** Where the process dies: inside its nth commit from now, or right after it. */
export type Crash = { nth: number; at: 'inside' | 'after' }

export class CrashError extends Error {}

/** Runs work sequentially. */
export type Turns = <T>(work: () => Promise<T>) => Promise<T>

export function createTurns(): Turns {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const done = last.then(work)
    last = done.catch(() => undefined)
    return done
  }
}

/**
 * A database whose process dies in a commit. Afterwards nothing can be written until it is opened again. For tests.
 * @param turns - Shared by the connections of several processes: in one process, one's transaction would block the others
 * forever.
 */
export function crashingDatabase(database: TestDatabase, turns: Turns = (work) => work()) {
  let file: Db | undefined
  let crash: Crash | undefined
  let commits = 0
  let isDead = false

  function opened(): Db {
    if (!file) throw new Error('The database is not open')
    return file
  }

  const db: Db = {
    read: (unit) => opened().read(unit),
    listen: (listener) => opened().listen(listener),
    close: () => opened().close(),
    async write<T>(unit: Unit<T>): Promise<T> {
      if (isDead) throw new CrashError()
      commits += 1
      const isHere = crash?.nth === commits
      const value = await turns(() =>
        opened().write(async (tx) => {
          const result = await unit(tx)
          if (!isHere || crash?.at !== 'inside') return result
          isDead = true
          throw new CrashError()
        }),
      )
      if (!isHere) return value
      isDead = true
      throw new CrashError()
    },
  }

  return {
    db,
    async open(): Promise<void> {
      file = await database.open()
    },
    /** Reopens as a new process does. */
    async reopen(): Promise<void> {
      await opened().close()
      file = await database.open()
      crash = undefined
      isDead = false
    },
    /** @param next - Undefined: no crash. */
    die(next: Crash | undefined): void {
      crash = next
      commits = 0
    },
    isDead: () => isDead,
    close: (): Promise<void> => opened().close(),
  }
}
