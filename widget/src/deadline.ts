/**
 * Makes a request that is given up after `timeoutMs`, or when `signal` is aborted. The timer is held here until the request has
 * ended: one that only `AbortSignal.any` holds is lost to the garbage collector in some engines, and the request then hangs.
 * @throws {DOMException} `TimeoutError` when the time is up.
 */
export async function withDeadline<Answer>(
  timeoutMs: number,
  request: (signal: AbortSignal) => Promise<Answer>,
  signal?: AbortSignal,
): Promise<Answer> {
  const controller = new AbortController()
  const giveUp = () => controller.abort(signal?.reason)
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
