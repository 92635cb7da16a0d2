import { sql, type Tx } from '../../db/db.ts'
import { fixed, integer, named, orNull, table, text, units } from '../../db/table.ts'
import type { Payment, PaymentId, UnmatchedRefund, UnmatchedRefundReason, UnmatchedTransfer } from '../payment.ts'

const unmatchedTransfers = table<UnmatchedTransfer>('unmatched_transfers', {
  network: fixed(text()),
  token: fixed(text()),
  currency: fixed(text()),
  decimals: fixed(integer()),
  balance: named('held', units()),
  refunded: units(),
  block: integer(),
  txId: orNull(text()),
  notifications: integer(),
  refund: text<UnmatchedRefund>(),
  refundReason: orNull(text<UnmatchedRefundReason>()),
  address: orNull(text()),
  refundTxId: orNull(text()),
})

/** @param count - The count in the payment's row: most payments have no unmatched transfer and need no second query. */
export async function withUnmatched(tx: Tx, payment: Payment, count: number): Promise<Payment> {
  if (count === 0 || payment.mode !== 'deposit') return payment
  // At most one row for each token or coin of each network.
  const rows = await tx.all<object>(sql`
      select * from unmatched_transfers where payment_id = ${payment.id} order by network, token limit 1000`)
  return { ...payment, unmatched: rows.map(unmatchedTransfers.parse) }
}

/** Stores changed unmatched transfers. */
export async function saveUnmatched(tx: Tx, before: Payment, after: Payment): Promise<void> {
  if (before.mode !== 'deposit' || after.mode !== 'deposit' || before.unmatched === after.unmatched) return
  const moved = after.unmatched.filter((one) => !before.unmatched.includes(one))
  for (const one of moved) {
    tx.write(sql`
        insert into unmatched_transfers (payment_id, ${unmatchedTransfers.names})
        values (${after.id}, ${unmatchedTransfers.values(one)})
        on conflict (payment_id, network, token) do update set ${unmatchedTransfers.excluded}`)
  }
  tx.write(sql`update payments set unmatched_count = ${after.unmatched.length} where id = ${after.id}`)
}

/** Unmatched transfers on the network that changed above `block`, so that a reorg may still change them; at most `limit`. */
export async function unmatchedAbove(tx: Tx, network: string, block: number, limit: number) {
  return await tx.all<{ id: PaymentId; token: string; address: string }>(sql`
      select s.payment_id as "id", s.token, p.deposit_address as "address"
        from unmatched_transfers s join payments p on p.id = s.payment_id
       where s.network = ${network} and s.block > ${block}
       order by s.block limit ${limit}`)
}
