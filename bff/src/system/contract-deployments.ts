import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../core/log.ts'

/** `present`: nothing was missing. `underWay`: blocks are slow, and the deployment continues. */
export type DeploymentState = 'deployed' | 'present' | 'underWay'

/** @throws {PaymentError} when nothing can be deployed. */
export type DeployContracts = (network: string) => Promise<DeploymentState>

/** Shorter than browsers and proxies wait for a response. */
const answerMs = 20_000

/**
 * One deployment of a network at a time, which concurrent requests share. A request gets its result, or after 20 seconds `underWay`.
 * @param deploy - `paid`: null when nothing was missing.
 */
export function createContractDeployments(
  deploy: (network: string) => Promise<{ paid: object | null }>,
  { log, waitMs = answerMs }: { log: Log; waitMs?: number },
): DeployContracts {
  const running = new Map<string, Promise<DeploymentState>>()

  function start(network: string): Promise<DeploymentState> {
    const deployment = deploy(network)
      .then(({ paid }): DeploymentState => (paid === null ? 'present' : 'deployed'))
      .finally(() => running.delete(network))
    // By then the request may already have its response.
    deployment.catch((error: unknown) => log.warn({ network, err: error }, 'Deploying contracts failed'))
    running.set(network, deployment)
    return deployment
  }

  return async (network) => {
    const answered = new AbortController()
    const late = sleep<DeploymentState>(waitMs, 'underWay', { signal: answered.signal, ref: false })
    try {
      return await Promise.race([running.get(network) ?? start(network), late])
    } finally {
      late.catch(() => undefined)
      answered.abort()
    }
  }
}
