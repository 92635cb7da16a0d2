import { ValidationError } from '../core/errors.ts'
import { findNetwork, type Network, type Networks } from '../core/families.ts'
import { knownNetworks } from './known/known-networks.ts'

/** Networks on which a merchant is paid, by short name. */
type Wallets = Pick<ReadonlyMap<string, string>, 'keys'>

/**
 * A network that was removed from the configuration keeps its meaning: real money, unless it is a known testnet. Otherwise,
 * after removing a merchant's only network with real money, the merchant's pages would accept free tokens.
 */
const hasRealMoney = (networks: Networks, shortName: string): boolean =>
  (findNetwork(networks, shortName) ?? knownNetworks.get(shortName))?.isTestnet !== true

/**
 * Whether the network is a testnet beside networks with real money: its tokens are free, so whoever sends them has paid nothing.
 * @param wallets - The merchant's; with wallets only on testnets, a merchant is still trying the service. Default: all networks.
 */
export const isFreeNetwork = (networks: Networks, shortName: string, wallets: Wallets = networks): boolean =>
  !hasRealMoney(networks, shortName) && [...wallets.keys()].some((one) => hasRealMoney(networks, one))

/** @throws {ValidationError} naming the network, when it is free. */
export function refuseFreeNetwork(
  networks: Networks,
  { shortName }: Pick<Network, 'shortName'>,
  wallets: Wallets,
): void {
  if (!isFreeNetwork(networks, shortName, wallets)) return
  const message = `network ${shortName} is a testnet, whose tokens are free: beside networks with real money only API key and secret create payments on it`
  throw new ValidationError(message, 'NETWORK_NOT_SUPPORTED')
}
