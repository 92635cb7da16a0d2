import { retryAfterSeconds } from './checkout-error.ts'

export type RetrySettings = {
  fetch: (request: Request, init: RequestInit) => Promise<Response>
  /** Attempts after the first one. */
  maxRetries: number
  /** A longer `Retry-After` is not waited for. */
  maxWaitMs: number
  /** How long one attempt may take until its answer begins. */
  timeoutMs: number
  /** Rejects when the signal aborts. */
  sleep: (ms: number, signal: AbortSignal) => Promise<unknown>
}

/** Between attempts after a connection that failed, which names no time. */
const connectionWaitMs = 1_000

/**
 * Sends a request again after a 429 or 503 whose `Retry-After` is short enough, and after a connection that failed.
 * @param isRepeatable - Whether a second arrival changes nothing. Else only a 429 is sent again: after a 503 and a lost connection the first
 * request may have been carried out.
 * @throws what `fetch` threw last; a `TimeoutError` when no answer came in time.
 */
export async function retryingFetch(
  request: Request,
  isRepeatable: boolean,
  settings: RetrySettings,
): Promise<Response> {
  for (let retriesLeft = settings.maxRetries; retriesLeft > 0; retriesLeft -= 1) {
    const result = await attempt(request.clone(), settings)
    const waitMs = waitBeforeRetry(result, isRepeatable)
    if (waitMs === null || waitMs > settings.maxWaitMs || request.signal.aborted) return settled(result)
    if ('response' in result) await result.response.body?.cancel()
    await settings.sleep(waitMs, request.signal)
  }
  return settled(await attempt(request, settings))
}

type Result = { response: Response } | { error: unknown }

async function attempt(request: Request, { fetch, timeoutMs }: RetrySettings): Promise<Result> {
  const timeout = new AbortController()
  const timer = setTimeout(() => timeout.abort(new DOMException('No answer in time.', 'TimeoutError')), timeoutMs)
  try {
    return { response: await fetch(request, { signal: AbortSignal.any([request.signal, timeout.signal]) }) }
  } catch (error) {
    return { error }
  } finally {
    // What comes after the headers may take its time: a stream of events does not end.
    clearTimeout(timer)
  }
}

function settled(result: Result): Response {
  if ('error' in result) throw result.error
  return result.response
}

/** @returns null where the result is final. */
function waitBeforeRetry(result: Result, isRepeatable: boolean): number | null {
  if ('error' in result) return isRepeatable ? connectionWaitMs : null
  const { status } = result.response
  if (status !== 429 && !(status === 503 && isRepeatable)) return null
  const seconds = retryAfterSeconds(result.response)
  return seconds === null ? null : seconds * 1_000
}
