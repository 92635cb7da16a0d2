import { setTimeout as sleep } from 'node:timers/promises'
import { createWakeSignal } from '../../core/wake-signal.ts'

/** The public view of a payment at one time, as JSON. `isOver`: the view can no longer change. */
export type Snapshot = { etag: string; data: string; isOver: boolean }

/** The followed source: a payment, or a merchant's list of payments. */
export type Source = {
  /** The name of the stream's events. */
  event: string
  /** Null: the reader may no longer follow the source. */
  readSnapshot(): Promise<Snapshot | null>
  /** Registers `wake`, to be called when the source may have changed. @returns a function that unregisters it. */
  listen(wake: () => void): () => void
}

/** The stream that snapshots are written to. */
export type Sink = {
  readonly aborted: boolean
  writeSSE(message: { event: string; id: string; data: string; retry?: number }): Promise<void>
  write(text: string): Promise<unknown>
}

export const defaultPace = {
  /** The poll interval when no change notification arrives: a customer sees each change within about a second. */
  pollMs: 1_000,
  /** Proxies close a connection without data after a minute, some after 30 seconds. */
  heartbeatMs: 15_000,
  /** The stream ends after this time and the client connects again, so that abandoned streams do not stay open. */
  lifeMaxMs: 30 * 60_000,
  /** A client that reads nothing for this long is disconnected. */
  writeMaxMs: 10_000,
  /** The time a client waits before it reconnects. */
  retryMs: 5_000,
}

/**
 * Writes each new snapshot until the source can no longer change, the client disconnects, or the service stops.
 * @param known - The etag of the client's latest snapshot.
 */
export async function followPayment(
  sink: Sink,
  { event, readSnapshot, listen }: Source,
  known: string,
  signal: AbortSignal,
  pace = defaultPace,
): Promise<void> {
  const endsAtMs = performance.now() + pace.lifeMaxMs
  const wakeSignal = createWakeSignal()
  const endListening = listen(wakeSignal.wake)
  signal.addEventListener('abort', wakeSignal.wake)
  let sent = known
  let wroteAtMs = performance.now()
  try {
    while (!signal.aborted && !sink.aborted && performance.now() < endsAtMs) {
      const snapshot = await readSnapshot()
      if (snapshot === null) return
      const { etag, data, isOver } = snapshot
      const isNew = etag !== sent
      if (isNew || performance.now() - wroteAtMs >= pace.heartbeatMs) {
        const writing = isNew
          ? sink.writeSSE({ event, id: etag, data, retry: pace.retryMs })
          : sink.write(': still here\n\n')
        if (!(await endsWithin(writing, pace.writeMaxMs))) return
        wroteAtMs = performance.now()
        sent = etag
      }
      if (isOver) return
      await wakeSignal.wait(pace.pollMs)
    }
  } finally {
    signal.removeEventListener('abort', wakeSignal.wake)
    endListening()
  }
}

async function endsWithin(writing: Promise<unknown>, ms: number): Promise<boolean> {
  const waiting = new AbortController()
  const late = sleep(ms, false, { signal: waiting.signal }).catch(() => false)
  const isWritten = await Promise.race([writing.then(() => true), late])
  waiting.abort()
  return isWritten
}
