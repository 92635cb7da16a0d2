import { tokenAccountOf } from '../chain/solana-split-call.ts'
import type { SolanaTransaction, TokenChange } from '../chain/solana-split-chain.ts'
import { referenceOf, type SolanaSplitTerms, solanaShares } from '../chain/solana-split-terms.ts'
import { baseUnits, formatAmount } from '../money.ts'
import type { Transfer } from '../payment/event.ts'
import type { ContractPayment } from '../payment/payment.ts'
import { Refusal, stillUnconfirmed } from './verify.ts'

/** Clocks of hosts and the cluster's estimate differ. */
const clockSkewMs = 15 * 60 * 1000
/** Two plain transfers name no payment: only one that is hardly older than the payment can be meant for it. */
const plainSkewMs = 60 * 1000

export type SolanaClaim = {
  payment: ContractPayment
  terms: SolanaSplitTerms
  transaction: SolanaTransaction
  /** Who the client says has paid. */
  sender: string | undefined
  /** Whether the transaction is known to pay another payment, or names the reference of one. */
  isUsed: () => Promise<boolean>
}

/**
 * The movement of money that a transaction makes for a payment. Only what both recipients' token accounts hold more
 * afterwards counts: not the instructions, which may be anybody's, and not what the client says of them.
 * @throws {Refusal} one reason a line.
 */
export async function verifySolanaSplit(claim: SolanaClaim): Promise<Transfer> {
  const { payment, terms, transaction, sender, isUsed } = claim
  const { signature, keys, timeMs } = transaction
  if (!transaction.isSuccess)
    throw new Refusal('TRANSACTION_REVERTED', `the transaction ${signature} failed: it moved nothing`)
  const isNamed = keys.has(referenceOf(terms))
  if (await isUsed()) throw new Refusal('ALREADY_USED', 'the transaction pays another payment')
  const due = dueOf(terms)
  const gains = due.map(({ owner, account, amount }) => ({
    amount,
    gain: gainOf(transaction, terms.mint, owner, account),
  }))
  if (gains.every(({ gain }) => gain === 0n) && !transaction.changes.some(({ mint }) => mint === terms.mint))
    throw new Refusal('OTHER_TOKEN', `the transaction moves no token of the mint ${terms.mint}`)
  if (gains.some(({ gain }) => gain <= 0n))
    throw new Refusal('OTHER_TERMS', 'the transaction does not pay the accounts of both merchant and platform')
  if (gains.some(({ amount, gain }) => gain < amount))
    throw new Refusal('UNDERPAID', `the transaction pays less than ${formatAmount(payment.due, payment.tokenDecimals)}`)
  if (timeMs === null) throw stillUnconfirmed('its block has no time yet')
  if (timeMs < payment.createdAtMs - (isNamed ? clockSkewMs : plainSkewMs))
    throw new Refusal('OLDER_THAN_PAYMENT', 'the transaction is older than the payment')
  if (!isNamed) verifySender(claim, gains)
  const received = gains.reduce((sum, { gain }) => sum + gain, 0n)
  return {
    network: payment.network,
    txId: signature,
    logIndex: indexOf(transaction, due),
    payer: payerOf(transaction, terms.mint) ?? sender ?? transaction.signers[0] ?? '',
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

/** What the account holds more; nothing when it is another mint's, or was or became somebody else's. */
function gainOf({ changes }: SolanaTransaction, mint: string, owner: string, account: string): bigint {
  const change = changes.find((one) => one.account === account)
  if (!change || change.mint !== mint || change.ownerAfter !== owner) return 0n
  if (change.ownerBefore !== null && change.ownerBefore !== owner) return 0n
  return change.after - change.before
}

/**
 * A client that sends two plain transfers must say who has sent them; that account must have signed and paid, and the
 * amounts must be exact, because nothing else tells such a transaction from any other to the same wallets.
 * @throws {Refusal}
 */
function verifySender({ transaction, terms, sender }: SolanaClaim, gains: { amount: bigint; gain: bigint }[]): void {
  if (sender === undefined)
    throw new Refusal(
      'OTHER_TERMS',
      'the transaction does not name the payment: say its senderAddress, or pay by the transaction that was handed out',
    )
  if (!transaction.signers.includes(sender))
    throw new Refusal('OTHER_SENDER', `the transaction was not signed by the senderAddress ${sender}`)
  const total = gains.reduce((sum, { amount }) => sum + amount, 0n)
  const spent = transaction.changes
    .filter((one) => one.mint === terms.mint && one.ownerBefore === sender)
    .reduce((sum, { before, after }) => sum + before - after, 0n)
  if (spent < total) throw new Refusal('OTHER_SENDER', `the money is not that of the senderAddress ${sender}`)
  if (gains.some(({ amount, gain }) => gain !== amount))
    throw new Refusal(
      'OTHER_TERMS',
      'the transaction does not name the payment, and its amounts are not exactly those of it',
    )
}

/** The owner who holds the most less afterwards. */
function payerOf({ changes }: SolanaTransaction, mint: string): string | undefined {
  const loss = ({ before, after }: TokenChange) => before - after
  const spenders = changes.filter((one) => one.mint === mint && one.ownerBefore !== null && loss(one) > 0n)
  const most = spenders.toSorted((a, b) => (loss(b) > loss(a) ? 1 : -1))[0]
  return most?.ownerBefore ?? undefined
}

/** The merchant's account stands for the transfer: two payments can never both be paid by what it gained. */
function indexOf({ changes }: SolanaTransaction, due: { account: string }[]): number {
  return changes.find(({ account }) => account === due[0]?.account)?.index ?? 0
}
