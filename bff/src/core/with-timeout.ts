/**
 * Runs `work` with a signal that aborts after `timeoutMs`, or as soon as one of `signals` does. Releases the
 * timer and the listeners when `work` settles, so a long-lived signal accumulates none.
 *
 * `AbortSignal.any([…, AbortSignal.timeout()])` does not work here: on Node 20 that timeout's signal is
 * garbage-collected, and its timer never aborts anything.
 * @throws what `work` throws; the signal's reason is a `TimeoutError` or the reason of the signal that
 *   aborted.
 * @see https://github.com/nodejs/node/pull/57867
 */
export async function withTimeout<T>(
  timeoutMs: number,
  signals: readonly AbortSignal[],
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController()
  const timer = setTimeout(
    () => controller.abort(new DOMException(`Timed out after ${timeoutMs} ms.`, 'TimeoutError')),
    timeoutMs,
  )
  const listeners = signals.map((signal) => {
    const abort = () => controller.abort(signal.reason)
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
    return { signal, abort }
  })
  try {
    return await work(controller.signal)
  } finally {
    clearTimeout(timer)
    for (const { signal, abort } of listeners) signal.removeEventListener('abort', abort)
  }
}
