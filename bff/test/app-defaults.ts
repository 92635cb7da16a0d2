import type { ElementFiles } from '@stablecoin-checkout/bff/testing/checkout'
import { silentLog } from '@stablecoin-checkout/bff/testing/core'
import { createGasBalances, type NetworkHealth } from '@stablecoin-checkout/bff/testing/network'
import {
  type AppDeps,
  createApiErrors,
  createNoRateLimits,
  createRates,
  type LoadedParts,
  loadParts,
  partNames,
  type RateLimits,
  type System,
} from '@stablecoin-checkout/bff/testing/service'

/** No rate limits, and no proxy. */
export const noRateLimits: RateLimits = createNoRateLimits([])

/** Every part is on. */
export const everyPart: LoadedParts = await loadParts(partNames)

/** Calls no chain. */
export const everyNetworkPayable: NetworkHealth = { get: () => ({ isPayable: true, reason: null }) }

/** Serves no element. */
export const noElementFiles: ElementFiles = { element: null, files: [], find: () => undefined }

/** Calls no node and starts no process. */
export const noSystem: System = {
  version: '0.0.0',
  replica: null,
  nodeStates: () => [],
  worksFor: () => true,
  instance: '0123456789abcdef',
  runDoctor: async () => ({ atMs: 0, findings: [] }),
  deployContracts: async () => 'present',
}

/** An application's default dependencies: every part is on, nothing is limited, and no relay is configured. */
export const appDefaults = ({ db, runtime }: Pick<AppDeps, 'db' | 'runtime'>, log: AppDeps['log'] = silentLog) => ({
  parts: everyPart,
  log,
  limits: noRateLimits,
  health: everyNetworkPayable,
  gasBalances: createGasBalances(),
  operator: null,
  solanaOwner: null,
  bridges: null,
  stablezact: null,
  lenientClients: false,
  webhookTargets: 'any' as const,
  system: noSystem,
  isReady: () => ({ isReady: true, reasons: [], codes: [] }),
  observe: () => undefined,
  apiErrors: createApiErrors({ db, nowMs: runtime.nowMs, log }),
  readRates: createRates({ kind: 'parity' }, { runtime, log }),
  elementFiles: noElementFiles,
  dashboardFiles: new Map(),
  isSignedBy: async () => false,
  readHoldings: async () => undefined,
  readMaster: async () => undefined,
  publicUrl: null,
  walletconnectProjectId: null,
  trustedProxies: [],
})
