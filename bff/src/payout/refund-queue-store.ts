import { sql, type Tx } from '../db/db.ts'
import type { PaymentId } from '../payment/payment.ts'

export type DueRefund = { paymentId: PaymentId; failures: number }

/**
 * Queued refunds that are due, oldest first, at most `limit`. Left out: money in blocks that the node does not have yet, and
 * payments that a transaction of ours may still move money of.
 */
export async function dueRefunds(
  tx: Tx,
  { network, nowMs, head, limit }: { network: string; nowMs: number; head: number; limit: number },
): Promise<DueRefund[]> {
  return await tx.all<DueRefund>(sql`
      select r.payment_id as "paymentId", r.failures
        from refunds r join payments p on p.id = r.payment_id
       where r.network = ${network} and r.state = 'queued' and r.due_at_ms <= ${nowMs}
         and p.is_test = 0 and coalesce(p.last_block, 0) <= ${head}
         and not exists (
               select 1 from outgoing_refunds o join outgoing_transactions x on x.id = o.transaction_id
                where o.payment_id = r.payment_id and x.state in ('stored', 'replaced'))
         and not exists (
               select 1 from outgoing_payments o join outgoing_transactions x on x.id = o.transaction_id
                where o.payment_id = r.payment_id and x.state in ('stored', 'replaced'))
       order by r.due_at_ms, r.payment_id limit ${limit}`)
}

export async function hasDueRefund(tx: Tx, network: string, nowMs: number): Promise<boolean> {
  const row = await tx.get(sql`
      select payment_id from refunds where network = ${network} and state = 'queued' and due_at_ms <= ${nowMs} limit 1`)
  return row !== undefined
}

/** False when it is no longer queued: called off, or another sweeper took it. */
export async function markRefundSent(tx: Tx, id: PaymentId, transactionId: string): Promise<boolean> {
  const changed = await tx.run(sql`
      update refunds set state = 'sent', transaction_id = ${transactionId}
       where payment_id = ${id} and state = 'queued'`)
  return changed === 1
}

/** Looks at a queued refund again later, without counting a failure. */
export async function postponeRefund(tx: Tx, id: PaymentId, dueAtMs: number): Promise<void> {
  await tx.run(sql`update refunds set due_at_ms = ${dueAtMs} where payment_id = ${id} and state = 'queued'`)
}

/** Counts a failure that was found before anything was sent. False when it was counted or called off meanwhile. */
export async function failQueuedRefund(tx: Tx, refund: DueRefund, dueAtMs: number): Promise<boolean> {
  const changed = await tx.run(sql`
      update refunds set failures = failures + 1, due_at_ms = ${dueAtMs}
       where payment_id = ${refund.paymentId} and state = 'queued' and failures = ${refund.failures}`)
  return changed === 1
}

/** Puts a refund back that a transaction did not make. False when it is not that transaction's any more. */
export async function requeueRefund(
  tx: Tx,
  id: PaymentId,
  transactionId: string,
  next: { failures: number; dueAtMs: number },
): Promise<boolean> {
  const changed = await tx.run(sql`
      update refunds set state = 'queued', transaction_id = null, failures = ${next.failures}, due_at_ms = ${next.dueAtMs}
       where payment_id = ${id} and state = 'sent' and transaction_id = ${transactionId}`)
  return changed === 1
}

export async function deleteRefund(tx: Tx, id: PaymentId): Promise<void> {
  await tx.run(sql`delete from refunds where payment_id = ${id}`)
}

/** What a transaction of ours gives back. `amount` in base units of `token`. */
export type OutgoingRefund = {
  transactionId: string
  paymentId: PaymentId
  token: string
  address: string
  amount: bigint
}

export async function insertOutgoingRefund(tx: Tx, refund: OutgoingRefund): Promise<void> {
  await tx.run(sql`
      insert into outgoing_refunds (transaction_id, payment_id, token, address, amount, state)
      values (${refund.transactionId}, ${refund.paymentId}, ${refund.token}, ${refund.address}, ${String(refund.amount)},
              'sent')`)
}

/** How many transactions have tried to refund the payment, and when the newest was made; zero: none. */
export async function refundsTried(tx: Tx, id: PaymentId): Promise<{ count: number; newestAtMs: number }> {
  const row = await tx.get<{ count: number; newestAtMs: number }>(sql`
      select count(distinct o.transaction_id) as count, coalesce(max(x.created_at_ms), 0) as "newestAtMs"
        from outgoing_refunds o join outgoing_transactions x on x.id = o.transaction_id
       where o.payment_id = ${id}`)
  return row ?? { count: 0, newestAtMs: 0 }
}

type SentRow = {
  payment_id: PaymentId
  token: string
  address: string
  amount: string
  deposit_address: string
  failures: number | null
}

/** The refund of a transaction that was not counted yet. `failures`: how often it has failed before. */
export async function loadUncounted(tx: Tx, transactionId: string) {
  const row = await tx.get<SentRow>(sql`
      select o.payment_id, o.token, o.address, o.amount, p.deposit_address, r.failures
        from outgoing_refunds o
        join payments p on p.id = o.payment_id
        left join refunds r on r.payment_id = o.payment_id
       where o.transaction_id = ${transactionId} and o.state <> 'confirmed'`)
  if (row === undefined) return undefined
  const { payment_id: paymentId, deposit_address: depositAddress, token, address, amount, failures } = row
  return { paymentId, depositAddress, token, address, amount: BigInt(amount), failures: failures ?? 0 }
}

export async function endOutgoingRefund(tx: Tx, transactionId: string, state: 'confirmed' | 'failed'): Promise<void> {
  await tx.run(sql`update outgoing_refunds set state = ${state} where transaction_id = ${transactionId}`)
}
