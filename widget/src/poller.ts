import type { Checkout, Following } from './checkout.ts'
import { returnsOf } from './payment.ts'

/** First wait after a failure; doubles with each one up to `backOffMaxMs`. */
const backOffFirstMs = 2000
const backOffMaxMs = 30_000

/** Up to a quarter is added to each wait after a failure, so that a service that comes back is not met by all pages at once. */
const jitterShare = 0.25

/** Answers without news after which a page asks less often: two minutes at the active pace. */
const quietAfter = 40

/** Answers without news after which a finished payment is left alone: enough for a payout or late money, about 20 min. */
const finalAnswersMax = 50

/**
 * How long to wait before the service is asked again; null is never.
 * @param random - In [0, 1).
 */
export function paceMs(checkout: Checkout, random: number): number | null {
  if (!('line' in checkout)) return null
  const { failures, retryAfterMs } = checkout.line
  if (failures > 0) {
    const backOffMs = Math.min(backOffFirstMs * 2 ** (failures - 1), backOffMaxMs)
    return Math.max(backOffMs * (1 + jitterShare * random), retryAfterMs)
  }
  return checkout.phase === 'following' ? followingMs(checkout) : 0
}

/** Money that goes back by itself. What waits for the customer, or is over, needs no look. */
const returning = /"state":"(waiting|sending|delayed|failed|too_small)"/

function followingMs({ stage, answer, unchanged }: Following): number | null {
  const { isFinal, settlement } = answer.payment
  const isQuiet = unchanged >= quietAfter
  if (isFinal) {
    const isRefunding = returning.test(JSON.stringify(returnsOf(answer)))
    if ((settlement.state === 'settled' && !isRefunding) || unchanged >= finalAnswersMax) return null
    return unchanged < 10 ? 5000 : 30_000
  }
  if (stage === 'confirming') return isQuiet ? 5000 : 2000
  if (stage === 'awaiting' || stage === 'underpaid') return isQuiet ? 5000 : 3000
  return isQuiet ? 60_000 : 10_000
}

/** Each may mean that the page is seen, or the network there, again; the first bubbles up from the document. */
const wakers = ['visibilitychange', 'focus', 'online', 'pageshow']

/** One look at the service. `isFresh` asks past the browser's cache; the answer is when to look again, null is never. */
export type Visit = (isFresh: boolean, signal: AbortSignal) => Promise<number | null>

/** Repeats a visit at the pace it asks for, one at a time; rests while the page is hidden and looks at once when it is seen again. */
export class Poller {
  private readonly visit: Visit
  private inHand: AbortController | null = null
  private timer: ReturnType<typeof setTimeout> | undefined
  private isRunning = false

  constructor(visit: Visit) {
    this.visit = visit
  }

  /** Begins anew with a visit at once; what is in hand is dropped. */
  start(): void {
    this.stop()
    this.isRunning = true
    for (const name of wakers) window.addEventListener(name, this.wake)
    this.wake()
  }

  stop(): void {
    this.isRunning = false
    this.inHand?.abort()
    this.inHand = null
    clearTimeout(this.timer)
    for (const name of wakers) window.removeEventListener(name, this.wake)
  }

  /** Looks now instead of at the next turn; does nothing while a look is under way or the page is hidden. */
  readonly wake = (): void => {
    void this.turn(true)
  }

  private async turn(isFresh: boolean): Promise<void> {
    if (!this.isRunning || this.inHand || document.hidden) return
    clearTimeout(this.timer)
    const visit = new AbortController()
    this.inHand = visit
    const waitMs = await this.visit(isFresh, visit.signal)
    // Stopped or begun anew meanwhile: this visit no longer decides anything.
    if (this.inHand !== visit) return
    this.inHand = null
    if (waitMs === null) this.stop()
    else this.timer = setTimeout(() => void this.turn(false), waitMs)
  }
}
