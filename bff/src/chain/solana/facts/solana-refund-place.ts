import { createHash } from 'node:crypto'
import { base58 } from '@scure/base'
import type { SolanaNetwork } from '../../../core/families.ts'
import { simulatedCluster } from '../../../core/simulated-chain-ids.ts'
import type { MerchantRefund, RefundPlace } from '../../../payment/merchant-refund.ts'

/**
 * Where a merchant refund is paid. `termsHash` is the refund's Solana Pay reference: a hash of its id, amount and address, so
 * that no payment or other refund has the same.
 */
export function solanaRefundPlace(
  { genesisHash }: Pick<SolanaNetwork, 'genesisHash'>,
  { id, isTest, tokenAddress, amount }: Pick<MerchantRefund, 'id' | 'isTest' | 'tokenAddress' | 'amount'>,
  address: string,
): RefundPlace {
  const cluster = isTest ? simulatedCluster : genesisHash
  const text = JSON.stringify(['stablecoin-checkout refund', cluster, tokenAddress, String(amount), id, address])
  const reference = base58.encode(createHash('sha256').update(text).digest())
  return { address, splitter: null, termsHash: reference, splitTerms: null }
}
