import type { ErrorCode } from './error-codes.generated.ts'

/** What the service returns where it refuses or fails. Some refusals have further fields, such as `fallback`. */
export type ErrorBody = {
  success: false
  error: string
  message: string
  code: ErrorCode | (string & {})
  readonly [field: string]: unknown
}

type Details = {
  code: CheckoutError['code']
  status: number
  body?: ErrorBody | undefined
  requestId?: string | null
  retryAfterSeconds?: number | null
  idempotencyKey?: string | null
  cause?: unknown
}

/** A call that was refused or failed. Every operation of the client rejects with it, unless the caller's own signal aborted the call. */
export class CheckoutError extends Error {
  override readonly name = 'CheckoutError'
  /** For programs: the service's code, `HTTP_<status>` where the answer is not the service's, `CONNECTION_FAILED` or `TIMEOUT` where none came. */
  readonly code: ErrorCode | 'CONNECTION_FAILED' | 'TIMEOUT' | (string & {})
  /** HTTP status; 0 where no answer came. */
  readonly status: number
  /** The service's own answer, absent where a proxy answered or nobody did. */
  readonly body: ErrorBody | undefined
  /** Finds the call in the service's log. */
  readonly requestId: string | null
  /** How long to wait before the next attempt, in seconds, where the service names it. */
  readonly retryAfterSeconds: number | null
  /** The key that a create was sent with. Repeat the create with it after a fault: the same payment is returned, never a second one. */
  readonly idempotencyKey: string | null

  constructor(message: string, details: Details) {
    super(message, { cause: details.cause })
    this.code = details.code
    this.status = details.status
    this.body = details.body
    this.requestId = details.requestId ?? null
    this.retryAfterSeconds = details.retryAfterSeconds ?? null
    this.idempotencyKey = details.idempotencyKey ?? null
  }
}

/**
 * @param answer - The body of the response: parsed where it is JSON, else its text.
 * @returns the error of a response that is no success.
 */
export function errorOfResponse(response: Response, answer: unknown, idempotencyKey: string | null): CheckoutError {
  const body = isErrorBody(answer) ? answer : undefined
  return new CheckoutError(body?.message ?? foreignMessage(response), {
    code: body?.code ?? `HTTP_${response.status}`,
    status: response.status,
    body,
    requestId: response.headers.get('X-Request-Id'),
    retryAfterSeconds: retryAfterSeconds(response),
    idempotencyKey,
  })
}

/** @returns the seconds of `Retry-After`, null where there is none or it is a date, which the service never sends. */
export function retryAfterSeconds(response: Response): number | null {
  const text = response.headers.get('Retry-After') ?? ''
  return /^\d{1,9}$/.test(text) ? Number(text) : null
}

function isErrorBody(answer: unknown): answer is ErrorBody {
  const { code, message } = (answer ?? {}) as Partial<ErrorBody>
  return typeof code === 'string' && typeof message === 'string'
}

function foreignMessage({ status, headers }: Response): string {
  const target = headers.get('Location')
  if (target !== null)
    return `The address redirects to ${target}. Name the final address in baseUrl: keys are sent to no other.`
  return `HTTP status ${status} without an answer of the service. Check baseUrl and what stands before the service.`
}
