import type { Account } from '../../chain/movements.ts'
import { sql, type Tx } from '../../db/db.ts'
import type { StoredTransfer } from '../../payment/event.ts'
import type { MerchantRefundId } from '../../payment/merchant-refund.ts'
import type { PaymentId } from '../../payment/payment.ts'
import { transfersOfRefund } from '../../payment/store/merchant-refund-store.ts'

/** All records of the money of a refund that the merchant's wallet pays. */
export type RefundBooks = {
  account: Account
  /** Whether a payment can name the refund on chain; `account.place` is empty otherwise. */
  isNamed: boolean
  paymentId: PaymentId
  seen: bigint
  paid: bigint
  /** Paid or cancelled; null: open. */
  endedAtMs: number | null
  transfers: StoredTransfer[]
}

type Row = Omit<Account, 'mode' | 'place'> & { place: string | null } & {
  paymentId: PaymentId
  seen: string
  paid: string
  endedAtMs: number | null
}

/** Live refunds of the network that have an address, after a number, in the order of their requests, at most `limit`. */
export async function refundBooksAfter(tx: Tx, network: string, after: number, limit: number): Promise<RefundBooks[]> {
  const rows = await tx.all<Row>(sql`
      select number, id, payment_id as "paymentId", network, terms_hash as "place", token_address as "token", splitter,
             address as "terms", created_at_ms as "createdAtMs", seen, paid,
             coalesce(paid_at_ms, cancelled_at_ms) as "endedAtMs"
        from merchant_refunds
       where number > ${after} and network = ${network} and is_test = 0 and address is not null
       order by number limit ${limit}`)
  const books: RefundBooks[] = []
  for (const { paymentId, seen, paid, endedAtMs, place, ...row } of rows) {
    const account = { ...row, place: place ?? '', mode: 'refund' as const }
    const transfers = await transfersOfRefund(tx, account.id as string as MerchantRefundId)
    const sums = { seen: BigInt(seen), paid: BigInt(paid) }
    books.push({ account, isNamed: place !== null, paymentId, ...sums, endedAtMs, transfers })
  }
  return books
}
