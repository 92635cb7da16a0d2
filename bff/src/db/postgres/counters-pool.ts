import pg from 'pg'
import { optionsOf, prepareSession } from './connection.ts'

/** Concurrent connections: one count takes less than a millisecond. */
export const countersMax = 2

/** How long a count waits for a connection; its request has given up by then. */
const waitMaxMs = 500

/** The longest statement: another replica may hold the row, or delete it with others. */
const statementMaxMs = 1_000

/**
 * Connections for counters that may be lost in a crash. Their commits do not wait for the disk, so a counted
 * request costs one round trip.
 */
export function openCountersPool(url: string): pg.Pool {
  const pool = new pg.Pool({
    ...optionsOf(url),
    max: countersMax,
    connectionTimeoutMillis: waitMaxMs,
    async onConnect(client) {
      await prepareSession(client)
      await client.query(`set synchronous_commit = off; set statement_timeout = ${statementMaxMs}`)
    },
  })
  // A connection that ends while it is idle leaves the pool by itself.
  pool.on('error', () => undefined)
  return pool
}
