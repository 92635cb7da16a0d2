import { type Abi, encodeFunctionData, type Hex } from 'viem'
import { depositForwarder, paymentSplitter } from '../deploy/contracts.generated.ts'
import type { StoredTerms } from './deposit-terms.ts'
import { depositAddress, toTuple } from './forwarder-address.ts'
import { settleAbi } from './settle-call.ts'

/** Where a splitter holds parked platform shares: one balance per token and wallet, for all payments. */
export type SplitterPlace = { splitter: Hex; token: Hex; recipient: Hex }

/** Location of a parked platform share: a deposit settled without it, or a splitter. */
export type ParkedAt = { terms: StoredTerms } | SplitterPlace

type PayParked = { address: Hex; abi: Abi; functionName: 'payParked'; args: readonly unknown[] }

/** Anyone may send this call; it pays only the platform. */
export function payParkedCall(place: ParkedAt): PayParked {
  if ('terms' in place) {
    return {
      address: place.terms.factory,
      abi: settleAbi,
      functionName: 'payParked',
      args: [toTuple(place.terms)],
    }
  }
  const args = [place.token, place.recipient]
  return { address: place.splitter, abi: paymentSplitter.abi, functionName: 'payParked', args }
}

/** The transaction that pays a parked share. */
export function encodePayParked(place: ParkedAt): { to: Hex; data: Hex } {
  const call = payParkedCall(place)
  return { to: call.address, data: encodeFunctionData(call) }
}

/** Reads the parked amount. A deposit's forwarder must be deployed. */
export function parkedRead(place: ParkedAt) {
  if ('terms' in place) {
    const address = depositAddress(place.terms, place.terms.factory)
    return { address, abi: depositForwarder.abi, functionName: 'parked', args: [] } as const
  }
  const args = [place.token, place.recipient] as const
  return { address: place.splitter, abi: paymentSplitter.abi, functionName: 'parked', args } as const
}
