import type { LinkId } from '../checkout/link/link.ts'
import { add, type BaseUnits, baseUnits, zero } from '../core/money.ts'
import { type Sql, sql, type Tx } from '../db/db.ts'
import { fixed, flag, integer, json, named, orNull, table, text, type ValuesOf } from '../db/table.ts'
import type { StoredTransfer } from '../payment/event.ts'
import { type MerchantId, type PaymentId, type Status, statuses, statusesOf } from '../payment/payment.ts'
import { loadPayments } from '../payment/store/payment-store.ts'
import { transfers } from '../payment/store/transfer-store.ts'
import type { Reported } from './invoice-events.ts'
import type { InvoicePayment, MarkStatus } from './invoice-state.ts'

/** The checkout options that the plug-in sent. */
type CheckoutOptions = {
  speedPolicy: string | null
  /** Ids of payment methods; null: all. */
  paymentMethods: readonly string[] | null
  expirationMinutes: number
  monitoringMinutes: number | null
  paymentTolerance: number | null
  redirectURL: string | null
  redirectAutomatically: boolean
  defaultLanguage: string | null
}

const invoices = table('store_invoices', {
  linkId: fixed(text<LinkId>()),
  merchantId: fixed(text<MerchantId>()),
  storeKeyId: fixed(text()),
  orderId: orNull(text()),
  /** JSON, as it was sent. */
  metadata: text(),
  checkout: fixed(json<CheckoutOptions>()),
  isArchived: named('archived', flag()),
  marked: orNull(text<MarkStatus>()),
  markedAtMs: orNull(integer()),
  reported: json<Reported>(),
  sequence: integer(),
  dueAtMs: orNull(integer()),
  createdAtMs: fixed(integer()),
})

/** The fields of an invoice that its payment link does not have. */
export type StoredInvoice = ValuesOf<typeof invoices>

export async function insertInvoice(tx: Tx, invoice: StoredInvoice): Promise<void> {
  await tx.run(sql`insert into store_invoices (${invoices.names}) values (${invoices.values(invoice)})`)
}

export async function saveInvoice(tx: Tx, invoice: StoredInvoice): Promise<void> {
  await tx.run(sql`update store_invoices set ${invoices.set(invoice)} where link_id = ${invoice.linkId}`)
}

/** Undefined when there is no such invoice. The caller checks whose it is. */
export async function loadInvoice(tx: Tx, id: string): Promise<StoredInvoice | undefined> {
  const row = await tx.get<object>(sql`select * from store_invoices where link_id = ${id}`)
  return row && invoices.parse(row)
}

/** Which invoices a list contains; null: all. */
export type InvoiceFilter = {
  orderIds: readonly string[] | null
  sinceMs: number | null
  untilMs: number | null
  /** The id of an invoice or of an order. */
  text: string | null
  hasArchived: boolean
}

/** An invoice with its place in the list. */
type ListedInvoice = StoredInvoice & { number: number }

/** Newest first: those below the number `before`, without the first `offset` of them, at most `limit`. */
export async function listInvoices(
  tx: Tx,
  merchantId: MerchantId,
  { orderIds, sinceMs, untilMs, text: named, hasArchived }: InvoiceFilter,
  { limit, offset = 0, before = Number.MAX_SAFE_INTEGER }: { limit: number; offset?: number; before?: number },
): Promise<ListedInvoice[]> {
  const ofOrders = orderIds === null ? sql`` : sql`and order_id in ${orderIds}`
  // Two searches: for an "or", the database would scan all invoices of the merchant.
  const ofText =
    named === null
      ? sql``
      : sql`
         and number in (select number from store_invoices where link_id = ${named}
                        union select number from store_invoices
                               where merchant_id = ${merchantId} and order_id = ${named})`
  const open = hasArchived ? sql`` : sql`and archived = 0`
  const rows = await tx.all<{ number: number }>(sql`
      select * from store_invoices
       where merchant_id = ${merchantId} ${ofOrders} ${ofText} ${open} and number < ${before}
         and created_at_ms >= ${sinceMs ?? 0} and created_at_ms <= ${untilMs ?? Number.MAX_SAFE_INTEGER}
       order by number desc limit ${limit} offset ${offset}`)
  return rows.map((row) => Object.assign(invoices.parse(row), { number: row.number }))
}

/** When the merchant's `nth` newest invoice was created; undefined when there are fewer. */
export async function nthNewestAtMs(tx: Tx, merchantId: MerchantId, nth: number): Promise<number | undefined> {
  const row = await tx.get<{ atMs: number }>(sql`
      select created_at_ms as "atMs" from store_invoices
       where merchant_id = ${merchantId} order by number desc limit 1 offset ${nth - 1}`)
  return row?.atMs
}

/** Payments of one invoice that are read. A link has few; a flood of payments without money must not slow the invoice down. */
const paymentsMax = 50

/** Transfers of one payment that are read: the oldest, and those with the most money, so that dust hides none. */
const oldestMax = 100
const largestMax = 10

/** Transfers of one payment that are added up. Dust beyond them decides nothing. */
const summedMax = 10_000

const larger = sql`case when (length(seen), seen) >= (length(late), late) then seen else late end`

/**
 * How far a payment has come: paid, enough money in time, enough money, some, none. Amounts of different tokens say nothing about each
 * other, and money that a failed payment returns may exceed that of the paid one.
 */
const progress = sql`
    case when status in ${statusesOf('paid')} then 0
         when status = 'pending' and (length(seen), seen) >= (length(least), least) then 1
         when (length(${larger}), ${larger}) >= (length(least), least) then 2
         when seen <> '0' or late <> '0' then 3
         else 4 end`

/** What {@link progress} and the order after it read. */
const ranked = sql`id, number, status, seen, late, least, token_decimals from payments`

const withMoney = (linkId: LinkId): Sql =>
  sql`${ranked} where link_id = ${linkId} and link_id is not null and (seen <> '0' or late <> '0')`

/** By the order of their index alone: with equal signs, PostgreSQL may look for them backwards through all payments of the service. */
const newestOf = (status: Status, linkId: LinkId): Sql => sql`${ranked}
          where link_id is not null and (status, link_id, number) > (${status}, ${linkId}, 0)
            and (status, link_id, number) < (${status}, ${linkId}, ${Number.MAX_SAFE_INTEGER})
          order by status desc, link_id desc, number desc limit ${paymentsMax}`

/**
 * The payments of a link, those that decide about its invoice first, then those with the most money, so that dust hides none; with
 * their canonical transfers, oldest first. Base units are text without leading zeros, compared as whole tokens: by their length, then
 * by their digits.
 */
export async function loadInvoicePayments(tx: Tx, linkId: LinkId): Promise<InvoicePayment[]> {
  // Whoever has the link can open payments without end: of those that never had money only the newest of each status are read.
  const candidates = statuses
    .map((status) => newestOf(status, linkId))
    .reduce((all, one) => sql`${all} union select * from (select ${one}) as newest`, withMoney(linkId))
  const ids = await tx.all<{ id: PaymentId }>(sql`
      select id from (select ${candidates}) as candidates
       order by ${progress}, length(${larger}) - token_decimals desc, rtrim(${larger}, '0') desc, number desc
       limit ${paymentsMax}`)
  if (ids.length === 0) return []
  const payments = await loadPayments(
    tx,
    ids.map(({ id }) => id),
  )
  const found: InvoicePayment[] = []
  for (const { id } of ids) {
    const payment = await payments.get(id)
    if (!payment) continue
    found.push({
      payment,
      transfers: await loadTransfers(tx, id),
      countedAfterEnd: await sumCountedAfter(tx, id, payment.windowEndsAtMs),
    })
  }
  return found
}

async function loadTransfers(tx: Tx, id: PaymentId): Promise<StoredTransfer[]> {
  const read = async (order: Sql, limit: number) => {
    const rows = await tx.all<object>(sql`
        select * from transfers where payment_id = ${id} and state <> 'reverted' order by ${order} limit ${limit}`)
    return rows.map((row): StoredTransfer => transfers.parse(row))
  }
  const oldest = await read(sql`block_number, log_index, tx_id`, oldestMax)
  if (oldest.length < oldestMax) return oldest
  const isKnown = ({ txId, logIndex }: StoredTransfer) =>
    oldest.some((one) => one.txId === txId && one.logIndex === logIndex)
  const largest = await read(sql`length(amount) desc, amount desc, block_number, log_index, tx_id`, largestMax)
  return [...oldest, ...largest.filter((one) => !isKnown(one)).sort((a, b) => a.blockNumber - b.blockNumber)]
}

/** Sum of the payment's transfers in blocks after that time that count, of the largest of them. */
async function sumCountedAfter(tx: Tx, id: PaymentId, afterMs: number): Promise<BaseUnits> {
  const rows = await tx.all<{ amount: string }>(sql`
      select amount from transfers
       where payment_id = ${id} and state <> 'reverted' and is_late = 0 and block_time_ms > ${afterMs}
       order by length(amount) desc, amount desc limit ${summedMax}`)
  return rows.reduce((sum, { amount }) => add(sum, baseUnits(amount)), zero)
}

/** The number of the newest event that invoices were compared with. The first call starts after all existing events. */
export async function loadCursor(tx: Tx): Promise<number> {
  const known = await tx.get<{ number: number }>(sql`select event_number as number from store_cursor where id = 1`)
  if (known) return known.number
  const newest = await tx.get<{ number: number | null }>(sql`select max(number) as number from events`)
  const number = newest?.number ?? 0
  await tx.run(sql`insert into store_cursor (id, event_number) values (1, ${number})`)
  return number
}

export async function moveCursor(tx: Tx, number: number): Promise<void> {
  await tx.run(sql`update store_cursor set event_number = ${number} where id = 1`)
}

/** Events after a number, at most `limit`, each with its invoice; null when it belongs to none. */
export async function invoicesOfEvents(tx: Tx, after: number, limit: number) {
  return await tx.all<{ number: number; linkId: LinkId | null }>(sql`
      select e.number, i.link_id as "linkId"
        from events e
        left join payments p on p.id = e.payment_id
        left join store_invoices i on i.link_id = p.link_id
       where e.number > ${after} order by e.number limit ${limit}`)
}

/** The invoices of these payments and links. */
export async function invoicesOf(tx: Tx, ids: readonly string[]): Promise<LinkId[]> {
  if (ids.length === 0) return []
  const rows = await tx.all<{ linkId: LinkId }>(sql`
      select i.link_id as "linkId" from payments p join store_invoices i on i.link_id = p.link_id where p.id in ${ids}
      union select link_id as "linkId" from store_invoices where link_id in ${ids}`)
  return rows.map(({ linkId }) => linkId)
}

/** Invoices whose time has come, oldest first, at most `limit`. */
export async function dueInvoices(tx: Tx, nowMs: number, limit: number): Promise<LinkId[]> {
  const rows = await tx.all<{ linkId: LinkId }>(sql`
      select link_id as "linkId" from store_invoices where due_at_ms <= ${nowMs} order by due_at_ms limit ${limit}`)
  return rows.map(({ linkId }) => linkId)
}

/** Delays the next report, after one that failed. */
export async function postponeInvoice(tx: Tx, id: LinkId, dueAtMs: number): Promise<void> {
  await tx.run(sql`update store_invoices set due_at_ms = ${dueAtMs} where link_id = ${id}`)
}
