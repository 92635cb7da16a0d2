import { ValidationError } from '../core/errors.ts'
import type { Db } from '../db/db.ts'
import type { MerchantId } from '../payment/payment.ts'
import { loadSums, type QuarterSums, quarterMs } from '../payment/store/sums-store.ts'
import { daysIn, zoneMaxMs } from './local-day.ts'
import { sumColumns, tokenKey } from './token-sums.ts'

const dayMs = 24 * 60 * 60 * 1000

/** Days in one summary: a quarter of a year. Bounds the rows read, which do not depend on the number of payments. */
export const daysMax = 92

/** `from` and `to`: days in the time zone, such as 2026-11-21, both inclusive. */
export type SummaryRange = { merchantId: MerchantId; isTest: boolean; from: string; to: string; timeZone: string }

export const summarySums = sumColumns(['created', 'paid'], ['received', 'refunded', 'refundedByMerchant'])

type Sums = Omit<QuarterSums, 'quarter'>

/** Sums by day, network and token, and totals of all days. Days without payments are left out. */
export type Summary = { days: (Sums & { day: string })[]; totals: Sums[] }

/**
 * The current sums of the payments created in a range of days.
 * @throws {ValidationError} naming `to` or `timeZone`.
 */
export async function summaryOf(db: Db, { from, to, timeZone, ...whose }: SummaryRange): Promise<Summary> {
  const [fromMs, toMs] = [Date.parse(from), Date.parse(to)]
  if (toMs < fromMs) throw new ValidationError('to must not be before from')
  if (toMs - fromMs >= daysMax * dayMs) throw new ValidationError(`to must be at most ${daysMax - 1} days after from`)
  const dayOf = daysIn(timeZone)
  const range = {
    fromQuarter: Math.floor((fromMs - zoneMaxMs) / quarterMs),
    untilQuarter: Math.ceil((toMs + dayMs + zoneMaxMs) / quarterMs),
  }
  const found = await db.read((tx) => loadSums(tx, whose, range))
  const rows = found
    .map(({ quarter, ...sums }) => ({ day: dayOf(quarter * quarterMs), ...sums }))
    .filter(({ day }) => day >= from && day <= to)
  return { days: summarySums.totals(rows, (row) => `${row.day} ${tokenKey(row)}`), totals: summarySums.totals(rows) }
}
