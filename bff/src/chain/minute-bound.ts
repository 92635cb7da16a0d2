import { AuthorizationRefused } from '../payment/authorization.ts'
import type { MerchantId } from '../payment/payment.ts'

/** How often something is done within a minute: for one client, for one merchant, and in all. */
type Shares = { perClient: number; perMerchant: number; all: number }

/** `client`: a digest of the client's address; null: a merchant's server, which has the merchant's share. */
type Asker = { client: string | null; merchantId: MerchantId }

/**
 * Counts in each minute of the clock. What is refused to one client or merchant takes nothing from the others' shares, and no merchant can
 * take all of it.
 */
export function createMinuteShares(shares: Shares, nowMs: () => number) {
  let minute = -1
  let all = 0
  const clients = new Map<string, number>()
  const merchants = new Map<MerchantId, number>()
  return {
    take({ client, merchantId }: Asker): boolean {
      const now = Math.floor(nowMs() / 60_000)
      if (now !== minute) {
        minute = now
        all = 0
        clients.clear()
        merchants.clear()
      }
      const ofClient = client === null ? 0 : (clients.get(client) ?? 0)
      const ofMerchant = merchants.get(merchantId) ?? 0
      if (ofClient >= shares.perClient || ofMerchant >= shares.perMerchant || all >= shares.all) return false
      if (client !== null) clients.set(client, ofClient + 1)
      merchants.set(merchantId, ofMerchant + 1)
      all += 1
      return true
    },
  }
}

/** The refusal of what comes after a share of a minute. */
export const tooManySignatures = () =>
  new AuthorizationRefused('RELAY_UNAVAILABLE', 'Too many signatures are being checked; try again in a minute.')
