import type { Networks } from '../../core/families.ts'
import type { NetworkHealth } from '../../network/network-health.ts'

/** Why no new payment should be sent here; each reason is a sentence for anyone. */
type Readiness = { isReady: boolean; reasons: string[] }

export type ReadReadiness = () => Readiness

type Deps = {
  networks: Networks
  health: NetworkHealth
  /** False from a commit that failed until one succeeds. */
  canCommit: () => boolean
  stopping: AbortSignal
}

/**
 * Whether payments can be taken now. Apart from health: a process that is alive and not ready must be left to mend itself,
 * not started again. Nothing listens before the database is migrated and the networks were looked at once.
 */
export function createReadiness({ networks, health, canCommit, stopping }: Deps): ReadReadiness {
  return () => {
    const reasons: string[] = []
    if (stopping.aborted) reasons.push('The service is stopping.')
    if (!canCommit()) reasons.push('The database could not be written.')
    if (networks.size === 0) reasons.push('No network is configured.')
    else if (![...networks.keys()].some((name) => health.get(name).isPayable)) {
      reasons.push('No network can be paid on now: /api/v1/payments/health says why.')
    }
    return { isReady: reasons.length === 0, reasons }
  }
}
