import {
  type Address,
  type BaseError,
  ContractFunctionRevertedError,
  encodeFunctionData,
  type Hex,
  type Log,
  parseEventLogs,
} from 'viem'
import { depositFactory, depositForwarder } from '../deploy/contracts.generated.ts'
import type { StoredTerms } from './deposit-terms.ts'
import { toTuple } from './forwarder-address.ts'
import { refusalOf, settleAbi } from './settle-call.ts'

/** A refund from a deposit address. `amount` in base units of `token`. */
export type RefundCall = { terms: StoredTerms; token: Hex; to: Hex; amount: bigint }

/**
 * `gas` of the transaction, or why it reverts. `error`: name of the contract's error; null for any other revert. `refundable`:
 * the amount that could be refunded.
 */
export type RefundCheck = { gas: bigint } | { error: string | null; reason: string; refundable: bigint }

/** Only the terms' operator may send this call. */
export function refundCall({ terms, token, to, amount }: RefundCall) {
  const args = [toTuple(terms), token, to, amount] as const
  return { account: terms.operator, address: terms.factory, abi: settleAbi, functionName: 'refund', args } as const
}

export function encodeRefund({ terms, token, to, amount }: RefundCall): Hex {
  return encodeFunctionData({
    abi: depositFactory.abi,
    functionName: 'refund',
    args: [toTuple(terms), token, to, amount],
  })
}

/** The refusal in a simulated refund's error; undefined when the request itself failed. */
export function refundRefusalOf(error: unknown): Extract<RefundCheck, { reason: string }> | undefined {
  const refusal = refusalOf(error)
  if (refusal === undefined) return undefined
  const revert = (error as BaseError).walk((cause) => cause instanceof ContractFunctionRevertedError)
  const data = revert instanceof ContractFunctionRevertedError ? revert.data : undefined
  const refundable = data?.errorName === 'NotRefundable' ? BigInt(String(data.args?.[2] ?? 0)) : 0n
  return { error: data?.errorName ?? null, reason: refusal.reason, refundable }
}

/** A refund in a transaction's logs, with its forwarder. */
export type RefundLog = { forwarder: Address; token: Address; to: Address; amount: bigint }

export function readRefundLogs(logs: Log[]): RefundLog[] {
  return parseEventLogs({ abi: depositForwarder.abi, eventName: 'Refunded', logs }).map(({ address, args }) => ({
    forwarder: address,
    ...args,
  }))
}
