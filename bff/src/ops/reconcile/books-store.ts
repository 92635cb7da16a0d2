import type { Account } from '../../chain/movements.ts'
import { sql, type Tx } from '../../db/db.ts'
import type { StoredTransfer } from '../../payment/event.ts'
import type { Payment, PaymentId } from '../../payment/payment.ts'
import { loadPayment } from '../../payment/store/payment-store.ts'
import { transfers } from '../../payment/store/transfer-store.ts'
import type { PayoutKind } from '../../payout/payout-queue-store.ts'

/** One signed version of a payout transaction; versions differ in fee only, and at most one is mined. */
type BookedTransaction = { txId: string; isOpen: boolean }

/** A payout of a transaction. `amount` and `address` are null for a sweep on EVM. */
export type BookedPayout = {
  kind: PayoutKind
  network: string
  token: string
  address: string | null
  amount: bigint | null
  /** `confirmed`: credited to the payment. */
  state: 'sent' | 'confirmed' | 'failed'
  transactions: BookedTransaction[]
}

/** All records of one payment's money. */
export type PaymentBooks = {
  payment: Payment
  transfers: StoredTransfer[]
  payouts: BookedPayout[]
  /** Pending payouts. */
  queued: { kind: PayoutKind; network: string; token: string }[]
  /**
   * The newest transaction read from its token account. Null: none; undefined: the family has one cursor for the whole
   * network.
   */
  readTo: string | null | undefined
}

/** Live payments after a number, in creation order, at most `limit`. */
export async function accountsAfter(tx: Tx, after: number, limit: number): Promise<Account[]> {
  return await tx.all<Account>(sql`
      select number, id, mode, network, coalesce(deposit_address, terms_hash) as "place", token_address as "token",
             splitter, coalesce(deposit_terms, split_terms) as "terms", created_at_ms as "createdAtMs"
        from payments
       where number > ${after} and is_test = 0
       order by number limit ${limit}`)
}

/** Networks of live payments. */
export async function paymentNetworks(tx: Tx): Promise<string[]> {
  const rows = await tx.all<{ network: string }>(sql`
      select distinct network from payments where is_test = 0 order by network limit 1000`)
  return rows.map(({ network }) => network)
}

type PayoutRow = {
  transaction_id: string
  kind: PayoutKind
  payment_id: PaymentId
  network: string
  token: string
  address: string | null
  amount: string | null
  state: BookedPayout['state']
  tx_id: string
  tx_state: 'stored' | 'replaced' | 'confirmed' | 'failed'
}

/** The books of live payments numbered `from` to `to`, both inclusive. */
export async function loadBooks(tx: Tx, from: number, to: number): Promise<Map<PaymentId, PaymentBooks>> {
  const books = new Map<PaymentId, PaymentBooks>()
  const ids = await tx.all<{ id: PaymentId }>(sql`
      select id from payments where number >= ${from} and number <= ${to} and is_test = 0 order by number`)
  for (const { id } of ids) {
    const payment = await loadPayment(tx, id)
    if (payment) books.set(id, { payment, transfers: [], payouts: [], queued: [], readTo: undefined })
  }
  const transferRows = await tx.all<object>(sql`
      select t.* from transfers t join payments p on p.id = t.payment_id
       where p.number >= ${from} and p.number <= ${to}
       order by t.block_number, t.log_index`)
  for (const row of transferRows) {
    const { paymentId, ...transfer } = transfers.parse(row)
    books.get(paymentId)?.transfers.push(transfer)
  }
  const payouts = await tx.all<PayoutRow>(sql`
      select o.*, coalesce(x.tx_id, o.transaction_id) as tx_id, coalesce(x.state, 'confirmed') as tx_state
        from outgoing_payouts o join payments p on p.id = o.payment_id
        left join outgoing_transactions x on x.id = o.transaction_id
       where p.number >= ${from} and p.number <= ${to}
       order by x.created_at_ms, o.transaction_id, o.kind, o.payment_id`)
  const byTransaction = new Map<string, BookedPayout>()
  for (const row of payouts) {
    const key = `${row.transaction_id} ${row.kind} ${row.payment_id}`
    const payout = byTransaction.get(key) ?? newPayout(row)
    payout.transactions.push({ txId: row.tx_id, isOpen: row.tx_state === 'stored' || row.tx_state === 'replaced' })
    if (!byTransaction.has(key)) books.get(row.payment_id)?.payouts.push(payout)
    byTransaction.set(key, payout)
  }
  const queued = await tx.all<{ id: PaymentId; kind: PayoutKind; network: string; token: string }>(sql`
      select q.payment_id as "id", q.kind, q.network, q.token
        from payouts q join payments p on p.id = q.payment_id
       where p.number >= ${from} and p.number <= ${to}
       order by q.payment_id, q.kind, q.network, q.token`)
  for (const { id, ...payout } of queued) books.get(id)?.queued.push(payout)
  const read = await tx.all<{ id: PaymentId; readTo: string | null }>(sql`
      select a.payment_id as "id", a.read_to as "readTo"
        from solana_accounts a join payments p on p.id = a.payment_id
       where p.number >= ${from} and p.number <= ${to}
       order by p.number`)
  for (const { id, readTo } of read) {
    const found = books.get(id)
    if (found) found.readTo = readTo
  }
  return books
}

function newPayout({ kind, network, token, address, amount, state }: PayoutRow): BookedPayout {
  return { kind, network, token, address, amount: amount === null ? null : BigInt(amount), state, transactions: [] }
}
