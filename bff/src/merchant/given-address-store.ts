import { sql, type Tx } from '../db/db.ts'
import type { MerchantId, Outcome, PaymentId, Status } from '../payment/payment.ts'
import { outcomeOfStatus } from '../payment/payment.ts'

/** An address of a merchant's own wallet that was given to a payment. `received`: base units, in time and late. */
export type GivenAddress = {
  source: string
  number: number
  address: string
  paymentId: PaymentId
  currency: string
  tokenDecimals: number
  received: bigint
  outcome: Outcome
}

type Nullable<Row> = { [Column in keyof Row]: Row[Column] | null }

/** The addresses of a merchant's payments on a network after a number of one source, in order, at most `limit`. */
export async function givenAddresses(
  tx: Tx,
  { merchantId, network }: { merchantId: MerchantId; network: string },
  after: { source: string; number: number },
  limit: number,
): Promise<GivenAddress[]> {
  const rows = await tx.all<
    Omit<GivenAddress, 'received' | 'outcome'> & { received: string; late: string; status: Status }
  >(sql`
      select g.source, g.number, p.deposit_address as "address", p.id as "paymentId", p.currency,
             p.token_decimals as "tokenDecimals", p.received, p.late, p.status
        from given_addresses g join payments p on p.id = g.payment_id
       where p.merchant_id = ${merchantId} and p.network = ${network}
         and (g.source, g.number) > (${after.source}, ${after.number})
       order by g.source, g.number limit ${limit}`)
  return rows.map(({ received, late, status, ...row }) => ({
    ...row,
    received: BigInt(received) + BigInt(late),
    outcome: outcomeOfStatus(status),
  }))
}

/** Rows read for one page: an account may have addresses of other networks and merchants. */
const scannedMax = 500

/**
 * The addresses that one source gave to payments of a merchant on a network, newest first.
 * @param before - Only numbers below it; null: from the newest one on.
 * @returns at most `limit`, fewer where many belong to others; `next` is the next page's `before`, null at the end.
 */
export async function newestAddresses(
  tx: Tx,
  { merchantId, network, source }: { merchantId: MerchantId; network: string; source: string },
  before: number | null,
  limit: number,
): Promise<{ addresses: GivenAddress[]; next: number | null }> {
  const rows = await tx.all<
    Pick<GivenAddress, 'source' | 'number'> &
      Nullable<Omit<GivenAddress, 'source' | 'number' | 'received' | 'outcome'>> &
      Nullable<{ received: string; late: string; status: Status }>
  >(sql`
      select g.source, g.number, p.deposit_address as "address", p.id as "paymentId", p.currency,
             p.token_decimals as "tokenDecimals", p.received, p.late, p.status
        from given_addresses g
        left join payments p on p.id = g.payment_id and p.merchant_id = ${merchantId} and p.network = ${network}
       where g.source = ${source} and g.number < ${before ?? Number.MAX_SAFE_INTEGER}
       order by g.number desc limit ${scannedMax}`)
  const isMore = rows.length === scannedMax
  const addresses: GivenAddress[] = []
  for (const [index, { received, late, status, ...row }] of rows.entries()) {
    if (row.paymentId === null || status === null) continue
    addresses.push({
      ...(row as GivenAddress),
      received: BigInt(received ?? '0') + BigInt(late ?? '0'),
      outcome: outcomeOfStatus(status),
    })
    if (addresses.length === limit) return { addresses, next: isMore || index + 1 < rows.length ? row.number : null }
  }
  return { addresses, next: isMore ? (rows.at(-1)?.number ?? null) : null }
}

/** The newest addresses of one source that `longestUnpaidRun` reads. */
const recentMax = 1_000

/**
 * The most consecutive numbers without money, among a source's newest addresses. A wallet that scans its account stops
 * after such a gap.
 */
export async function longestUnpaidRun(tx: Tx, source: string): Promise<number> {
  const next = await tx.get<{ number: number }>(sql`
      select next_number as "number" from address_sources where source = ${source}`)
  const rows = await tx.all<{ number: number; isPaid: number }>(sql`
      select g.number, case when p.received <> '0' or p.late <> '0' then 1 else 0 end as "isPaid"
        from given_addresses g join payments p on p.id = g.payment_id
       where g.source = ${source} order by g.number desc limit ${recentMax}`)
  let [longest, following] = [0, next?.number ?? 1]
  for (const { number, isPaid } of rows) {
    if (isPaid === 0) continue
    longest = Math.max(longest, following - number - 1)
    following = number
  }
  const first = rows.length < recentMax ? 0 : (rows.at(-1)?.number ?? 0) - 1
  return Math.max(longest, following - first - 1)
}

/** The merchants' sources, each with the network that it is named on. */
export async function namedSources(
  tx: Tx,
  limit: number,
): Promise<{ merchant: string; network: string; source: string }[]> {
  return await tx.all(sql`
      select m.name as "merchant", w.network, w.source
        from settlement_wallets w join merchants m on m.id = w.merchant_id
       where w.source is not null order by m.created_at_ms, w.network limit ${limit}`)
}
