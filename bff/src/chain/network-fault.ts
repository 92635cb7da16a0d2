import type { Network } from '../core/families.ts'
import { faultText } from '../core/fault-text.ts'
import { withTimeout } from '../core/with-timeout.ts'
import type { Fault } from '../network/network-health.ts'
import { LyingNodeError, NoNodeError } from './rpc-pool.ts'

/** For all calls of one verification; a good node needs a few hundred milliseconds. */
const verifyTimeoutMs = 20_000

/** The chain is not what the configuration says. The message is for anyone: it names no address of a node. */
export class NetworkMismatchError extends Error {}

/**
 * The network's blocks were replaced deeper than we keep headers: nothing may be applied before the operator
 * has checked it.
 */
export class DeepReorgError extends Error {}

/** Why a chain cannot be watched, for anyone. */
export function faultOf(error: unknown, { name }: Network): Fault {
  const detail = faultText(error)
  if (error instanceof NoNodeError) return { kind: 'unreachable', reason: error.message, detail }
  if (error instanceof DeepReorgError) {
    const reason = `${name} has a deeper reorg than its finality allows. The operator must check the node and the network.`
    return { kind: 'wrong', reason, detail }
  }
  // The node's own error text stays out of the reason: it often holds the node's URL, and the URL a key.
  return { kind: 'unreachable', reason: `No node of ${name} returns a usable response.`, detail }
}

/** Compares a network with the configuration. @returns what `verify` found wrong, undefined when it threw nothing. Never throws. */
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
