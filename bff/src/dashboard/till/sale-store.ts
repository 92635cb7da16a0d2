import type { LinkId } from '../../checkout/link/link.ts'
import { paidStatuses } from '../../checkout/open-payments-store.ts'
import { sql, type Tx } from '../../db/db.ts'
import { type PaymentId, statuses } from '../../payment/payment.ts'

/** A till's sale, and its decisive payment: a paid one, else the one with the most money, else the newest. */
export type SaleRow = {
  id: LinkId
  createdAtMs: number
  amount: string | null
  price: string | null
  priceCurrency: string | null
  description: string | null
  expiresAtMs: number | null
  endedAtMs: number | null
  paymentId: PaymentId | null
}

export async function insertSale(tx: Tx, tillId: string, id: LinkId, createdAtMs: number): Promise<void> {
  await tx.run(sql`
      insert into till_sales (link_id, till_id, created_at_ms) values (${id}, ${tillId}, ${createdAtMs})`)
}

/**
 * Base units are text without leading zeros, and decimals differ between networks. As whole tokens, the amount with more digits
 * before the point is larger; with equally many, the one with larger digits, ignoring trailing zeros.
 */
const saleFields = sql`
             l.id, s.created_at_ms as "createdAtMs", l.amount, l.price, l.price_currency as "priceCurrency", l.description,
             l.expires_at_ms as "expiresAtMs", l.ended_at_ms as "endedAtMs",
             (select p.id from payments p
               where p.link_id = l.id and p.status in ${statuses}
               order by case when p.status in ${paidStatuses} then 0 else 1 end, case when p.seen = '0' then 1 else 0 end,
                        length(p.seen) - p.token_decimals desc, rtrim(p.seen, '0') desc, p.created_at_ms desc, p.id
               limit 1) as "paymentId"
        from till_sales s join payment_links l on l.id = s.link_id`

/** Undefined if it is not a sale of this till. */
export async function loadSale(tx: Tx, tillId: string, id: LinkId): Promise<SaleRow | undefined> {
  return await tx.get<SaleRow>(sql`
      select ${saleFields} where s.till_id = ${tillId} and s.link_id = ${id}`)
}

/** Sales since a time, newest first, at most `limit`. */
export async function listSales(tx: Tx, tillId: string, sinceMs: number, limit: number): Promise<SaleRow[]> {
  return await tx.all<SaleRow>(sql`
      select ${saleFields} where s.till_id = ${tillId} and s.created_at_ms >= ${sinceMs}
       order by s.created_at_ms desc, s.link_id limit ${limit}`)
}

export async function countSales(tx: Tx, tillId: string, sinceMs: number): Promise<number> {
  const row = await tx.get<{ sales: number }>(sql`
      select count(*) as sales from till_sales where till_id = ${tillId} and created_at_ms >= ${sinceMs}`)
  return row?.sales ?? 0
}

/** A sale's payments that can still be paid, at most `limit`. */
export async function openPaymentsOf(tx: Tx, id: LinkId, limit: number): Promise<PaymentId[]> {
  const rows = await tx.all<{ id: PaymentId }>(sql`
      select id from payments where link_id = ${id} and status = 'pending' order by id limit ${limit}`)
  return rows.map((row) => row.id)
}
