import type { ElementFiles } from '@stablecoin-checkout/bff/testing/checkout'
import type { NetworkHealth } from '@stablecoin-checkout/bff/testing/network'
import {
  createNoRateLimits,
  type LoadedParts,
  loadParts,
  partNames,
  type RateLimits,
  type System,
} from '@stablecoin-checkout/bff/testing/service'

/** Nothing is bounded, and there is no proxy. */
export const noRateLimits: RateLimits = createNoRateLimits([])

/** Every part is on. */
export const everyPart: LoadedParts = await loadParts(partNames)

/** No chain is asked. */
export const everyNetworkPayable: NetworkHealth = { get: () => ({ isPayable: true, reason: null }) }

/** No element is served. */
export const noElementFiles: ElementFiles = { element: null, files: [], find: () => undefined }

/** No node is asked, and no other process is started. */
export const noSystem: System = {
  version: '0.0.0',
  replica: null,
  nodeStates: () => [],
  worksFor: () => true,
  instance: '0123456789abcdef',
  runDoctor: async () => ({ atMs: 0, findings: [] }),
}
