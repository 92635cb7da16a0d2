import { parseSplitTerms } from '../../chain/evm/split/split-terms.ts'
import { isSolanaSplit, parseSolanaSplitTerms } from '../../chain/solana/split/solana-split-terms.ts'
import { type ContractPayment, outcomeOf } from '../../payment/payment.ts'

/** What a payment is paid by, as clients read it. On Solana no contract and no chain id: the reference is its id on chain. */
export function shownTerms({ splitTerms, termsHash }: ContractPayment) {
  if (!isSolanaSplit(splitTerms)) return parseSplitTerms(splitTerms)
  const { mint: token, ...terms } = parseSolanaSplitTerms(splitTerms)
  return { ...terms, token, splitter: null, chainId: null, paymentId: termsHash }
}

/** The Solana Pay transaction request, while a wallet may still ask; null where nobody has said how wallets reach us. */
export function solanaPayUri(payment: ContractPayment, publicUrl: string | null): string | null {
  const isAsked = !payment.isTest && outcomeOf(payment) === 'pending' && isSolanaSplit(payment.splitTerms)
  return isAsked && publicUrl !== null ? `solana:${publicUrl}/api/v1/payments/solana-pay/${payment.id}` : null
}
