import { baseUnits, formatAmount } from '../../../core/money.ts'
import type { Transfer } from '../../../payment/event.ts'
import type { ContractPayment, PlainSender } from '../../../payment/payment.ts'
import { Refusal, stillUnconfirmed } from '../../refusal.ts'
import { tokenAccountOf } from '../associated-token-account.ts'
import { gainOf, payerOf, type SolanaTransaction, type TokenChange } from '../rpc/solana-transaction.ts'
import { referenceOf, type SolanaSplitTerms, solanaShares } from './solana-split-terms.ts'

/** Clocks of hosts and the cluster's estimate differ. */
const clockSkewMs = 15 * 60 * 1000

export type SolanaClaim = {
  payment: ContractPayment
  terms: SolanaSplitTerms
  transaction: SolanaTransaction
  /** Whose plain transfers may pay it, without the reference; null: nobody's. */
  plainSender: PlainSender | null
  /** Whether the transaction is known to have paid another payment, or names the reference of one. */
  isUsed: () => Promise<boolean>
  /** Whether the service made the transaction, or it took money out of a deposit's account. Such a one names no payment. */
  isOwn: () => Promise<boolean>
}

/**
 * The movement of money that a transaction makes for a payment. Only what both recipients' token accounts hold more
 * afterwards counts: not the instructions, which may be anybody's, and not what the client says of them. A transaction is the
 * payment's when it names the reference.
 * @throws {Refusal} one reason a line.
 */
export async function verifySolanaSplit(claim: SolanaClaim): Promise<Transfer> {
  const { payment, terms, transaction, isUsed } = claim
  const { signature, keys, timeMs } = transaction
  if (!transaction.isSuccess)
    throw new Refusal('TRANSACTION_REVERTED', `the transaction ${signature} failed: it moved nothing`)
  const isNamed = keys.includes(referenceOf(terms))
  if (await isUsed()) throw new Refusal('ALREADY_USED', 'the transaction pays another payment')
  const due = dueOf(terms)
  const gains = due.map(({ owner, account, amount }) => ({
    amount,
    gain: gainOf(transaction, { mint: terms.mint, owner, account }),
  }))
  if (!transaction.changes.some(({ mint }) => mint === terms.mint))
    throw new Refusal('OTHER_TOKEN', `the transaction moves no token of the mint ${terms.mint}`)
  if (gains.some(({ gain }) => gain <= 0n))
    throw new Refusal('OTHER_TERMS', 'the transaction does not pay the accounts of both merchant and platform')
  if (gains.some(({ amount, gain }) => gain < amount))
    throw new Refusal('UNDERPAID', `the transaction pays less than ${formatAmount(payment.due, payment.tokenDecimals)}`)
  if (timeMs === null) throw stillUnconfirmed('its block has no time yet')
  if (timeMs < payment.createdAtMs - clockSkewMs)
    throw new Refusal('OLDER_THAN_PAYMENT', 'the transaction is older than the payment')
  if (!isNamed) await verifySender(claim)
  if (!isNamed && gains.some(({ amount, gain }) => gain !== amount))
    throw new Refusal(
      'OTHER_TERMS',
      'the transaction does not name the payment, and its amounts are not exactly those of it',
    )
  if (!isNamed && !isSendersMoney(claim))
    throw new Refusal('OTHER_SENDER', 'the money is not that of the sender that was named for the payment')
  const received = gains.reduce((sum, { gain }) => sum + gain, 0n)
  return {
    network: payment.network,
    txId: signature,
    logIndex: indexOf(transaction, due),
    payer: payerOf(transaction, terms.mint) ?? transaction.signers[0] ?? '',
    amount: baseUnits(String(received)),
    blockNumber: transaction.slot,
    // A slot holds one block at most, and the transaction is asked for again at every depth.
    blockHash: String(transaction.slot),
    blockTimeMs: timeMs,
  }
}

/** What each account has to gain. Where merchant and platform are one, that is the whole amount. */
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
 * Plain transfers name no payment. They pay only one whose sender was named when it was created: that account must have signed,
 * after that, because nothing else tells such a transaction from any other to the same wallets.
 * @throws {Refusal}
 */
async function verifySender({ transaction, plainSender, isOwn }: SolanaClaim): Promise<void> {
  if (plainSender === null)
    throw new Refusal(
      'OTHER_TERMS',
      'the transaction does not name the payment: pay by the transaction that is handed out, which holds its reference',
    )
  if (await isOwn()) throw new Refusal('OTHER_SENDER', 'the transaction is a payout of this service, not a payment')
  const { address, afterSlot } = plainSender
  if (!transaction.signers.includes(address))
    throw new Refusal('OTHER_SENDER', `the transaction was not signed by ${address}, the sender of the payment`)
  if (transaction.slot <= afterSlot)
    throw new Refusal('OLDER_THAN_PAYMENT', 'the transaction is older than the payment')
}

/** Whether the named sender paid all of it, and nobody else any of it. */
function isSendersMoney({ transaction, terms, plainSender }: SolanaClaim): boolean {
  const changes = transaction.changes.filter(({ mint }) => mint === terms.mint)
  const isSenders = ({ ownerBefore, ownerAfter }: TokenChange) => (ownerBefore ?? ownerAfter) === plainSender?.address
  const spent = changes.filter(isSenders).reduce((sum, { before, after }) => sum + before - after, 0n)
  return spent >= terms.amount && changes.every((one) => one.after >= one.before || isSenders(one))
}

/** The merchant's account stands for the transfer: two payments can never both be paid by what it gained. */
function indexOf({ changes }: SolanaTransaction, due: { account: string }[]): number {
  return changes.find(({ account }) => account === due[0]?.account)?.index ?? 0
}
