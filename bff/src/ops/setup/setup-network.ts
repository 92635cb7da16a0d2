import { factoryAddress } from '../../chain/evm/deploy/contracts.generated.ts'
import { familyOf } from '../../chain/index.ts'
import type { Network } from '../../core/families.ts'
import { defaultNodesOf } from '../../network/known/default-nodes.ts'
import { knownNetworks } from '../../network/known/known-networks.ts'
import { canChooseDeposits } from '../cli/init-answers.ts'
import { networkSchema } from '../config/network-schema.ts'
import { SetupRefusal } from './setup-refusal.ts'

/**
 * An address that receives nothing, for each family that the page can set up, because no platform wallet is chosen while nodes are
 * checked. Deposits on other families need a wallet's account, which the configuration and "wallets set" take.
 */
const placeholders: Partial<Record<Network['family'], string>> = {
  evm: factoryAddress,
  solana: 'SysvarRent111111111111111111111111111111111',
}

/**
 * A known network as the configuration would resolve it.
 * @throws {SetupRefusal}
 */
export function setupNetwork(shortName: string, rpcUrls: readonly string[]): Network {
  const known = knownNetworks.get(shortName)
  const platformWallet = known && known.deposits === undefined ? placeholders[known.family] : undefined
  if (platformWallet === undefined) throw new SetupRefusal('NETWORK_UNKNOWN', shortName)
  return networkSchema.parse({ shortName, rpcUrls, platformWallet })
}

/** The networks that the page offers, with the tokens that each would accept, and public nodes. */
export const offeredNetworks = () =>
  [...knownNetworks.values()]
    .filter(({ family, deposits }) => family in placeholders && deposits === undefined)
    .map((known) => {
      const { shortName, name, family, isTestnet, logo, tokens } = known
      return {
        network: shortName,
        name,
        family,
        isTestnet,
        logo,
        symbols: tokens.filter(({ isOffByDefault }) => !isOffByDefault).map(({ symbol }) => symbol),
        hasContracts: familyOf(known).hasContracts,
        canRelay: familyOf(known).receivesBridged,
        canChooseDeposits: canChooseDeposits(known),
        publicNodes: defaultNodesOf(known),
      }
    })

/** Names of known networks that the page does not offer, because wallets must be registered there first (docs/tempo.md). */
export const laterNetworks = (): string[] =>
  [...knownNetworks.values()].filter(({ deposits }) => deposits === 'virtual').map(({ name }) => name)
