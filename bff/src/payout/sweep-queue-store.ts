import { sql, type Tx } from '../db/db.ts'
import type { PaymentId } from '../payment/payment.ts'

/** A deposit whose money is to be forwarded. */
export type DueSweep = {
  paymentId: PaymentId
  failures: number
  depositAddress: string
  /** JSON; see `chain/deposit-terms.ts`. */
  depositTerms: string
  /** Block of its first transfer: it cannot have been settled before. */
  firstBlock: number
  tokenDecimals: number
  /** Since when it waits to be worth its gas; null: it does not. */
  waitingSinceMs: number | null
}

type DueRow = {
  payment_id: PaymentId
  failures: number
  deposit_address: string
  deposit_terms: string
  first_block: number
  token_decimals: number
  waiting_since_ms: number | null
}

/**
 * Queued sweeps that are due, oldest first, and then those that wait to share gas, at most `limit`. Left out: money in blocks that the node does not have yet,
 * and payments that a transaction of ours may still settle (a reorg can cancel and queue a sweep while that is under way).
 */
export async function dueSweeps(
  tx: Tx,
  { network, nowMs, head, limit }: { network: string; nowMs: number; head: number; limit: number },
): Promise<DueSweep[]> {
  const rows = await tx.all<DueRow>(sql`
      select s.payment_id, s.failures, s.waiting_since_ms, p.deposit_address, p.deposit_terms, p.token_decimals,
             coalesce((select min(t.block_number) from transfers t where t.payment_id = p.id), 0) as first_block
        from sweeps s join payments p on p.id = s.payment_id
       where s.network = ${network} and s.state = 'queued'
         and (s.due_at_ms <= ${nowMs} or s.waiting_since_ms is not null and s.failures = 0)
         and p.is_test = 0 and coalesce(p.last_block, 0) <= ${head}
         and not exists (
               select 1 from outgoing_payments o join outgoing_transactions x on x.id = o.transaction_id
                where o.payment_id = s.payment_id and x.state in ('stored', 'replaced'))
       order by s.due_at_ms, s.payment_id limit ${limit}`)
  return rows.map((row) => ({
    paymentId: row.payment_id,
    failures: row.failures,
    depositAddress: row.deposit_address,
    depositTerms: row.deposit_terms,
    firstBlock: row.first_block,
    tokenDecimals: row.token_decimals,
    waitingSinceMs: row.waiting_since_ms,
  }))
}

/** Whether a pass has anything to ask the chain about. */
export async function hasWork(tx: Tx, network: string, nowMs: number): Promise<boolean> {
  const row = await tx.get<{ found: number }>(sql`
      select exists (select 1 from sweeps where network = ${network} and state = 'queued' and due_at_ms <= ${nowMs})
          or exists (select 1 from outgoing_transactions where network = ${network} and state in ('stored', 'replaced'))
          as found`)
  return row?.found === 1
}

/** False when it is no longer queued: cancelled, or another sweeper took it. */
export async function markSweepSent(tx: Tx, id: PaymentId, transactionId: string): Promise<boolean> {
  const changed = await tx.run(sql`
      update sweeps set state = 'sent', transaction_id = ${transactionId}
       where payment_id = ${id} and state = 'queued'`)
  return changed === 1
}

export async function deleteSweep(tx: Tx, id: PaymentId): Promise<void> {
  await tx.run(sql`delete from sweeps where payment_id = ${id}`)
}

/** Looks at a queued sweep again later, without counting a failure. */
export async function postponeSweep(tx: Tx, id: PaymentId, dueAtMs: number): Promise<void> {
  await tx.run(sql`update sweeps set due_at_ms = ${dueAtMs} where payment_id = ${id} and state = 'queued'`)
}

/** Lets a queued sweep wait until it is worth its gas. True when it did not wait before. */
export async function holdSweep(
  tx: Tx,
  id: PaymentId,
  { nowMs, dueAtMs }: { nowMs: number; dueAtMs: number },
): Promise<boolean> {
  const began = await tx.run(sql`
      update sweeps set waiting_since_ms = ${nowMs}, due_at_ms = ${dueAtMs}
       where payment_id = ${id} and state = 'queued' and waiting_since_ms is null`)
  if (began === 0) await postponeSweep(tx, id, dueAtMs)
  return began === 1
}

/** Counts a failure that was found before anything was sent. False when it was counted or cancelled meanwhile. */
export async function failQueuedSweep(tx: Tx, sweep: Pick<DueSweep, 'paymentId' | 'failures'>, dueAtMs: number) {
  const changed = await tx.run(sql`
      update sweeps set failures = failures + 1, due_at_ms = ${dueAtMs}
       where payment_id = ${sweep.paymentId} and state = 'queued' and failures = ${sweep.failures}`)
  return changed === 1
}

/** Puts a sweep back that a transaction did not do. False when it is not that transaction's any more. */
export async function requeueSweep(
  tx: Tx,
  id: PaymentId,
  transactionId: string,
  next: { failures: number; dueAtMs: number },
): Promise<boolean> {
  const changed = await tx.run(sql`
      update sweeps set state = 'queued', transaction_id = null, failures = ${next.failures}, due_at_ms = ${next.dueAtMs}
       where payment_id = ${id} and state = 'sent' and transaction_id = ${transactionId}`)
  return changed === 1
}
