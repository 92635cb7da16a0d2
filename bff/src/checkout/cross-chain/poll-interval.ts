import { type BridgeStatus, lateWindowMs } from '../../payment/payment.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/**
 * Ages, in multiples of `reindexAfterMs`, at which the relay is asked to reindex: outages of its indexer last minutes
 * or hours.
 */
const reindexFactors = [1, 4, 16, 64, 256] as const

/** Each consecutive failure doubles the pause, up to this maximum. */
const faultPauseMaxMs = 10 * minuteMs

type Asked = {
  status: BridgeStatus
  createdAtMs: number
  expiresAtMs: number
  nowMs: number
  pollMs: number
}

/**
 * The time of the next poll: soon while the customer waits, later when a change is unlikely.
 * @returns null when the status can no longer change.
 */
export function planPoll({ status, createdAtMs, expiresAtMs, nowMs, pollMs }: Asked): number | null {
  // The payment's own network shows delivered money; money after the late window does not pay.
  if (status === 'success' || nowMs > expiresAtMs + lateWindowMs) return null
  // The relay refunds money that does not match the order; the customer may pay again until the window ends.
  if (status === 'refund') return nowMs > expiresAtMs ? null : nowMs + 4 * pollMs
  const isWaiting = status === 'waiting' || status === 'failure'
  if (!isWaiting) return nowMs + (nowMs < expiresAtMs + hourMs ? pollMs : Math.max(pollMs, minuteMs))
  if (nowMs < createdAtMs + 10 * minuteMs) return nowMs + pollMs
  if (nowMs < expiresAtMs + 10 * minuteMs) return nowMs + 4 * pollMs
  return nowMs + Math.max(pollMs, nowMs < expiresAtMs + hourMs ? minuteMs : hourMs)
}

/** Whether to ask the relay to reindex the deposit address: it should have detected or delivered the money by now. */
export function isReindexDue(
  asked: Omit<Asked, 'pollMs' | 'expiresAtMs'>,
  reindexes: number,
  afterMs: number,
): boolean {
  const factor = reindexFactors[reindexes]
  const isOver = asked.status === 'success' || asked.status === 'refund'
  return factor !== undefined && !isOver && asked.nowMs >= asked.createdAtMs + factor * afterMs
}

/** The time of the next poll after a failure. @param failures - Consecutive failures, including this one. */
export function planAfterFault(failures: number, nowMs: number, pollMs: number): number {
  return nowMs + Math.min(pollMs * 2 ** Math.min(failures, 12), faultPauseMaxMs)
}
