import { sql, type Tx } from '../db/db.ts'
import { type Column, fixed, orNull, table, text, units, type ValuesOf } from '../db/table.ts'
import type { PaymentId } from '../payment/payment.ts'

const shares = table('parked_shares', {
  network: fixed(text()),
  /** A deposit's address, or a splitter, which holds the shares of many payments together. */
  place: fixed(text()),
  token: fixed(text()),
  /** The platform's wallet. */
  recipient: fixed(text()),
  /** Null at a splitter. */
  paymentId: fixed(orNull(text<PaymentId>())),
  amount: units() as Column<bigint>,
})

/** A platform share that could not be paid, and the contract that holds it. */
export type ParkedShare = ValuesOf<typeof shares>

export type DueShare = ParkedShare & { failures: number; transactionId: string | null }

type Key = Pick<ParkedShare, 'network' | 'place' | 'token' | 'recipient'>

const isShare = ({ network, place, token, recipient }: Key) =>
  sql`network = ${network} and place = ${place} and token = ${token} and recipient = ${recipient}`

/**
 * Stores a parked share. A share that is already stored keeps its times and takes the new amount. @param
 * dueAtMs - Time of the first attempt.
 */
export async function saveParkedShare(tx: Tx, share: ParkedShare, nowMs: number, dueAtMs = nowMs): Promise<void> {
  await tx.run(sql`
      insert into parked_shares (${shares.names}, parked_at_ms, due_at_ms) values (${shares.values(share)}, ${nowMs}, ${dueAtMs})
      on conflict (network, place, token, recipient) do update set ${shares.excluded}`)
}

/**
 * Shares whose next attempt is due and that no open transaction of ours may pay; oldest first, at most `limit`. Each is
 * parsed alone, so that one that cannot be parsed fails alone.
 */
export async function dueShares(
  tx: Tx,
  network: string,
  nowMs: number,
  limit: number,
): Promise<{ key: Key; parse: () => DueShare }[]> {
  const rows = await tx.all<Key & { failures: number; transaction_id: string | null }>(sql`
      select * from parked_shares s
       where network = ${network} and due_at_ms <= ${nowMs}
         and not exists (
               select 1 from outgoing_transactions x
                where x.id = s.transaction_id and x.state in ('stored', 'replaced'))
       order by due_at_ms, place, token, recipient limit ${limit}`)
  return rows.map((row) => ({
    key: row,
    parse: () => ({ ...shares.parse(row), failures: row.failures, transactionId: row.transaction_id }),
  }))
}

export const hasDueShare = async (tx: Tx, network: string, nowMs: number): Promise<boolean> =>
  (await dueShares(tx, network, nowMs, 1)).length > 0

/** What is parked at the place. `isLeaving`: an open transaction of ours may pay it, so that the place may have it no more. */
export async function parkedAt(
  tx: Tx,
  { network, place, token }: Pick<Key, 'network' | 'place' | 'token'>,
): Promise<{ amount: bigint; isLeaving: boolean }> {
  const rows = await tx.all<{ amount: string; leaving: number }>(sql`
      select s.amount, case when x.id is null then 0 else 1 end as leaving
        from parked_shares s
        left join outgoing_transactions x on x.id = s.transaction_id and x.state in ('stored', 'replaced')
       where s.network = ${network} and s.place = ${place} and s.token = ${token}`)
  const amount = rows.reduce((sum, row) => sum + BigInt(row.amount), 0n)
  return { amount, isLeaving: rows.some(({ leaving }) => leaving === 1) }
}

/** Stores the transaction that pays a share. False when another process was first. */
export async function markShareSent(
  tx: Tx,
  share: DueShare,
  { transactionId, dueAtMs }: { transactionId: string; dueAtMs: number },
): Promise<boolean> {
  const changed = await tx.run(sql`
      update parked_shares set transaction_id = ${transactionId}, due_at_ms = ${dueAtMs}, reason = null
       where ${isShare(share)} and coalesce(transaction_id, '') = ${share.transactionId ?? ''}`)
  return changed === 1
}

/** Postpones a share. `reason`: why it could not be paid, counted as a failure; null: not attempted. */
export async function postponeShare(
  tx: Tx,
  share: Key,
  { dueAtMs, reason }: { dueAtMs: number; reason: string | null },
): Promise<void> {
  await tx.run(sql`
      update parked_shares
         set due_at_ms = ${dueAtMs}, failures = failures + ${reason === null ? 0 : 1}, reason = coalesce(${reason}, reason)
       where ${isShare(share)}`)
}

/** The share has reached the platform. */
export async function deleteShare(tx: Tx, share: Key): Promise<void> {
  await tx.run(sql`delete from parked_shares where ${isShare(share)}`)
}

/** The share that a transaction pays; undefined: it pays none. */
export async function shareOfTransaction(tx: Tx, transactionId: string): Promise<ParkedShare | undefined> {
  const row = await tx.get<object>(sql`select * from parked_shares where transaction_id = ${transactionId}`)
  return row && shares.parse(row)
}

/** Stored terms of wallet payments. `upTo`: the number of the last payment read. `isLast`: there are no newer ones. */
export type PageOfTerms = { terms: string[]; upTo: number; isLast: boolean }

/** The terms of live wallet payments of the network among the `limit` numbers after the given one. */
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

/** Maximum rows that a scrape or a check reads. */
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
