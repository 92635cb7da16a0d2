import type { Readable } from 'node:stream'
import { type Dispatcher, request } from 'undici'
import type { Result } from './delivery-retry.ts'
import { TargetRefusedError } from './target.ts'

/** More than any acknowledgement; the connection of a receiver that goes on is closed. */
const answerBytesMax = 64 * 1024

/** Kept for the merchant to see: enough for an error's first lines. */
const answerKeptBytes = 2 * 1024

/** The status is known by then: the rest is read only so that the connection can be used again. */
const answerTimeoutMs = 5_000

/** Long enough to find it in a log; a receiver's words never come here, only ours. */
const errorCharsMax = 200

type Post = { url: string; headers: Record<string, string>; body: string }

/**
 * One try. Never follows a redirect, never throws.
 * @returns undefined when `signal` ended it before the receiver answered.
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
  // Over all: undici's own timeouts start anew with the connection and with every piece of the answer.
  const timer = setTimeout(() => {
    hasTimedOut = true
    abort.abort()
  }, timeoutMs)
  try {
    const answer = await request(url, { dispatcher: agent, method: 'POST', headers, body, signal: abort.signal })
    const bodyTimer = setTimeout(() => abort.abort(), Math.min(answerTimeoutMs, timeoutMs))
    const text = await skim(answer.body).finally(() => clearTimeout(bodyTimer))
    const retryAfter = answer.headers['retry-after']
    return { code: answer.statusCode, retryAfter: typeof retryAfter === 'string' ? retryAfter : null, text }
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
 * Reads on to the end, or to the bound, where it closes the connection. A fault here does not undo the status.
 * @returns how the answer began; what is not text is replaced.
 */
async function skim(body: Readable): Promise<string> {
  let bytes = 0
  const kept: Buffer[] = []
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      if (bytes < answerKeptBytes) kept.push(chunk.subarray(0, answerKeptBytes - bytes))
      bytes += chunk.length
      if (bytes > answerBytesMax) break
    }
  } catch {
    body.destroy()
  }
  // No database takes a NUL into text.
  return kept.length === 0 ? '' : Buffer.concat(kept).toString('utf8').replaceAll('\0', '\ufffd')
}

/** The code, which is stable; the sentence only where it is ours. */
function reasonOf(error: unknown): string {
  if (error instanceof TargetRefusedError) return error.message.slice(0, errorCharsMax)
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined
  return (code ?? (error instanceof Error ? error.name : 'unknown')).slice(0, errorCharsMax)
}
