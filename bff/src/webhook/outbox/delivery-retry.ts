const secondMs = 1_000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs

/** Before each try: ten of them over 75 hours, so that a receiver may be down from Friday evening to Monday morning. */
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

export const triesMax = scheduleMs.length

/** Of each delay, up or down: what failed together must not come back together. */
const jitter = 0.2

/** A receiver may ask for rest, but a proxy's maintenance page must not hold back an order for a day. */
const restMaxMs = hourMs

/** The receiver says that it is gone for good. */
const gone = 410

/** After so long without a single success an endpoint is disabled: longer than all tries of one event take. */
const failingMaxMs = 5 * 24 * hourMs

/** What one attempt came to: the receiver's answer (`text` is how it began), or why there was none. */
export type Result = { code: number; retryAfter: string | null; text: string } | { error: string }

export type Plan = { state: 'delivered' } | { state: 'due'; delayMs: number } | { state: 'failed' }

/**
 * What becomes of a delivery after a try. A redirect is a failure: following it would lead past the guard of `target.ts`.
 * @param tries - How many there were, this one included.
 * @param chance - At least 0, below 1.
 */
export function planAfter(result: Result, tries: number, nowMs: number, chance: number): Plan {
  if ('code' in result) {
    if (result.code >= 200 && result.code < 300) return { state: 'delivered' }
    if (result.code === gone) return { state: 'failed' }
  }
  const scheduled = scheduleMs[tries]
  if (scheduled === undefined) return { state: 'failed' }
  const delayMs = Math.round(scheduled * (1 - jitter + 2 * jitter * chance))
  const asked = 'code' in result ? retryAfterMs(result.retryAfter, nowMs) : 0
  return { state: 'due', delayMs: Math.max(delayMs, Math.min(asked, restMaxMs)) }
}

/** Seconds or an HTTP date, as milliseconds from now; 0 when it is neither. */
function retryAfterMs(header: string | null, nowMs: number): number {
  if (header === null) return 0
  if (/^\d{1,10}$/.test(header)) return Number(header) * secondMs
  const atMs = Date.parse(header)
  return Number.isNaN(atMs) ? 0 : Math.max(0, atMs - nowMs)
}

/**
 * Whether a failure ends an endpoint: it said that it is gone for good, or it has done nothing but fail for five days.
 * @param failingSinceMs - The first failure since the last success.
 */
export function endpointFault(code: number | null, failingSinceMs: number, nowMs: number): 'gone' | 'failing' | null {
  if (code === gone) return 'gone'
  return nowMs - failingSinceMs >= failingMaxMs ? 'failing' : null
}
