import type { Network } from '../core/families.ts'
import type { Fault } from '../network/network-health.ts'
import { faultText } from './fault-text.ts'
import { NoNodeError } from './rpc-pool.ts'

/** The chain is not what the configuration says. The message is for anyone: it names no address of a node. */
export class NetworkMismatchError extends Error {}

/** The network's blocks were replaced deeper than we keep headers: nothing may be believed before a person looked. */
export class DeepReorgError extends Error {}

/** Why a chain cannot be watched, for anyone. */
export function faultOf(error: unknown, { name }: Network): Fault {
  const detail = faultText(error)
  if (error instanceof NoNodeError) return { kind: 'unreachable', reason: error.message, detail }
  if (error instanceof DeepReorgError) {
    const reason = `${name} has replaced more blocks than can be: a person must look.`
    return { kind: 'wrong', reason, detail }
  }
  return { kind: 'unreachable', reason: `No node of ${name} gives a usable answer.`, detail }
}
