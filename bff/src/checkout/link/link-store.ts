import { sql, type Tx } from '../../db/db.ts'
import { type Attachments, type MerchantId, outcomeOfStatus, type PaymentId, statuses } from '../../payment/payment.ts'
import type { Link, LinkId, LinkMoney } from './link.ts'

type LinkRow = {
  number: number
  id: LinkId
  merchant_id: MerchantId
  merchant_name: string
  is_test: number
  amount: string | null
  price: string | null
  price_currency: string | null
  network: string | null
  currency: string | null
  description: string | null
  payments_max: number
  expires_at_ms: number | null
  ended_at_ms: number | null
  order_id: string | null
  callback_url: string | null
  return_url: string | null
  agent_id: string | null
  metadata: string | null
  opened: number
  created_at_ms: number
  paid: number
  under_way: number
}

const paidStatuses = statuses.filter((status) => outcomeOfStatus(status) === 'paid')

function fromRow(row: LinkRow): Link {
  const money = { amount: row.amount, price: row.price && { amount: row.price, currency: row.price_currency } }
  return {
    ...(money as LinkMoney),
    number: row.number,
    id: row.id,
    merchantId: row.merchant_id,
    merchantName: row.merchant_name,
    isTest: row.is_test === 1,
    network: row.network,
    currency: row.currency,
    description: row.description,
    paymentsMax: row.payments_max,
    expiresAtMs: row.expires_at_ms,
    endedAtMs: row.ended_at_ms,
    orderId: row.order_id,
    callbackUrl: row.callback_url,
    returnUrl: row.return_url,
    agentId: row.agent_id,
    metadata: row.metadata === null ? null : (JSON.parse(row.metadata) as Attachments['metadata']),
    opened: row.opened,
    createdAtMs: row.created_at_ms,
    paid: row.paid,
    underWay: row.under_way,
  }
}

export type NewLink = Omit<Link, 'number' | 'merchantName' | 'endedAtMs' | 'opened' | 'paid' | 'underWay'>

export async function insertLink(tx: Tx, link: NewLink): Promise<void> {
  await tx.run(sql`
      insert into payment_links (
        id, merchant_id, is_test, amount, price, price_currency, network, currency, description, payments_max, expires_at_ms,
        order_id, callback_url, return_url, agent_id, metadata, created_at_ms)
      values (
        ${link.id}, ${link.merchantId}, ${link.isTest ? 1 : 0}, ${link.amount}, ${link.price?.amount ?? null}, ${link.price?.currency ?? null},
        ${link.network}, ${link.currency}, ${link.description}, ${link.paymentsMax}, ${link.expiresAtMs},
        ${link.orderId}, ${link.callbackUrl}, ${link.returnUrl}, ${link.agentId},
        ${link.metadata === null ? null : JSON.stringify(link.metadata)}, ${link.createdAtMs})`)
}

/**
 * Undefined when there is no such link. `underWay`: a part holds no link, because dust would hold it for nothing, again and again. Base units
 * are compared as texts without leading zeros: by length, then by digits.
 */
export async function loadLink(tx: Tx, id: LinkId): Promise<Link | undefined> {
  const row = await tx.get<LinkRow>(sql`
      select l.*, m.name as merchant_name,
             (select count(*) from payments p where p.link_id = l.id and p.status in ${paidStatuses}) as paid,
             (select count(*) from payments p
               where p.link_id = l.id and p.status = 'pending'
                 and (length(p.seen), p.seen) >= (length(p.least), p.least)) as under_way
        from payment_links l join merchants m on m.id = l.merchant_id
       where l.id = ${id}`)
  return row && fromRow(row)
}

/** Links of a merchant with a smaller number, newest first, at most `limit`. */
export async function listLinks(
  tx: Tx,
  { merchantId, isTest }: { merchantId: MerchantId; isTest: boolean },
  before: number,
  limit: number,
): Promise<Link[]> {
  const rows = await tx.all<LinkRow>(sql`
      select l.*, m.name as merchant_name,
             (select count(*) from payments p where p.link_id = l.id and p.status in ${paidStatuses}) as paid,
             (select count(*) from payments p
               where p.link_id = l.id and p.status = 'pending'
                 and (length(p.seen), p.seen) >= (length(p.least), p.least)) as under_way
        from payment_links l join merchants m on m.id = l.merchant_id
       where l.merchant_id = ${merchantId} and l.is_test = ${isTest ? 1 : 0} and l.number < ${before}
       order by l.number desc limit ${limit}`)
  return rows.map(fromRow)
}

/** Keeps the time of the first end. */
export async function endLink(tx: Tx, id: LinkId, nowMs: number): Promise<void> {
  await tx.run(sql`update payment_links set ended_at_ms = ${nowMs} where id = ${id} and ended_at_ms is null`)
}

export async function countOpening(tx: Tx, id: LinkId): Promise<void> {
  await tx.run(sql`update payment_links set opened = opened + 1 where id = ${id}`)
}

/** Open payments without money, of links that are paid as often as they may be: at most `limit`. */
export async function surplusPayments(tx: Tx, limit: number): Promise<PaymentId[]> {
  const rows = await tx.all<{ id: PaymentId }>(sql`
      with open_links as (select distinct link_id from payments where status = 'pending' and link_id is not null),
           full_links as (
             select l.id from open_links o join payment_links l on l.id = o.link_id
              where l.payments_max <= (
                select count(*) from payments p where p.link_id = l.id and p.status in ${paidStatuses}))
      select id from payments
       where status = 'pending' and link_id is not null and link_id in (select id from full_links)
         and seen = '0' and late = '0'
       limit ${limit}`)
  return rows.map(({ id }) => id)
}
