import { PublicKey } from '@solana/web3.js'
import type { Block, Commitment, Ledger } from './ledger.ts'
import { invalidParams, minContextSlotNotReached } from './rpc-error.ts'

/** Unparsed parameters of a JSON-RPC call. */
export type Params = readonly unknown[]
export type Config = Readonly<Record<string, unknown>>
type Method = (params: Params) => unknown
export type Methods = Readonly<Record<string, Method>>

/** The chain as a method sees it, limited by the node's lag. */
export type Sight = {
  ledger: Ledger
  /** The newest block of that commitment on this node. */
  at(commitment: Commitment): Block
  /**
   * The newest block visible at the call's `commitment`.
   * @throws {RpcError} when it is below its `minContextSlot`.
   */
  view(config: Config, fallback?: Commitment): Block
}

const commitments: readonly Commitment[] = ['processed', 'confirmed', 'finalized']

/** @param lag - Returns the number of blocks that the node is behind; called at each RPC call. */
export function createSight(ledger: Ledger, lag: () => number): Sight {
  const at = (commitment: Commitment): Block => ledger.at(commitment, lag())
  return {
    ledger,
    at,
    view(config, fallback = 'finalized') {
      const block = at(commitmentOf(config, fallback))
      const minimum = config['minContextSlot']
      if (typeof minimum === 'number' && block.slot < minimum) throw minContextSlotNotReached(block.slot)
      return block
    },
  }
}

function commitmentOf(config: Config, fallback: Commitment = 'finalized'): Commitment {
  const given = config['commitment'] ?? fallback
  const found = commitments.find((one) => one === given)
  if (found === undefined) throw invalidParams(`commitment must be one of ${commitments.join(', ')}`)
  return found
}

/** Blocks and transactions are returned only once they are confirmed. */
export function votedCommitmentOf(config: Config): Commitment {
  const commitment = commitmentOf(config)
  if (commitment === 'processed') throw invalidParams('Method does not support commitment below `confirmed`')
  return commitment
}

/** The object at `index`, empty if absent; a string is its `commitment` or `encoding`. */
export function configAt(params: Params, index: number, textIs = 'encoding'): Config {
  const given = params[index]
  if (given === undefined || given === null) return {}
  if (typeof given === 'string') return { [textIs]: given }
  if (typeof given !== 'object' || Array.isArray(given)) throw invalidParams(`parameter ${index} must be an object`)
  return given as Config
}

export function textAt(params: Params, index: number, name: string): string {
  const given = params[index]
  if (typeof given !== 'string') throw invalidParams(`parameter ${index} must be ${name}`)
  return given
}

export function wholeAt(params: Params, index: number, name: string): number {
  const given = params[index]
  if (!Number.isSafeInteger(given) || Number(given) < 0) throw invalidParams(`parameter ${index} must be ${name}`)
  return Number(given)
}

/** @throws {RpcError} when it is not an address. */
export function address(text: unknown): string {
  try {
    if (typeof text === 'string') return new PublicKey(text).toBase58()
  } catch {
    // Reported by the throw below.
  }
  throw invalidParams(`Invalid param: ${String(text)} is not an address`)
}

export const addressAt = (params: Params, index: number): string => address(params[index])

/** @throws {RpcError} when it is not a list, or has more than `max` entries. */
export function listAt(params: Params, index: number, max: number): readonly unknown[] {
  const given = params[index]
  if (!Array.isArray(given)) throw invalidParams(`parameter ${index} must be a list`)
  if (given.length > max) throw invalidParams(`Too many inputs provided; max ${max}`)
  return given
}

/** A result with the slot at which it was read. */
export const inContext = <Value>({ slot }: Block, value: Value) => ({ context: { slot, apiVersion: '2.2.0' }, value })
