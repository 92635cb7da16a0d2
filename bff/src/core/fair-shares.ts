/** Capacity per client, per merchant, and in total. */
export type Shares = { perClient: number; perMerchant: number; all: number }

/**
 * `client`: a digest of the client's address. Null: a merchant's server, which is limited by its merchant's
 * share only.
 */
export type Asker = { client: string | null; merchantId: string }

/** Half of what the others leave, at least one while capacity remains, so that a few heavy users never take all of it. */
const halfOf = (left: number): number => Math.max(1, Math.floor(left / 2))

/**
 * Divides a shared capacity among merchants and their clients. One merchant may take up to `perMerchant`, and
 * at most half of what the others leave once more than that is in use. The same rule divides a merchant's
 * share among its clients; each client may take up to `perClient` over all merchants. A refusal to one takes
 * nothing from the others. `all` bounds the number of keys in memory.
 */
export function createFairShares(shares: Shares) {
  let all = 0
  const taken = new Map<string, number>()
  const countOf = (name: string): number => taken.get(name) ?? 0

  /** The three counters of a request: its merchant, its client, and that client at this merchant. */
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
    /** @returns false, and takes nothing, when the caller's share is used up. */
    take(asker: Asker): boolean {
      if (!hasRoom(asker)) return false
      count(asker, 1)
      return true
    },

    /** Releases one unit. */
    release: (asker: Asker): void => count(asker, -1),

    clear(): void {
      all = 0
      taken.clear()
    },
  }
}
