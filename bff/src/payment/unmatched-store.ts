import { baseUnits } from '../core/money.ts'
import { sql, type Tx } from '../db/db.ts'
import type { Payment, PaymentId, Stray, StrayRefund, StrayRefundReason } from './payment.ts'

type StrayRow = {
  network: string
  token: string
  currency: string
  decimals: number
  held: string
  refunded: string
  block: number
  tx_id: string | null
  told: number
  refund: StrayRefund
  refund_reason: StrayRefundReason | null
  address: string | null
  refund_tx_id: string | null
}

function fromRow(row: StrayRow): Stray {
  const { network, token, currency, decimals, block, told, refund, address } = row
  const amounts = { held: baseUnits(row.held), refunded: baseUnits(row.refunded) }
  const rest = { txId: row.tx_id, refundTxId: row.refund_tx_id, refundReason: row.refund_reason }
  return { network, token, currency, decimals, block, told, refund, address, ...amounts, ...rest }
}

/** Most payments have none: their row says so, and no second query is made. */
export async function withStrays(tx: Tx, payment: Payment, strayCount: number): Promise<Payment> {
  if (strayCount === 0 || payment.mode !== 'deposit') return payment
  // A payment has no more of them than there are networks times their tokens and coin.
  const rows = await tx.all<StrayRow>(sql`
      select * from strays where payment_id = ${payment.id} order by network, token limit 1000`)
  return { ...payment, strays: rows.map(fromRow) }
}

/** Stores those that are not as they were. */
export async function saveStrays(tx: Tx, before: Payment, after: Payment): Promise<void> {
  if (before.mode !== 'deposit' || after.mode !== 'deposit' || before.strays === after.strays) return
  const moved = after.strays.filter((stray) => !before.strays.includes(stray))
  for (const stray of moved) {
    await tx.run(sql`
        insert into strays (payment_id, network, token, currency, decimals, held, refunded, block, tx_id, told, refund,
                            refund_reason, address, refund_tx_id)
        values (${after.id}, ${stray.network}, ${stray.token}, ${stray.currency}, ${stray.decimals},
                ${String(stray.held)}, ${String(stray.refunded)}, ${stray.block}, ${stray.txId}, ${stray.told},
                ${stray.refund}, ${stray.refundReason}, ${stray.address}, ${stray.refundTxId})
        on conflict (payment_id, network, token) do update
           set held = excluded.held, refunded = excluded.refunded, block = excluded.block, tx_id = excluded.tx_id,
               told = excluded.told, refund = excluded.refund, refund_reason = excluded.refund_reason,
               address = excluded.address, refund_tx_id = excluded.refund_tx_id`)
  }
  await tx.run(sql`update payments set stray_count = ${after.strays.length} where id = ${after.id}`)
}

type StrayKey = { network: string; token: string }

/** The loop of the network's sweeper pulls these rows; a stray has one at the most. */
export async function enqueueStrayRefund(tx: Tx, id: PaymentId, { network, token }: StrayKey, atMs: number) {
  await tx.run(sql`
      insert into payouts (payment_id, kind, network, token, state, due_at_ms)
      values (${id}, 'return', ${network}, ${token}, 'queued', ${atMs})
      on conflict (payment_id, kind, network, token) do update
         set state = 'queued', due_at_ms = excluded.due_at_ms, failures = 0, transaction_id = null`)
}

export async function removeStrayRefund(tx: Tx, id: PaymentId, { network, token }: StrayKey): Promise<void> {
  await tx.run(sql`
      delete from payouts
       where payment_id = ${id} and kind = 'return' and network = ${network} and token = ${token}`)
}

/** A deposit at whose address strays may come, in the order of creation. */
export type WatchedDeposit = {
  number: number
  id: PaymentId
  network: string
  address: string
  token: string
  windowEndsAtMs: number
}

/** Live deposits of any network of the Ethereum family created after payment `number` whose window ended after `endedAfterMs`, at most `limit`. */
export async function depositsAfter(
  tx: Tx,
  number: number,
  endedAfterMs: number,
  limit: number,
): Promise<WatchedDeposit[]> {
  return await tx.all<WatchedDeposit>(sql`
      select number, id, network, deposit_address as "address", token_address as "token",
             window_ends_at_ms as "windowEndsAtMs"
        from payments
       where number > ${number} and substr(deposit_address, 1, 2) = '0x' and is_test = 0 and window_ends_at_ms > ${endedAfterMs}
       order by number limit ${limit}`)
}

/** Strays whose last change on the network is above `block`, so that a reorg may still change them; at most `limit`. */
export async function youngStrays(tx: Tx, network: string, block: number, limit: number) {
  return await tx.all<{ id: PaymentId; token: string; address: string }>(sql`
      select s.payment_id as "id", s.token, p.deposit_address as "address"
        from strays s join payments p on p.id = s.payment_id
       where s.network = ${network} and s.block > ${block}
       order by s.block limit ${limit}`)
}
