import { ValidationError } from '../core/errors.ts'
import { findNetwork, type Network, type Networks, type Token } from '../core/families.ts'

/** @throws {ValidationError} naming the configured networks. */
export function supportedNetwork(networks: Networks, shortName: string): Network {
  const network = findNetwork(networks, shortName)
  if (network) return network
  const known = [...networks.keys()].join(', ') || 'none is configured'
  throw new ValidationError(`network "${shortName}" is not supported (supported: ${known})`, 'NETWORK_NOT_SUPPORTED')
}

/** @throws {ValidationError} naming the configured networks, or the tokens of the network that lacks the currency. */
export function supportedToken(
  networks: Networks,
  shortName: string,
  currency: string,
): { network: Network; token: Token } {
  const network = supportedNetwork(networks, shortName)
  const token = network.tokens.find(({ symbol }) => symbol === currency.toUpperCase())
  if (token) return { network, token }
  const known = network.tokens.map(({ symbol }) => symbol).join(', ')
  throw new ValidationError(
    `currency ${currency} is not supported on ${network.name} (supported: ${known})`,
    'CURRENCY_NOT_SUPPORTED',
  )
}
