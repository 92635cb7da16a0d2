/**
 * The only error a caller may see. Everything else becomes a 500 without details and a log line.
 * `error` is the short reason, `message` (of Error) the sentence with the values, `code` is stable.
 */
export class PaymentError extends Error {
  readonly code: string
  readonly error: string
  readonly status: 400 | 401 | 403 | 404 | 409 | 413 | 415 | 429 | 500 | 503
  readonly headers: Readonly<Record<string, string>>
  /** Further fields of the response, which clients of one route read. */
  readonly fields: Readonly<Record<string, unknown>>

  constructor(
    code: string,
    message: string,
    options: {
      status: PaymentError['status']
      error?: string
      headers?: Record<string, string>
      fields?: Record<string, unknown>
    },
  ) {
    super(message)
    this.name = 'PaymentError'
    this.code = code
    this.error = options.error ?? message
    this.status = options.status
    this.headers = options.headers ?? {}
    this.fields = options.fields ?? {}
  }
}

/** A field breaks a rule: 400, `error` says that validation failed and `message` names the field and the rule. */
export class ValidationError extends PaymentError {
  /** The field of the request; null when the failed check names no field. */
  readonly field: string | null

  constructor(message: string, code = 'VALIDATION_FAILED', field: string | null = null) {
    super(code, message, { status: 400, error: 'Validation failed' })
    this.field = field
  }
}
