import { setTimeout as sleep } from 'node:timers/promises'
import type { z } from 'zod'
import { readBounded } from '../../core/read-bounded.ts'
import { withTimeout } from '../../core/with-timeout.ts'
import { RelayDownError, RelayRefusal } from './relay-faults.ts'
import { refusalResponse } from './relay-schemas.ts'

/** The relay's base URL, and our API key for it. */
export type RelayAccess = { baseUrl: string; apiKey: string | null }

/** The list of all chains is the largest response. */
const bodyMaxBytes = 8 * 1024 * 1024

/** Pause before the second attempt; doubles with each further attempt. */
const pauseMs = 250

/** The longest `Retry-After` that a request waits for. A longer one fails the request. */
const patienceMaxMs = 2_000

/** Default for the `Retry-After` of a busy relay. */
const busyMs = 1_000

/** Errors of the relay's own sources, which clear within seconds. */
const transientCodes: ReadonlySet<string> = new Set([
  'PRICE_FETCH_FAILED',
  'SERVICE_UNAVAILABLE',
  'REQUEST_TIMED_OUT',
  'RPC_HTTP_ERROR',
])

export type RelayCall<Schema extends z.ZodType> = {
  path: string
  /** With a body the request is a POST. */
  body?: object
  schema: Schema
  /** Timeout of one attempt. */
  timeoutMs: number
  attempts: number
  signal?: AbortSignal
}

/**
 * Sends a request to the relay, and retries transient errors.
 * @throws {RelayRefusal} when the relay refuses.
 * @throws {RelayDownError} when all attempts fail.
 */
export async function askRelay<Schema extends z.ZodType>(
  access: RelayAccess,
  call: RelayCall<Schema>,
): Promise<z.infer<Schema>> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await askOnce(access, call)
    } catch (error) {
      if (!(error instanceof RelayDownError) || attempt >= call.attempts || call.signal?.aborted) throw error
      const waitMs = error.retryAfterMs ?? pauseMs * 2 ** (attempt - 1)
      if (waitMs > patienceMaxMs) throw error
      await sleep(waitMs, undefined, call.signal ? { signal: call.signal } : {})
    }
  }
}

async function askOnce<Schema extends z.ZodType>(
  { baseUrl, apiKey }: RelayAccess,
  { path, body, schema, timeoutMs, signal }: RelayCall<Schema>,
): Promise<z.infer<Schema>> {
  const request = async (until: AbortSignal) => {
    const response = await fetch(`${baseUrl}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(apiKey === null ? {} : { 'x-api-key': apiKey }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      // Redirects are errors: a deposit address must come from the configured host.
      redirect: 'error',
      signal: until,
    })
    return {
      status: response.status,
      retryAfter: response.headers.get('retry-after'),
      text: await readBounded(response, bodyMaxBytes),
    }
  }
  const { status, retryAfter, text } = await withTimeout(timeoutMs, signal ? [signal] : [], request).catch((error) => {
    throw new RelayDownError(`The relay did not answer ${path.split('?')[0]}: ${reasonOf(error)}`)
  })
  if (status !== 200) throw faultOf(status, retryAfter, parseJson(text))
  const parsed = schema.safeParse(parseJson(text))
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new RelayDownError(
    `The relay's response is invalid: ${issue?.path.join('.') || 'the answer'}: ${issue?.message}`,
  )
}

function faultOf(status: number, retryAfter: string | null, answer: unknown): Error {
  const refusal = refusalResponse.safeParse(answer)
  const message = refusal.success ? refusal.data.message.slice(0, 200) : ''
  const errorCode = refusal.success ? (refusal.data.errorCode ?? '') : ''
  const said = [errorCode, message].filter(Boolean).join(': ') || 'no reason'
  if (status === 429) return new RelayDownError(`The relay is busy: ${said}`, retryAfterMs(retryAfter) ?? busyMs)
  if (status >= 500 || transientCodes.has(errorCode)) {
    return new RelayDownError(`The relay responded with status ${status}: ${said}`, retryAfterMs(retryAfter))
  }
  if (status >= 400) return new RelayRefusal(status, errorCode, message)
  return new RelayDownError(`The relay responded with status ${status}.`)
}

/** Parses seconds only; a date is ignored. */
function retryAfterMs(header: string | null): number | null {
  return header !== null && /^\d{1,6}$/.test(header) ? Number(header) * 1000 : null
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message
}
