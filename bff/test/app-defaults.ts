import { createNoRateLimits, type RateLimits } from '../src/access/limits/rate-limit.ts'
import type { ElementFiles } from '../src/checkout/pay-page/element-files.ts'
import type { NetworkHealth } from '../src/network/network-health.ts'
import { type LoadedParts, loadParts, partNames } from '../src/parts.ts'
import type { System } from '../src/system/system.routes.ts'

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
  runDoctor: async () => ({ atMs: 0, findings: [] }),
}
