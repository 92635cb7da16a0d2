import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Writer } from '../group-commit.ts'
import { CommitUnknownError } from '../unavailable.ts'
import { ConnectionLostError, connect, isConflict, isStandby, toCallersError, toStatementError } from './connection.ts'
import { locks } from './locks.ts'
import { notifyStatement } from './notifications.ts'
import { statementsOn } from './statements.ts'

/** How long to check whether a commit with a lost response was stored. A restarted server is back within this time. */
export const searchMaxMs = 20_000
const searchEveryMs = 250

/** The response to a commit was lost, and the mark shows that it was not stored: the group can be retried. */
class NotCommittedError extends Error {}

/**
 * The connection that writes.
 *
 * **Writers take turns.** Every group, on any replica, begins by taking one lock that it holds until its commit. So groups run one after
 * the other, as on SQLite: each statement of a group sees everything that earlier groups have stored, and nothing of another group comes
 * in between. This is serial execution, for which READ COMMITTED is enough, because each statement reads what was committed before it,
 * and the lock was taken before the first one. (With SERIALIZABLE, groups of replicas would undo one another: each reads and writes some
 * page of every index.) For the same reason, the numbers of payments, events and deliveries grow in commit order, and a reader of
 * `number > last` skips no row. If an outside transaction interferes, such as a person's at a terminal, 40001 and 40P01 make the group
 * run again.
 *
 * **A commit is never misreported.** Each group writes its number into this process's row of `group_commits`. If the connection is lost
 * during COMMIT, a new connection takes the same lock, which the lost session holds as long as its transaction can still be committed,
 * and reads the row: the number is there exactly when the group is. This also holds after a failover, because the row is replicated with
 * the group. If the row cannot be read in time, the group is rejected with `CommitUnknownError`: callers repeat with their idempotency
 * key, which finds the payment if it was stored, and workers read their rows again.
 */
export function createWriter(url: string, searchMs: number): Writer & { close(): Promise<void> } {
  const id = randomUUID()
  let number = 0
  let client: pg.Client | undefined
  let changes = 0
  /** The first failure in the transaction. PostgreSQL refuses later statements. */
  let failure: unknown

  /** Corks the socket, so that it sends the statements of one turn together: each write is a system call. */
  function current(): pg.Client {
    if (!client) throw new ConnectionLostError('it was lost before')
    const { stream } = client.connection
    if (stream.writableCorked === 0) {
      stream.cork()
      process.nextTick(() => stream.uncork())
    }
    return client
  }

  /** Sends statements without waiting for earlier responses. The server runs them in order. */
  const connectWriter = () => connect(url, { pipeline: true })

  function drop(): void {
    void client?.end().catch(() => undefined)
    client = undefined
  }

  async function query(text: string): Promise<pg.QueryResult> {
    try {
      return await current().query(text)
    } catch (thrown) {
      // A new connection may reach the new primary.
      const error = isStandby(thrown) ? new ConnectionLostError(thrown) : toStatementError(thrown)
      if (error instanceof ConnectionLostError) drop()
      throw error
    }
  }

  /** @throws {CommitUnknownError} when the result is unknown in time. */
  async function isCommitted(cause: unknown): Promise<boolean> {
    const endMs = performance.now() + searchMs
    while (performance.now() < endMs) {
      try {
        client ??= await connectWriter()
        await query(`begin; select pg_advisory_xact_lock(${locks.writers})`)
        const { rows } = await query(
          `select 1 as found from group_commits where writer = '${id}' and number = ${number}`,
        )
        await query('rollback')
        return rows.length === 1
      } catch {
        drop()
        await sleep(searchEveryMs)
      }
    }
    throw new CommitUnknownError(cause)
  }

  /** Statements of the transaction that were not awaited. */
  let unawaited: Promise<unknown>[] = []
  const statements = statementsOn(current, {
    writing: () => {
      changes += 1
    },
    failed: (error) => {
      changes += 1
      failure ??= error
      if (error instanceof ConnectionLostError) drop()
    },
  })

  return {
    statements: {
      ...statements,
      // `failed` has noted the failure.
      write: (statement) => void unawaited.push(statements.run(statement).catch(() => undefined)),
    },
    async written() {
      await Promise.all(unawaited)
      unawaited = []
    },
    changes: () => changes,
    failure: () => failure,
    async begin() {
      failure = undefined
      unawaited = []
      client ??= await connectWriter()
      number += 1
      await query(`
          begin isolation level read committed read write;
          select pg_advisory_xact_lock(${locks.writers});
          insert into group_commits (writer, number, committed_at) values ('${id}', ${number}, now())
            on conflict (writer) do update set number = excluded.number, committed_at = excluded.committed_at`)
    },
    async commit(notified) {
      const text = notified.size === 0 ? 'commit' : `${notifyStatement(notified)}; commit`
      let isStored: boolean
      try {
        // The last result: there is one for each statement.
        isStored = [await query(text)].flat().at(-1)?.command === 'COMMIT'
      } catch (error) {
        if (!(error instanceof ConnectionLostError)) throw error
        isStored = await isCommitted(error)
      }
      if (!isStored) throw new NotCommittedError()
    },
    async rollback() {
      if (client) await query('rollback').catch(drop)
    },
    savepoint: async () => void (await query('savepoint unit')),
    release: async () => void (await query('release savepoint unit')),
    async undo() {
      await query('rollback to savepoint unit')
      failure = undefined
    },
    isWorthRepeating: (error) =>
      error instanceof NotCommittedError || error instanceof ConnectionLostError || isConflict(error),
    toCallersError,
    async close() {
      if (client) await query(`delete from group_commits where writer = '${id}'`).catch(() => undefined)
      await client?.end().catch(() => undefined)
    },
  }
}
