import { PaymentError } from '../core/errors.ts'

/** `Retry-After` for clients; a restarted database is back within seconds. */
const retryAfterSeconds = '2'

/** The database cannot be reached, or is too busy: nothing was stored, and the request can be repeated. */
export class DatabaseUnavailableError extends PaymentError {
  constructor(cause?: unknown) {
    super('DATABASE_UNAVAILABLE', 'The database cannot be reached, or is too busy. Nothing was stored; try again.', {
      status: 503,
      error: 'Database unavailable',
      headers: { 'Retry-After': retryAfterSeconds },
    })
    this.cause = cause
  }
}

/** The service cannot use the PostgreSQL database. The message is for the operator and contains no password. */
export class PostgresError extends Error {}

/** The connection was lost during a commit, and nobody could say in time whether the commit was done. */
export class CommitUnknownError extends PaymentError {
  constructor(cause?: unknown) {
    const message =
      'The connection to the database was lost while the request was stored, so it may or may not be stored. Repeat it with the same Idempotency-Key.'
    super('COMMIT_UNKNOWN', message, {
      status: 503,
      error: 'Database unavailable',
      headers: { 'Retry-After': retryAfterSeconds },
    })
    this.cause = cause
  }
}

/** SQLite errors of a single statement, with the file and its disk intact. */
const statementCodes = /^SQLITE_(CONSTRAINT|MISMATCH|TOOBIG|RANGE|ERROR)/

/** Whether the database as a whole failed, so that every unit would: not reached, locked, full or damaged. */
export function isDatabaseFault(error: unknown): boolean {
  if (error instanceof DatabaseUnavailableError || error instanceof CommitUnknownError) return true
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return code.startsWith('SQLITE_') && !statementCodes.test(code)
}
