import { createFreezeAccountInstruction, createThawAccountInstruction } from '@solana/spl-token'
import { type Connection, type Keypair, PublicKey, Transaction } from '@solana/web3.js'
import { tokenAccountOf } from '@stablecoin-checkout/bff/testing/solana'

const frozenState = 2
const stateAt = 108

/**
 * The issuer freezes or thaws an account of a test token. Does nothing if there is no account, or it is already in that state.
 */
export async function freezeTestTokens(
  connection: Connection,
  tokenOwner: Keypair,
  { mint, owner, isFrozen }: { mint: string; owner: string; isFrozen: boolean },
): Promise<void> {
  const account = new PublicKey(tokenAccountOf(mint, owner))
  const found = await connection.getAccountInfo(account, 'processed')
  if (found === null || (found.data[stateAt] === frozenState) === isFrozen) return
  const make = isFrozen ? createFreezeAccountInstruction : createThawAccountInstruction
  const { blockhash } = await connection.getLatestBlockhash('processed')
  const transaction = new Transaction({ feePayer: tokenOwner.publicKey, recentBlockhash: blockhash })
  transaction.add(make(account, new PublicKey(mint), tokenOwner.publicKey))
  transaction.sign(tokenOwner)
  await connection.sendRawTransaction(transaction.serialize(), { skipPreflight: true })
}
