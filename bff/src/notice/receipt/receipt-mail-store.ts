import { sql, type Tx } from '../../db/db.ts'
import { fixed, integer, orNull, table, text, type ValuesOf } from '../../db/table.ts'
import type { MerchantId, PaymentId } from '../../payment/payment.ts'

const receiptMails = table('receipt_mails', {
  paymentId: fixed(text<PaymentId>()),
  merchantId: fixed(text<MerchantId>()),
  /** Sealed; null once sent or given up. */
  address: orNull(text()),
  addressDigest: orNull(text()),
  /** Of the network of the client who requested it; null: the merchant, or more than a day old. */
  clientDigest: orNull(text()),
  language: text(),
  attempts: integer(),
  /** Addresses that the mail server refused, or never took the mail for; 0 once the receipt was sent. */
  givenUp: integer(),
  dueAtMs: orNull(integer()),
  createdAtMs: integer(),
})
export type ReceiptMail = ValuesOf<typeof receiptMails>

export async function loadReceiptMail(tx: Tx, id: PaymentId): Promise<ReceiptMail | undefined> {
  const row = await tx.get<object>(sql`select * from receipt_mails where payment_id = ${id}`)
  return row && receiptMails.parse(row)
}

/** Replaces a mail that was given up. */
export async function saveReceiptMail(tx: Tx, mail: ReceiptMail): Promise<void> {
  await tx.run(sql`
      insert into receipt_mails (${receiptMails.names}) values (${receiptMails.values(mail)})
      on conflict (payment_id) do update set ${receiptMails.excluded}`)
}

/** The mails since a time, counted up to `max`: of a merchant, of these those that a client requested, and to an address. */
export async function countReceiptMails(
  tx: Tx,
  { merchantId, addressDigest, clientDigest }: Pick<ReceiptMail, 'merchantId' | 'addressDigest' | 'clientDigest'>,
  sinceMs: number,
  max: number,
): Promise<{ ofMerchant: number; ofClient: number; ofAddress: number }> {
  const ofMerchant = await tx.get<{ count: number; own: number }>(sql`
      select count(*) as count, count(case when client_digest = ${clientDigest} then 1 end) as own from (
        select client_digest from receipt_mails
         where merchant_id = ${merchantId} and created_at_ms > ${sinceMs} limit ${max}) found`)
  const ofAddress = await tx.get<{ count: number }>(sql`
      select count(*) as count from (
        select 1 from receipt_mails
         where address_digest = ${addressDigest} and created_at_ms > ${sinceMs} limit ${max}) found`)
  return {
    ofMerchant: Number(ofMerchant?.count ?? 0),
    ofClient: Number(ofMerchant?.own ?? 0),
    ofAddress: Number(ofAddress?.count ?? 0),
  }
}

/** The due mails, longest due first, at most `limit`. */
export async function dueReceiptMails(tx: Tx, nowMs: number, limit: number): Promise<ReceiptMail[]> {
  const rows = await tx.all<object>(sql`
      select * from receipt_mails where due_at_ms is not null and due_at_ms <= ${nowMs}
       order by due_at_ms, payment_id limit ${limit}`)
  return rows.map(receiptMails.parse)
}

/** Ends a sent mail; its address is deleted. */
export async function endReceiptMail(tx: Tx, id: PaymentId): Promise<void> {
  await tx.run(sql`update receipt_mails set address = null, due_at_ms = null, given_up = 0 where payment_id = ${id}`)
}

export async function delayReceiptMail(tx: Tx, id: PaymentId, attempts: number, dueAtMs: number): Promise<void> {
  await tx.run(sql`
      update receipt_mails set attempts = ${attempts}, due_at_ms = ${dueAtMs}
       where payment_id = ${id} and due_at_ms is not null`)
}

/** Gives up the mail; its address is deleted. The customer may request the receipt again, within the bounds that the row still counts for. */
export async function giveUpReceiptMail(tx: Tx, id: PaymentId): Promise<void> {
  await tx.run(sql`
      update receipt_mails set address = null, due_at_ms = null, given_up = given_up + 1 where payment_id = ${id}`)
}

/** Deletes the digests of at most `limit` ended mails made up to `beforeMs`. @returns how many. */
export async function forgetDigests(tx: Tx, beforeMs: number, limit: number): Promise<number> {
  return await tx.run(sql`
      update receipt_mails set address_digest = null, client_digest = null
       where payment_id in (
         select payment_id from receipt_mails
          where address_digest is not null and due_at_ms is null and created_at_ms <= ${beforeMs}
          order by created_at_ms, payment_id limit ${limit})`)
}
