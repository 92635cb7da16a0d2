import { type BaseUnits, baseUnits } from '../core/money.ts'
import { sql, type Tx } from '../db/db.ts'
import type { MerchantId } from '../payment/payment.ts'

/** What a month adds up, in base units. */
export const monthSums = [
  /** Confirmed in time, and confirmed late. */
  'received',
  'receivedLate',
  /** What merchant and platform get of paid payments, as `export` has it. */
  'merchantAmount',
  'platformFee',
  /** The part of `merchantAmount` that has been paid out. */
  'paidOut',
  /** Refunded to payers, and still due to them. */
  'refunded',
  'owedToPayer',
  /** Returned unmatched transfers. */
  'returned',
] as const
export type MonthSum = (typeof monthSums)[number]

/** The sums of one network and token, of the payments that were created in some time. */
export type TokenSums = Record<MonthSum, BaseUnits> & {
  network: string
  currency: string
  tokenDecimals: number
  payments: number
  paid: number
}

/** A quarter of an hour in which payments were created; `changes` grows with every change of one of them. */
export type Quarter = { quarter: number; changes: number; payments: number }

/** `rows`: the sums of its payments when `changes` was what it says. */
export type SummedQuarter = { quarter: number; changes: number; rows: TokenSums[] }

type Whose = { merchantId: MerchantId; isTest: boolean }
type Range = { fromQuarter: number; untilQuarter: number }

/** Quarters with payments from one, inclusive, to another, exclusive, in their order. */
export async function loadQuarters(tx: Tx, { merchantId, isTest }: Whose, range: Range): Promise<Quarter[]> {
  return await tx.all<Quarter>(sql`
      select quarter, cast(sum(changes) as bigint) as changes, cast(sum(created) as bigint) as payments
        from payment_sums
       where merchant_id = ${merchantId} and is_test = ${isTest ? 1 : 0} and quarter >= ${range.fromQuarter}
         and quarter < ${range.untilQuarter}
       group by quarter order by quarter`)
}

type SumsRow = Record<MonthSum, string> & Omit<TokenSums, MonthSum> & { quarter: number; changes: number }

/** What is kept of the quarters of a range, old sums too. */
export async function loadMonthSums(tx: Tx, { merchantId, isTest }: Whose, range: Range): Promise<SummedQuarter[]> {
  const found = await tx.all<SumsRow>(sql`
      select quarter, changes, network, currency, token_decimals as "tokenDecimals", payments, paid, received,
             received_late as "receivedLate", merchant_amount as "merchantAmount", platform_fee as "platformFee",
             paid_out as "paidOut", refunded, owed_to_payer as "owedToPayer", returned
        from month_sums
       where merchant_id = ${merchantId} and is_test = ${isTest ? 1 : 0} and quarter >= ${range.fromQuarter}
         and quarter < ${range.untilQuarter}
       order by quarter, network, currency, token_decimals`)
  const quarters: SummedQuarter[] = []
  for (const { quarter, changes, ...row } of found) {
    const money = Object.fromEntries(monthSums.map((name) => [name, baseUnits(row[name])])) as Record<
      MonthSum,
      BaseUnits
    >
    const last = quarters.at(-1)
    if (last?.quarter === quarter) last.rows.push({ ...row, ...money })
    else quarters.push({ quarter, changes, rows: [{ ...row, ...money }] })
  }
  return quarters
}

/** Replaces the stored sums, except of quarters with a payment that changed since they were read. */
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
          insert into month_sums (merchant_id, is_test, quarter, network, currency, token_decimals, changes, payments, paid,
                                  received, received_late, merchant_amount, platform_fee, paid_out, refunded, owed_to_payer,
                                  returned)
          values (${whose.merchantId}, ${isTest}, ${quarter}, ${row.network}, ${row.currency}, ${row.tokenDecimals},
                  ${changes}, ${row.payments}, ${row.paid}, ${String(row.received)}, ${String(row.receivedLate)},
                  ${String(row.merchantAmount)}, ${String(row.platformFee)}, ${String(row.paidOut)},
                  ${String(row.refunded)}, ${String(row.owedToPayer)}, ${String(row.returned)})`)
    }
  }
}
