import { type Asker, createFairShares, type Shares } from '../core/fair-shares.ts'
import { AuthorizationRefused } from '../payment/authorization.ts'

/** Fair shares of a limit per clock minute. */
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

/** The refusal once a minute's share is used up. */
export const tooManySignatures = () =>
  new AuthorizationRefused('RELAY_UNAVAILABLE', 'Too many signatures are being checked; try again in a minute.')
