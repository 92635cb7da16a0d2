import { depositsOf, familyOf } from '../../chain/index.ts'
import { limitCurrency, type Network } from '../../core/families.ts'
import type { Sources } from './sources.ts'

export type BridgeDestination = { network: Network; token: Network['tokens'][number] }

/**
 * Tokens that the relay pays out on the networks, in the order of the networks and of their tokens. Only networks whose deposit addresses
 * belong to the service's contract, which returns the excess of a payment.
 * @throws {PaymentError} 503 when the relay is down.
 */
export async function bridgeDestinations(
  networks: Iterable<Network>,
  sources: Pick<Sources, 'reaches'>,
): Promise<BridgeDestination[]> {
  const found: BridgeDestination[] = []
  for (const network of networks) {
    if (!familyOf(network).receivesBridged || depositsOf(network).isDirect) continue
    for (const token of network.tokens) {
      // The relay's fee is the difference of two amounts, which must be of one currency.
      if (token.currency !== limitCurrency) continue
      if (await sources.reaches(network.chainId, token.address)) found.push({ network, token })
    }
  }
  return found
}
