import type { Network, Networks, SolanaNetwork } from '../core/families.ts'
import type { Payment } from '../payment/payment.ts'
import type { DepositRules } from './deposit-kind.ts'
import { evmFamily } from './evm/evm-family.ts'
import type { ChainFamily, ChainFamilyName } from './family.ts'
import { solanaFamily } from './solana/facts/solana-family.ts'
import { tronFamily } from './tron/facts/tron-family.ts'

/** Every chain family by name. The only place that maps a network to its family. */
export const chainFamilies: { readonly [Name in ChainFamilyName]: ChainFamily<Extract<Network, { family: Name }>> } = {
  evm: evmFamily,
  solana: solanaFamily,
  tron: tronFamily,
}

/** The facts of a network's family. */
export function familyOf({ family }: Pick<Network, 'family'>): ChainFamily {
  return chainFamilies[family]
}

/** The rules of a network's kind of deposit address. */
export const depositsOf = (network: Network): DepositRules => familyOf(network).depositsOf(network)

/** Whether the service's contracts must be deployed on the network. */
export const needsContracts = (network: Network): boolean =>
  familyOf(network).hasContracts && !depositsOf(network).isDirect

/** Whether the service pays fees with the fee payer's SOL on the network. */
export const isSolana = (network: Network): network is SolanaNetwork => network.family === 'solana'

/** The families of the configured networks. */
export const familiesOf = (networks: Networks): ReadonlySet<ChainFamilyName> =>
  new Set([...networks.values()].map(({ family }) => family))

/** The family on which a stored payment was created, even if its network is no longer configured. */
export function familyOfPayment(payment: Payment): ChainFamily {
  if (payment.mode === 'contract') {
    return payment.splitTerms.startsWith('{"family":"solana"') ? solanaFamily : evmFamily
  }
  if (payment.depositAddress.startsWith('0x')) return evmFamily
  // A Solana address has another length, or fails Tron's checksum.
  return tronFamily.parseAddress(payment.depositAddress) === undefined ? solanaFamily : tronFamily
}
