import { type BridgeStatus, lateWindowMs } from '../../payment/payment.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** After the first of these times an address is looked at again, then after longer ones: a fault of an indexer lasts minutes or hours. */
const reindexFactors = [1, 4, 16, 64, 256] as const

/** A fault in a row doubles the pause up to this. */
const faultPauseMaxMs = 10 * minuteMs

type Asked = {
  status: BridgeStatus
  createdAtMs: number
  expiresAtMs: number
  nowMs: number
  pollMs: number
}

/**
 * When the relay is asked next. Fast while somebody looks at the page, slowly while nothing is likely to come.
 * @returns null when nothing more is to be learnt.
 */
export function planLook({ status, createdAtMs, expiresAtMs, nowMs, pollMs }: Asked): number | null {
  // Delivered money is seen on the payment's own network, and money that comes later than this pays nothing.
  if (status === 'success' || nowMs > expiresAtMs + lateWindowMs) return null
  // Money that was sent in another way than ordered goes back, and then comes again as it should.
  if (status === 'refund') return nowMs > expiresAtMs ? null : nowMs + 4 * pollMs
  const isWaiting = status === 'waiting' || status === 'failure'
  if (!isWaiting) return nowMs + (nowMs < expiresAtMs + hourMs ? pollMs : Math.max(pollMs, minuteMs))
  if (nowMs < createdAtMs + 10 * minuteMs) return nowMs + pollMs
  if (nowMs < expiresAtMs + 10 * minuteMs) return nowMs + 4 * pollMs
  return nowMs + Math.max(pollMs, nowMs < expiresAtMs + hourMs ? minuteMs : hourMs)
}

/** Whether the relay is to look at the deposit address again: it should have seen or delivered the money by now. */
export function isReindexDue(
  asked: Omit<Asked, 'pollMs' | 'expiresAtMs'>,
  reindexes: number,
  afterMs: number,
): boolean {
  const factor = reindexFactors[reindexes]
  const isOver = asked.status === 'success' || asked.status === 'refund'
  return factor !== undefined && !isOver && asked.nowMs >= asked.createdAtMs + factor * afterMs
}

/** When a look that met a fault is tried again. @param failures - In a row, this one counted. */
export function planAfterFault(failures: number, nowMs: number, pollMs: number): number {
  return nowMs + Math.min(pollMs * 2 ** Math.min(failures, 12), faultPauseMaxMs)
}
