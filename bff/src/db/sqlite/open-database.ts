import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type SQLite from 'better-sqlite3'
import type { Db, Sql, Tx, Unit } from '../db.ts'
import { migrate } from '../migrate.ts'
import { connect } from './connection.ts'

/** Units that share one commit at the most: bounds how long the first of them waits for the last. */
const groupMax = 200

/** Units that may wait for a commit: beyond it the disk is too slow for the load, and saying so beats running out of memory. */
const queueMax = 20_000

/** Another process (a backup, the command line) may hold the write lock for this long before a commit fails. */
const busyTimeoutMs = 5_000

/** Told of every commit: `units` shared it, and it took so long from its first unit to the disk. */
export type CommitObserver = { committed(tookMs: number, units: number): void; commitFailed(): void }

const unobserved: CommitObserver = { committed: () => undefined, commitFailed: () => undefined }

type Waiting = { unit: Unit<unknown>; resolve: (value: unknown) => void; reject: (reason: unknown) => void }

/**
 * Opens the database file, creates or migrates it, and returns the port.
 *
 * Two connections to one file: the writer commits groups of units, and the reader sees only what is committed, so
 * that no answer ever shows a state that a crash could take back.
 * @throws {Error} when the file was written by a newer version, or cannot be opened.
 */
export function openDb(path: string, observer: CommitObserver = unobserved): Db {
  mkdirSync(dirname(path), { recursive: true })
  // A new file is nobody else's to read; SQLite gives those beside it the same mode.
  if (!existsSync(path)) writeFileSync(path, '', { mode: 0o600, flag: 'a' })
  const writer = configured(path)
  migrate(writer)
  const reader = configured(path)
  reader.pragma('query_only = on')
  const tx = statements(writer)
  const readTx: Tx = { ...statements(reader), afterCommit: (done) => done() }
  const commits = groupCommits(writer, tx, observer)
  return {
    write: commits.write,
    read: (unit) => unit(readTx),
    async close() {
      await commits.idle()
      reader.close()
      writer.pragma('wal_checkpoint(truncate)')
      writer.close()
    },
  }
}

function configured(path: string): SQLite.Database {
  const connection = connect(path)
  connection.pragma('journal_mode = wal')
  // better-sqlite3 is compiled with NORMAL for WAL, which may lose the last commits when the power fails.
  connection.pragma('synchronous = full')
  connection.pragma('fullfsync = on')
  // Savepoints copy the pages they change; in a temporary file that would cost more than the changes.
  connection.pragma('temp_store = memory')
  // Payments have random ids, so each insert is on another page of their index: what is kept in memory is not read again.
  connection.pragma('cache_size = -65536')
  // A page that many commits change is copied from the log to the file once for all of them. The log stays below 40 MB.
  connection.pragma('wal_autocheckpoint = 10000')
  connection.pragma('foreign_keys = on')
  connection.pragma(`busy_timeout = ${busyTimeoutMs}`)
  return connection
}

/** `changes` counts the statements that may have written. */
type CountingTx = Tx & {
  changes(): number
  /** What the last unit wants done after the commit; forgotten by asking. */
  takeDone(): (() => void)[]
}

/** Prepares each statement of the source once: its template's strings are one object for the life of the process. */
function statements(connection: SQLite.Database): CountingTx {
  const prepared = new WeakMap<TemplateStringsArray, SQLite.Statement>()
  const prepare = ({ strings }: Sql): SQLite.Statement => {
    const known = prepared.get(strings)
    if (known) return known
    const statement = connection.prepare(strings.join('?'))
    prepared.set(strings, statement)
    return statement
  }
  let changes = 0
  let done: (() => void)[] = []
  return {
    changes: () => changes,
    takeDone() {
      const taken = done
      done = []
      return taken
    },
    afterCommit: (one) => void done.push(one),
    run: async (statement) => {
      changes += 1
      return prepare(statement).run(statement.params).changes
    },
    get: async <Row>(statement: Sql) => {
      const known = prepare(statement)
      // `insert … returning` writes too.
      if (!known.readonly) changes += 1
      return known.get(statement.params) as Row | undefined
    },
    all: async <Row>(statement: Sql) => prepare(statement).all(statement.params) as Row[],
  }
}

/** Group commit: what queues up while one commit runs shares the next one; a unit that fails takes nothing of the others with it. */
function groupCommits(connection: SQLite.Database, tx: CountingTx, observer: CommitObserver) {
  const begin = connection.prepare('begin immediate')
  const commit = connection.prepare('commit')
  const rollback = connection.prepare('rollback')
  const savepoint = connection.prepare('savepoint unit')
  const release = connection.prepare('release unit')
  const undo = connection.prepare('rollback to unit')
  const queue: Waiting[] = []
  let running: Promise<void> | undefined

  /** Runs the group in one transaction. @returns false when a unit wrote and then failed: the group is then rolled back. */
  async function runGroup(group: Waiting[], isGuarded: boolean): Promise<boolean> {
    const settled: (() => void)[] = []
    const startedMs = performance.now()
    try {
      begin.run()
      for (const { unit, resolve, reject } of group) {
        if (isGuarded) savepoint.run()
        const changesBefore = tx.changes()
        try {
          const value = await unit(tx)
          settled.push(...tx.takeDone(), () => resolve(value))
        } catch (reason) {
          tx.takeDone()
          if (isGuarded) undo.run()
          else if (tx.changes() !== changesBefore) {
            rollback.run()
            return false
          }
          settled.push(() => reject(reason))
        }
        if (isGuarded) release.run()
      }
      commit.run()
    } catch (reason) {
      if (connection.inTransaction) rollback.run()
      tx.takeDone()
      observer.commitFailed()
      for (const { reject } of group) reject(reason)
      return true
    }
    observer.committed(performance.now() - startedMs, group.length)
    for (const settle of settled) settle()
    return true
  }

  async function drain(): Promise<void> {
    // After the poll phase, so that all requests that arrived together are in the first group.
    await new Promise((resolve) => setImmediate(resolve))
    while (queue.length > 0) {
      const group = queue.splice(0, groupMax)
      // A savepoint each costs a third of the throughput, so it is taken only when a unit has to be undone.
      if (!(await runGroup(group, false))) await runGroup(group, true)
      await new Promise((resolve) => setImmediate(resolve))
    }
  }

  return {
    write<T>(unit: Unit<T>): Promise<T> {
      if (queue.length >= queueMax) return Promise.reject(new Error(`More than ${queueMax} writes are waiting.`))
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
