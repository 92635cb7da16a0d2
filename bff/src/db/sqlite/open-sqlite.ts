import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type SQLite from 'better-sqlite3'
import type { Db, Sql, Tx } from '../db.ts'
import { type CommitObserver, groupCommits, unobserved, type Writer } from '../group-commit.ts'
import { createListeners } from '../listeners.ts'
import { migrate } from '../migrate.ts'
import { refuseMoved } from '../move/moved.ts'
import { connect } from './sqlite-connection.ts'

/** How long a commit waits for another process (a backup, the command line) that holds the write lock. */
const busyTimeoutMs = 5_000

/**
 * Opens the database file, creates or migrates it, and returns the port.
 *
 * There are two connections to the file. The writer commits groups of units. The reader sees only what is committed, so no
 * response ever shows a state that a crash could undo.
 * @throws {Error} when the file was written by a newer version, or cannot be opened.
 * @throws {DatabaseMovedError} when `move` has copied its data to PostgreSQL.
 */
export function openSqlite(path: string, observer: CommitObserver = unobserved): Db {
  mkdirSync(dirname(path), { recursive: true })
  // Only the owner may read a new file; SQLite gives its companion files the same mode.
  if (!existsSync(path)) writeFileSync(path, '', { mode: 0o600, flag: 'a' })
  const writer = configured(path)
  try {
    refuseMoved(path, writer)
    migrate(writer)
  } catch (error) {
    writer.close()
    throw error
  }
  const reader = configured(path)
  reader.pragma('query_only = on')
  const readTx: Tx = { ...statements(reader).statements, afterCommit: (done) => done(), notify: () => undefined }
  const listeners = createListeners()
  const commits = groupCommits(writerOf(writer, listeners.notify), observer)
  return {
    write: commits.write,
    read: (unit) => unit(readTx),
    listen: listeners.add,
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
  // Savepoints copy the pages that they change; in a temporary file that would cost more than the changes.
  connection.pragma('temp_store = memory')
  // Payments have random ids, so each insert is on another page of their index. Cached pages are not read again.
  connection.pragma('cache_size = -65536')
  // A page that many commits change is copied from the log to the file once for all of them. The log stays below 40 MB.
  connection.pragma('wal_autocheckpoint = 10000')
  connection.pragma('foreign_keys = on')
  connection.pragma(`busy_timeout = ${busyTimeoutMs}`)
  // The database's clock is this machine's. A `bigint`, because a `number` would be a real.
  connection.function('now_ms', () => BigInt(Date.now()))
  return connection
}

/** Lists are bound as JSON. */
const bound = ({ params }: Sql) =>
  params.map((param) => (typeof param === 'object' && param ? JSON.stringify(param) : param))

/** Prepares each statement of the source once: its template strings are one object for the life of the process. */
function statements(connection: SQLite.Database): Pick<Writer, 'statements' | 'changes'> {
  const prepared = new WeakMap<TemplateStringsArray, SQLite.Statement>()
  const prepare = ({ strings, params }: Sql): SQLite.Statement => {
    const known = prepared.get(strings)
    if (known) return known
    const placeholders = params.map((param) => (Array.isArray(param) ? '(select value from json_each(?))' : '?'))
    const text = strings.reduce((before, part, index) => `${before}${placeholders[index - 1] ?? ''}${part}`)
    const statement = connection.prepare(text)
    prepared.set(strings, statement)
    return statement
  }
  let changes = 0
  return {
    changes: () => changes,
    statements: {
      run: async (statement) => {
        changes += 1
        return prepare(statement).run(bound(statement)).changes
      },
      write: (statement) => {
        changes += 1
        prepare(statement).run(bound(statement))
      },
      get: async <Row>(statement: Sql) => {
        const known = prepare(statement)
        // `insert … returning` writes too.
        if (!known.readonly) changes += 1
        return known.get(bound(statement)) as Row | undefined
      },
      all: async <Row>(statement: Sql) => prepare(statement).all(bound(statement)) as Row[],
    },
  }
}

/** The writing connection in the form that group commits use. */
function writerOf(connection: SQLite.Database, notify: (ids: ReadonlySet<string>) => void): Writer {
  const { statements: ofUnits, changes } = statements(connection)
  const begin = connection.prepare('begin immediate')
  const commit = connection.prepare('commit')
  const rollback = connection.prepare('rollback')
  const savepoint = connection.prepare('savepoint unit')
  const release = connection.prepare('release unit')
  const undo = connection.prepare('rollback to unit')
  return {
    statements: ofUnits,
    changes,
    // SQLite undoes a failed statement, and the transaction continues.
    failure: () => undefined,
    begin: async () => void begin.run(),
    written: async () => undefined,
    async commit(notified) {
      commit.run()
      if (notified.size > 0) notify(notified)
    },
    rollback: async () => void (connection.inTransaction && rollback.run()),
    savepoint: async () => void savepoint.run(),
    release: async () => void release.run(),
    undo: async () => void undo.run(),
    // SQLite itself waits for other processes, for up to `busyTimeoutMs`.
    isWorthRepeating: () => false,
    toCallersError: (reason) => reason,
  }
}
