import type { Readable } from 'node:stream'
import { type Dispatcher, request } from 'undici'
import { TargetRefusedError } from './target.ts'

/** The body and headers that a receiver of another interface gets in place of the event's. */
type AdaptedCallback = { body: string; headers: (secret: string) => Record<string, string> }

/** @returns null for a callbackUrl that gets the event unchanged. */
export type AdaptCallback = (url: string, body: string) => AdaptedCallback | null

/** The result of one attempt: the receiver's response (`text` is its beginning), or why there was none. */
export type Result = { code: number; retryAfter: string | null; text: string } | { error: string }

/** More than any acknowledgement has. Above this the connection to the receiver is closed. */
const responseBytesMax = 64 * 1024

/** The part of a response that is stored for the merchant: enough for the first lines of an error. */
const responseKeptBytes = 2 * 1024

/** The time to read a response body after its status. The body is read only so that the connection can be reused. */
const responseTimeoutMs = 5_000

/** Longest error text. It never contains text from the receiver. */
const errorCharsMax = 200

type Post = { url: string; headers: Record<string, string>; body: string | Uint8Array }

/**
 * Posts once. Never follows a redirect, never throws.
 * @returns undefined when `signal` ended the request before the receiver responded.
 */
export async function postWebhook(
  agent: Dispatcher,
  { url, headers, body }: Post,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<Result | undefined> {
  const abort = new AbortController()
  const stop = () => abort.abort(signal.reason)
  signal.addEventListener('abort', stop)
  if (signal.aborted) stop()
  let hasTimedOut = false
  // Limits the whole request: undici's own timeouts start again with the connection and with every chunk of the response.
  const timer = setTimeout(() => {
    hasTimedOut = true
    abort.abort()
  }, timeoutMs)
  try {
    const response = await request(url, { dispatcher: agent, method: 'POST', headers, body, signal: abort.signal })
    const bodyTimer = setTimeout(() => abort.abort(), Math.min(responseTimeoutMs, timeoutMs))
    const text = await readStart(response.body).finally(() => clearTimeout(bodyTimer))
    const retryAfter = response.headers['retry-after']
    return { code: response.statusCode, retryAfter: typeof retryAfter === 'string' ? retryAfter : null, text }
  } catch (error) {
    if (hasTimedOut) return { error: `no answer within ${timeoutMs / 1_000} s` }
    if (signal.aborted) return undefined
    return { error: reasonOf(error) }
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
  }
}

/**
 * Reads the response to its end, or to the bound, where the connection is closed. A failure here does not change the status.
 * @returns the beginning of the response, with bytes that are not text replaced.
 */
async function readStart(body: Readable): Promise<string> {
  let bytes = 0
  const kept: Buffer[] = []
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      if (bytes < responseKeptBytes) kept.push(chunk.subarray(0, responseKeptBytes - bytes))
      bytes += chunk.length
      if (bytes > responseBytesMax) break
    }
  } catch {
    body.destroy()
  }
  // PostgreSQL refuses NUL in text.
  return kept.length === 0 ? '' : Buffer.concat(kept).toString('utf8').replaceAll('\0', '\ufffd')
}

/** The error's code, which is stable. Its message only for errors of this service. */
function reasonOf(error: unknown): string {
  if (error instanceof TargetRefusedError) return error.message.slice(0, errorCharsMax)
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined
  return (code ?? (error instanceof Error ? error.name : 'unknown')).slice(0, errorCharsMax)
}
