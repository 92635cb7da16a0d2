import pg from 'pg'
import { optionsOf, prepareSession } from './connection.ts'

/** Connections that count at once: a count takes less than a millisecond. */
export const countersMax = 2

/** How long a count waits for a connection: whoever wants it has given up by then. */
const waitMaxMs = 500

/** The longest statement: another replica may hold the row, or delete it with others. */
const statementMaxMs = 1_000

/**
 * Connections for counts that need not outlive a crash: a commit of theirs does not wait for the disk, so that a call which is counted
 * costs one round trip.
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
