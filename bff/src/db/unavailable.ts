import { PaymentError } from '../core/errors.ts'

/** `Retry-After` for clients. A restarted database is back within seconds. */
const retryAfterSeconds = 2

/** The database cannot be reached, or is too busy: nothing was stored, and the request can be repeated. */
export class DatabaseUnavailableError extends PaymentError {
  constructor(cause?: unknown) {
    super('DATABASE_UNAVAILABLE', 'The database cannot be reached, or is too busy. Nothing was stored; try again.', {
      retryAfterSeconds,
      cause,
    })
  }
}

/** The connection was lost during a commit, and it could not be found out in time whether the commit was stored. */
export class CommitUnknownError extends PaymentError {
  constructor(cause?: unknown) {
    const message =
      'The connection to the database was lost while the request was stored, so it may or may not be stored. Repeat it with the same Idempotency-Key.'
    super('COMMIT_UNKNOWN', message, { retryAfterSeconds, cause })
  }
}

/** SQLite errors of a single statement, with the file and its disk intact. */
const statementCodes = /^SQLITE_(CONSTRAINT|MISMATCH|TOOBIG|RANGE|ERROR)/

/** Whether the whole database failed, so that every unit would: unreachable, locked, full or damaged. */
export function isDatabaseFault(error: unknown): boolean {
  if (error instanceof DatabaseUnavailableError || error instanceof CommitUnknownError) return true
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return code.startsWith('SQLITE_') && !statementCodes.test(code)
}
