import type { Network, Networks } from '../core/families.ts'
import type { Payment } from '../payment/payment.ts'
import type { DepositRules } from './deposit-kind.ts'
import { evmFamily } from './evm/evm-family.ts'
import type { ChainFamily, ChainFamilyName } from './family.ts'
import { solanaFamily } from './solana/facts/solana-family.ts'
import { tronFamily } from './tron/facts/tron-family.ts'

/** Every chain family by its name. The only place of the program that asks which family a network is of. */
export const chainFamilies: { readonly [Name in ChainFamilyName]: ChainFamily<Extract<Network, { family: Name }>> } = {
  evm: evmFamily,
  solana: solanaFamily,
  tron: tronFamily,
}

/** What the family of a network answers for it. */
export function familyOf({ family }: Pick<Network, 'family'>): ChainFamily {
  return chainFamilies[family]
}

/** The rules of a network's kind of deposit address. */
export const depositsOf = (network: Network): DepositRules => familyOf(network).depositsOf(network)

/** Whether contracts of ours must be deployed on the network. */
export const needsContracts = (network: Network): boolean =>
  familyOf(network).hasContracts && !depositsOf(network).isDirect

/** The families of the configured networks. */
export const familiesOf = (networks: Networks): ReadonlySet<ChainFamilyName> =>
  new Set([...networks.values()].map(({ family }) => family))

/** The family that a stored payment was created on, also after its network has left the configuration. */
export function familyOfPayment(payment: Payment): ChainFamily {
  if (payment.mode === 'contract') {
    return payment.splitTerms.startsWith('{"family":"solana"') ? solanaFamily : evmFamily
  }
  if (payment.depositAddress.startsWith('0x')) return evmFamily
  // No address of Solana passes: it has 43 or 44 characters, or a wrong checksum.
  return tronFamily.parseAddress(payment.depositAddress) === undefined ? solanaFamily : tronFamily
}
