import { sql, type Tx } from '../../db/db.ts'
import { fixed, flag, integer, json, orNull, table, text, type ValuesOf } from '../../db/table.ts'
import type { MerchantId } from '../../payment/payment.ts'
import type { TroubleFacts } from '../notice-kinds.ts'

const troubles = table('notice_troubles', {
  merchantId: fixed(text<MerchantId>()),
  /** The name of the cause, such as `gas base`. */
  cause: fixed(text()),
  facts: json<TroubleFacts>(),
  isOpen: flag(),
  sinceMs: integer(),
  notifiedAtMs: orNull(integer()),
  isNotified: flag(),
})
export type Trouble = ValuesOf<typeof troubles>

/** A merchant's endpoints and networks bound the number. */
export async function loadTroubles(tx: Tx, merchantId: MerchantId): Promise<Trouble[]> {
  const rows = await tx.all<object>(sql`select * from notice_troubles where merchant_id = ${merchantId} order by cause`)
  return rows.map(troubles.parse)
}

export async function saveTrouble(tx: Tx, trouble: Trouble): Promise<void> {
  await tx.run(sql`
      insert into notice_troubles (${troubles.names}) values (${troubles.values(trouble)})
      on conflict (merchant_id, cause) do update set ${troubles.excluded}`)
}

export async function deleteTrouble(tx: Tx, { merchantId, cause }: Trouble): Promise<void> {
  await tx.run(sql`delete from notice_troubles where merchant_id = ${merchantId} and cause = ${cause}`)
}
