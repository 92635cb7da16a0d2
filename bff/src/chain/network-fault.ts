import type { Network } from '../core/families.ts'
import { faultText } from '../core/fault-text.ts'
import { withTimeout } from '../core/with-timeout.ts'
import type { Fault } from '../network/network-health.ts'
import { LyingNodeError, NoNodeError } from './rpc-pool.ts'

/** Timeout of one verification in total; a healthy node needs a few hundred milliseconds. */
const verifyTimeoutMs = 20_000

/** The chain does not match the configuration. The message is public: it contains no node's address. */
export class NetworkMismatchError extends Error {}

/** The network's blocks were replaced deeper than the kept headers: nothing may be applied until the operator has checked it. */
export class DeepReorgError extends Error {}

/** A public reason why a chain cannot be watched. */
export function faultOf(error: unknown, { name }: Network): Fault {
  const detail = faultText(error)
  if (error instanceof NoNodeError) return { kind: 'unreachable', reason: error.message, detail }
  if (error instanceof DeepReorgError) {
    const reason = `${name} has a deeper reorg than its finality allows. The operator must check the node and the network.`
    return { kind: 'wrong', reason, detail }
  }
  // The reason omits the node's error text: it often contains the node's URL, and the URL a key.
  return { kind: 'unreachable', reason: `No node of ${name} returns a usable response.`, detail }
}

/** Compares a network with the configuration. Never throws. @returns the fault that `verify` threw; undefined if none. */
export async function verificationFault(
  network: Network,
  signal: AbortSignal,
  verify: (signal: AbortSignal) => Promise<void>,
): Promise<Fault | undefined> {
  try {
    await withTimeout(verifyTimeoutMs, [signal], verify)
    return undefined
  } catch (error) {
    if (error instanceof NetworkMismatchError || error instanceof LyingNodeError)
      return { kind: 'wrong', reason: error.message }
    return faultOf(error, network)
  }
}
