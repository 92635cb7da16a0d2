import {
  createAssociatedTokenAccountIdempotentInstruction,
  createTransferCheckedInstruction,
  getAssociatedTokenAddressSync,
} from '@solana/spl-token'
import { Connection, Keypair, PublicKey, Transaction } from '@solana/web3.js'
import { parseSolanaKey } from '@stablecoin-checkout/bff/testing/solana'
import { sendAndConfirm } from '@stablecoin-checkout/rig/devnet/solana/send'
import type { SolanaShop } from './config.ts'
import { PayError } from './pay-error.ts'

/** The test customer's wallet on the local Solana: sends real tokens to an owner's token account. */
export function openSolanaWallet({ network, customerSecretKey }: SolanaShop) {
  const key = parseSolanaKey(customerSecretKey)
  if (!key) throw new Error('The test customer has no key on Solana.')
  const payer = Keypair.fromSecretKey(key)
  const connection = new Connection(network.rpcUrl, 'confirmed')
  const accountOf = (mint: PublicKey, owner: PublicKey) => getAssociatedTokenAddressSync(mint, owner, true)

  return {
    tokens: network.tokens,
    /**
     * Sends base units to an owner's address, and creates the token account if missing.
     * @throws {PayError} when the chain refuses.
     */
    async send(token: string, to: string, amount: bigint): Promise<string> {
      const [mint, owner] = [new PublicKey(token), new PublicKey(to)]
      const { decimals = 6 } = Object.values(network.tokens).find(({ address }) => address === token) ?? {}
      const [from, account] = [accountOf(mint, payer.publicKey), accountOf(mint, owner)]
      const instructions = [
        createAssociatedTokenAccountIdempotentInstruction(payer.publicKey, account, owner, mint),
        createTransferCheckedInstruction(from, mint, account, payer.publicKey, amount, decimals),
      ]
      try {
        return await sendAndConfirm(connection, async () => {
          const { blockhash } = await connection.getLatestBlockhash()
          const transaction = new Transaction({ feePayer: payer.publicKey, recentBlockhash: blockhash })
          transaction.add(...instructions).sign(payer)
          return await connection.sendRawTransaction(transaction.serialize())
        })
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error)
        throw new PayError(502, `${network.name} refused the transfer: ${reason}`)
      }
    },
  }
}
