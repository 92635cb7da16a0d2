import { sql, type Tx } from '../db/db.ts'
import type { MerchantId, Status } from '../payment/payment.ts'

/** Filter of a merchant's payments; null means all. Live and test payments are never mixed. */
export type PaymentFilter = {
  merchantId: MerchantId
  isTest: boolean
  /** With a comma before and after each status, so that one SQL test finds a whole word. */
  statuses: string | null
  currency: string | null
  /** Inclusive, unix milliseconds. */
  fromMs: number | null
  /** Exclusive. */
  untilMs: number | null
  /** Exactly a payment id, an order id or a transaction id. */
  search: string | null
}

export type ListedRow = {
  id: string
  amount: string
  decimals: number
  currency: string
  network: string
  status: Status
  order_id: string | null
  transaction_id: string | null
  created_at_ms: number
  price: string | null
  price_currency: string | null
  rate: string | null
  rate_at_ms: number | null
}

const isListed = (filter: PaymentFilter) => sql`
         merchant_id = ${filter.merchantId} and is_test = ${filter.isTest ? 1 : 0}
         and (cast(${filter.statuses} as text) is null or ${filter.statuses} like '%,' || status || ',%')
         and (cast(${filter.currency} as text) is null or currency = ${filter.currency})
         and (cast(${filter.fromMs} as bigint) is null or created_at_ms >= ${filter.fromMs})
         and (cast(${filter.untilMs} as bigint) is null or created_at_ms < ${filter.untilMs})
         and (cast(${filter.search} as text) is null or id = ${filter.search} or order_id = ${filter.search}
               or last_tx_id = ${filter.search} or sweep_tx_id = ${filter.search})`

/** Newest first. */
export async function listPayments(tx: Tx, filter: PaymentFilter, limit: number, offset: number): Promise<ListedRow[]> {
  return await tx.all<ListedRow>(sql`
      select id, due as amount, token_decimals as decimals, currency, network, status, order_id,
             last_tx_id as transaction_id, created_at_ms, price, price_currency, rate, rate_at_ms
        from payments
       where ${isListed(filter)}
       order by created_at_ms desc, number desc
       limit ${limit} offset ${offset}`)
}

export async function countPayments(tx: Tx, filter: PaymentFilter): Promise<number> {
  const { merchantId, isTest, statuses, currency, fromMs, untilMs, search } = filter
  if (statuses === null && currency === null && search === null) {
    // Reads the index of the list alone, and no payment.
    const all = await tx.get<{ count: number }>(sql`
      select count(*) as count
        from payments
       where merchant_id = ${merchantId} and is_test = ${isTest ? 1 : 0} and created_at_ms >= ${fromMs ?? 0}
         and created_at_ms < ${untilMs ?? Number.MAX_SAFE_INTEGER}`)
    return all?.count ?? 0
  }
  const row = await tx.get<{ count: number }>(sql`
      select count(*) as count
        from payments
       where ${isListed(filter)}`)
  return row?.count ?? 0
}

export type StatusTotal = {
  status: Status
  /** Symbol of the token. */
  currency: string
  decimals: number
  count: number
  agents: number
  amount: bigint
}

/** A position in the order of creation. */
export type Place = { createdAtMs: number; number: number }

/** Before every payment, newest first, and behind every one. */
export const newest: Place = { createdAtMs: Number.MAX_SAFE_INTEGER, number: Number.MAX_SAFE_INTEGER }
const oldest: Place = { createdAtMs: 0, number: 0 }

/** The payment that is `steps` after `after`, newest first; undefined when fewer remain. */
export async function placeAfter(
  tx: Tx,
  filter: PaymentFilter,
  after: Place,
  steps: number,
): Promise<Place | undefined> {
  return await tx.get<Place>(sql`
      select created_at_ms as "createdAtMs", number
        from payments
       where merchant_id = ${filter.merchantId} and is_test = ${filter.isTest ? 1 : 0}
         and created_at_ms >= ${filter.fromMs ?? 0}
         and created_at_ms < ${filter.untilMs ?? Number.MAX_SAFE_INTEGER}
         and (created_at_ms, number) < (${after.createdAtMs}, ${after.number})
       order by created_at_ms desc, number desc limit 1 offset ${steps - 1}`)
}

/**
 * Counts, and sums of the amounts due, by status, token and decimals, of the payments after `after` and up to `until`, newest first.
 * Amounts exceed the database's integers, so the last twelve digits and the rest are added separately.
 */
export async function totalsByStatus(
  tx: Tx,
  filter: PaymentFilter,
  after = newest,
  until = oldest,
): Promise<StatusTotal[]> {
  type Row = Omit<StatusTotal, 'amount'> & { high: string; low: string }
  const rows = await tx.all<Row>(sql`
      select status, currency, token_decimals as decimals, count(*) as count, count(agent_id) as agents,
             cast(sum(case when length(due) > 12 then cast(substr(due, 1, length(due) - 12) as bigint) else 0 end) as text)
               as high,
             cast(sum(case when length(due) > 12 then cast(substr(due, length(due) - 11, 12) as bigint)
                           else cast(due as bigint) end) as text) as low
        from payments
       where merchant_id = ${filter.merchantId} and is_test = ${filter.isTest ? 1 : 0}
         and (cast(${filter.fromMs} as bigint) is null or created_at_ms >= ${filter.fromMs})
         and (cast(${filter.untilMs} as bigint) is null or created_at_ms < ${filter.untilMs})
         and (created_at_ms, number) < (${after.createdAtMs}, ${after.number})
         and (created_at_ms, number) >= (${until.createdAtMs}, ${until.number})
       group by status, currency, token_decimals`)
  return rows.map(({ high, low, ...row }) => ({ ...row, amount: BigInt(high) * 10n ** 12n + BigInt(low) }))
}
