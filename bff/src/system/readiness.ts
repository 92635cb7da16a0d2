import type { Networks } from '../core/families.ts'
import type { ReadinessCode } from '../core/finding-codes.ts'
import type { NetworkHealth } from '../network/network-health.ts'

/** Public sentences. */
const sentences: Readonly<Record<ReadinessCode, string>> = {
  stopping: 'The service is stopping.',
  database: 'Writing to the database failed.',
  replaced: 'Another process has taken over the database.',
  noNetwork: 'No network is configured.',
  noPayableNetwork: 'No network can be paid on. See /api/v1/payments/health.',
}

/** `reasons` and `codes` are empty when the service is ready. */
type Readiness = { isReady: boolean; reasons: string[]; codes: ReadinessCode[] }

export type ReadReadiness = () => Readiness

type Deps = {
  networks: Networks
  health: NetworkHealth
  /** False after a failed commit, until the next one succeeds. */
  canCommit: () => boolean
  /** Whether another process has taken over a database that serves only one. */
  isReplaced: () => boolean
  stopping: AbortSignal
}

/** Whether payments can be taken now. A process that is alive but not ready recovers by itself and must not be restarted. */
export function createReadiness({ networks, health, canCommit, isReplaced, stopping }: Deps): ReadReadiness {
  return () => {
    const codes: ReadinessCode[] = []
    if (stopping.aborted) codes.push('stopping')
    if (!canCommit()) codes.push('database')
    if (isReplaced()) codes.push('replaced')
    if (networks.size === 0) codes.push('noNetwork')
    else if (![...networks.keys()].some((name) => health.get(name).isPayable)) {
      codes.push('noPayableNetwork')
    }
    return { isReady: codes.length === 0, reasons: codes.map((code) => sentences[code]), codes }
  }
}
