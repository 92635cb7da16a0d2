import type { Dialect } from '../endpoints/endpoint-store.ts'
import type { Result } from '../send/post.ts'

const secondMs = 1_000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs

/** The delay before each attempt: ten attempts over 75 hours, so that a receiver may be down from Friday evening to Monday morning. */
const scheduleMs = [
  0,
  5 * secondMs,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  5 * hourMs,
  10 * hourMs,
  14 * hourMs,
  20 * hourMs,
  24 * hourMs,
] as const

export const attemptsMax = scheduleMs.length

/** Each delay varies by up to this part, so that deliveries that failed together are not attempted together again. */
const jitter = 0.2

/** The longest `Retry-After` that is respected: a proxy's maintenance page must not delay a delivery by a day. */
const retryAfterMaxMs = hourMs

/** 410 Gone: the receiver will not come back. */
const gone = 410

/** An endpoint without a success for this long is disabled. Longer than all attempts of one delivery take. */
const failingMaxMs = 5 * 24 * hourMs

export type Plan = { state: 'delivered' } | { state: 'due'; delayMs: number } | { state: 'failed' }

/**
 * The next step of a delivery after an attempt. A redirect is a failure: following it would bypass the guard in `target.ts`.
 * @param attempts - Attempts since the delivery was queued, including this one.
 * @param chance - At least 0, below 1.
 */
export function planAfter(result: Result, attempts: number, nowMs: number, chance: number): Plan {
  if ('code' in result) {
    if (result.code >= 200 && result.code < 300) return { state: 'delivered' }
    if (result.code === gone) return { state: 'failed' }
  }
  const scheduled = scheduleMs[attempts]
  if (scheduled === undefined) return { state: 'failed' }
  const delayMs = Math.round(scheduled * (1 - jitter + 2 * jitter * chance))
  const asked = 'code' in result ? retryAfterMs(result.retryAfter, nowMs) : 0
  return { state: 'due', delayMs: Math.max(delayMs, Math.min(asked, retryAfterMaxMs)) }
}

/** BTCPay's delays before each attempt: at once, after 10 s, a minute, and six times ten minutes. */
const btcpayScheduleMs = [0, 10 * secondMs, minuteMs, ...Array<number>(6).fill(10 * minuteMs)]

/** Status codes below 500 after which BTCPay retries: request timeout, and too many requests. */
const btcpayRetried: readonly number[] = [408, 429]

/** Like `planAfter`, for a receiver that a store's plug-in registered: other 4xx responses are final, and so are redirects. */
function planAfterBtcpay(result: Result, attempts: number, retries: boolean): Plan {
  if ('code' in result) {
    if (result.code >= 200 && result.code < 300) return { state: 'delivered' }
    if (result.code < 500 && !btcpayRetried.includes(result.code)) return { state: 'failed' }
  }
  const delayMs = retries ? btcpayScheduleMs[attempts] : undefined
  return delayMs === undefined ? { state: 'failed' } : { state: 'due', delayMs }
}

type Attempted = { attemptsSinceQueued: number; dialect: Dialect; retries: boolean }

/** The next step of the delivery after this attempt, by the rules of its receiver. */
export const planOf = (
  { attemptsSinceQueued, dialect, retries }: Attempted,
  result: Result,
  nowMs: number,
  chance: number,
) =>
  dialect === 'btcpay'
    ? planAfterBtcpay(result, attemptsSinceQueued + 1, retries)
    : planAfter(result, attemptsSinceQueued + 1, nowMs, chance)

/** Parses seconds or an HTTP date into milliseconds from now; 0 when it is neither. */
function retryAfterMs(header: string | null, nowMs: number): number {
  if (header === null) return 0
  if (/^\d{1,10}$/.test(header)) return Number(header) * secondMs
  const atMs = Date.parse(header)
  return Number.isNaN(atMs) ? 0 : Math.max(0, atMs - nowMs)
}

/**
 * Why a failure disables an endpoint: it answered 410, or every attempt of five days failed.
 * @param failingSinceMs - The first failure since the last success.
 */
export function endpointFault(code: number | null, failingSinceMs: number, nowMs: number): 'gone' | 'failing' | null {
  if (code === gone) return 'gone'
  return nowMs - failingSinceMs >= failingMaxMs ? 'failing' : null
}
