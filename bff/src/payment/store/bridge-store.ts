import { sql, type Tx } from '../../db/db.ts'
import { fixed, json, named, orNull, table, text } from '../../db/table.ts'
import type { Bridge, BridgeStatus, BridgeTerms, DepositPayment, PaymentId } from '../payment.ts'

/** The columns of a bridge that stand beside those of its payment. */
export const bridges = table<Bridge>('bridges', {
  terms: fixed(named('bridge_terms', json<BridgeTerms>())),
  status: named('bridge_status', text<BridgeStatus>()),
  originTxId: named('bridge_origin_tx_id', orNull(text())),
  destinationTxId: named('bridge_destination_tx_id', orNull(text())),
  refundTxId: named('bridge_refund_tx_id', orNull(text())),
  reason: named('bridge_reason', orNull(text())),
})

/** Also queues the row that the progress worker pulls. */
export function insertBridge(tx: Tx, { id, createdAtMs }: DepositPayment, bridge: Bridge): void {
  tx.write(sql`insert into bridges (payment_id, ${bridges.names}) values (${id}, ${bridges.values(bridge)})`)
  tx.write(sql`insert into bridge_polls (payment_id, due_at_ms) values (${id}, ${createdAtMs})`)
}

/** Stores what the relay can change. */
export function saveBridge(tx: Tx, id: PaymentId, bridge: Bridge): void {
  tx.write(sql`update bridges set ${bridges.set(bridge)} where payment_id = ${id}`)
}

/**
 * Makes the next poll of the relay due now, because the payment's window is over.
 * @param blockTimeMs - The time of the block found after the window's end.
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
