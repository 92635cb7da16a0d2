import type { EvmNetwork, Network } from '../../../core/families.ts'

/**
 * Whether money at the deposit addresses of the home network can be returned on the other one: the same factory knows
 * the addresses. A virtual address holds no money, and on other networks it is nobody's.
 */
export function areAddressesOn(home: Network, { factory, deposits }: EvmNetwork): boolean {
  if (!('factory' in home) || home.deposits === 'virtual' || deposits === 'virtual') return false
  return home.factory.toLowerCase() === factory.toLowerCase()
}
