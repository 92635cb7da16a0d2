/** How much there is: at most for one client, at most for one merchant, and in all. */
export type Shares = { perClient: number; perMerchant: number; all: number }

/** `client`: a digest of the client's address; null: a merchant's server, which has what its merchant has left. */
export type Asker = { client: string | null; merchantId: string }

/** Half of what the others leave, and one while there is any: so few, however much they take, never take all. */
const halfOf = (left: number): number => Math.max(1, Math.floor(left / 2))

/**
 * Divides what all merchants and their clients share. One merchant has up to `perMerchant` of it; once so much is taken by whomever, each
 * finds half of what the others leave. So do the clients of one merchant within its part, each up to `perClient` at all merchants
 * together. What is refused to one takes nothing from the others. The names that are held are bounded by `all`.
 */
export function createFairShares(shares: Shares) {
  let all = 0
  const taken = new Map<string, number>()
  const countOf = (name: string): number => taken.get(name) ?? 0

  /** What is counted by: the merchant, the client, and the client at this merchant. */
  const namesOf = ({ client, merchantId }: Asker): string[] =>
    client === null ? [merchantId] : [merchantId, `client ${client}`, `${merchantId} client ${client}`]

  function hasRoom(asker: Asker): boolean {
    const [merchant = '', client = '', clientHere = ''] = namesOf(asker)
    const ofMerchant = countOf(merchant)
    const others = all - ofMerchant
    const part = Math.min(shares.perMerchant, Math.max(shares.perMerchant - others, halfOf(shares.all - others)))
    if (all >= shares.all || ofMerchant >= part) return false
    if (asker.client === null) return true
    const here = countOf(clientHere)
    return countOf(client) < shares.perClient && here < halfOf(part - (ofMerchant - here))
  }

  function count(asker: Asker, change: 1 | -1): void {
    all += change
    for (const name of namesOf(asker)) {
      const now = countOf(name) + change
      if (now > 0) taken.set(name, now)
      else taken.delete(name)
    }
  }

  return {
    /** @returns false, and takes nothing, when the asker has its share. */
    take(asker: Asker): boolean {
      if (!hasRoom(asker)) return false
      count(asker, 1)
      return true
    },

    /** Gives back what was taken once. */
    release: (asker: Asker): void => count(asker, -1),

    clear(): void {
      all = 0
      taken.clear()
    },
  }
}
