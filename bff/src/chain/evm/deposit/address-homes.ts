import type { EvmNetwork, Network } from '../../../core/families.ts'

/**
 * Whether money at the home network's deposit addresses can be returned on the other network, because the same factory knows the
 * addresses. A virtual address holds no money, and belongs to nobody on other networks.
 */
export function areAddressesOn(home: Network, { factory, deposits }: EvmNetwork): boolean {
  if (!('factory' in home) || home.deposits === 'virtual' || deposits === 'virtual') return false
  return home.factory.toLowerCase() === factory.toLowerCase()
}
