import { setTimeout as sleep } from 'node:timers/promises'
import type { z } from 'zod'
import { withTimeout } from '../../core/with-timeout.ts'
import { refusalAnswer } from './relay-schemas.ts'

/** Where the relay is, and as whom it is asked. */
export type RelayAccess = { baseUrl: string; apiKey: string | null }

/** The list of all chains is by far the longest answer. */
const bodyMaxBytes = 8 * 1024 * 1024

/** First pause before a second try; doubles. */
const pauseMs = 250

/** A relay that asks for more patience than this is not waited for: the caller is told instead. */
const patienceMaxMs = 2_000

/** A relay that is busy and does not say for how long. */
const busyMs = 1_000

/** Faults of the relay's own sources that are over in a moment. */
const transientCodes: ReadonlySet<string> = new Set([
  'PRICE_FETCH_FAILED',
  'SERVICE_UNAVAILABLE',
  'REQUEST_TIMED_OUT',
  'RPC_HTTP_ERROR',
])

/** It understood and said no; asking again does not help. `errorCode` is Relay's, empty where it gave none. */
export class RelayRefusal extends Error {
  readonly status: number
  readonly errorCode: string

  constructor(status: number, errorCode: string, message: string) {
    super(message)
    this.name = 'RelayRefusal'
    this.status = status
    this.errorCode = errorCode
  }
}

/** It could not be reached, was busy, or answered what cannot be read; later it may be well. */
export class RelayDownError extends Error {
  /** What it asked for, null where it asked for nothing. */
  readonly retryAfterMs: number | null

  constructor(reason: string, retryAfterMs: number | null = null) {
    super(reason)
    this.name = 'RelayDownError'
    this.retryAfterMs = retryAfterMs
  }
}

export type RelayCall<Schema extends z.ZodType> = {
  path: string
  /** With a body it is a POST. */
  body?: object
  schema: Schema
  /** Of one try. */
  timeoutMs: number
  tries: number
  signal?: AbortSignal
}

/**
 * Asks the relay, and again where that may help.
 * @throws {RelayRefusal} when it says no.
 * @throws {RelayDownError} when it does not answer with what was asked for, after all tries.
 */
export async function askRelay<Schema extends z.ZodType>(
  access: RelayAccess,
  call: RelayCall<Schema>,
): Promise<z.infer<Schema>> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await askOnce(access, call)
    } catch (error) {
      if (!(error instanceof RelayDownError) || attempt >= call.tries || call.signal?.aborted) throw error
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
    const answer = await fetch(`${baseUrl}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(apiKey === null ? {} : { 'x-api-key': apiKey }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      // A deposit address is only believed from whom we asked.
      redirect: 'error',
      signal: until,
    })
    return { status: answer.status, retryAfter: answer.headers.get('retry-after'), text: await readBounded(answer) }
  }
  const { status, retryAfter, text } = await withTimeout(timeoutMs, signal ? [signal] : [], request).catch((error) => {
    throw new RelayDownError(`The relay did not answer ${path.split('?')[0]}: ${reasonOf(error)}`)
  })
  if (status !== 200) throw faultOf(status, retryAfter, parseJson(text))
  const parsed = schema.safeParse(parseJson(text))
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new RelayDownError(
    `The relay's answer cannot be read: ${issue?.path.join('.') || 'the answer'}: ${issue?.message}`,
  )
}

function faultOf(status: number, retryAfter: string | null, answer: unknown): Error {
  const refusal = refusalAnswer.safeParse(answer)
  const message = refusal.success ? refusal.data.message.slice(0, 200) : ''
  const errorCode = refusal.success ? (refusal.data.errorCode ?? '') : ''
  const said = [errorCode, message].filter(Boolean).join(': ') || 'no reason'
  if (status === 429) return new RelayDownError(`The relay is busy: ${said}`, retryAfterMs(retryAfter) ?? busyMs)
  if (status >= 500 || transientCodes.has(errorCode)) {
    return new RelayDownError(`The relay has a fault (${status}): ${said}`, retryAfterMs(retryAfter))
  }
  if (status >= 400) return new RelayRefusal(status, errorCode, message)
  return new RelayDownError(`The relay answered with status ${status}.`)
}

/** Seconds; a date is not worth the trouble. */
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

async function readBounded(answer: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of answer.body ?? []) {
    bytes += chunk.length
    // Leaving the loop closes the connection.
    if (bytes > bodyMaxBytes) throw new Error(`It answered with more than ${bodyMaxBytes} bytes.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message
}
