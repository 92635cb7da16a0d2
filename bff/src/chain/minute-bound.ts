import { AuthorizationRefused } from '../payment/authorization.ts'

/** At most `max` in each minute of the clock. */
export function createMinuteBound(max: number, nowMs: () => number) {
  let minute = -1
  let taken = 0
  return {
    take(): boolean {
      const now = Math.floor(nowMs() / 60_000)
      if (now !== minute) {
        minute = now
        taken = 0
      }
      taken += 1
      return taken <= max
    },
  }
}

/** The refusal of what comes after the bound of a minute. */
export const tooManySignatures = () =>
  new AuthorizationRefused('RELAY_UNAVAILABLE', 'Too many signatures are being checked; try again in a minute.')
