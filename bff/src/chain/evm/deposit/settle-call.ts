import {
  type BaseError,
  ContractFunctionExecutionError,
  ContractFunctionRevertedError,
  decodeErrorResult,
  encodeFunctionData,
  type Hex,
  type Log,
  parseEventLogs,
} from 'viem'
import { rpcErrorOf } from '../../rpc-pool.ts'
import { depositFactory, depositForwarder } from '../deploy/contracts.generated.ts'
import { isRevert } from '../rpc/revert.ts'
import type { StoredTerms } from './deposit-terms.ts'
import { toTuple } from './forwarder-address.ts'

/** Settlements call the factory but fail in the forwarder, whose errors are needed to decode a refusal. */
export const settleAbi = [
  ...depositFactory.abi,
  ...depositForwarder.abi.filter((item) => item.type === 'error'),
] as const

/** The same batch always produces the same bytes. */
export function encodeSettleMany(batch: readonly StoredTerms[]): Hex {
  return encodeFunctionData({ abi: depositFactory.abi, functionName: 'settleMany', args: [batch.map(toTuple)] })
}

/** Why a deposit cannot be settled. `isSettled`: because it already is. */
export type Refusal = { isSettled: boolean; reason: string }

/** Of a node's message, which is untrusted. */
const reasonMaxChars = 300

const simulated: ReadonlySet<string> = new Set(['settle', 'refund', 'payParked'])

/**
 * The refusal in the error of a simulated `settle`, `refund` or `payParked`; undefined when the request itself failed, which says
 * nothing about the deposit.
 */
export function refusalOf(error: unknown): Refusal | undefined {
  if (!(error instanceof ContractFunctionExecutionError) || !simulated.has(error.functionName)) return undefined
  const answer = rpcErrorOf(error)
  if (answer && !isRevert(answer)) return undefined
  const revert = (error as BaseError).walk((cause) => cause instanceof ContractFunctionRevertedError)
  if (!(revert instanceof ContractFunctionRevertedError)) {
    return answer && { isSettled: false, reason: answer.details.slice(0, reasonMaxChars) }
  }
  const { data, reason = revert.signature ?? 'reverted without a reason' } = revert
  if (data === undefined || data.errorName === 'Error') return { isSettled: false, reason }
  return { isSettled: data.errorName === 'AlreadySettled', reason: errorText(data.errorName, data.args) }
}

/** An error in Solidity's notation. */
function errorText(name: string, values: readonly unknown[] = []): string {
  return `${name}(${values.map(String).join(', ')})`
}

/** A settling transaction's result, by forwarder in lower case. Amounts in the token's base units. */
export type SettleLogs = {
  settled: ReadonlyMap<string, { merchantAmount: bigint; platformAmount: bigint; isPlatformParked: boolean }>
  skipped: ReadonlyMap<string, Refusal>
}

/** Parses one receipt's logs. Only its own forwarder can report a deposit as settled, only the factory as skipped. */
export function readSettleLogs(logs: Log[], factory: string): SettleLogs {
  const parked = new Set<string>()
  for (const log of parseEventLogs({ abi: depositForwarder.abi, eventName: 'PlatformShareParked', logs })) {
    parked.add(log.address.toLowerCase())
  }
  const settled = new Map<string, { merchantAmount: bigint; platformAmount: bigint; isPlatformParked: boolean }>()
  for (const { address, args } of parseEventLogs({ abi: depositForwarder.abi, eventName: 'Settled', logs })) {
    const { merchantAmount, platformAmount } = args
    const forwarder = address.toLowerCase()
    settled.set(forwarder, { merchantAmount, platformAmount, isPlatformParked: parked.has(forwarder) })
  }
  const skipped = new Map<string, Refusal>()
  for (const { address, args } of parseEventLogs({ abi: depositFactory.abi, eventName: 'SettleSkipped', logs })) {
    if (address.toLowerCase() === factory.toLowerCase())
      skipped.set(args.forwarder.toLowerCase(), readReason(args.reason))
  }
  return { settled, skipped }
}

/** The factory truncates long reasons, so an undecodable reason is shown as bytes. */
function readReason(data: Hex): Refusal {
  try {
    const { errorName, args } = decodeErrorResult({ abi: settleAbi, data })
    return { isSettled: errorName === 'AlreadySettled', reason: errorText(errorName, args) }
  } catch {
    return { isSettled: false, reason: data === '0x' ? 'reverted without a reason' : data }
  }
}
