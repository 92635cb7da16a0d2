import type { Hex } from 'viem'
import type { EvmNetwork } from '../../../core/families.ts'
import { simulatedChainId, simulatedContract } from '../../../core/simulated-chain-ids.ts'
import type { MerchantRefund, RefundPlace } from '../../../payment/merchant-refund.ts'
import type { ContractCall } from '../../family.ts'
import { contractCall } from './contract-call.ts'
import { formatSplitTerms, parseSplitTerms, type SplitTerms, termsHash } from './split-terms.ts'

/** Seconds in which a returned call can be mined; afterwards the splitter refuses it. */
const callSeconds = 3_600

/**
 * The terms under which the splitter pays a merchant refund: one recipient gets everything. Its `paymentId` is the refund's id,
 * so that no payment has the same terms. Without contracts, a plain transfer pays it.
 */
export function refundPlace(network: EvmNetwork, refund: MerchantRefund, address: string): RefundPlace {
  if (network.deposits !== 'forwarder') return { address, splitter: null, termsHash: null, splitTerms: null }
  const terms: SplitTerms = {
    chainId: refund.isTest ? simulatedChainId : network.chainId,
    splitter: (refund.isTest ? simulatedContract : network.splitter) as Hex,
    token: (refund.isTest ? simulatedContract : refund.tokenAddress) as Hex,
    amount: refund.amount,
    paymentId: refund.id,
    merchant: address as Hex,
    // Its share is zero; existing clients refuse a call whose second recipient is the zero address.
    platform: address as Hex,
    feeBps: 0,
    // Not part of the hash: each returned call sets its own.
    deadlineSeconds: 0,
  }
  return {
    address,
    splitter: terms.splitter.toLowerCase(),
    termsHash: termsHash(terms),
    splitTerms: formatSplitTerms(terms),
  }
}

/** The call with which the merchant's wallet pays a refund; undefined without a splitter. */
export function refundCall(network: EvmNetwork, refund: MerchantRefund, nowMs: number): ContractCall | undefined {
  const { place, currency } = refund
  if (!place?.termsHash || !place.splitTerms) return undefined
  const terms = { ...parseSplitTerms(place.splitTerms), deadlineSeconds: Math.floor(nowMs / 1000) + callSeconds }
  return contractCall(network, { currency, splitTerms: formatSplitTerms(terms), termsHash: place.termsHash })
}
