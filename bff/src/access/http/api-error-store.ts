import { sql, type Tx } from '../../db/db.ts'
import { integer, orNull, table, text, type ValuesOf } from '../../db/table.ts'
import type { MerchantId } from '../../payment/payment.ts'

/** The newest refusals that are kept of one merchant: one page. */
export const errorsPerMerchantMax = 100

const errors = table('api_errors', {
  atMs: integer(),
  requestId: text(),
  method: text(),
  /** The path's template. */
  route: text(),
  status: integer(),
  code: text(),
  field: orNull(text()),
})

/** What a developer needs to find a refused call. The request itself is not stored, only the field's name. */
export type ApiError = ValuesOf<typeof errors>

/** Adds refusals, and deletes all but the newest {@link errorsPerMerchantMax}. */
export async function saveApiErrors(tx: Tx, merchantId: MerchantId, refused: readonly ApiError[]): Promise<void> {
  for (const error of refused) {
    tx.write(sql`insert into api_errors (merchant_id, ${errors.names}) values (${merchantId}, ${errors.values(error)})`)
  }
  await tx.run(sql`
      delete from api_errors
       where merchant_id = ${merchantId}
         and number <= (select number from api_errors where merchant_id = ${merchantId}
                         order by number desc limit 1 offset ${errorsPerMerchantMax})`)
}

/** Newest first. */
export async function loadApiErrors(tx: Tx, merchantId: MerchantId): Promise<ApiError[]> {
  const rows = await tx.all<object>(sql`
      select * from api_errors where merchant_id = ${merchantId}
       order by at_ms desc, number desc limit ${errorsPerMerchantMax}`)
  return rows.map(errors.parse)
}
