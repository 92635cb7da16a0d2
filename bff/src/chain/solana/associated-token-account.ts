import { AccountLayout, getAssociatedTokenAddressSync, TOKEN_PROGRAM_ID } from '@solana/spl-token'
import { PublicKey } from '@solana/web3.js'

/** Bytes of a token account of the classic program. */
const accountBytes = 165

/** A token account as it is on chain. `amount` in base units. */
export type TokenAccount = { mint: string; owner: string; amount: bigint; isFrozen: boolean }

/** The account in which a wallet holds a token. An owner may be a program's address (a multisig's vault, say). */
export const tokenAccountOf = (mint: string, owner: string): string =>
  getAssociatedTokenAddressSync(new PublicKey(mint), new PublicKey(owner), true).toBase58()

/** Undefined when it is no account of the classic Token program, or one that was never made. */
export function readTokenAccount(account: { owner: string; data: [string, 'base64'] }): TokenAccount | undefined {
  const bytes = Buffer.from(account.data[0], 'base64')
  if (account.owner !== TOKEN_PROGRAM_ID.toBase58() || bytes.length !== accountBytes) return undefined
  const { mint, owner, amount, state } = AccountLayout.decode(bytes)
  if (state === 0) return undefined
  return { mint: mint.toBase58(), owner: owner.toBase58(), amount, isFrozen: state === 2 }
}
