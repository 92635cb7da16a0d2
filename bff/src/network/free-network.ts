import { ValidationError } from '../core/errors.ts'
import { findNetwork, type Network, type Networks } from '../core/families.ts'
import { knownNetworks } from './known/known-networks.ts'

/** Networks on which a merchant is paid, by their short names. */
type Wallets = Pick<ReadonlyMap<string, string>, 'keys'>

/**
 * A network that was removed from the configuration counts as it was: real money, unless it is a known testnet. Otherwise
 * the pages of a merchant whose only network with real money is removed would take free tokens.
 */
const hasRealMoney = (networks: Networks, shortName: string): boolean =>
  (findNetwork(networks, shortName) ?? knownNetworks.get(shortName))?.isTestnet !== true

/**
 * Whether it is a testnet beside networks with real money: its tokens are free, and whoever sends them has paid nothing.
 * @param wallets - Of the merchant, who still tries the service where all of them are on testnets. Default: of somebody.
 */
export const isFreeNetwork = (networks: Networks, shortName: string, wallets: Wallets = networks): boolean =>
  !hasRealMoney(networks, shortName) && [...wallets.keys()].some((one) => hasRealMoney(networks, one))

/** @throws {ValidationError} for a free network, naming it. */
export function refuseFreeNetwork(
  networks: Networks,
  { shortName }: Pick<Network, 'shortName'>,
  wallets: Wallets,
): void {
  if (!isFreeNetwork(networks, shortName, wallets)) return
  const message = `network ${shortName} is a testnet, whose tokens are free: beside networks with real money only API key and secret create payments on it`
  throw new ValidationError(message, 'NETWORK_NOT_SUPPORTED')
}
