import { type Asker, createFairShares, type Shares } from '../core/fair-shares.ts'
import { AuthorizationRefused } from '../payment/authorization.ts'

/** Fair shares of how often something is done within each minute of the clock. */
export function createMinuteShares(shares: Shares, nowMs: () => number) {
  let minute = -1
  const fair = createFairShares(shares)
  return {
    take(asker: Asker): boolean {
      const now = Math.floor(nowMs() / 60_000)
      if (now !== minute) {
        minute = now
        fair.clear()
      }
      return fair.take(asker)
    },
  }
}

/** The refusal of what comes after a share of a minute. */
export const tooManySignatures = () =>
  new AuthorizationRefused('RELAY_UNAVAILABLE', 'Too many signatures are being checked; try again in a minute.')
