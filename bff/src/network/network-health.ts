import { setTimeout as sleep } from 'node:timers/promises'
import { PaymentError } from '../core/errors.ts'
import type { Network } from '../core/families.ts'
import type { Log } from '../core/log.ts'

/** May a network be paid on now, and if not, why: a sentence for anyone, without a node's address. */
export type Health = { isPayable: boolean; reason: string | null }

export type NetworkHealth = { get(shortName: string): Health }

/** `wrong` is for a person to mend; `unreachable` mostly mends itself. `detail` is for the log only. */
export type Fault = { kind: 'wrong' | 'unreachable'; reason: string; detail?: string }

export type Verify<N extends Network> = (network: N, signal: AbortSignal) => Promise<Fault | undefined>

/** Until the next look. A node that is being started should be noticed within a moment, and costs one call a look. */
const pausesMs = { wrong: 60_000, unreachableFirst: 500, unreachableMax: 5_000 }

const notLookedAt: Health = { isPayable: false, reason: 'The network is being checked.' }
const good: Health = { isPayable: true, reason: null }

/** Keeps networks out until their chain is what the configuration says. `what` is for the log: what is kept out. */
export function createNetworkHealth<N extends Network>(
  verify: Verify<N>,
  log: Log,
  pauses = pausesMs,
  what = 'the network',
) {
  const states = new Map<string, Health>()

  async function look(network: N, signal: AbortSignal): Promise<Fault | undefined> {
    const fault = await verify(network, signal)
    if (signal.aborted) return fault
    report(network, fault)
    return fault
  }

  /** What somebody who reads the chain has found; no fault lets the network in. */
  function report({ shortName }: Pick<Network, 'shortName'>, fault: Fault | undefined): void {
    const before = states.get(shortName)
    states.set(shortName, fault ? { isPayable: false, reason: fault.reason } : good)
    if (!fault && before?.isPayable !== true) log.info({ network: shortName }, `${what} is in`)
    if (fault && fault.reason !== before?.reason) {
      log.warn({ network: shortName, reason: fault.reason, detail: fault.detail }, `${what} is kept out`)
    }
  }

  return {
    get: (shortName: string): Health => states.get(shortName) ?? notLookedAt,
    report,
    /** Looks at once; then again and again while the network is bad, telling `onFirst` when it has looked once. */
    async untilPayable(network: N, signal: AbortSignal, onFirst: () => void = () => undefined): Promise<boolean> {
      let pauseMs = pauses.unreachableFirst
      while (!signal.aborted) {
        const fault = await look(network, signal).finally(onFirst)
        if (!fault) return !signal.aborted
        await sleep(fault.kind === 'wrong' ? pauses.wrong : pauseMs, undefined, { signal }).catch(() => undefined)
        pauseMs = Math.min(pauses.unreachableMax, pauseMs * 2)
      }
      return false
    },
  }
}

/** For a program that verifies nothing, because it asks no chain. */
export const everyNetworkPayable: NetworkHealth = { get: () => good }

/** @throws {PaymentError} with the reason while the network cannot be paid on. */
export function verifyPayable(network: string, health: NetworkHealth): void {
  const { isPayable, reason } = health.get(network)
  if (isPayable) return
  const message = `${network} cannot be paid on now: ${reason}`
  throw new PaymentError('NETWORK_UNAVAILABLE', message, { status: 400, error: 'Network unavailable' })
}
