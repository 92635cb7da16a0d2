import { sql, type Tx } from '../db/db.ts'
import type { Payment, PaymentId } from './payment.ts'
import { fromTransferRow, type TransferRow } from './payment-store.ts'

/** Pending live payments whose window ended before the chain's time, oldest first, at most `limit`. */
export async function endedWindows(
  tx: Tx,
  network: string,
  blockTimeMs: number,
  limit: number,
  mode?: Payment['mode'],
): Promise<PaymentId[]> {
  const rows = await tx.all<{ id: PaymentId }>(sql`
      select id from payments
       where network = ${network} and status = 'pending' and window_ended = 0 and is_test = 0
         and window_ends_at_ms < ${blockTimeMs} and mode in (${mode ?? 'deposit'}, ${mode ?? 'contract'})
       order by window_ends_at_ms limit ${limit}`)
  return rows.map((row) => row.id)
}

/** Live payments that accept late money until before `blockTimeMs`, the chain's time, oldest first, at most `limit`. */
export async function endedLateWindows(
  tx: Tx,
  network: string,
  blockTimeMs: number,
  limit: number,
  mode?: Payment['mode'],
): Promise<PaymentId[]> {
  const rows = await tx.all<{ id: PaymentId }>(sql`
      select id from payments
       where is_test = 0 and network = ${network} and accepted_until_ms is not null and late_ended = 0
         and accepted_until_ms < ${blockTimeMs} and mode in (${mode ?? 'deposit'}, ${mode ?? 'contract'})
       order by accepted_until_ms limit ${limit}`)
  return rows.map((row) => row.id)
}

/**
 * Transfers that are not confirmed and have their confirmations at block `head`, in chain order, at most `limit`.
 * @param confirmations - The network's; a payment of high value wants its own.
 */
export async function ripeTransfers(tx: Tx, network: string, head: number, confirmations: number, limit: number) {
  const rows = await tx.all<TransferRow & { is_high_value: number }>(sql`
      select t.*, p.confirmations is not null as is_high_value
        from transfers t join payments p on p.id = t.payment_id
       where t.network = ${network} and t.state = 'seen' and t.block_number <= ${head - confirmations + 1}
         and t.block_number <= ${head} - coalesce(p.confirmations, ${confirmations}) + 1
       order by t.block_number, t.log_index limit ${limit}`)
  return rows.map((row) => Object.assign(fromTransferRow(row), { isHighValue: row.is_high_value === 1 }))
}

/** What a payment is known by on chain: a deposit's address or a call's hash of terms, and the contract whose event counts. */
export type WatchedPayment = {
  number: number
  id: PaymentId
  mode: Payment['mode']
  address: string
  source: string
  windowEndsAtMs: number
  /** Wants more confirmations than the network's: null where not. */
  confirmations: number | null
}

/**
 * Payments created after payment `number` whose window ended after `endedAfterMs`, oldest first, at most `limit`:
 * the watcher reads what is new on each pass.
 */
export async function paymentsAfter(
  tx: Tx,
  network: string,
  number: number,
  endedAfterMs: number,
  limit: number,
): Promise<WatchedPayment[]> {
  return await tx.all<WatchedPayment>(sql`
      select number, id, mode, coalesce(deposit_address, terms_hash) as "address",
             coalesce(splitter, token_address) as "source", window_ends_at_ms as "windowEndsAtMs",
             confirmations
        from payments
       where number > ${number} and network = ${network} and is_test = 0 and window_ends_at_ms > ${endedAfterMs}
       order by number limit ${limit}`)
}

/** Deposits' transfers on a network that are seen and not confirmed, oldest first, at most `limit`, with what they were sent to. */
export async function unconfirmedDeposits(tx: Tx, network: string, limit: number) {
  const rows = await tx.all<TransferRow & { account: string; owner: string; mint: string; is_high_value: number }>(sql`
      select t.*, a.address as account, p.deposit_address as owner, p.token_address as mint,
             p.confirmations is not null as is_high_value
        from transfers t join payments p on p.id = t.payment_id join solana_accounts a on a.payment_id = p.id
       where t.network = ${network} and t.state = 'seen' and p.mode = 'deposit'
       order by t.block_number, t.log_index limit ${limit}`)
  return rows.map((row) => {
    const { account, owner, mint } = row
    const isHighValue = row.is_high_value === 1
    return { transfer: fromTransferRow(row), id: row.payment_id as PaymentId, account, owner, mint, isHighValue }
  })
}
