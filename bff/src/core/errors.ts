import { type ErrorCode, type ErrorStatus, errorCodes } from './error-codes.ts'

/** What a refusal has beside its code and sentence. */
type Details = {
  /** Where it is not the status of the code. */
  status?: ErrorStatus
  /** Where it is not the short reason of the code. */
  error?: string
  retryAfterSeconds?: number | undefined
  /** Further fields of the response, which clients of one route read. */
  fields?: Record<string, unknown>
  cause?: unknown
}

/**
 * The only error a caller may see. Everything else becomes a 500 without details and a log line. The code brings status and short reason
 * (`error-codes.ts`); `message` is the sentence with the values.
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

/** A field breaks a rule: `error` says that validation failed and `message` names the field and the rule. */
export class ValidationError extends PaymentError {
  /** The field of the request; null when the failed check names no field. */
  readonly field: string | null

  constructor(message: string, code: ErrorCode = 'VALIDATION_FAILED', field: string | null = null) {
    super(code, message)
    this.field = field
  }
}

/** A fault that its message explains in full to whoever runs a command: no stack is printed. Never reaches a caller of the API. */
export class OperatorError extends Error {}
