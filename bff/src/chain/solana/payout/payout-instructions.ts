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

/** What a deposit's money is moved by. */
export type ProvenDeposit = { terms: SolanaTerms; account: string; owner: string; decimals: number }

/**
 * The address proves the terms: whatever happened to a row, money is only ever moved as its customer was promised.
 * @returns an error that says why, when the terms are not those of the address.
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

/** Where a payout goes: a wallet, and the account in which it holds the token. */
type Payee = { wallet: string; account: string }

export const payeeOf = (mint: string, wallet: string): Payee => ({ wallet, account: tokenAccountOf(mint, wallet) })

/**
 * Why money that is sent to the wallet would be lost; undefined when it would not. A token account's own address has the form of
 * a wallet, and nobody can move money that is sent to it as a wallet.
 */
export function payeeFault({ wallet }: Payee, state: AccountState | undefined): string | undefined {
  if (state?.token) return `${wallet} is a token account; its owner's address is needed`
  if (state === undefined && !isOnCurve(wallet)) return `${wallet} is nobody's wallet: no key can be behind it`
  return undefined
}

type Payout = { payee: Payee; amount: bigint }

/**
 * Pays from a deposit's token account, in base units of its mint.
 * @param makes - Payees whose accounts the fee payer makes.
 * @param isEmptied - Nothing is left: the account is closed, and its rent comes back.
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
