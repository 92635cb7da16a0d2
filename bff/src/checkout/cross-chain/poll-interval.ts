import { type BridgeStatus, lateWindowMs } from '../../payment/payment.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** Multiples of `reindexAfterMs` at which the relay reads a deposit address again: a fault of its indexer lasts minutes or hours. */
const reindexFactors = [1, 4, 16, 64, 256] as const

/** Each failure in a row doubles the pause up to this length. */
const faultPauseMaxMs = 10 * minuteMs

type Asked = {
  status: BridgeStatus
  createdAtMs: number
  expiresAtMs: number
  nowMs: number
  pollMs: number
}

/**
 * The time of the next poll: soon while the customer waits, later when little is likely to change.
 * @returns null when the status can no longer change.
 */
export function planPoll({ status, createdAtMs, expiresAtMs, nowMs, pollMs }: Asked): number | null {
  // Delivered money is seen on the payment's own network, and money after the late window pays nothing.
  if (status === 'success' || nowMs > expiresAtMs + lateWindowMs) return null
  // Money that was not sent as ordered is returned; the customer may then send it again as ordered.
  if (status === 'refund') return nowMs > expiresAtMs ? null : nowMs + 4 * pollMs
  const isWaiting = status === 'waiting' || status === 'failure'
  if (!isWaiting) return nowMs + (nowMs < expiresAtMs + hourMs ? pollMs : Math.max(pollMs, minuteMs))
  if (nowMs < createdAtMs + 10 * minuteMs) return nowMs + pollMs
  if (nowMs < expiresAtMs + 10 * minuteMs) return nowMs + 4 * pollMs
  return nowMs + Math.max(pollMs, nowMs < expiresAtMs + hourMs ? minuteMs : hourMs)
}

/** Whether the relay is asked to read the deposit address again: it should have seen or delivered the money by now. */
export function isReindexDue(
  asked: Omit<Asked, 'pollMs' | 'expiresAtMs'>,
  reindexes: number,
  afterMs: number,
): boolean {
  const factor = reindexFactors[reindexes]
  const isOver = asked.status === 'success' || asked.status === 'refund'
  return factor !== undefined && !isOver && asked.nowMs >= asked.createdAtMs + factor * afterMs
}

/** The time of the next poll after a failure. @param failures - In a row, with this one. */
export function planAfterFault(failures: number, nowMs: number, pollMs: number): number {
  return nowMs + Math.min(pollMs * 2 ** Math.min(failures, 12), faultPauseMaxMs)
}
