import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { runWorker } from '../../core/worker.ts'
import type { Notified } from '../db.ts'
import { connect } from './connection.ts'

const channel = 'stablecoin_checkout'

/** The payload for more ids than fit. PostgreSQL takes less than 8,000 bytes: 216 ids of 36 characters. */
const any = 'any'
const payloadMax = 7_999

/** Pauses before reconnecting: the first, doubling up to the longest. */
const pauseMs = 100
const pauseMaxMs = 5_000

/** Interval at which an idle connection is tested, because a network may drop it silently. */
const tryEveryMs = 10_000

/**
 * One notification for the group of units that is committed next. Commits with notifications take a PostgreSQL lock one after the other.
 * This costs nothing here, because groups take turns anyway (see `writer.ts`).
 */
export function notifyStatement(ids: ReadonlySet<string>): string {
  const list = [...ids].join(',')
  return `notify ${channel}, ${pg.escapeLiteral(Buffer.byteLength(list) > payloadMax ? any : list)}`
}

/**
 * Listens for the notifications of all replicas, including this one, on its own connection. After a lost connection it reconnects and
 * notifies of `any`, because notifications may have been missed.
 */
export function listenTo(url: string, notify: (notified: Notified) => void): { stop(): Promise<void> } {
  const stopping = new AbortController()

  async function listen(signal: AbortSignal): Promise<void> {
    const client = await connect(url)
    try {
      let isOpen = true
      const ended = once(client, 'end').then(() => {
        isOpen = false
      })
      client.on('notification', ({ payload = any }) => notify(payload === any ? any : new Set(payload.split(','))))
      await client.query(`listen ${channel}`)
      notify(any)
      while (isOpen && !signal.aborted) {
        const waiting = new AbortController()
        const rest = sleep(tryEveryMs, undefined, { signal: AbortSignal.any([signal, waiting.signal]) })
        await Promise.race([ended, rest.catch(() => undefined)])
        waiting.abort()
        if (isOpen && !signal.aborted) await client.query('select 1')
      }
    } finally {
      void client.end().catch(() => undefined)
    }
  }

  const running = runWorker(
    {
      pauseMs,
      backOffMaxMs: pauseMaxMs,
      async pass(signal) {
        await listen(signal)
        return false
      },
      // Listeners poll as well, and readers and writers report a database that is down.
      onFailure: () => undefined,
    },
    stopping.signal,
  )
  return {
    async stop() {
      stopping.abort()
      await running
    },
  }
}
