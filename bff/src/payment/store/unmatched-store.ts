import { baseUnits } from '../../core/money.ts'
import { sql, type Tx } from '../../db/db.ts'
import type { Payment, PaymentId, UnmatchedRefund, UnmatchedRefundReason, UnmatchedTransfer } from '../payment.ts'

type UnmatchedRow = {
  network: string
  token: string
  currency: string
  decimals: number
  held: string
  refunded: string
  block: number
  tx_id: string | null
  notifications: number
  refund: UnmatchedRefund
  refund_reason: UnmatchedRefundReason | null
  address: string | null
  refund_tx_id: string | null
}

function fromRow(row: UnmatchedRow): UnmatchedTransfer {
  const { network, token, currency, decimals, block, notifications, refund, address } = row
  const amounts = { balance: baseUnits(row.held), refunded: baseUnits(row.refunded) }
  const rest = { txId: row.tx_id, refundTxId: row.refund_tx_id, refundReason: row.refund_reason }
  return { network, token, currency, decimals, block, notifications, refund, address, ...amounts, ...rest }
}

/** @param count - Of the payment's row: most payments have no unmatched transfer, and need no second query. */
export async function withUnmatched(tx: Tx, payment: Payment, count: number): Promise<Payment> {
  if (count === 0 || payment.mode !== 'deposit') return payment
  // One row for each token and coin of each network at most.
  const rows = await tx.all<UnmatchedRow>(sql`
      select * from unmatched_transfers where payment_id = ${payment.id} order by network, token limit 1000`)
  return { ...payment, unmatched: rows.map(fromRow) }
}

/** Stores changed unmatched transfers. */
export async function saveUnmatched(tx: Tx, before: Payment, after: Payment): Promise<void> {
  if (before.mode !== 'deposit' || after.mode !== 'deposit' || before.unmatched === after.unmatched) return
  const moved = after.unmatched.filter((one) => !before.unmatched.includes(one))
  for (const one of moved) {
    tx.write(sql`
        insert into unmatched_transfers (payment_id, network, token, currency, decimals, held, refunded, block, tx_id,
                                         notifications, refund, refund_reason, address, refund_tx_id)
        values (${after.id}, ${one.network}, ${one.token}, ${one.currency}, ${one.decimals},
                ${String(one.balance)}, ${String(one.refunded)}, ${one.block}, ${one.txId}, ${one.notifications},
                ${one.refund}, ${one.refundReason}, ${one.address}, ${one.refundTxId})
        on conflict (payment_id, network, token) do update
           set held = excluded.held, refunded = excluded.refunded, block = excluded.block, tx_id = excluded.tx_id,
               notifications = excluded.notifications, refund = excluded.refund, refund_reason = excluded.refund_reason,
               address = excluded.address, refund_tx_id = excluded.refund_tx_id`)
  }
  tx.write(sql`update payments set unmatched_count = ${after.unmatched.length} where id = ${after.id}`)
}

type UnmatchedKey = { network: string; token: string }

/** The network's payout worker pulls these rows; an unmatched transfer has at most one return. */
export async function enqueueReturn(tx: Tx, id: PaymentId, { network, token }: UnmatchedKey, atMs: number) {
  tx.write(sql`
      insert into payouts (payment_id, kind, network, token, state, due_at_ms)
      values (${id}, 'return', ${network}, ${token}, 'queued', ${atMs})
      on conflict (payment_id, kind, network, token) do update
         set state = 'queued', due_at_ms = excluded.due_at_ms, failures = 0, transaction_id = null`)
}

export async function removeReturn(tx: Tx, id: PaymentId, { network, token }: UnmatchedKey): Promise<void> {
  tx.write(sql`
      delete from payouts
       where payment_id = ${id} and kind = 'return' and network = ${network} and token = ${token}`)
}

/** Unmatched transfers on the network that changed above `block`, so that a reorg may still change them; at most `limit`. */
export async function unmatchedAbove(tx: Tx, network: string, block: number, limit: number) {
  return await tx.all<{ id: PaymentId; token: string; address: string }>(sql`
      select s.payment_id as "id", s.token, p.deposit_address as "address"
        from unmatched_transfers s join payments p on p.id = s.payment_id
       where s.network = ${network} and s.block > ${block}
       order by s.block limit ${limit}`)
}
