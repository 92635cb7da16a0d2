import type { Networks } from '../core/families.ts'
import type { NetworkHealth } from '../network/network-health.ts'

/** `reasons` are sentences that anybody may read; empty when the service is ready. */
type Readiness = { isReady: boolean; reasons: string[] }

export type ReadReadiness = () => Readiness

type Deps = {
  networks: Networks
  health: NetworkHealth
  /** False from a failed commit until the next that succeeds. */
  canCommit: () => boolean
  /** Whether another process has taken over the database, which is for one. */
  isReplaced: () => boolean
  stopping: AbortSignal
}

/** Whether payments can be taken now. A process that is alive but not ready recovers by itself: it must not be restarted. */
export function createReadiness({ networks, health, canCommit, isReplaced, stopping }: Deps): ReadReadiness {
  return () => {
    const reasons: string[] = []
    if (stopping.aborted) reasons.push('The service is stopping.')
    if (!canCommit()) reasons.push('Writing to the database failed.')
    if (isReplaced()) reasons.push('Another process has taken over the database.')
    if (networks.size === 0) reasons.push('No network is configured.')
    else if (![...networks.keys()].some((name) => health.get(name).isPayable)) {
      reasons.push('No network can be paid on. See /api/v1/payments/health.')
    }
    return { isReady: reasons.length === 0, reasons }
  }
}
