import { sql, type Tx } from '../../db/db.ts'
import { integer, orNull, table, text, type ValuesOf } from '../../db/table.ts'
import type { MerchantId } from '../../payment/payment.ts'

/** The newest refusals that are kept of one merchant: one page. */
export const errorsPerMerchantMax = 100

/** Of a public key half as many: anybody may hold it, and a flood of its calls must not push out those of the merchant's server. */
const publicErrorsMax = 50

export const errorsMax = ({ isPublic }: Pick<NewApiError, 'isPublic'>): number =>
  isPublic ? publicErrorsMax : errorsPerMerchantMax

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

/** `isPublic`: the call was made with a public key. */
export type NewApiError = ApiError & { isPublic: boolean }

/** Adds refusals, and deletes all but the newest of each kind. */
export async function saveApiErrors(tx: Tx, merchantId: MerchantId, refused: readonly NewApiError[]): Promise<void> {
  for (const error of refused) {
    tx.write(sql`
        insert into api_errors (merchant_id, is_public, ${errors.names})
        values (${merchantId}, ${error.isPublic ? 1 : 0}, ${errors.values(error)})`)
  }
  for (const isPublic of [false, true]) {
    const ofKind = sql`merchant_id = ${merchantId} and is_public = ${isPublic ? 1 : 0}`
    await tx.run(sql`
        delete from api_errors
         where ${ofKind}
           and number <= (select number from api_errors where ${ofKind}
                           order by number desc limit 1 offset ${errorsMax({ isPublic })})`)
  }
}

/** Newest first. */
export async function loadApiErrors(tx: Tx, merchantId: MerchantId): Promise<ApiError[]> {
  const rows = await tx.all<object>(sql`
      select * from api_errors where merchant_id = ${merchantId}
       order by at_ms desc, number desc limit ${errorsPerMerchantMax}`)
  return rows.map(errors.parse)
}
