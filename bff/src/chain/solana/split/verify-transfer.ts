import { formatAmount } from '../../../core/money.ts'
import type { Transfer } from '../../../payment/event.ts'
import type { ContractPayment, PlainSender } from '../../../payment/payment.ts'
import { stillUnconfirmed, TransactionRefused } from '../../refusal.ts'
import { tokenAccountOf } from '../associated-token-account.ts'
import { referenceOf, type SolanaSplitTerms, solanaShares } from '../facts/solana-split-terms.ts'
import { gainOf, movementOf, type SolanaTransaction, type TokenChange } from '../rpc/solana-transaction.ts'

/** Maximum difference between this host's clock and the cluster's estimated block times. */
export const clockSkewMs = 15 * 60 * 1000

/** A transaction claimed to pay a payment, and the facts to judge it by. */
export type SubmittedTransaction = {
  payment: ContractPayment
  terms: SolanaSplitTerms
  transaction: SolanaTransaction
  /** The wallet whose plain transfers, without a reference, can pay the payment; null if none can. */
  plainSender: PlainSender | null
  /** Whether the transaction has paid another payment, or contains another's reference. */
  isUsed: () => Promise<boolean>
  /** Whether the service made the transaction, or it withdrew from a deposit's account. */
  isPayout: () => Promise<boolean>
}

/**
 * A transaction's payment. Only the gains of both recipients' token accounts count, neither the instructions nor the client's
 * claims. A transaction belongs to a payment if it contains the payment's reference.
 * @throws {TransactionRefused} for the first reason that applies.
 */
export async function verifyTransfer(submitted: SubmittedTransaction): Promise<Transfer> {
  const { payment, terms, transaction, isUsed } = submitted
  const { signature, keys, timeMs } = transaction
  if (!transaction.isSuccess)
    throw new TransactionRefused('TRANSACTION_REVERTED', `the transaction ${signature} failed: it moved nothing`)
  const isNamed = keys.includes(referenceOf(terms))
  if (await isUsed()) throw new TransactionRefused('ALREADY_USED', 'the transaction pays another payment')
  const gains = dueOf(terms).map(({ owner, account, amount }) => ({
    account,
    amount,
    gain: gainOf(transaction, { mint: terms.mint, owner, account }),
  }))
  if (!transaction.changes.some(({ mint }) => mint === terms.mint))
    throw new TransactionRefused('OTHER_TOKEN', `the transaction moves no token of the mint ${terms.mint}`)
  if (gains.some(({ gain }) => gain <= 0n))
    throw new TransactionRefused(
      'OTHER_TERMS',
      'the transaction does not pay the accounts of both merchant and platform',
    )
  if (gains.some(({ amount, gain }) => gain < amount))
    throw new TransactionRefused(
      'UNDERPAID',
      `the transaction pays less than ${formatAmount(payment.due, payment.tokenDecimals)}`,
    )
  if (timeMs === null) throw stillUnconfirmed('the block has no timestamp yet')
  if (timeMs < payment.createdAtMs - clockSkewMs)
    throw new TransactionRefused('OLDER_THAN_PAYMENT', 'the transaction is older than the payment')
  if (!isNamed) await verifySender(submitted)
  if (!isNamed && gains.some(({ amount, gain }) => gain !== amount))
    throw new TransactionRefused(
      'OTHER_TERMS',
      'the transaction neither names the payment nor matches its exact amounts',
    )
  if (!isNamed && !isSendersMoney(submitted))
    throw new TransactionRefused('OTHER_SENDER', 'the transfer does not come from the sender named for the payment')
  const received = gains.reduce((sum, { gain }) => sum + gain, 0n)
  // The merchant's account identifies the transfer: its gain can never pay two payments.
  const counted = { account: gains[0]?.account ?? '', mint: terms.mint }
  return { ...movementOf(transaction, counted, received), network: payment.network, blockTimeMs: timeMs }
}

/** The owner whose account gains in every paying transaction: the merchant, or the platform if the fee is everything. */
export const countedOwnerOf = (terms: SolanaSplitTerms): string =>
  solanaShares(terms).merchant > 0n ? terms.merchant : terms.platform

/** Each recipient token account's required gain, the merchant's first; the whole amount if both wallets are the same. */
function dueOf(terms: SolanaSplitTerms): { owner: string; account: string; amount: bigint }[] {
  const shares = solanaShares(terms)
  const all = [
    { owner: terms.merchant, amount: shares.merchant },
    { owner: terms.platform, amount: shares.platform },
  ]
  const byOwner = new Map<string, bigint>()
  for (const { owner, amount } of all) byOwner.set(owner, (byOwner.get(owner) ?? 0n) + amount)
  return [...byOwner]
    .filter(([, amount]) => amount > 0n)
    .map(([owner, amount]) => ({ owner, amount, account: tokenAccountOf(terms.mint, owner) }))
}

/**
 * Verifies the sender of a plain transfer, which has no reference. It pays only a payment whose sender was named when it was
 * created, and only if the sender signed it later: nothing else distinguishes it from any other transaction to the same wallets.
 * @throws {TransactionRefused}
 */
async function verifySender({ transaction, plainSender, isPayout }: SubmittedTransaction): Promise<void> {
  if (plainSender === null)
    throw new TransactionRefused(
      'OTHER_TERMS',
      'the transaction does not name the payment: pay with the transaction that the service returns, which contains its reference',
    )
  if (await isPayout())
    throw new TransactionRefused('OTHER_SENDER', 'the transaction is a payout of this service, not a payment')
  const { address, afterSlot } = plainSender
  if (!transaction.signers.includes(address))
    throw new TransactionRefused(
      'OTHER_SENDER',
      `the transaction was not signed by ${address}, the sender of the payment`,
    )
  if (transaction.slot <= afterSlot)
    throw new TransactionRefused('OLDER_THAN_PAYMENT', 'the transaction is older than the payment')
}

/** Whether the named sender paid the whole amount, and nobody else paid any of it. */
function isSendersMoney({ transaction, terms, plainSender }: SubmittedTransaction): boolean {
  const changes = transaction.changes.filter(({ mint }) => mint === terms.mint)
  const isSenders = ({ ownerBefore, ownerAfter }: TokenChange) => (ownerBefore ?? ownerAfter) === plainSender?.address
  const spent = changes.filter(isSenders).reduce((sum, { before, after }) => sum + before - after, 0n)
  return spent >= terms.amount && changes.every((one) => one.after >= one.before || isSenders(one))
}
