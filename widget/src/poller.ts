import type { Checkout, Following } from './checkout.ts'
import { returnsOf } from './payment.ts'

/** Wait after the first failure; doubles with each further one up to `backOffMaxMs`. */
const backOffFirstMs = 2000
const backOffMaxMs = 30_000

/** Up to a quarter is added to each wait after a failure, so that not all pages poll a recovered service at once. */
const jitterShare = 0.25

/** Responses without a change after which polling slows down: two minutes at the active pace. */
const quietAfter = 40

/**
 * Responses without a change after which polling of a finished payment ends: enough for a payout or late money, about
 * 20 min.
 */
const finalAnswersMax = 50

/**
 * The wait before the next poll in milliseconds; null for none.
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

/** Returns of money that proceed without the customer. Those that wait for the customer or are done are not polled. */
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

/** Each may mean that the page is visible or the network available again; the first bubbles up from the document. */
const wakers = ['visibilitychange', 'focus', 'online', 'pageshow']

/**
 * Polls the service once; `isFresh` bypasses the browser's cache.
 * @returns the wait until the next poll in milliseconds; null for none.
 */
export type Poll = (isFresh: boolean, signal: AbortSignal) => Promise<number | null>

/**
 * Repeats a poll, one at a time, after the wait that each returns. Pauses while the page is hidden, and polls at once
 * when it is visible again.
 */
export class Poller {
  private readonly poll: Poll
  private underWay: AbortController | null = null
  private timer: ReturnType<typeof setTimeout> | undefined
  private isRunning = false

  constructor(poll: Poll) {
    this.poll = poll
  }

  /** Polls at once; drops a poll that is under way. */
  start(): void {
    this.stop()
    this.isRunning = true
    for (const name of wakers) window.addEventListener(name, this.wake)
    this.wake()
  }

  stop(): void {
    this.isRunning = false
    this.underWay?.abort()
    this.underWay = null
    clearTimeout(this.timer)
    for (const name of wakers) window.removeEventListener(name, this.wake)
  }

  /** Polls now, unless a poll is under way or the page is hidden. */
  readonly wake = (): void => {
    void this.pollOnce(true)
  }

  private async pollOnce(isFresh: boolean): Promise<void> {
    if (!this.isRunning || this.underWay || document.hidden) return
    clearTimeout(this.timer)
    const poll = new AbortController()
    this.underWay = poll
    const waitMs = await this.poll(isFresh, poll.signal)
    // Stopped or restarted meanwhile: this poll's result no longer counts.
    if (this.underWay !== poll) return
    this.underWay = null
    if (waitMs === null) this.stop()
    else this.timer = setTimeout(() => void this.pollOnce(false), waitMs)
  }
}
