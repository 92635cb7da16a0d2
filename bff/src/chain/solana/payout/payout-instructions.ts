import {
  createAssociatedTokenAccountIdempotentInstruction,
  createCloseAccountInstruction,
  createTransferCheckedInstruction,
} from '@solana/spl-token'
import { PublicKey, type TransactionInstruction } from '@solana/web3.js'
import type { DepositPayment } from '../../../payment/payment.ts'
import { tokenAccountOf } from '../associated-token-account.ts'
import { parseSolanaTerms, type SolanaTerms } from '../facts/solana-deposit-terms.ts'
import type { AccountState } from '../rpc/solana-adapter.ts'
import type { SolanaContext } from './solana-context.ts'
import { isOnCurve } from './solana-sender.ts'

/** A deposit's proven terms and accounts. */
export type ProvenDeposit = { terms: SolanaTerms; account: string; owner: string; decimals: number }

/**
 * Verifies the terms against the address: even if the row was modified, money moves only as promised to the customer.
 * @returns an error with the reason if the terms do not match the address.
 */
export function proveDeposit({ signer, network }: SolanaContext, payment: DepositPayment): ProvenDeposit | Error {
  const { depositAddress, depositTerms, tokenDecimals } = payment
  try {
    const terms = parseSolanaTerms(depositTerms)
    if (terms.genesisHash !== network.genesisHash) return new Error(`The terms are of cluster ${terms.genesisHash}`)
    const owner = signer.ownerOf(depositTerms).toBase58()
    if (owner !== depositAddress) return new Error(`The terms are of ${owner}`)
    return { terms, owner, account: tokenAccountOf(terms.mint, owner), decimals: tokenDecimals }
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

/** A payout's recipient: a wallet and its token account. */
type Payee = { wallet: string; account: string }

export const payeeOf = (mint: string, wallet: string): Payee => ({ wallet, account: tokenAccountOf(mint, wallet) })

/**
 * Why money sent to the wallet would be lost; undefined if it would not. A token account's own address looks like a wallet, but
 * nobody can move tokens owned by it.
 */
export function payeeFault({ wallet }: Payee, state: AccountState | undefined): string | undefined {
  if (state?.token) return `${wallet} is a token account; its owner's address is needed`
  if (state === undefined && !isOnCurve(wallet)) return `${wallet} is not a wallet: it has no private key`
  return undefined
}

type Payout = { payee: Payee; amount: bigint }

/**
 * Pays from a deposit's token account, in base units of its mint.
 * @param makes - Recipients whose token accounts the fee payer creates.
 * @param isEmptied - Whether the balance becomes zero: then the account is closed, and its rent returned.
 */
export function payoutInstructions(
  { signer }: SolanaContext,
  { terms, account, owner, decimals }: ProvenDeposit,
  payouts: readonly Payout[],
  { makes, isEmptied }: { makes: readonly Payee[]; isEmptied: boolean },
): TransactionInstruction[] {
  const [from, mint, by] = [new PublicKey(account), new PublicKey(terms.mint), new PublicKey(owner)]
  return [
    ...makes.map((payee) =>
      createAssociatedTokenAccountIdempotentInstruction(
        signer.feePayer,
        new PublicKey(payee.account),
        new PublicKey(payee.wallet),
        mint,
      ),
    ),
    ...payouts.map(({ payee, amount }) =>
      createTransferCheckedInstruction(from, mint, new PublicKey(payee.account), by, amount, decimals),
    ),
    ...(isEmptied ? [createCloseAccountInstruction(from, signer.feePayer, by)] : []),
  ]
}
