import { ValidationError } from '../core/errors.ts'
import { findNetwork, type Network, type Networks } from '../core/families.ts'

/** Networks on which a merchant is paid. */
type Wallets = Pick<ReadonlyMap<string, string>, 'has'>

const anyWallet: Wallets = { has: () => true }

/**
 * Whether it is a testnet beside networks with real money: its tokens are free, and whoever sends them has paid nothing.
 * @param wallets - Of the merchant, who still tries the service where all of them are on testnets. Default: of somebody.
 */
export const isFreeNetwork = (networks: Networks, shortName: string, wallets: Wallets = anyWallet): boolean =>
  findNetwork(networks, shortName)?.isTestnet === true &&
  [...networks.values()].some((one) => !one.isTestnet && wallets.has(one.shortName))

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
