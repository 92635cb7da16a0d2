import { createTransferCheckedInstruction } from '@solana/spl-token'
import { PublicKey, type TransactionInstruction } from '@solana/web3.js'
import { signableAmount } from '../../../payment/authorization.ts'
import type { ContractPayment, DepositPayment, Payment } from '../../../payment/payment.ts'
import { tokenAccountOf } from '../associated-token-account.ts'
import { parseSolanaSplitTerms, referenceOf, type SolanaSplitTerms, solanaShares } from '../facts/solana-split-terms.ts'

/** A recipient and its amount in base units. `account` is the token account of `owner`. */
type Recipient = { owner: string; account: string; amount: bigint }

/** The transfers of a customer's transaction. The last one names the reference; a deposit has none. */
export type Transfers = { mint: string; decimals: number; recipients: Recipient[]; reference: string | null }

/** A payment's transfers: a deposit's open amount, or a wallet payment's whole amount. */
export const transfersOf = (payment: Payment): Transfers =>
  payment.mode === 'deposit' ? depositTransfer(payment) : splitTransfers(payment)

function depositTransfer(payment: DepositPayment): Transfers {
  const { tokenAddress: mint, tokenDecimals: decimals, depositAddress: owner } = payment
  const recipients = [{ owner, account: tokenAccountOf(mint, owner), amount: signableAmount(payment) }]
  return { mint, decimals, recipients, reference: null }
}

const splitTransfers = ({ splitTerms }: ContractPayment): Transfers => termsTransfers(parseSolanaSplitTerms(splitTerms))

/** The recipients in transfer order. A share of zero is omitted. */
export function termsTransfers(terms: SolanaSplitTerms): Transfers {
  const { mint, decimals } = terms
  const shares = solanaShares(terms)
  const recipients = [
    { owner: terms.platform, amount: shares.platform },
    { owner: terms.merchant, amount: shares.merchant },
  ]
    .filter(({ amount }) => amount > 0n)
    .map((one) => ({ ...one, account: tokenAccountOf(mint, one.owner) }))
  return { mint, decimals, recipients, reference: referenceOf(terms) }
}

/** The transfers as the customer's instructions. */
export function transferInstructions(
  { mint, decimals, recipients, reference }: Transfers,
  payer: string,
): TransactionInstruction[] {
  const token = new PublicKey(mint)
  const from = new PublicKey(tokenAccountOf(mint, payer))
  const customer = new PublicKey(payer)
  const transfers = recipients.map(({ account, amount }) =>
    createTransferCheckedInstruction(from, token, new PublicKey(account), customer, amount, decimals),
  )
  if (reference !== null) nameReference(transfers.at(-1), reference)
  return transfers
}

/** The token program ignores additional accounts; the network lists the transaction under them. */
function nameReference(transfer: TransactionInstruction | undefined, reference: string): void {
  transfer?.keys.push({ pubkey: new PublicKey(reference), isSigner: false, isWritable: false })
}
