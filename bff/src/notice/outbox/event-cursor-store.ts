import { sql, type Tx } from '../../db/db.ts'
import type { MerchantId } from '../../payment/payment.ts'

/** `body` is null for events that no notice is made of. */
export type NoticedEvent = {
  number: number
  merchantId: MerchantId
  isTest: boolean
  type: string
  body: string | null
  createdAtMs: number
}

/** Undefined before the first pass. */
export async function readCursor(tx: Tx): Promise<number | undefined> {
  const row = await tx.get<{ event_number: number }>(sql`select event_number from notice_cursor where id = 1`)
  return row && Number(row.event_number)
}

/** Starts the cursor after all existing events. */
export async function startCursor(tx: Tx): Promise<void> {
  await tx.run(sql`
      insert into notice_cursor (id, event_number)
      select 1, coalesce((select max(number) from events), 0) where true
      on conflict (id) do nothing`)
}

export async function moveCursor(tx: Tx, number: number): Promise<void> {
  await tx.run(sql`update notice_cursor set event_number = ${number} where id = 1`)
}

/** Events after a number, in commit order, at most `limit`. Test events of endpoints and `payment.created` come without body. */
export async function eventsAfterCursor(tx: Tx, after: number, limit: number): Promise<NoticedEvent[]> {
  const rows = await tx.all<Omit<NoticedEvent, 'isTest'> & { is_test: number }>(sql`
      select number, merchant_id as "merchantId", is_test, type, created_at_ms as "createdAtMs",
             case when payment_id is not null and type <> 'payment.created' then body end as body
        from events where number > ${after} order by number limit ${limit}`)
  return rows.map(({ is_test, ...row }) => ({ ...row, number: Number(row.number), isTest: is_test === 1 }))
}
