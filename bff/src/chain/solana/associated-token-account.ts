import { AccountLayout, getAssociatedTokenAddressSync, TOKEN_PROGRAM_ID } from '@solana/spl-token'
import { PublicKey } from '@solana/web3.js'

/** Size of a token account of the classic Token program, in bytes. */
const accountBytes = 165

/** A token account's on-chain state. `amount` in base units. */
export type TokenAccount = { mint: string; owner: string; amount: bigint; isFrozen: boolean }

/** A wallet's token account for a mint. The owner may be a program's address, such as a multisig's vault. */
export const tokenAccountOf = (mint: string, owner: string): string =>
  getAssociatedTokenAddressSync(new PublicKey(mint), new PublicKey(owner), true).toBase58()

/** Undefined if the account does not belong to the classic Token program, or was never initialized. */
export function readTokenAccount(account: { owner: string; data: [string, 'base64'] }): TokenAccount | undefined {
  const bytes = Buffer.from(account.data[0], 'base64')
  if (account.owner !== TOKEN_PROGRAM_ID.toBase58() || bytes.length !== accountBytes) return undefined
  const { mint, owner, amount, state } = AccountLayout.decode(bytes)
  if (state === 0) return undefined
  return { mint: mint.toBase58(), owner: owner.toBase58(), amount, isFrozen: state === 2 }
}
