import pg from 'pg'
import { optionsOf, prepareSession } from './connection.ts'

/** Concurrent connections. Few suffice, because a count takes less than a millisecond. */
export const countersMax = 2

/**
 * Connections for counters that may be lost in a crash. Their commits do not wait for the disk, so a counted
 * request costs one round trip.
 * @param patienceMs - How long a request waits for its count. A count waits twice as long for a connection, by which time its request
 *   has given up. A statement takes at most four times as long, because another replica may hold the row or be deleting it.
 */
export function openCountersPool(url: string, patienceMs: number): pg.Pool {
  const pool = new pg.Pool({
    ...optionsOf(url),
    max: countersMax,
    connectionTimeoutMillis: 2 * patienceMs,
    async onConnect(client) {
      await prepareSession(client)
      await client.query(`set synchronous_commit = off; set statement_timeout = ${4 * patienceMs}`)
    },
  })
  // An idle connection that ends leaves the pool by itself.
  pool.on('error', () => undefined)
  return pool
}
