import { setTimeout as sleep } from 'node:timers/promises'

/** What a payment looks like now. `etag` names the look; `isOver`: no other will follow. */
export type Look = { etag: string; data: string; isOver: boolean }

/** Where a stream is written to. */
export type Sink = {
  readonly aborted: boolean
  writeSSE(message: { event: string; id: string; data: string; retry?: number }): Promise<void>
  write(text: string): Promise<unknown>
}

export const defaultPace = {
  /** A customer sees it within a second; a change of the chain is read no faster either. */
  lookEveryMs: 1_000,
  /** Proxies close a connection that is silent for a minute, some for half of one. */
  heartbeatMs: 15_000,
  /** Then the client comes again: a stream that nobody reads any more is not kept for ever. */
  lifeMaxMs: 30 * 60_000,
  /** A client that does not read for so long is gone. */
  writeMaxMs: 10_000,
  /** What a client waits before it comes again after a stream has ended. */
  retryMs: 5_000,
}

/**
 * Writes each new look of a payment until it is over, the client is gone, or the service stops.
 * @param known - The look that the client has already.
 */
export async function followPayment(
  sink: Sink,
  look: () => Promise<Look>,
  known: string,
  signal: AbortSignal,
  pace = defaultPace,
): Promise<void> {
  const endsAtMs = performance.now() + pace.lifeMaxMs
  let told = known
  let wroteAtMs = performance.now()
  while (!signal.aborted && !sink.aborted && performance.now() < endsAtMs) {
    const { etag, data, isOver } = await look()
    const isNews = etag !== told
    if (isNews || performance.now() - wroteAtMs >= pace.heartbeatMs) {
      const writing = isNews
        ? sink.writeSSE({ event: 'payment', id: etag, data, retry: pace.retryMs })
        : sink.write(': still here\n\n')
      if (!(await endsWithin(writing, pace.writeMaxMs))) return
      wroteAtMs = performance.now()
      told = etag
    }
    if (isOver) return
    await sleep(pace.lookEveryMs, undefined, { signal }).catch(() => {})
  }
}

async function endsWithin(writing: Promise<unknown>, ms: number): Promise<boolean> {
  const waiting = new AbortController()
  const late = sleep(ms, false, { signal: waiting.signal }).catch(() => false)
  const isWritten = await Promise.race([writing.then(() => true), late])
  waiting.abort()
  return isWritten
}
