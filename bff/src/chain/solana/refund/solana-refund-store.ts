import { sql, type Tx } from '../../../db/db.ts'
import { parseEach } from '../../../db/table.ts'
import type { MerchantRefundId } from '../../../payment/merchant-refund.ts'

/** A live refund, as the watcher identifies it. */
export type WatchedSolanaRefund = {
  id: MerchantRefundId
  /** The customer's wallet. */
  address: string
  mint: string
  reference: string | null
  amount: bigint
  seen: bigint
  /** The newest slot known at the request. */
  afterSlot: number
  createdAtMs: number
  isCancelled: boolean
  /** The merchant's wallet, the only one whose transfers count without the reference. Null if none is set. */
  sender: string | null
}

type Row = Omit<WatchedSolanaRefund, 'amount' | 'seen' | 'isCancelled'> & {
  amount: string
  seen: string
  isCancelled: number
}

/** Live refunds that are open or ended after `endedAfterMs`: open ones first, then the newest, at most `limit`. */
export async function watchedSolanaRefunds(
  tx: Tx,
  network: string,
  endedAfterMs: number,
  limit: number,
  unreadable: (error: unknown, refund: Pick<WatchedSolanaRefund, 'id' | 'address' | 'mint'>) => void,
): Promise<WatchedSolanaRefund[]> {
  const rows = await tx.all<Row>(sql`
      select r.id, r.address, r.token_address as "mint", r.terms_hash as "reference", r.amount, r.seen,
             r.after_block as "afterSlot", r.created_at_ms as "createdAtMs", r.cancelled_at_ms is not null as "isCancelled",
             w.address as "sender"
        from merchant_refunds r
        left join settlement_wallets w on w.merchant_id = r.merchant_id and w.network = r.network
       where r.network = ${network} and r.is_test = 0 and r.address is not null
         and coalesce(r.paid_at_ms, r.cancelled_at_ms, ${endedAfterMs + 1}) > ${endedAfterMs}
       order by coalesce(r.paid_at_ms, r.cancelled_at_ms) is not null, r.number desc limit ${limit}`)
  const fromRow = (row: Row): WatchedSolanaRefund => ({
    ...row,
    amount: BigInt(row.amount),
    seen: BigInt(row.seen),
    isCancelled: row.isCancelled === 1,
  })
  return parseEach(rows, fromRow, unreadable)
}

/** Detected, unfinalized transfers of refunds, oldest first, at most `limit`. */
export async function unsettledSolanaRefunds(tx: Tx, network: string, limit: number) {
  return await tx.all<{ id: MerchantRefundId; txId: string }>(sql`
      select t.payment_id as "id", t.tx_id as "txId"
        from transfers t join merchant_refunds r on r.id = t.payment_id
       where t.network = ${network} and t.state = 'seen'
       order by t.block_number limit ${limit}`)
}
