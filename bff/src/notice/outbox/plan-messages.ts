import type { Notice, Recent } from './notice-store.ts'

export const hourMs = 60 * 60_000

/** Messages to one channel in an hour. The rest become one summary. */
const hourlyMax = 20

/** More than a few notices that have waited this long become a summary. */
const heldMs = 10 * 60_000
const singlesMax = 3

export type Plan = {
  /** Each group is one message; of several notices, a summary. */
  send: Notice[][]
  /** Notices that wait until a time. */
  hold: { notices: Notice[]; untilMs: number } | null
}

/**
 * What is sent to a channel now. Trouble is sent at once: its own rule bounds it. After twenty messages in an hour, or after a
 * summary, the rest waits until the hour has passed and is sent as one summary.
 */
export function planMessages(due: readonly Notice[], recent: Recent, nowMs: number): Plan {
  const isUrgent = ({ kind }: Notice) => kind === 'trouble' || kind === 'test'
  const urgent = due.filter(isUrgent).map((notice) => [notice])
  const rest = due.filter((notice) => !isUrgent(notice))
  if (rest.length === 0) return { send: urgent, hold: null }
  if (recent.summaryAtMs !== null || recent.messages >= hourlyMax) {
    const since = recent.summaryAtMs ?? recent.firstAtMs ?? nowMs
    return { send: urgent, hold: { notices: rest, untilMs: since + hourMs } }
  }
  const isOld = ({ attempts, createdAtMs }: Notice) => attempts === 0 && nowMs - createdAtMs >= heldMs
  const isFlood = rest.length > hourlyMax - recent.messages || (rest.length > singlesMax && rest.some(isOld))
  return { send: [...urgent, ...(isFlood ? [rest] : rest.map((notice) => [notice]))], hold: null }
}
