import type { Db } from '../../db/db.ts'
import { countParkedShares } from '../../payout/parked-share-store.ts'
import { type Finding, warning } from './finding.ts'

const hourMs = 60 * 60 * 1000

/** Money that waits although the service would send it. */
export async function examinePayouts(db: Db, { nowMs }: { nowMs: () => number }): Promise<Finding[]> {
  return await examineParkedShares(db, nowMs())
}

/** The platform's shares that could not be paid with the merchant's. */
async function examineParkedShares(db: Db, nowMs: number): Promise<Finding[]> {
  const parked = await db.read(countParkedShares)
  return parked.map(({ network, count, oldestAtMs, reason }) => {
    const hours = Math.max(0, Math.floor((nowMs - oldestAtMs) / hourMs))
    const why = reason === null ? '' : `: ${reason}`
    const says = `${count} shares of the platform wait where the money came to, the oldest for ${hours} hours${why}`
    const fix =
      'They are paid by themselves once the token pays platformWallet again: ask the issuer. A new platformWallet does not get them.'
    return warning('platform shares', network, says, fix)
  })
}
