import { type Abi, encodeFunctionData, type Hex } from 'viem'
import { depositForwarder, paymentSplitter } from '../deploy/contracts.generated.ts'
import type { StoredTerms } from './deposit-terms.ts'
import { depositAddress, toTuple } from './forwarder-address.ts'
import { settleAbi } from './settle-call.ts'

/** Where a splitter can hold a share of the platform: one sum for each token and wallet, whichever payments left it. */
export type SplitterPlace = { splitter: Hex; token: Hex; recipient: Hex }

/** Where a share of the platform waits: at a deposit that was settled without it, or at a splitter. */
export type ParkedAt = { terms: StoredTerms } | SplitterPlace

type PayParked = { address: Hex; abi: Abi; functionName: 'payParked'; args: readonly unknown[] }

/** Anyone may call it, and it pays no one but the platform. */
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

/** Reads how much is parked. A deposit's forwarder must be there. */
export function parkedRead(place: ParkedAt) {
  if ('terms' in place) {
    const address = depositAddress(place.terms, place.terms.factory)
    return { address, abi: depositForwarder.abi, functionName: 'parked', args: [] } as const
  }
  const args = [place.token, place.recipient] as const
  return { address: place.splitter, abi: paymentSplitter.abi, functionName: 'parked', args } as const
}
