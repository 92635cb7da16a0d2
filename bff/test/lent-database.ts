import { type Db, openDatabase } from '@stablecoin-checkout/bff/testing/db'
import { expect } from 'vitest'

/** A database with the connections that its first test opened (`kept`), which one test at a time uses (`isLent`). */
export type Lendable = { kept?: Promise<Db> | undefined; isLent?: boolean }

/**
 * Unused databases of the current test file. Only of this file: other files' changes to a database, besides its rows, must not reach its
 * tests.
 */
export function createFreeDatabases<Database>(end: (database: Database) => Promise<unknown>) {
  let free: Database[] = []
  let fileOfFree: string | undefined
  return {
    async take(): Promise<Database | undefined> {
      const { testPath } = expect.getState()
      if (fileOfFree !== testPath) {
        const left = free
        free = []
        fileOfFree = testPath
        await Promise.all(left.map(end))
      }
      return free.pop()
    },
    /** @param testPath - The file that has used the database. */
    async give(database: Database, testPath: string | undefined): Promise<void> {
      if (fileOfFree === testPath) free.push(database)
      else await end(database)
    },
  }
}

/**
 * Opens the database, or takes over an earlier test's connections: new ones cost PostgreSQL 0.1 s of work, and SQLite 3 ms. Closing ends the
 * test's work and keeps the connections, unless the database was listened to.
 */
export async function lend(database: Lendable, location: string): Promise<Db> {
  database.isLent = true
  database.kept ??= openDatabase(location)
  const db = await database.kept.catch((error) => {
    database.kept = undefined
    database.isLent = false
    throw error
  })
  let isClosed = false
  const running = new Set<Promise<unknown>>()
  let hasListened = false
  async function through<T>(act: () => Promise<T>): Promise<T> {
    if (isClosed) throw new Error('The database is closed.')
    const one = act()
    running.add(one)
    try {
      return await one
    } finally {
      running.delete(one)
    }
  }
  return {
    write: (unit) => through(() => db.write(unit)),
    read: (unit) => through(() => db.read(unit)),
    listen(listener) {
      hasListened = true
      return db.listen(listener)
    },
    async close() {
      if (isClosed) return
      isClosed = true
      await Promise.allSettled(running)
      // The first listener of a database is notified immediately that anything may have changed.
      if (hasListened) {
        database.kept = undefined
        await db.close()
      }
      database.isLent = false
    },
  }
}
