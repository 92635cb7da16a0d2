import { sql, type Tx } from '../db/db.ts'
import type { MerchantId } from '../payment/payment.ts'
import { deliveries } from '../payment/store/outbox-store.ts'

/** A delivery of a plug-in's webhook with the result of its newest attempt. */
export type ListedDelivery = ReturnType<typeof fromRow>

/** With the body that its attempts post. */
export type StoreDelivery = ListedDelivery & { body: string }

type DeliveryRow = { last_code: number | null; last_error: string | null }

const fromRow = (row: DeliveryRow) =>
  Object.assign(deliveries.parse(row), { code: row.last_code, error: row.last_error })

/** Deliveries that one list scans, so that a webhook with few of them does not hold up others. */
const scanMax = 10_000

/** Newest first, at most `limit`, found among the merchant's newest {@link scanMax}. */
export async function listStoreDeliveries(
  tx: Tx,
  merchantId: MerchantId,
  endpointId: string,
  limit: number,
): Promise<ListedDelivery[]> {
  const rows = await tx.all<DeliveryRow>(sql`
      select * from (select * from deliveries where merchant_id = ${merchantId} and is_test = 0
                      order by number desc limit ${scanMax}) as newest
       where endpoint_id = ${endpointId} order by number desc limit ${limit}`)
  return rows.map(fromRow)
}

/** Found by the invoice and the number of its event; undefined when there is no such delivery. */
export async function loadStoreDelivery(
  tx: Tx,
  endpointId: string,
  invoiceId: string,
  sequence: number,
): Promise<StoreDelivery | undefined> {
  const row = await tx.get<DeliveryRow & { body: string }>(sql`
      select d.*, e.body from deliveries d join events e on e.number = d.event_number
       where d.payment_id = ${invoiceId} and d.receiver_key = ${endpointId} and d.sequence = ${sequence}`)
  return row && Object.assign(fromRow(row), { body: row.body })
}
