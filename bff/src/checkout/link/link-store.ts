import { sql, type Tx } from '../../db/db.ts'
import { flag, integer, json, named, orNull, table, text } from '../../db/table.ts'
import type { Attachments, MerchantId } from '../../payment/payment.ts'
import { paidStatuses } from '../open-payments-store.ts'
import type { AskedPrice } from '../price.ts'
import type { Link, LinkId, LinkMoney, LinkToken } from './link.ts'

const links = table('payment_links', {
  id: text<LinkId>(),
  merchantId: text<MerchantId>(),
  isTest: flag(),
  amount: orNull(text()),
  network: orNull(text()),
  currency: orNull(text()),
  description: orNull(text()),
  paymentsMax: integer(),
  choices: orNull(json<readonly LinkToken[]>()),
  toleranceBps: orNull(integer()),
  expiresAtMs: orNull(integer()),
  orderId: orNull(text()),
  callbackUrl: orNull(text()),
  returnUrl: orNull(text()),
  agentId: orNull(text()),
  isSale: flag(),
  metadata: orNull(json<NonNullable<Attachments['metadata']>>()),
  createdAtMs: integer(),
})

const prices = table<AskedPrice>('payment_links', {
  amount: named('price', text()),
  currency: named('price_currency', text<AskedPrice['currency']>()),
})

type LinkRow = {
  number: number
  merchant_name: string
  ended_at_ms: number | null
  opened: number
  paid: number
  under_way: number
}

function fromRow(row: LinkRow): Link {
  const { amount, ...link } = links.parse(row)
  return {
    ...link,
    // A check constraint enforces exactly one of the two.
    ...({ amount, price: prices.parseOrNull(row) } as LinkMoney),
    number: row.number,
    merchantName: row.merchant_name,
    endedAtMs: row.ended_at_ms,
    opened: row.opened,
    paid: row.paid,
    underWay: row.under_way,
  }
}

export type NewLink = Omit<Link, 'number' | 'merchantName' | 'endedAtMs' | 'opened' | 'paid' | 'underWay'>

export async function insertLink(tx: Tx, link: NewLink): Promise<void> {
  await tx.run(sql`
      insert into payment_links (${links.names}, ${prices.names})
      values (${links.values(link)}, ${prices.values(link.price)})`)
}

/**
 * `under_way` ignores partial payments: otherwise dust transfers could block the link. Base units are texts without
 * leading zeros, compared by length, then by digits.
 */
const linksWithCounts = sql`
             l.*, m.name as merchant_name,
             (select count(*) from payments p where p.link_id = l.id and p.status in ${paidStatuses}) as paid,
             (select count(*) from payments p
               where p.link_id = l.id and p.status = 'pending'
                 and (length(p.seen), p.seen) >= (length(p.least), p.least)) as under_way
        from payment_links l join merchants m on m.id = l.merchant_id`

export async function loadLink(tx: Tx, id: LinkId): Promise<Link | undefined> {
  const row = await tx.get<LinkRow>(sql`
      select ${linksWithCounts}
       where l.id = ${id}`)
  return row && fromRow(row)
}

export type LinkSearch = { merchantId: MerchantId; isTest: boolean; hasSales: boolean; before: number; limit: number }

/** A merchant's links numbered below `before`, newest first, at most `limit`. `hasSales`: those of its tills too. */
export async function listLinks(tx: Tx, { merchantId, isTest, hasSales, before, limit }: LinkSearch): Promise<Link[]> {
  const withoutSales = hasSales ? sql`` : sql`and l.is_sale = 0`
  const rows = await tx.all<LinkRow>(sql`
      select ${linksWithCounts}
       where l.merchant_id = ${merchantId} and l.is_test = ${isTest ? 1 : 0} and l.number < ${before} ${withoutSales}
       order by l.number desc limit ${limit}`)
  return rows.map(fromRow)
}

/** A repeat keeps the first end time. */
export async function endLink(tx: Tx, id: LinkId, nowMs: number): Promise<void> {
  await tx.run(sql`update payment_links set ended_at_ms = ${nowMs} where id = ${id} and ended_at_ms is null`)
}

export async function countOpening(tx: Tx, id: LinkId): Promise<void> {
  await tx.run(sql`update payment_links set opened = opened + 1 where id = ${id}`)
}
