import { wholeTokensMax } from '../../core/money.ts'
import { type Sql, sql, type Tx } from '../../db/db.ts'
import type { Attention } from '../../payment/attention.ts'
import type { MerchantId, PaymentId, Status } from '../../payment/payment.ts'

/**
 * The position after a page. The list is sorted newest first; within one millisecond, by creation order, last first.
 */
export type Place = { createdAtMs: number; number: number }

/**
 * Filters that are not a status: partially paid, overpaid, some money late, some refunded, or a person must act. Each has an index of
 * exactly this condition.
 */
const kindConditions = {
  partly_paid: sql`status = 'pending' and received <> '0'`,
  overpaid: sql`(length(received) > length(due) or (length(received) = length(due) and received > due))`,
  late: sql`late <> '0'`,
  refunded: sql`refunded <> '0'`,
  to_do: sql`attention is not null`,
} as const

export type PaymentKind = keyof typeof kindConditions

export const kinds = Object.keys(kindConditions) as PaymentKind[]

/** Selects a merchant's payments; null means all. Live and test payments are never in one list. */
export type SearchFilter = {
  merchantId: MerchantId
  isTest: boolean
  network: string | null
  currency: string | null
  attention: Attention | null
  kind: PaymentKind | null
  /** Padded to `amountDigits`, so that the texts sort like the amounts; inclusive. */
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

const ofKind = (kind: PaymentKind | null): Sql => (kind === null ? sql`` : sql`and ${kindConditions[kind]}`)

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
       where merchant_id = ${filter.merchantId} and is_test = ${filter.isTest ? 1 : 0} ${ofStatus(status)} ${ofKind(filter.kind)}
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
  { merchantId, isTest, kind }: SearchFilter,
  status: Status | null,
  { after, until }: { after: Place; until: Place },
  steps: number,
): Promise<Place | undefined> {
  return await tx.get<Place>(sql`
      select created_at_ms as "createdAtMs", number
        from payments
       where merchant_id = ${merchantId} and is_test = ${isTest ? 1 : 0} ${ofStatus(status)} ${ofKind(kind)}
         and (created_at_ms, number) < (${after.createdAtMs}, ${after.number})
         and (created_at_ms, number) >= (${until.createdAtMs}, ${until.number})
       order by created_at_ms desc, number desc limit 1 offset ${steps}`)
}

type Mode = Pick<SearchFilter, 'merchantId' | 'isTest'>

/** At most `max` payments, in the order of the list, so that the statistics of no database suggest another way than the list's index. */
const numbersUpTo = ({ merchantId, isTest }: Mode, status: Status | null, kind: PaymentKind | null, max: number): Sql =>
  sql`from (select number from payments
               where merchant_id = ${merchantId} and is_test = ${isTest ? 1 : 0}
                 ${ofStatus(status)} ${ofKind(kind)}
               order by created_at_ms desc, number desc limit ${max}) as listed`

/** How many payments there are of the kind, at most `max`: no more are read, however many there are. */
export async function countUpTo(tx: Tx, of: Mode, kind: PaymentKind | null, max: number): Promise<number> {
  const row = await tx.get<{ count: number }>(sql`
      select count(*) as count from (select number ${numbersUpTo(of, null, kind, max)}) as counted`)
  return row?.count ?? 0
}

/**
 * As {@link countUpTo}, of these statuses. One statement: on PostgreSQL, a payment whose status changes between two would be in
 * both, or in neither.
 */
export async function countOfStatuses(tx: Tx, of: Mode, statuses: readonly Status[], max: number): Promise<number> {
  const each = statuses.map((status) => numbersUpTo(of, status, null, max))
  const all = each.reduce((one, other) => sql`${one} union all select number ${other}`)
  const row = await tx.get<{ count: number }>(sql`
      select count(*) as count from (select number from (select number ${all}) as found limit ${max}) as counted`)
  return row?.count ?? 0
}

/** Sorts last: texts that begin with a prefix sort between the prefix and the prefix followed by this character. */
const lastCharacter = '\u{10ffff}'

/**
 * The forms in which an id may be stored. EVM hashes and addresses are in lower case; those of Solana are case-sensitive. EVM hashes begin
 * with 0x and Tron hashes do not, but explorers and wallets show either form.
 */
function writingsOf(text: string): string[] {
  const lower = text.toLowerCase()
  const [, digits] = /^(?:0x)?([0-9a-f]{64})$/.exec(lower) ?? []
  return digits === undefined ? [...new Set([text, lower])] : [digits, `0x${digits}`]
}

/** A payment that matches a search text, with the fields that sort the list and separate live from test payments. */
export type NamedPayment = Place & { id: PaymentId; isTest: number }

/**
 * The merchant's payments that match a search text by payment id, deposit address, payer address, a transaction in either direction, or the
 * beginning of an order id or of a customer's e-mail. Unsorted; contains live and test payments, and duplicates.
 *
 * @param limit - Maximum payments of each kind of match.
 * @returns null when the text matches more than `limit` payments of one kind: search by creation time with `findNamedByTime` then.
 */
export async function findNamed(
  tx: Tx,
  merchantId: MerchantId,
  text: string,
  networks: readonly string[],
  limit: number,
): Promise<NamedPayment[] | null> {
  const ids = writingsOf(text)
  const beyond = `${text}${lastCharacter}`
  const max = limit + 1
  // The bound within, and below the cross join, which SQLite reads from left to right, keep it from reading all payments of the merchant.
  const kinds = [
    await tx.all<NamedPayment>(sql`
        select id, number, created_at_ms as "createdAtMs", is_test as "isTest"
          from (select * from payments where id in ${ids} limit ${max}) as found where merchant_id = ${merchantId}`),
    await tx.all<NamedPayment>(sql`
        select id, number, created_at_ms as "createdAtMs", is_test as "isTest"
          from payments
         where merchant_id = ${merchantId} and order_id >= ${text} and order_id < ${beyond} and order_id is not null
         limit ${max}`),
    await tx.all<NamedPayment>(sql`
        select id, number, created_at_ms as "createdAtMs", is_test as "isTest"
          from payments
         where merchant_id = ${merchantId} and lower(customer_email) >= lower(${text})
           and lower(customer_email) < lower(${beyond}) and customer_email is not null
         limit ${max}`),
    await tx.all<NamedPayment>(sql`
        select id, number, created_at_ms as "createdAtMs", is_test as "isTest"
          from payments
         where lower(deposit_address) = lower(${text}) and deposit_address is not null and merchant_id = ${merchantId}
         limit ${max}`),
    await tx.all<NamedPayment>(sql`
        select p.id, p.number, p.created_at_ms as "createdAtMs", p.is_test as "isTest"
          from transfers t join payments p on p.id = t.payment_id
         where lower(t.payer) = lower(${text}) and p.merchant_id = ${merchantId}
         limit ${max}`),
    await tx.all<NamedPayment>(sql`
        select p.id, p.number, p.created_at_ms as "createdAtMs", p.is_test as "isTest"
          from transfers t cross join payments p
         where p.id = t.payment_id and t.network in ${networks} and t.tx_id in ${ids} and p.merchant_id = ${merchantId}
         limit ${max}`),
    await tx.all<NamedPayment>(sql`
        select p.id, p.number, p.created_at_ms as "createdAtMs", p.is_test as "isTest"
          from outgoing_transactions x
          join outgoing_payouts o on o.transaction_id = x.id
          join payments p on p.id = o.payment_id
         where x.tx_id in ${ids} and p.merchant_id = ${merchantId}
         limit ${max}`),
  ]
  return kinds.some((found) => found.length > limit) ? null : kinds.flat()
}

/**
 * Like `findByTime`, limited to payments that match the text as in `findNamed`. For texts that match very many payments, such as a prefix
 * of all order ids. The cost depends only on the number of payments between the two positions.
 */
export async function findNamedByTime(
  tx: Tx,
  filter: SearchFilter,
  statuses: readonly Status[],
  text: string,
  { after, until }: { after: Place; until: Place },
  limit: number,
): Promise<FoundPayment[]> {
  const ids = writingsOf(text)
  const beyond = `${text}${lastCharacter}`
  return await tx.all<FoundPayment>(sql`
      select ${columns}
        from payments
       where merchant_id = ${filter.merchantId} and is_test = ${filter.isTest ? 1 : 0} and status in ${statuses} ${ofKind(filter.kind)}
         and (created_at_ms, number) < (${after.createdAtMs}, ${after.number})
         and (created_at_ms, number) >= (${until.createdAtMs}, ${until.number})
         and (cast(${filter.network} as text) is null or network = ${filter.network})
         and (cast(${filter.currency} as text) is null or currency = ${filter.currency})
         and (cast(${filter.attention} as text) is null or attention = ${filter.attention})
         ${ofAmounts(filter.amounts)}
         and (id in ${ids} or (order_id >= ${text} and order_id < ${beyond})
              or (lower(customer_email) >= lower(${text}) and lower(customer_email) < lower(${beyond}))
              or lower(deposit_address) = lower(${text})
              or exists (select 1 from transfers t
                          where t.payment_id = payments.id and (lower(t.payer) = lower(${text}) or t.tx_id in ${ids}))
              or exists (select 1 from outgoing_payouts o join outgoing_transactions x on x.id = o.transaction_id
                          where o.payment_id = payments.id and x.tx_id in ${ids}))
       order by created_at_ms desc, number desc limit ${limit}`)
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
