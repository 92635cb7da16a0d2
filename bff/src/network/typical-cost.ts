import { familyOf } from '../chain/index.ts'
import type { Network } from '../core/families.ts'

/**
 * How long a payment waits for its confirmations and how much sending it costs, roughly. Null where nothing is known of the
 * chain: no guess is shown.
 */
export function typicalCost(network: Pick<Network, 'chainId' | 'family' | 'confirmations'>) {
  const pace = familyOf(network).paceOf(network)
  return {
    confirmations: network.confirmations,
    confirmSeconds: pace ? Math.ceil(network.confirmations * pace.blockSeconds) : null,
    feeLevel: pace?.fee ?? null,
  }
}
