import { type ErrorCode, type ErrorStatus, errorCodes } from './error-codes.ts'

/** The parts of a refusal beside its code and sentence. */
type Details = {
  /** Replaces the code's status. */
  status?: ErrorStatus
  /** Replaces the code's short reason. */
  error?: string
  retryAfterSeconds?: number | undefined
  /** Additional fields of the response, which clients of one route read. */
  fields?: Record<string, unknown>
  cause?: unknown
}

/**
 * The only error that a caller may see. Everything else becomes a 500 without details, and a log line. The code determines status and
 * short reason (`error-codes.ts`); `message` is the sentence with the values.
 */
export class PaymentError extends Error {
  readonly code: ErrorCode
  readonly error: string
  readonly status: ErrorStatus
  /** `Retry-After` of the response. */
  readonly retryAfterSeconds: number | undefined
  readonly fields: Readonly<Record<string, unknown>>

  constructor(code: ErrorCode, message: string, details: Details = {}) {
    super(message, { cause: details.cause })
    this.name = 'PaymentError'
    this.code = code
    this.error = details.error ?? errorCodes[code].error ?? message
    this.status = details.status ?? errorCodes[code].status
    this.retryAfterSeconds = details.retryAfterSeconds
    this.fields = details.fields ?? {}
  }
}

/** A field that breaks a rule. `error` says that validation failed; `message` names the field and the rule. */
export class ValidationError extends PaymentError {
  /** The field of the request; null when the failed check concerns no single field. */
  readonly field: string | null

  constructor(message: string, code: ErrorCode = 'VALIDATION_FAILED', field: string | null = null) {
    super(code, message)
    this.field = field
  }
}

/** An error whose message tells the person at the command line everything, so no stack is printed. Never reaches an API caller. */
export class OperatorError extends Error {}
