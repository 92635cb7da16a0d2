import { sql, type Tx } from '../db/db.ts'
import { integer, table, text, units, type ValuesOf } from '../db/table.ts'
import type { MerchantId } from '../payment/payment.ts'
import { sumColumns } from './token-sums.ts'

/** The amounts that a month adds up, in base units. */
const amountColumns = {
  /** Confirmed in time, and confirmed late. */
  received: units(),
  receivedLate: units(),
  /** The shares of merchant and platform in paid payments, as `export` computes them. */
  merchantAmount: units(),
  platformFee: units(),
  /** The part of `merchantAmount` that has been paid out. */
  paidOut: units(),
  /** Refunded to payers, and still owed to them. */
  refunded: units(),
  owedToPayer: units(),
  /** Returned unmatched transfers. */
  returned: units(),
  /** Refunded from the merchant's own wallet, and still to be paid by it. */
  refundedByMerchant: units(),
  refundDueByMerchant: units(),
}
export const monthAmounts = Object.keys(amountColumns) as readonly (keyof typeof amountColumns)[]

export const monthSums = sumColumns(['payments', 'paid'], monthAmounts)

const tokenSums = table('month_sums', {
  network: text(),
  currency: text(),
  tokenDecimals: integer(),
  payments: integer(),
  paid: integer(),
  ...amountColumns,
})

/** The sums of one network and token, over payments created in a range of time. */
export type TokenSums = ValuesOf<typeof tokenSums>

/** A quarter of an hour in which payments were created. `changes` grows with every change of one of these payments. */
export type Quarter = { quarter: number; changes: number; payments: number }

/** `rows`: the sums of the quarter's payments when its counter was at `changes`. */
export type SummedQuarter = { quarter: number; changes: number; rows: TokenSums[] }

type Whose = { merchantId: MerchantId; isTest: boolean }
type Range = { fromQuarter: number; untilQuarter: number }

/** The quarters with payments, in ascending order. `fromQuarter` is inclusive, `untilQuarter` exclusive. */
export async function loadQuarters(tx: Tx, { merchantId, isTest }: Whose, range: Range): Promise<Quarter[]> {
  return await tx.all<Quarter>(sql`
      select quarter, cast(sum(changes) as bigint) as changes, cast(sum(created) as bigint) as payments
        from payment_sums
       where merchant_id = ${merchantId} and is_test = ${isTest ? 1 : 0} and quarter >= ${range.fromQuarter}
         and quarter < ${range.untilQuarter}
       group by quarter order by quarter`)
}

/** The stored sums of a range's quarters, including outdated ones. */
export async function loadMonthSums(tx: Tx, { merchantId, isTest }: Whose, range: Range): Promise<SummedQuarter[]> {
  const found = await tx.all<{ quarter: number; changes: number }>(sql`
      select * from month_sums
       where merchant_id = ${merchantId} and is_test = ${isTest ? 1 : 0} and quarter >= ${range.fromQuarter}
         and quarter < ${range.untilQuarter}
       order by quarter, network, currency, token_decimals`)
  const quarters: SummedQuarter[] = []
  for (const row of found) {
    const { quarter, changes } = row
    const last = quarters.at(-1)
    if (last?.quarter === quarter) last.rows.push(tokenSums.parse(row))
    else quarters.push({ quarter, changes, rows: [tokenSums.parse(row)] })
  }
  return quarters
}

/** Replaces the stored sums, except for quarters with a payment that changed since they were read. */
export async function saveMonthSums(tx: Tx, whose: Whose, summed: readonly SummedQuarter[]): Promise<void> {
  const [first, last] = [summed[0], summed.at(-1)]
  if (first === undefined || last === undefined) return
  const now = await loadQuarters(tx, whose, { fromQuarter: first.quarter, untilQuarter: last.quarter + 1 })
  const changesNow = new Map(now.map(({ quarter, changes }) => [quarter, changes]))
  const isTest = whose.isTest ? 1 : 0
  for (const { quarter, changes, rows } of summed) {
    if (changesNow.get(quarter) !== changes) continue
    tx.write(sql`
        delete from month_sums
         where merchant_id = ${whose.merchantId} and is_test = ${isTest} and quarter = ${quarter}`)
    for (const row of rows) {
      tx.write(sql`
          insert into month_sums (merchant_id, is_test, quarter, changes, ${tokenSums.names})
          values (${whose.merchantId}, ${isTest}, ${quarter}, ${changes}, ${tokenSums.values(row)})`)
    }
  }
}
