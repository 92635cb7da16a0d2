import { sql, type Tx } from '../db/db.ts'
import type { PaymentId } from '../payment/payment.ts'

/** A platform share that could not be paid, and the contract that holds it. `recipient`: the platform's wallet. */
export type ParkedShare = {
  network: string
  /** A deposit's address, or a splitter, which holds the shares of many payments together. */
  place: string
  token: string
  recipient: string
  /** Null at a splitter. */
  paymentId: PaymentId | null
  amount: bigint
}

export type DueShare = ParkedShare & { failures: number; transactionId: string | null }

type Key = Pick<ParkedShare, 'network' | 'place' | 'token' | 'recipient'>
type DueRow = Omit<DueShare, 'amount'> & { amount: string }

/**
 * Stores a parked share. A share that is already stored keeps its times and takes the new amount. @param
 * dueAtMs - Time of the first attempt.
 */
export async function saveParkedShare(tx: Tx, share: ParkedShare, nowMs: number, dueAtMs = nowMs): Promise<void> {
  const { network, place, token, recipient, paymentId, amount } = share
  await tx.run(sql`
      insert into parked_shares (network, place, token, recipient, payment_id, amount, parked_at_ms, due_at_ms)
      values (${network}, ${place}, ${token}, ${recipient}, ${paymentId}, ${String(amount)}, ${nowMs}, ${dueAtMs})
      on conflict (network, place, token, recipient) do update set amount = excluded.amount`)
}

/** Shares whose next attempt is due and that no transaction of ours may still pay; the oldest first, at most `limit`. */
export async function dueShares(tx: Tx, network: string, nowMs: number, limit: number): Promise<DueShare[]> {
  const rows = await tx.all<DueRow>(sql`
      select network, place, token, recipient, payment_id as "paymentId", amount, failures, transaction_id as "transactionId"
        from parked_shares s
       where network = ${network} and due_at_ms <= ${nowMs}
         and not exists (
               select 1 from outgoing_transactions x
                where x.id = s.transaction_id and x.state in ('stored', 'replaced'))
       order by due_at_ms, place, token, recipient limit ${limit}`)
  return rows.map((row) => ({ ...row, amount: BigInt(row.amount) }))
}

export const hasDueShare = async (tx: Tx, network: string, nowMs: number): Promise<boolean> =>
  (await dueShares(tx, network, nowMs, 1)).length > 0

/** Stores the transaction that pays a share. False when another process was first. */
export async function markShareSent(
  tx: Tx,
  { network, place, token, recipient, transactionId: before }: DueShare,
  { transactionId, dueAtMs }: { transactionId: string; dueAtMs: number },
): Promise<boolean> {
  const changed = await tx.run(sql`
      update parked_shares set transaction_id = ${transactionId}, due_at_ms = ${dueAtMs}, reason = null
       where network = ${network} and place = ${place} and token = ${token} and recipient = ${recipient}
         and coalesce(transaction_id, '') = ${before ?? ''}`)
  return changed === 1
}

/** Postpones a share. `reason`: why it could not be paid, counted as a failure; null: not attempted. */
export async function postponeShare(
  tx: Tx,
  { network, place, token, recipient }: Key,
  { dueAtMs, reason }: { dueAtMs: number; reason: string | null },
): Promise<void> {
  await tx.run(sql`
      update parked_shares
         set due_at_ms = ${dueAtMs}, failures = failures + ${reason === null ? 0 : 1}, reason = coalesce(${reason}, reason)
       where network = ${network} and place = ${place} and token = ${token} and recipient = ${recipient}`)
}

/** The share has reached the platform. */
export async function deleteShare(tx: Tx, { network, place, token, recipient }: Key): Promise<void> {
  await tx.run(sql`
      delete from parked_shares
       where network = ${network} and place = ${place} and token = ${token} and recipient = ${recipient}`)
}

/** The share that a transaction pays; undefined: it pays none. */
export async function shareOfTransaction(tx: Tx, transactionId: string): Promise<ParkedShare | undefined> {
  const row = await tx.get<DueRow>(sql`
      select network, place, token, recipient, payment_id as "paymentId", amount, failures, transaction_id as "transactionId"
        from parked_shares where transaction_id = ${transactionId}`)
  return row && { ...row, amount: BigInt(row.amount) }
}

/** Stored terms of wallet payments. `upTo`: the number of the last payment read. `isLast`: there are no newer ones. */
export type PageOfTerms = { terms: string[]; upTo: number; isLast: boolean }

/** The terms of live wallet payments of the network among the `limit` numbers after the one that is given. */
export async function splitTermsAfter(
  tx: Tx,
  network: string,
  { after, limit }: { after: number; limit: number },
): Promise<PageOfTerms> {
  const newest = (await tx.get<{ number: number }>(sql`select coalesce(max(number), 0) as number from payments`))
    ?.number
  const upTo = Math.max(after, Math.min(after + limit, newest ?? 0))
  const rows = await tx.all<{ terms: string }>(sql`
      select split_terms as terms from payments
       where number > ${after} and number <= ${upTo} and network = ${network} and mode = 'contract' and is_test = 0`)
  return { terms: rows.map(({ terms }) => terms), upTo, isLast: upTo >= (newest ?? 0) }
}

/** Rows that a scrape or a check reads at most. */
const countMax = 100_000

/** The parked shares of each network. `failing`: those whose last attempt failed. */
export type ParkedCount = { network: string; count: number; failing: number; oldestAtMs: number; reason: string | null }

export async function countParkedShares(tx: Tx): Promise<ParkedCount[]> {
  return await tx.all<ParkedCount>(sql`
      select network, count(*) as count, sum(case when failures > 0 then 1 else 0 end) as failing,
             min(parked_at_ms) as "oldestAtMs", min(reason) as reason
        from (select network, failures, parked_at_ms, reason from parked_shares limit ${countMax}) as waiting
       group by network order by network`)
}
