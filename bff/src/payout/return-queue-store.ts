import type { Hex } from 'viem'
import { sql, type Tx } from '../db/db.ts'
import type { PaymentId } from '../payment/payment.ts'

/** A stray that is to be sent back. `token` as it is stored: the zero address is the coin. */
export type DueStray = { paymentId: PaymentId; token: Hex; failures: number }

/** Queued ones that are due, oldest first, at most `limit`; without those that a transaction of ours may still send. */
export async function dueStrays(
  tx: Tx,
  { network, nowMs, limit }: { network: string; nowMs: number; limit: number },
): Promise<DueStray[]> {
  return await tx.all<DueStray>(sql`
      select s.payment_id as "paymentId", s.token, s.failures
        from stray_refunds s
       where s.network = ${network} and s.state = 'queued' and s.due_at_ms <= ${nowMs}
         and not exists (
               select 1 from outgoing_stray_refunds o join outgoing_transactions x on x.id = o.transaction_id
                where o.payment_id = s.payment_id and o.network = s.network and o.token = s.token
                  and x.state in ('stored', 'replaced'))
       order by s.due_at_ms, s.payment_id, s.token limit ${limit}`)
}

export async function hasDueStray(tx: Tx, network: string, nowMs: number): Promise<boolean> {
  const row = await tx.get(sql`
      select payment_id from stray_refunds
       where network = ${network} and state = 'queued' and due_at_ms <= ${nowMs} limit 1`)
  return row !== undefined
}

type Place = { paymentId: PaymentId; network: string; token: string }

/** False when it is no longer queued: called off, or another sweeper took it. */
export async function markStraySent(tx: Tx, { paymentId, network, token }: Place, transactionId: string) {
  const changed = await tx.run(sql`
      update stray_refunds set state = 'sent', transaction_id = ${transactionId}
       where payment_id = ${paymentId} and network = ${network} and token = ${token} and state = 'queued'`)
  return changed === 1
}

/** Looks at a queued one again later, without counting a failure. */
export async function postponeStray(tx: Tx, { paymentId, network, token }: Place, dueAtMs: number): Promise<void> {
  await tx.run(sql`
      update stray_refunds set due_at_ms = ${dueAtMs}
       where payment_id = ${paymentId} and network = ${network} and token = ${token} and state = 'queued'`)
}

/** Counts a failure that was found before anything was sent. False when it was counted or called off meanwhile. */
export async function failQueuedStray(
  tx: Tx,
  { paymentId, network, token }: Place,
  { failures, dueAtMs }: { failures: number; dueAtMs: number },
): Promise<boolean> {
  const changed = await tx.run(sql`
      update stray_refunds set failures = failures + 1, due_at_ms = ${dueAtMs}
       where payment_id = ${paymentId} and network = ${network} and token = ${token} and state = 'queued'
         and failures = ${failures}`)
  return changed === 1
}

/** Puts one back that a transaction did not send. False when it is not that transaction's any more. */
export async function requeueStray(
  tx: Tx,
  { paymentId, network, token }: Place,
  { transactionId, failures, dueAtMs }: { transactionId: string; failures: number; dueAtMs: number },
): Promise<boolean> {
  const changed = await tx.run(sql`
      update stray_refunds set state = 'queued', transaction_id = null, failures = ${failures}, due_at_ms = ${dueAtMs}
       where payment_id = ${paymentId} and network = ${network} and token = ${token} and state = 'sent'
         and transaction_id = ${transactionId}`)
  return changed === 1
}

export async function deleteStray(tx: Tx, { paymentId, network, token }: Place): Promise<void> {
  await tx.run(sql`
      delete from stray_refunds where payment_id = ${paymentId} and network = ${network} and token = ${token}`)
}

/** What a transaction of ours sends back. `amount` in base units of `token`. */
export type OutgoingStray = Place & { transactionId: string; address: string; amount: bigint }

export async function insertOutgoingStray(tx: Tx, stray: OutgoingStray): Promise<void> {
  await tx.run(sql`
      insert into outgoing_stray_refunds (transaction_id, payment_id, network, token, address, amount, state)
      values (${stray.transactionId}, ${stray.paymentId}, ${stray.network}, ${stray.token}, ${stray.address},
              ${String(stray.amount)}, 'sent')`)
}

/** How many transactions have tried to send it back, and when the newest was made; zero: none. */
export async function straysTried(tx: Tx, { paymentId, network, token }: Place) {
  const row = await tx.get<{ count: number; newestAtMs: number }>(sql`
      select count(distinct o.transaction_id) as count, coalesce(max(x.created_at_ms), 0) as "newestAtMs"
        from outgoing_stray_refunds o join outgoing_transactions x on x.id = o.transaction_id
       where o.payment_id = ${paymentId} and o.network = ${network} and o.token = ${token}`)
  return row ?? { count: 0, newestAtMs: 0 }
}

type SentRow = Place & { address: string; depositAddress: string; failures: number }

/** The stray of a transaction that was not counted yet. `failures`: how often it has failed before. */
export async function loadUncountedStray(tx: Tx, transactionId: string): Promise<SentRow | undefined> {
  return await tx.get<SentRow>(sql`
      select o.payment_id as "paymentId", o.network, o.token, o.address, p.deposit_address as "depositAddress",
             coalesce(s.failures, 0) as failures
        from outgoing_stray_refunds o
        join payments p on p.id = o.payment_id
        left join stray_refunds s on s.payment_id = o.payment_id and s.network = o.network and s.token = o.token
       where o.transaction_id = ${transactionId} and o.state <> 'confirmed'`)
}

export async function endOutgoingStray(tx: Tx, transactionId: string, state: 'confirmed' | 'failed'): Promise<void> {
  await tx.run(sql`update outgoing_stray_refunds set state = ${state} where transaction_id = ${transactionId}`)
}
