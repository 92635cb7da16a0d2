import { sql, type Tx } from '../db/db.ts'
import type { PaymentId } from '../payment/payment.ts'

/** An external settlement that a deep reorg may still undo. */
export type ExternalSettlement = {
  paymentId: PaymentId
  txId: string
  block: number
  depositAddress: string
  /** JSON, as the chain family stored it. */
  depositTerms: string
}

/** Notes the block of the settlement that counts as the payment's sweep. */
export async function saveExternalSettlement(
  tx: Tx,
  network: string,
  { paymentId, txId, block }: Pick<ExternalSettlement, 'paymentId' | 'txId' | 'block'>,
): Promise<void> {
  await tx.run(sql`
      insert into external_settlements (network, payment_id, tx_id, block)
      values (${network}, ${paymentId}, ${txId}, ${block})
      on conflict (network, payment_id) do update set tx_id = excluded.tx_id, block = excluded.block`)
}

/** In order of payment id, after the given one; at most `limit`. */
export async function externalSettlementsToRecheck(
  tx: Tx,
  network: string,
  { after, limit }: { after: string; limit: number },
): Promise<ExternalSettlement[]> {
  return await tx.all<ExternalSettlement>(sql`
      select e.payment_id as "paymentId", e.tx_id as "txId", e.block,
             p.deposit_address as "depositAddress", p.deposit_terms as "depositTerms"
        from external_settlements e join payments p on p.id = e.payment_id
       where e.network = ${network} and e.payment_id > ${after}
       order by e.payment_id limit ${limit}`)
}

/** Deletes a settlement that is beyond reorgs, or that a reorg undid. */
export async function deleteExternalSettlement(tx: Tx, network: string, paymentId: PaymentId): Promise<void> {
  await tx.run(sql`delete from external_settlements where network = ${network} and payment_id = ${paymentId}`)
}
