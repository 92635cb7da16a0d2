import { sql, type Tx } from '../db/db.ts'
import type { MerchantId } from '../payment/payment.ts'

/** The newest refusals of one merchant that are kept: a page of them. */
export const errorsPerMerchantMax = 100

/** What a developer needs to find a refused call. Of the request only the field's name is stored. */
export type ApiError = {
  atMs: number
  requestId: string
  method: string
  /** The path's template. */
  route: string
  status: number
  code: string
  field: string | null
}

/** Adds refusals, and deletes those that more than {@link errorsPerMerchantMax} newer ones follow. */
export async function saveApiErrors(tx: Tx, merchantId: MerchantId, errors: readonly ApiError[]): Promise<void> {
  for (const { atMs, requestId, method, route, status, code, field } of errors) {
    tx.write(sql`
        insert into api_errors (merchant_id, at_ms, request_id, method, route, status, code, field)
        values (${merchantId}, ${atMs}, ${requestId}, ${method}, ${route}, ${status}, ${code}, ${field})`)
  }
  await tx.run(sql`
      delete from api_errors
       where merchant_id = ${merchantId}
         and number <= (select number from api_errors where merchant_id = ${merchantId}
                         order by number desc limit 1 offset ${errorsPerMerchantMax})`)
}

/** Newest first. */
export async function loadApiErrors(tx: Tx, merchantId: MerchantId): Promise<ApiError[]> {
  return await tx.all<ApiError>(sql`
      select at_ms as "atMs", request_id as "requestId", method, route, status, code, field
        from api_errors where merchant_id = ${merchantId}
       order by at_ms desc, number desc limit ${errorsPerMerchantMax}`)
}
