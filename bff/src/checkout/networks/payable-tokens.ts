import type { Caller } from '../../access/context/caller.ts'
import { findNetwork, type Networks } from '../../core/families.ts'
import { payableWallet } from '../../merchant/wallets.ts'
import { isFreeNetwork } from '../../network/free-network.ts'
import type { NetworkHealth } from '../../network/network-health.ts'
import { type ListedNetwork, listedNetwork } from './network-view.ts'

/** A service has one or two origins. The limit protects memory against invented Host headers. */
const originsMax = 20

/** Network views, cached per origin, because their logo URLs contain the origin. */
export function createListedNetworks(networks: Networks, health: NetworkHealth) {
  const listedBy = new Map<string | null, readonly ListedNetwork[]>()

  function listed(origin: string | null): readonly ListedNetwork[] {
    const known = listedBy.get(origin)
    if (known) return known
    const made = [...networks.values()].map((network) => listedNetwork(network, origin))
    if (listedBy.size >= originsMax) listedBy.clear()
    listedBy.set(origin, made)
    return made
  }

  /** Payable networks with a wallet of the merchant; without a caller (lenient clients), all payable networks. */
  function payable(caller: Caller | null, origin: string | null): ListedNetwork[] {
    return listed(origin).filter(({ shortName }) => {
      // Test payments need no chain.
      if (caller?.isTest === true) return caller.wallets.has(shortName)
      // Customers are not offered networks with free tokens, and cannot choose them.
      if (caller?.kind !== 'api' && isFreeNetwork(networks, shortName, caller?.wallets)) return false
      const network = findNetwork(networks, shortName)
      const hasWallet = caller === null || (network !== undefined && payableWallet(caller, network) !== undefined)
      return hasWallet && health.get(shortName).isPayable
    })
  }

  return {
    listed,
    payable,
    payableTokens: (caller: Caller | null, origin: string | null) =>
      payable(caller, origin).flatMap(({ payableTokens }) => payableTokens),
  }
}

export type ListedNetworks = ReturnType<typeof createListedNetworks>
export type PayableTokens = ListedNetworks['payableTokens']
