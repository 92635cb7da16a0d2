import { decodeEventLog, getAbiItem, type Hex, toEventSelector } from 'viem'
import { paymentSplitter } from '../deploy/contracts.generated.ts'
import { type SplitDetails, splitHash } from './split-terms.ts'

/** Topic of the splitter's event. Its second indexed argument is the terms hash, where a Transfer has its recipient. */
export const splitTopic: Hex = toEventSelector(getAbiItem({ abi: paymentSplitter.abi, name: 'PaymentSplit' }))

/** The splitter's event. `termsHash` in lower case, `received` in base units. */
export type SplitEvent = { payer: string; termsHash: Hex; received: bigint; details: SplitDetails }

/** Whether a log has the form of `PaymentSplit`, which has four topics. The caller checks the emitting contract. */
export const isSplitLog = (topics: readonly Hex[]): boolean => topics.length === 4 && topics[0] === splitTopic

/**
 * Parses a `PaymentSplit`.
 * @returns undefined if the log does not decode, or its fields do not match its hash on this chain.
 */
export function readSplitLog(
  chainId: number,
  log: { address: Hex; topics: readonly Hex[]; data: Hex },
): SplitEvent | undefined {
  try {
    const { args } = decodeEventLog({
      abi: paymentSplitter.abi,
      eventName: 'PaymentSplit',
      topics: [...log.topics] as [Hex, ...Hex[]],
      data: log.data,
    })
    const { payer, termsHash, received, ...details } = args
    if (splitHash(chainId, log.address, details) !== termsHash.toLowerCase()) return undefined
    return { payer: payer.toLowerCase(), termsHash: termsHash.toLowerCase() as Hex, received, details }
  } catch {
    return undefined
  }
}
