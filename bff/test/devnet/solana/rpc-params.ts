import { PublicKey } from '@solana/web3.js'
import type { Block, Commitment, Ledger } from './ledger.ts'
import { invalidParams, minContextSlotNotReached } from './rpc-error.ts'

/** Parameters of a JSON-RPC call, as they came. */
export type Params = readonly unknown[]
export type Config = Readonly<Record<string, unknown>>
type Method = (params: Params) => unknown
export type Methods = Readonly<Record<string, Method>>

/** What a method sees: the chain, as far as the node has it. */
export type Sight = {
  ledger: Ledger
  /** Newest block of that commitment that this node has. */
  at(commitment: Commitment): Block
  /** Newest block that the call's `commitment` lets it see. @throws {RpcError} when that is below its `minContextSlot`. */
  view(config: Config, fallback?: Commitment): Block
}

const commitments: readonly Commitment[] = ['processed', 'confirmed', 'finalized']

/** @param lag - Blocks that the node is behind, asked at each call. */
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

/** Blocks and transactions are only told of once they are voted for. */
export function votedCommitmentOf(config: Config): Commitment {
  const commitment = commitmentOf(config)
  if (commitment === 'processed') throw invalidParams('Method does not support commitment below `confirmed`')
  return commitment
}

/** The object at `index`, empty when there is none; a text stands for its `commitment` or `encoding`. */
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

/** @throws {RpcError} when it is no address. */
export function address(text: unknown): string {
  try {
    if (typeof text === 'string') return new PublicKey(text).toBase58()
  } catch {
    // Said below.
  }
  throw invalidParams(`Invalid param: ${String(text)} is not an address`)
}

export const addressAt = (params: Params, index: number): string => address(params[index])

/** @throws {RpcError} when it is no list, or one of more than `max`. */
export function listAt(params: Params, index: number, max: number): readonly unknown[] {
  const given = params[index]
  if (!Array.isArray(given)) throw invalidParams(`parameter ${index} must be a list`)
  if (given.length > max) throw invalidParams(`Too many inputs provided; max ${max}`)
  return given
}

/** A result that was read at a slot. */
export const inContext = <Value>({ slot }: Block, value: Value) => ({ context: { slot, apiVersion: '2.2.0' }, value })
