import { sql, type Tx } from '../../../db/db.ts'
import type { PaymentId } from '../../../payment/payment.ts'

/** Maximum accounts of one transaction, including those from lookup tables. */
const keysMax = 256

/**
 * Whether one of the accounts is the reference of another payment or merchant refund: then the transaction was made for that one,
 * whether or not it was found.
 * @param id - Id of a payment or merchant refund.
 */
export async function namesAnother(tx: Tx, network: string, id: string, keys: readonly string[]): Promise<boolean> {
  for (const key of keys.slice(0, keysMax)) {
    const row = await tx.get<{ id: string }>(sql`
        select id from payments where network = ${network} and terms_hash = ${key} and id <> ${id}
         union all
        select id from merchant_refunds where network = ${network} and terms_hash = ${key} and id <> ${id} limit 1`)
    if (row) return true
  }
  return false
}

/** Whether the service sent the transaction: a sweep, a refund, or any other payout, including failed ones. */
export async function isOurs(tx: Tx, network: string, txId: string): Promise<boolean> {
  const row = await tx.get(sql`
      select id from outgoing_transactions where network = ${network} and tx_id = ${txId} limit 1`)
  return row !== undefined
}

/** Whether one of the token accounts belongs to a deposit. */
export async function isOfDeposit(tx: Tx, network: string, accounts: readonly string[]): Promise<boolean> {
  for (const account of accounts.slice(0, keysMax)) {
    const row = await tx.get(sql`
        select payment_id from solana_accounts where network = ${network} and address = ${account} limit 1`)
    if (row) return true
  }
  return false
}

/** Detected, unfinalized transfers of wallet payments, oldest first, at most `limit`. */
export async function unsettledSplits(tx: Tx, network: string, limit: number) {
  return await tx.all<{ id: PaymentId; txId: string }>(sql`
      select t.payment_id as "id", t.tx_id as "txId"
        from transfers t join payments p on p.id = t.payment_id
       where t.network = ${network} and t.state = 'seen' and p.mode = 'contract'
       order by t.block_number limit ${limit}`)
}
