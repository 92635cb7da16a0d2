import pg from 'pg'
import type { Db, Tx, Unit } from '../db.ts'
import { type CommitObserver, groupCommits, unobserved } from '../group-commit.ts'
import { createListeners } from '../listeners.ts'
import { shownDatabase } from '../location.ts'
import { DatabaseUnavailableError } from '../unavailable.ts'
import {
  ConnectionLostError,
  connect,
  examineServer,
  OutdatedStatementError,
  optionsOf,
  PostgresError,
  prepareReader,
  toCallersError,
} from './connection.ts'
import { countersMax } from './counters-pool.ts'
import { migratePostgres, migrationAnswerMs } from './migrate.ts'
import { listenTo } from './notifications.ts'
import { statementsOn } from './statements.ts'
import { createWriter, searchMaxMs } from './writer.ts'

/** Concurrent readers. Few suffice, because a read takes less than a millisecond and a server allows few connections. */
const readersMax = 4

/** Maximum connections of one replica: writer, listener, heartbeats, readers and counters. */
export const connectionsMax = 3 + readersMax + countersMax

/** Reads that may wait for a connection, and how long each waits (the same bound as for a new connection). */
const waitingMax = 10_000
const waitMaxMs = 5_000

/**
 * Maximum attempts of a read: a second one if the server was restarted under an idle connection, and one on a new connection if
 * every reader has prepared the statement for a table that a newer version has changed.
 */
const readsMax = 2
const readsOutdatedMax = readersMax + 1

/**
 * Connects to PostgreSQL, creates or migrates the tables, and returns the port. One connection writes groups of units, a few
 * others read what is committed, and one listens once there is a listener.
 * @param searchMs - How long to check whether a commit with a lost response was stored; tests use less.
 * @throws {PostgresError} when the server cannot be reached, or the service cannot work on it.
 */
export async function openPostgres(
  url: string,
  observer: CommitObserver = unobserved,
  searchMs: number = searchMaxMs,
): Promise<Db> {
  const first = await connectAtStart(url)
  try {
    await examineServer(url, first)
    await migratePostgres(first)
  } finally {
    await first.end().catch(() => undefined)
  }
  const pool = new pg.Pool({
    ...optionsOf(url),
    max: readersMax,
    connectionTimeoutMillis: waitMaxMs,
    onConnect: prepareReader,
  })
  // An idle connection that ends leaves the pool by itself.
  pool.on('error', () => undefined)
  const writer = createWriter(url, searchMs)
  const commits = groupCommits(writer, observer)
  const listeners = createListeners()
  let listening: ReturnType<typeof listenTo> | undefined
  return {
    write: commits.write,
    read: (unit) => read(pool, unit),
    listen(listener) {
      listening ??= listenTo(url, listeners.notify)
      return listeners.add(listener)
    },
    async close() {
      await listening?.stop()
      await commits.idle()
      await writer.close()
      await pool.end()
    },
  }
}

/** At startup no request waits, and the operator reads the message. @throws {PostgresError} */
export async function connectAtStart(url: string): Promise<pg.Client> {
  return await connect(url, { answerMs: migrationAnswerMs }).catch((error: unknown) => {
    throw error instanceof DatabaseUnavailableError ? unreachable(url, error.cause) : error
  })
}

function unreachable(url: string, cause: unknown): PostgresError {
  const { message, code } = (cause instanceof Error ? cause : new Error(String(cause))) as NodeJS.ErrnoException
  return new PostgresError(`PostgreSQL at ${shownDatabase(url)} cannot be reached: ${message || code}.`)
}

async function read<T>(pool: pg.Pool, unit: Unit<T>): Promise<T> {
  if (pool.waitingCount >= waitingMax) throw new DatabaseUnavailableError(new Error(`${waitingMax} reads are waiting.`))
  for (let reads = 1; ; reads++) {
    let client: pg.PoolClient
    try {
      client = await pool.connect()
    } catch (error) {
      throw new DatabaseUnavailableError(error)
    }
    let lost: ConnectionLostError | undefined
    const tx = readerOn(client, (error) => {
      if (error instanceof ConnectionLostError) lost ??= error
    })
    try {
      return await unit(tx)
    } catch (error) {
      if (lost && reads < (lost instanceof OutdatedStatementError ? readsOutdatedMax : readsMax)) continue
      throw toCallersError(error)
    } finally {
      client.release(lost !== undefined)
    }
  }
}

/** The `Tx` of a read-only unit. @param failed - Called with each statement's failure. */
export const readerOn = (client: pg.ClientBase, failed: (error: unknown) => void = () => undefined): Tx => ({
  ...statementsOn(() => client, { writing: () => undefined, failed }),
  write: () => {
    throw new Error('A read-only unit must not write.')
  },
  afterCommit: (done) => done(),
  notify: () => undefined,
})
