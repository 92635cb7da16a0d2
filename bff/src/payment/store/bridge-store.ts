import { sql, type Tx } from '../../db/db.ts'
import type { Bridge, BridgeStatus, BridgeTerms, DepositPayment, PaymentId } from '../payment.ts'

/** The bridge's columns beside those of a payment; all null where it has none. */
export type BridgeRow = {
  bridge_terms: string | null
  bridge_status: BridgeStatus | null
  bridge_origin_tx_id: string | null
  bridge_destination_tx_id: string | null
  bridge_refund_tx_id: string | null
  bridge_reason: string | null
}

/** An empty object where there is none, so that it can be spread into the payment. */
export function bridgeOfRow(row: BridgeRow): { bridge?: Bridge } {
  if (row.bridge_terms === null || row.bridge_status === null) return {}
  return {
    bridge: {
      terms: JSON.parse(row.bridge_terms) as BridgeTerms,
      status: row.bridge_status,
      originTxId: row.bridge_origin_tx_id,
      destinationTxId: row.bridge_destination_tx_id,
      refundTxId: row.bridge_refund_tx_id,
      reason: row.bridge_reason,
    },
  }
}

/** Also queues the row that the progress worker pulls. */
export async function insertBridge(tx: Tx, { id, createdAtMs, bridge }: DepositPayment): Promise<void> {
  if (bridge === undefined) return
  tx.write(sql`
      insert into bridges (payment_id, bridge_terms, bridge_status)
      values (${id}, ${JSON.stringify(bridge.terms)}, ${bridge.status})`)
  tx.write(sql`insert into bridge_polls (payment_id, due_at_ms) values (${id}, ${createdAtMs})`)
}

/** Stores what the relay can change. */
export async function saveBridge(tx: Tx, id: PaymentId, bridge: Bridge): Promise<void> {
  tx.write(sql`
      update bridges
         set bridge_status = ${bridge.status}, bridge_origin_tx_id = ${bridge.originTxId},
             bridge_destination_tx_id = ${bridge.destinationTxId}, bridge_refund_tx_id = ${bridge.refundTxId},
             bridge_reason = ${bridge.reason}
       where payment_id = ${id}`)
}

/**
 * Makes the relay's status due now, because the payment's window is over.
 * @param blockTimeMs - Of the block that was found past its end.
 */
export async function askOnceMore(
  tx: Tx,
  id: PaymentId,
  { blockTimeMs, nowMs }: { blockTimeMs: number; nowMs: number },
): Promise<void> {
  await tx.run(sql`
      update bridge_polls set window_over_ms = ${blockTimeMs}, due_at_ms = ${nowMs}
       where payment_id = ${id} and window_over_ms is null`)
}
