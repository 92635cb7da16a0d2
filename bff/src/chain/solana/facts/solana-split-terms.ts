import { createHash } from 'node:crypto'
import { base58 } from '@scure/base'
import { z } from 'zod'
import type { SolanaNetwork } from '../../../core/families.ts'
import { simulatedCluster, simulatedMint } from '../../../core/simulated-chain-ids.ts'
import type { CommonFields, ContractPayment, PlainSender } from '../../../payment/payment.ts'
import { storedAmount, storedTerms } from '../../stored-terms.ts'

const wholeBps = 10_000n

/** The classic Token program, which moves the money. */
const tokenProgram = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'

const address = z.string().regex(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/)

const termsSchema = z.strictObject({
  family: z.literal('solana'),
  /** The cluster's genesis hash: binds the terms to one cluster. */
  genesisHash: z.string().min(1),
  mint: address,
  decimals: z.int().min(0).max(18),
  amount: storedAmount(),
  paymentId: z.string(),
  merchant: address,
  platform: address,
  feeBps: z.int().min(0).max(Number(wholeBps)),
  /** Unix seconds; afterwards no transaction for the payment is created. */
  deadlineSeconds: z.int().min(0),
})

/**
 * A wallet payment's terms on Solana. Amounts are base units of `mint`, wallets are owners in base58, never token
 * accounts.
 */
export type SolanaSplitTerms = z.infer<typeof termsSchema>

export const { format: formatSolanaSplitTerms, parse: parseSolanaSplitTerms } = storedTerms('split', termsSchema)

/** The shares of merchant and platform: the fee is rounded down, the merchant gets the rest. */
export function solanaShares({ amount, feeBps }: Pick<SolanaSplitTerms, 'amount' | 'feeBps'>) {
  const platform = (amount * BigInt(feeBps)) / wholeBps
  return { merchant: amount - platform, platform }
}

/**
 * An account that the payment's transaction lists but does not use: the hash of all terms, as an address without a private key.
 * Different terms have another reference, so a transaction with this one was made for these terms.
 */
export function referenceOf(terms: SolanaSplitTerms): string {
  const { genesisHash, mint, decimals, amount, paymentId, merchant, platform, feeBps, deadlineSeconds } = terms
  const fields = [genesisHash, mint, decimals, String(amount), paymentId, merchant, platform, feeBps, deadlineSeconds]
  const text = JSON.stringify(['stablecoin-checkout split', ...fields])
  return base58.encode(createHash('sha256').update(text).digest())
}

type Draft = {
  network: SolanaNetwork
  merchantWallet: string
  common: CommonFields
  feeBps: number
  plainSender: PlainSender | null
}

/**
 * A new wallet payment. It needs no contract: the token program moves the money, and the reference identifies the
 * payment.
 */
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
