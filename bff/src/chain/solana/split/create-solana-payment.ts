import type { SolanaNetwork } from '../../../core/families.ts'
import { simulatedCluster, simulatedMint } from '../../../core/simulated-chain-ids.ts'
import type { CommonFields, ContractPayment, PlainSender } from '../../../payment/payment.ts'
import { tokenProgram } from './solana-split-call.ts'
import { formatSolanaSplitTerms, referenceOf, type SolanaSplitTerms } from './solana-split-terms.ts'

type Draft = {
  network: SolanaNetwork
  merchantWallet: string
  common: CommonFields
  feeBps: number
  plainSender: PlainSender | null
}

/** A wallet payment on Solana, which has no contract of ours: the token program moves the money, the reference names the payment. */
export function newSolanaPayment({ network, merchantWallet, common, feeBps, plainSender }: Draft): ContractPayment {
  const terms: SolanaSplitTerms = {
    family: 'solana',
    genesisHash: common.isTest ? simulatedCluster : network.genesisHash,
    mint: common.isTest ? simulatedMint : common.tokenAddress,
    decimals: common.tokenDecimals,
    amount: common.due,
    paymentId: common.id,
    merchant: merchantWallet,
    platform: network.platformWallet,
    feeBps,
    deadlineSeconds: Math.floor(common.windowEndsAtMs / 1000),
  }
  return Object.assign(common, {
    mode: 'contract' as const,
    splitter: tokenProgram,
    termsHash: referenceOf(terms),
    splitTerms: formatSolanaSplitTerms(terms),
    plainSender,
  })
}
