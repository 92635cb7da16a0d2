import { PaymentError } from '../../core/errors.ts'
import { createFairShares } from '../../core/fair-shares.ts'
import { createWakeSignal } from '../../core/wake-signal.ts'
import type { Db } from '../../db/db.ts'
import type { MerchantId, PaymentId } from '../../payment/payment.ts'

/** Maximum number of open waits of one replica: each polls the database once a second. */
const waitsMax = { perClient: 25, perMerchant: 50, all: 500 }

const defaultWaitPace = {
  /** The poll interval when no change notification arrives. */
  pollMs: 1_000,
  /** Clients abandon a request after a minute without progress. */
  progressMs: 10_000,
}

type Deps = {
  db: Pick<Db, 'listen'>
  /** Ends all waits when the service stops. */
  stopping: AbortSignal
  pace?: typeof defaultWaitPace
}

type Wait<T> = {
  merchantId: MerchantId
  /** A digest of the client's address; null for a merchant's server. */
  client: string | null
  id: PaymentId
  timeoutMs: number
  signal: AbortSignal
  read(): Promise<T>
  isDone(found: T): boolean
  progress?: {
    /** The text shown to a person, compared to detect a change. */
    textOf(found: T): string
    /** Called after each change, and every `progressMs` without one. */
    report(elapsedMs: number, text: string): Promise<void>
  }
}

export type WaitForPayment = ReturnType<typeof createWaits>

export function createWaits({ db, stopping, pace = defaultWaitPace }: Deps) {
  const open = createFairShares(waitsMax)

  /**
   * Polls the payment until it is done, the timeout passes, the client disconnects or the service stops.
   * @returns the last value read.
   * @throws {PaymentError} TOO_MANY_WAITS when too many waits are open.
   */
  return async function waitForPayment<T>(wait: Wait<T>): Promise<T> {
    const { client, merchantId } = wait
    if (!open.take({ client, merchantId })) {
      const message = 'Too many waits are open at once; read the payment instead.'
      throw new PaymentError('TOO_MANY_WAITS', message, { retryAfterSeconds: 30 })
    }
    const wakeSignal = createWakeSignal()
    const endListening = db.listen((notified) => {
      if (notified === 'any' || notified.has(wait.id)) wakeSignal.wake()
    })
    const ends = AbortSignal.any([wait.signal, stopping])
    ends.addEventListener('abort', wakeSignal.wake)
    const startedAtMs = performance.now()
    let shown = { text: '', atMs: 0 }
    try {
      for (;;) {
        const found = await wait.read()
        const elapsedMs = performance.now() - startedAtMs
        const leftMs = wait.timeoutMs - elapsedMs
        if (wait.isDone(found) || leftMs <= 0 || ends.aborted) return found
        const text = wait.progress?.textOf(found) ?? ''
        if (text !== shown.text || elapsedMs - shown.atMs >= pace.progressMs) {
          await wait.progress?.report(elapsedMs, text)
          shown = { text, atMs: elapsedMs }
        }
        await wakeSignal.wait(Math.min(pace.pollMs, Math.max(1, leftMs)))
      }
    } finally {
      ends.removeEventListener('abort', wakeSignal.wake)
      endListening()
      open.release({ client, merchantId })
    }
  }
}
