import {
  createAssociatedTokenAccountIdempotentInstruction,
  createTransferCheckedInstruction,
  TOKEN_PROGRAM_ID,
} from '@solana/spl-token'
import { PublicKey, Transaction, type TransactionInstruction } from '@solana/web3.js'
import { tokenAccountOf } from '../associated-token-account.ts'
import { referenceOf, type SolanaSplitTerms, solanaShares } from './solana-split-terms.ts'

/** The program that moves the tokens. */
export const tokenProgram = TOKEN_PROGRAM_ID.toBase58()

/** The recipients in the order of the transfers. A share of zero is not sent. `account` is the token account. */
export function solanaRecipients(terms: SolanaSplitTerms): { owner: string; account: string; amount: bigint }[] {
  const shares = solanaShares(terms)
  const recipients = [
    { owner: terms.platform, amount: shares.platform },
    { owner: terms.merchant, amount: shares.merchant },
  ]
  return recipients
    .filter(({ amount }) => amount > 0n)
    .map((one) => ({ ...one, account: tokenAccountOf(terms.mint, one.owner) }))
}

/**
 * The payment as one unsigned transaction of the customer: it makes the recipients' token accounts that are missing, at the
 * customer's cost, then transfers to each. The last transfer, the merchant's, names the reference.
 * @param missing - Token accounts of recipients that do not exist yet.
 * @returns base64, as Solana Pay hands it to a wallet.
 */
export function encodeSolanaSplit(
  terms: SolanaSplitTerms,
  payer: string,
  { blockhash, missing }: { blockhash: string; missing: ReadonlySet<string> },
): string {
  const mint = new PublicKey(terms.mint)
  const from = new PublicKey(tokenAccountOf(terms.mint, payer))
  const customer = new PublicKey(payer)
  const recipients = solanaRecipients(terms)
  const creations = recipients
    .filter(({ account }) => missing.has(account))
    .map(({ owner, account }) =>
      createAssociatedTokenAccountIdempotentInstruction(customer, new PublicKey(account), new PublicKey(owner), mint),
    )
  const transfers = recipients.map(({ account, amount }) =>
    createTransferCheckedInstruction(from, mint, new PublicKey(account), customer, amount, terms.decimals),
  )
  nameReference(transfers.at(-1), referenceOf(terms))
  const transaction = new Transaction({ feePayer: customer, recentBlockhash: blockhash })
  transaction.add(...creations, ...transfers)
  return transaction.serialize({ requireAllSignatures: false, verifySignatures: false }).toString('base64')
}

/** The token program ignores accounts after the ones it needs; the network lists the transaction under them all the same. */
function nameReference(transfer: TransactionInstruction | undefined, reference: string): void {
  transfer?.keys.push({ pubkey: new PublicKey(reference), isSigner: false, isWritable: false })
}
