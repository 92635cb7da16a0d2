import pg from 'pg'
import type { Heartbeats } from '../lease-store.ts'
import { DatabaseUnavailableError } from '../unavailable.ts'
import { ConnectionLostError, optionsOf, prepareSession, toCallersError } from './connection.ts'
import { statementsOn } from './statements.ts'

/** How long a heartbeat waits for a new connection. */
const waitMaxMs = 2_000

/** The longest statement, and how long to wait for its response. A few of them fit into a lease. */
const statementMaxMs = 2_000
const answerMaxMs = 2_500

/**
 * A separate connection for heartbeats. Each statement is its own transaction and does not queue behind groups of writes:
 * under load it would wait longer than a lease lasts, and a healthy replica would lose its leases.
 *
 * **This is safe for renewals,** although `writer.ts` and `fenced.ts` rely on writers taking turns. Workers' writes read only
 * the holder and the epoch of a lease, and a renewal changes neither: it moves the end of a row with
 * `holder = me and epoch = mine`. Taking a lease changes the same row, so PostgreSQL makes one wait for the other, and the
 * second one evaluates its condition again (READ COMMITTED): a renewal after a takeover finds another epoch and changes
 * nothing, and a takeover after a renewal finds that the lease has not ended. Each transaction changes only one row, so there
 * can be no deadlock.
 */
export function openHeartbeats(url: string): Heartbeats & { close(): Promise<void> } {
  const pool = new pg.Pool({
    ...optionsOf(url, answerMaxMs),
    max: 1,
    connectionTimeoutMillis: waitMaxMs,
    async onConnect(client) {
      await prepareSession(client)
      await client.query(`set statement_timeout = ${statementMaxMs}`)
    },
  })
  // An idle connection that ends leaves the pool by itself.
  pool.on('error', () => undefined)

  async function ask<T>(statement: (statements: Heartbeats) => Promise<T>): Promise<T> {
    const client = await pool.connect().catch((error: unknown) => {
      throw new DatabaseUnavailableError(error)
    })
    let isLost = false
    const failed = (error: unknown) => {
      isLost = error instanceof ConnectionLostError
    }
    try {
      return await statement(statementsOn(() => client, { writing: () => undefined, failed }))
    } catch (error) {
      throw toCallersError(error)
    } finally {
      client.release(isLost)
    }
  }

  return {
    run: (statement) => ask((statements) => statements.run(statement)),
    get: <Row>(statement: Parameters<Heartbeats['get']>[0]) => ask((statements) => statements.get<Row>(statement)),
    close: () => pool.end(),
  }
}
