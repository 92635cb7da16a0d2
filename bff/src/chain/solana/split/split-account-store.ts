import { sql, type Tx } from '../../../db/db.ts'
import type { PaymentId } from '../../../payment/payment.ts'

/**
 * A token account that receives wallet payments, and its cursor.
 * @see `0001_first.sql`
 */
export type SplitAccount = { address: string; sinceMs: number; windowEndsAtMs: number; readTo: string | null }

/** Accounts of payments whose window ended after `endedAfterMs`, in address order, at most `limit`. */
export async function splitAccounts(
  tx: Tx,
  network: string,
  endedAfterMs: number,
  { after, limit }: { after: string; limit: number },
): Promise<SplitAccount[]> {
  return await tx.all<SplitAccount>(sql`
      select address, since_ms as "sinceMs", window_ends_at_ms as "windowEndsAtMs", read_to as "readTo"
        from split_accounts
       where network = ${network} and address > ${after} and window_ends_at_ms > ${endedAfterMs}
       order by address limit ${limit}`)
}

export async function saveSplitAccount(
  tx: Tx,
  network: string,
  { address, sinceMs, windowEndsAtMs, readTo }: SplitAccount,
): Promise<void> {
  tx.write(sql`
      insert into split_accounts (network, address, since_ms, window_ends_at_ms, read_to)
      values (${network}, ${address}, ${sinceMs}, ${windowEndsAtMs}, ${readTo})
      on conflict (network, address) do update
         set since_ms = excluded.since_ms, window_ends_at_ms = excluded.window_ends_at_ms, read_to = excluded.read_to`)
}

/** Number of the newest payment whose account was stored; 0 if none was. */
export async function loadSplitCursor(tx: Tx, network: string): Promise<number> {
  const row = await tx.get<{ number: number }>(sql`
      select payment_number as "number" from split_cursors where network = ${network}`)
  return row?.number ?? 0
}

export async function saveSplitCursor(tx: Tx, network: string, number: number): Promise<void> {
  tx.write(sql`
      insert into split_cursors (network, payment_number) values (${network}, ${number})
      on conflict (network) do update set payment_number = excluded.payment_number`)
}

/** The fields of a live wallet payment that determine its account. */
export type NewSplit = {
  number: number
  id: PaymentId
  splitTerms: string
  createdAtMs: number
  windowEndsAtMs: number
}

/**
 * The network's live wallet payments with numbers above `after` and up to `upTo`, whose window ended after `endedAfterMs`, oldest
 * first.
 */
export async function splitsBetween(
  tx: Tx,
  network: string,
  { after, upTo, endedAfterMs }: { after: number; upTo: number; endedAfterMs: number },
): Promise<NewSplit[]> {
  return await tx.all<NewSplit>(sql`
      select number, id, split_terms as "splitTerms", created_at_ms as "createdAtMs", window_ends_at_ms as "windowEndsAtMs"
        from payments
       where number > ${after} and number <= ${upTo} and network = ${network} and mode = 'contract' and is_test = 0
         and window_ends_at_ms > ${endedAfterMs}
       order by number`)
}

/** The stored terms of the wallet payments. */
export async function splitTermsOf(
  tx: Tx,
  ids: readonly PaymentId[],
): Promise<{ id: PaymentId; splitTerms: string }[]> {
  return await tx.all(sql`
      select id, split_terms as "splitTerms" from payments where id in ${ids} and split_terms is not null`)
}
