import { base58 } from '@scure/base'
import { Keypair, PublicKey, type Transaction, VersionedTransaction } from '@solana/web3.js'
import { HDKey } from 'micro-key-producer/slip10.js'
import { derivationPath } from '../facts/solana-deposit-terms.ts'

/** Signs for the fee payer and for deposit owners. */
export type SolanaSigner = {
  /** Pays fees and rent, and receives returned rent. */
  readonly feePayer: PublicKey
  /** The owner whose key is derived from the seed by these stored terms. */
  ownerOf(terms: string): PublicKey
  /**
   * Signs as the fee payer and as the owners of these deposits; broadcasts nothing.
   * @returns the signed transaction in base64, and its first signature, which is its transaction id.
   */
  sign(transaction: Transaction, terms: readonly string[]): { raw: string; txId: string }
  /** Adds the fee payer's signature to a customer's checked transaction, in base64. */
  coSign(base64: string): { raw: string; txId: string }
}

/**
 * A signer that keeps both keys in a closure; no property, error or log contains them.
 * @param feePayerKey - See {@link parseSolanaKey}.
 * @param seed - 16 to 64 random bytes.
 */
export function createSolanaSigner(feePayerKey: Uint8Array, seed: Uint8Array): SolanaSigner {
  const feePayer = Keypair.fromSecretKey(feePayerKey)
  const root = HDKey.fromMasterSeed(seed)
  const keyOf = (terms: string) => root.derive(derivationPath(terms))
  return {
    feePayer: feePayer.publicKey,
    ownerOf: (terms) => new PublicKey(keyOf(terms).publicKeyRaw),
    sign(transaction, terms) {
      const owners = terms.map((text) => Keypair.fromSeed(keyOf(text).privateKey))
      transaction.sign(feePayer, ...owners)
      const { signature } = transaction
      if (signature === null) throw new Error('A signed transaction has no signature')
      return { raw: transaction.serialize().toString('base64'), txId: base58.encode(signature) }
    },
    coSign(base64) {
      const transaction = VersionedTransaction.deserialize(Buffer.from(base64, 'base64'))
      transaction.sign([feePayer])
      const [signature] = transaction.signatures
      if (signature === undefined) throw new Error('A signed transaction has no signature')
      return { raw: Buffer.from(transaction.serialize()).toString('base64'), txId: base58.encode(signature) }
    },
  }
}
