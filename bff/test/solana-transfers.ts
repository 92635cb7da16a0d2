import { createAssociatedTokenAccountIdempotentInstruction, createTransferCheckedInstruction } from '@solana/spl-token'
import { Keypair, PublicKey } from '@solana/web3.js'
import { tokenAccountOf } from '@stablecoin-checkout/bff/testing/solana'

/** Transfers without a reference, each to a wallet's token account, which is created first; omits zero amounts. For tests. */
export function plainTransfers(
  from: PublicKey,
  mintAddress: string,
  recipients: readonly (readonly [wallet: string, amount: bigint])[],
) {
  const mint = new PublicKey(mintAddress)
  const source = new PublicKey(tokenAccountOf(mintAddress, from.toBase58()))
  const instructions = recipients
    .filter(([, amount]) => amount > 0n)
    .flatMap(([wallet, amount]) => {
      const [owner, to] = [new PublicKey(wallet), new PublicKey(tokenAccountOf(mintAddress, wallet))]
      return [
        createAssociatedTokenAccountIdempotentInstruction(from, to, owner, mint),
        createTransferCheckedInstruction(source, mint, to, from, amount, 6),
      ]
    })
  // An additional key, so that two such transactions in one block differ.
  instructions[0]?.keys.push({ pubkey: Keypair.generate().publicKey, isSigner: false, isWritable: false })
  return instructions
}
