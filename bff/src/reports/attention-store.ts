import { baseUnits } from '../core/money.ts'
import { sql, type Tx } from '../db/db.ts'
import { type Attention, attentions } from '../payment/attention.ts'
import type { MerchantId, PaymentId } from '../payment/payment.ts'

type Whose = { merchantId: MerchantId; isTest: boolean }

/** Rows that are counted of one kind at most: a number at this bound means "at least so many". */
const countMax = 1_000

type NeedRow = {
  id: PaymentId
  orderId: string | null
  network: string
  currency: string
  decimals: number
  due: string
  createdAtMs: number
}

/** A payment that requires a person. */
export type Need = Omit<NeedRow, 'due'> & { attention: Attention; due: bigint }

/** The newest payments with each need, at most `limit` of each, and how many there are. */
export async function loadNeeds(
  tx: Tx,
  { merchantId, isTest }: Whose,
  limit: number,
): Promise<{ attention: Attention; count: number; payments: Need[] }[]> {
  const needs = []
  for (const attention of attentions) {
    const counted = await tx.get<{ count: number }>(sql`
        select count(*) as count
          from (select number from payments
                 where merchant_id = ${merchantId} and is_test = ${isTest ? 1 : 0} and attention = ${attention}
                 limit ${countMax}) as waiting`)
    const count = counted?.count ?? 0
    if (count === 0) continue
    const rows = await tx.all<NeedRow>(sql`
        select id, order_id as "orderId", network, currency, token_decimals as decimals, due, created_at_ms as "createdAtMs"
          from payments
         where merchant_id = ${merchantId} and is_test = ${isTest ? 1 : 0} and attention = ${attention}
         order by number desc limit ${limit}`)
    needs.push({ attention, count, payments: rows.map((row) => ({ ...row, attention, due: baseUnits(row.due) })) })
  }
  return needs
}

/** Whether the merchant has any payment, live or test. */
export async function hasPayments(tx: Tx, { merchantId, isTest }: Whose): Promise<boolean> {
  const row = await tx.get(sql`
      select number from payments
       where merchant_id = ${merchantId} and is_test = ${isTest ? 1 : 0} order by created_at_ms limit 1`)
  return row !== undefined
}
