import { wholeTokensMax } from '../../core/money.ts'
import { type Sql, sql, type Tx } from '../../db/db.ts'
import type { Attention } from '../../payment/attention.ts'
import type { MerchantId, PaymentId, Status } from '../../payment/payment.ts'

/**
 * The position after a page. The list is sorted newest first; within one millisecond, by creation order, last first.
 */
export type Place = { createdAtMs: number; number: number }

/** Selects a merchant's payments; null means all. Live and test payments are never in one list. */
export type SearchFilter = {
  merchantId: MerchantId
  isTest: boolean
  network: string | null
  currency: string | null
  attention: Attention | null
  /** As `amountDigits` texts, which sort as the amounts do; inclusive. */
  amounts: { min: string; max: string } | null
}

export type FoundPayment = {
  number: number
  id: PaymentId
  mode: string
  isTest: number
  network: string
  currency: string
  decimals: number
  due: string
  received: string
  late: string
  refunded: string
  status: Status
  attention: Attention | null
  orderId: string | null
  customerEmail: string | null
  depositAddress: string | null
  txId: string | null
  createdAtMs: number
  expiresAtMs: number
}

/** All tokens' amounts are compared in one unit, which is smaller than that of any token. */
export const comparedDecimals = 36

/** The digits of a compared amount. Leading zeros give all texts one length, so that they sort as numbers. */
export const amountDigits = String(wholeTokensMax).length + comparedDecimals

const zeros = '0'.repeat(amountDigits)

const columns = sql`number, id, mode, is_test as "isTest", network, currency, token_decimals as "decimals", due, received, late,
             refunded, status, attention, order_id as "orderId", customer_email as "customerEmail",
             deposit_address as "depositAddress", last_tx_id as "txId", created_at_ms as "createdAtMs",
             expires_at_ms as "expiresAtMs"`

/** With a status, a page is read by the status index, otherwise by creation time. */
const ofStatus = (status: Status | null): Sql => (status === null ? sql`` : sql`and status = ${status}`)

const ofAmounts = (amounts: SearchFilter['amounts']): Sql =>
  amounts === null
    ? sql``
    : sql`and substr(cast(${zeros} as text), 1, cast(${amountDigits - comparedDecimals} - length(due) + token_decimals as integer))
              || due || substr(cast(${zeros} as text), 1, cast(${comparedDecimals} - token_decimals as integer))
              between ${amounts.min} and ${amounts.max}`

/**
 * Finds at most `limit` payments after `after` in the list and up to `until`. The cost depends only on the number of
 * payments between the two positions, not on the total.
 */
export async function findByTime(
  tx: Tx,
  filter: SearchFilter,
  status: Status | null,
  { after, until }: { after: Place; until: Place },
  limit: number,
): Promise<FoundPayment[]> {
  return await tx.all<FoundPayment>(sql`
      select ${columns}
        from payments
       where merchant_id = ${filter.merchantId} and is_test = ${filter.isTest ? 1 : 0} ${ofStatus(status)}
         and (created_at_ms, number) < (${after.createdAtMs}, ${after.number})
         and (created_at_ms, number) >= (${until.createdAtMs}, ${until.number})
         and (cast(${filter.network} as text) is null or network = ${filter.network})
         and (cast(${filter.currency} as text) is null or currency = ${filter.currency})
         and (cast(${filter.attention} as text) is null or attention = ${filter.attention})
         ${ofAmounts(filter.amounts)}
       order by created_at_ms desc, number desc limit ${limit}`)
}

/** The position `steps` payments after `after`; undefined when fewer remain up to `until`. */
export async function placeAfter(
  tx: Tx,
  { merchantId, isTest }: SearchFilter,
  status: Status | null,
  { after, until }: { after: Place; until: Place },
  steps: number,
): Promise<Place | undefined> {
  return await tx.get<Place>(sql`
      select created_at_ms as "createdAtMs", number
        from payments
       where merchant_id = ${merchantId} and is_test = ${isTest ? 1 : 0} ${ofStatus(status)}
         and (created_at_ms, number) < (${after.createdAtMs}, ${after.number})
         and (created_at_ms, number) >= (${until.createdAtMs}, ${until.number})
       order by created_at_ms desc, number desc limit 1 offset ${steps}`)
}

/** Sorts last: texts that begin with a prefix sort between the prefix and the prefix followed by this character. */
const lastCharacter = '\u{10ffff}'

/** Maximum number of prefix matches read for one text; live and test payments are separated only afterwards. */
const longerMax = 1_000

/**
 * Ids of the merchant's payments that match a text: by payment id, order id, customer e-mail, deposit address, payer
 * address, or a transaction in either direction. At most `limit` of each kind. Also matches up to `limit` order ids, in
 * descending order, and up to `limit` e-mail addresses, in ascending order, that begin with the text.
 */
export async function idsNamedBy(
  tx: Tx,
  { merchantId, isTest }: SearchFilter,
  text: string,
  networks: readonly string[],
  limit: number,
): Promise<PaymentId[]> {
  // EVM hashes and addresses are stored in lower case; those of Solana are case-sensitive.
  const both = [...new Set([text, text.toLowerCase()])]
  const beyond = `${text}${lastCharacter}`
  type Row = { id: PaymentId }
  const found = [
    ...(await tx.all<Row>(sql`select id from payments where id in ${both} and merchant_id = ${merchantId}`)),
    ...(await tx.all<Row>(sql`
        select id from payments
         where merchant_id = ${merchantId} and order_id = ${text} and is_test = ${isTest ? 1 : 0}
         order by number desc limit ${limit}`)),
    ...(await tx.all<Row>(sql`
        select id from payments
         where merchant_id = ${merchantId} and lower(customer_email) = lower(${text}) and customer_email is not null
           and is_test = ${isTest ? 1 : 0}
         order by number desc limit ${limit}`)),
    ...(await tx.all<Row>(sql`
        select id from (
          select id, is_test from payments
           where merchant_id = ${merchantId} and order_id > ${text} and order_id < ${beyond} and order_id is not null
           order by order_id desc, number desc limit ${longerMax}) as longer
         where is_test = ${isTest ? 1 : 0} limit ${limit}`)),
    ...(await tx.all<Row>(sql`
        select id from (
          select id, is_test from payments
           where merchant_id = ${merchantId} and lower(customer_email) > lower(${text})
             and lower(customer_email) < lower(${beyond}) and customer_email is not null
           order by lower(customer_email), number limit ${longerMax}) as longer
         where is_test = ${isTest ? 1 : 0} limit ${limit}`)),
    ...(await tx.all<Row>(sql`
        select id from payments
         where lower(deposit_address) = lower(${text}) and deposit_address is not null and merchant_id = ${merchantId}
         limit ${limit}`)),
    ...(await tx.all<Row>(sql`
        select p.id from transfers t join payments p on p.id = t.payment_id
         where lower(t.payer) = lower(${text}) and p.merchant_id = ${merchantId}
         order by p.number desc limit ${limit}`)),
    ...(await tx.all<Row>(sql`
        select p.id from transfers t join payments p on p.id = t.payment_id
         where t.network in ${networks} and t.tx_id in ${both} and p.merchant_id = ${merchantId}
         limit ${limit}`)),
    ...(await tx.all<Row>(sql`
        select p.id
          from outgoing_transactions x
          join outgoing_payouts o on o.transaction_id = x.id
          join payments p on p.id = o.payment_id
         where x.tx_id in ${both} and p.merchant_id = ${merchantId}
         limit ${limit}`)),
  ]
  return [...new Set(found.map(({ id }) => id))]
}

/** The result has no particular order. */
export async function findByIds(tx: Tx, ids: readonly PaymentId[]): Promise<FoundPayment[]> {
  if (ids.length === 0) return []
  return await tx.all<FoundPayment>(sql`
      select ${columns}
        from payments where id in ${ids}`)
}

/** Increases whenever a payment of the merchant is created or changes. */
export async function newestChange(tx: Tx, merchantId: MerchantId, isTest: boolean): Promise<string> {
  const event = await tx.get<{ number: number }>(sql`
      select number from events where merchant_id = ${merchantId} and is_test = ${isTest ? 1 : 0}
       order by number desc limit 1`)
  const payment = await tx.get<{ number: number }>(sql`
      select number from payments where merchant_id = ${merchantId} and is_test = ${isTest ? 1 : 0}
       order by created_at_ms desc, number desc limit 1`)
  return `${payment?.number ?? 0}-${event?.number ?? 0}`
}
