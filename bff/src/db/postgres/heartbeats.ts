import pg from 'pg'
import type { Heartbeats } from '../lease-store.ts'
import { DatabaseUnavailableError } from '../unavailable.ts'
import { ConnectionLostError, optionsOf, prepareSession, toCallersError } from './connection.ts'
import { statementsOn } from './statements.ts'

/** How long a heartbeat waits for a new connection. */
const waitMaxMs = 2_000

/** The longest statement, and how long its answer is waited for: a few of them fit into a lease. */
const statementMaxMs = 2_000
const answerMaxMs = 2_500

/**
 * A separate connection for heartbeats. Each statement is its own transaction and does not queue behind
 * groups of writes: under load it would wait longer than a lease lasts, and a healthy replica would lose its
 * leases.
 *
 * **That is safe for renewals,** although `writer.ts` and `fenced.ts` count on writers taking turns. What
 * workers' writes read of a lease is its holder and its epoch, and a renewal changes neither: it moves the
 * end of a row that says `holder = me and epoch = mine`. Taking a lease changes the same row, so that
 * PostgreSQL has one wait for the other, and the second one reads its condition again (READ COMMITTED): a
 * renewal that comes after the takeover finds another epoch and changes nothing, and a takeover that comes
 * after the renewal finds an end that has not come. One row for each transaction: it can be in no deadlock.
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
  // A connection that ends while it is idle leaves the pool by itself.
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
