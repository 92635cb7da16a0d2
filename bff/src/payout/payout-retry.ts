/** After this many failures, about fifteen minutes, a person must act: a blocked wallet stays blocked. */
export const failuresMax = 6

const firstDelayMs = 30_000
const slowDelayMs = 3_600_000

/** When a failed payout is retried. The delay doubles from 30 seconds; hourly once given up. */
export function planAfterFailure(failures: number, nowMs: number): { dueAtMs: number; isGivenUp: boolean } {
  const isGivenUp = failures >= failuresMax
  const delayMs = isGivenUp ? slowDelayMs : firstDelayMs * 2 ** (failures - 1)
  return { dueAtMs: nowMs + delayMs, isGivenUp }
}

/** A transaction without a receipt is broadcast again this often: nodes restart and drop transactions. */
export const rebroadcastAfterMs = 15_000

/** Maximum transactions of one nonce: by then the fees have risen tenfold and about a day has passed. */
export const attemptsMax = 20

const firstReplacementMs = 90_000
const slowReplacementMs = 5_400_000

/** How long the newest of `attempts` transactions may wait for a block before it is replaced. Undefined: it is not replaced. */
export function replaceAfterMs(attempts: number): number | undefined {
  if (attempts >= attemptsMax) return undefined
  return Math.min(firstReplacementMs * 2 ** (attempts - 1), slowReplacementMs)
}
