/**
 * Makes a request that is aborted after `timeoutMs`, or by `signal`. The timer is held here until the request has
 * ended: some engines garbage-collect a timer that only `AbortSignal.any` holds, and the request then hangs.
 * @throws {DOMException} `TimeoutError` after `timeoutMs`.
 */
export async function withDeadline<Answer>(
  timeoutMs: number,
  request: (signal: AbortSignal) => Promise<Answer>,
  signal?: AbortSignal,
): Promise<Answer> {
  const controller = new AbortController()
  const giveUp = () => {
    clearTimeout(timer)
    controller.abort(signal?.reason)
  }
  const timer = setTimeout(
    () => controller.abort(new DOMException(`No answer after ${timeoutMs} ms.`, 'TimeoutError')),
    timeoutMs,
  )
  signal?.addEventListener('abort', giveUp)
  if (signal?.aborted) giveUp()
  try {
    return await request(controller.signal)
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', giveUp)
  }
}
