import { sql, type Tx } from '../db/db.ts'
import { deliveries } from '../payment/store/outbox-store.ts'

/** A delivery of a plug-in's webhook with its newest attempt. */
export type StoreDelivery = ReturnType<typeof fromRow>

type DeliveryRow = { body: string; last_code: number | null; last_error: string | null }

const fromRow = (row: DeliveryRow) =>
  Object.assign(deliveries.parse(row), { body: row.body, code: row.last_code, error: row.last_error })

/** Newest first, at most `limit`. */
export async function listStoreDeliveries(tx: Tx, endpointId: string, limit: number): Promise<StoreDelivery[]> {
  const rows = await tx.all<DeliveryRow>(sql`
      select d.*, e.body from deliveries d join events e on e.number = d.event_number
       where d.endpoint_id = ${endpointId} order by d.number desc limit ${limit}`)
  return rows.map(fromRow)
}

/** Found by the invoice and the number of its event; undefined when there is no such delivery. */
export async function loadStoreDelivery(
  tx: Tx,
  endpointId: string,
  invoiceId: string,
  sequence: number,
): Promise<StoreDelivery | undefined> {
  const row = await tx.get<DeliveryRow>(sql`
      select d.*, e.body from deliveries d join events e on e.number = d.event_number
       where d.payment_id = ${invoiceId} and d.receiver_key = ${endpointId} and d.sequence = ${sequence}`)
  return row && fromRow(row)
}
