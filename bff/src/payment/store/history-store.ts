import type { WebhookEventType } from '../../core/record-codes.ts'
import { sql, type Tx } from '../../db/db.ts'
import type { TransferState } from '../event.ts'
import type { PaymentId } from '../payment.ts'

/** Maximum rows of one kind; a payment flooded with dust has far more. */
const rowsMax = 500

export type TransferLine = {
  network: string
  txId: string
  logIndex: number
  payer: string
  amount: string
  blockNumber: number
  atMs: number
  state: TransferState
  isLate: number
}
export type EventLine = { number: number; type: WebhookEventType; sequence: number; atMs: number }
export type AttemptLine = { type: string; url: string; atMs: number; code: number | null; error: string | null }
export type TransactionLine = {
  purpose: 'sweep' | 'refund'
  txId: string
  nonce: number
  state: 'stored' | 'replaced' | 'confirmed' | 'failed'
  atMs: number
  sentAtMs: number | null
}
export type RequestLine = {
  address: string
  network: string | null
  callerKind: string
  callerId: string
  atMs: number
}

/** The history of a payment, oldest first, limited to the newest 500 rows of each kind. */
export async function loadHistory(tx: Tx, id: PaymentId) {
  return {
    transfers: await tx.all<TransferLine>(sql`
      select network, tx_id as "txId", log_index as "logIndex", payer, amount, block_number as "blockNumber",
             block_time_ms as "atMs", state, is_late as "isLate"
        from transfers where payment_id = ${id}
       order by block_time_ms desc, block_number desc, log_index desc, tx_id limit ${rowsMax}`),
    events: await tx.all<EventLine>(sql`
      select number, type, sequence, created_at_ms as "atMs"
        from events where payment_id = ${id} order by number desc limit ${rowsMax}`),
    attempts: await tx.all<AttemptLine>(sql`
      select d.type, coalesce(a.url, d.url) as url, a.sent_at_ms as "atMs", a.code, a.error
        from deliveries d join attempts a on a.delivery_number = d.number
       where d.payment_id = ${id}
       order by a.sent_at_ms desc, d.number desc, a.number desc limit ${rowsMax}`),
    transactions: await tx.all<TransactionLine>(sql`
      select o.kind as "purpose", x.tx_id as "txId", x.nonce, x.state, x.created_at_ms as "atMs", x.sent_at_ms as "sentAtMs"
        from outgoing_payouts o join outgoing_transactions x on x.id = o.transaction_id
       where o.payment_id = ${id} and o.kind in ('sweep', 'refund')
       order by x.created_at_ms desc, x.nonce desc, x.tx_id limit ${rowsMax}`),
    requests: await tx.all<RequestLine>(sql`
      select address, network, caller_kind as "callerKind", caller_id as "callerId", created_at_ms as "atMs"
        from refund_requests where payment_id = ${id} order by number desc limit ${rowsMax}`),
  }
}
