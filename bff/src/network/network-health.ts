import { PaymentError } from '../core/errors.ts'
import type { Network } from '../core/families.ts'
import type { Log } from '../core/log.ts'
import { pause } from '../core/worker.ts'

/** Whether payments on a network are accepted now, and if not, why: a public sentence, without a node's address. */
export type Health = { isPayable: boolean; reason: string | null }

export type NetworkHealth = { get(shortName: string): Health }

/** `wrong` needs the operator; `unreachable` usually resolves by itself; `off` is configured. `detail` is only logged. */
export type Fault = { kind: 'wrong' | 'unreachable' | 'off'; reason: string; detail?: string }

/** The end of a reason for a missing contract of this service. Matched as text, because replicas share only the reasons. */
export const notDeployed = 'is not a contract: it is not deployed.'

type Verify = (signal: AbortSignal) => Promise<Fault | undefined>
type Named = Pick<Network, 'shortName'>

/** The pauses before the next verification. A starting node is noticed quickly; each verification costs a few calls. */
const pausesMs = { wrong: 60_000, unreachableFirst: 500, unreachableMax: 5_000 }

const notVerified: Health = { isPayable: false, reason: 'The network is being checked.' }
const good: Health = { isPayable: true, reason: null }

/** Offers a network only while its chain matches the configuration. `what`: the name of what is checked, for the log. */
export function createNetworkHealth(log: Log, pauses = pausesMs, what = 'The network') {
  const states = new Map<string, Health>()

  /** Records the result of a check; a network without a fault can be paid on. */
  function report({ shortName }: Named, fault: Fault | undefined): void {
    const before = states.get(shortName)
    states.set(shortName, fault ? { isPayable: false, reason: fault.reason } : good)
    if (!fault && before?.isPayable !== true) log.info({ network: shortName }, `${what} is available`)
    if (fault && fault.reason !== before?.reason) {
      const level = fault.kind === 'off' ? 'info' : 'warn'
      log[level]({ network: shortName, reason: fault.reason, detail: fault.detail }, `${what} is unavailable`)
    }
  }

  return {
    get: (shortName: string): Health => states.get(shortName) ?? notVerified,
    report,
    /**
     * Verifies at once, then repeatedly while there is a fault.
     * @param onFirst - Called after the first verification.
     * @returns whether the network can be paid on; false after the signal aborts.
     */
    async untilPayable(
      network: Named,
      verify: Verify,
      signal: AbortSignal,
      onFirst: () => void = () => undefined,
    ): Promise<boolean> {
      let pauseMs = pauses.unreachableFirst
      while (!signal.aborted) {
        const fault = await verify(signal)
        if (!signal.aborted) report(network, fault)
        onFirst()
        if (!fault) return !signal.aborted
        await pause(fault.kind === 'unreachable' ? pauseMs : pauses.wrong, signal)
        pauseMs = Math.min(pauses.unreachableMax, pauseMs * 2)
      }
      return false
    },
  }
}

/**
 * The status of a refusal in this state: 503 before the first verification, because the same request may succeed a moment
 * later.
 */
export const refusalBy = (state: Health) =>
  state === notVerified ? ({ status: 503, retryAfterSeconds: 1 } as const) : ({ status: 400 } as const)

/** @throws {PaymentError} with the reason while the network cannot be paid on; 503 before the first verification. */
export function verifyPayable(network: string, health: NetworkHealth): void {
  const state = health.get(network)
  if (state.isPayable) return
  const message = `${network} cannot be paid on now: ${state.reason}`
  throw new PaymentError('NETWORK_UNAVAILABLE', message, refusalBy(state))
}
