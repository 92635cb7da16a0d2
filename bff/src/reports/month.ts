import { sharesOf } from '../chain/shares.ts'
import { add, zero } from '../core/money.ts'
import type { Db } from '../db/db.ts'
import { isDirect, isSwept, type MerchantId, outcomeOf, type Payment } from '../payment/payment.ts'
import { refundableOf } from '../payment/payment-sums.ts'
import { paymentsCreated } from '../payment/store/payment-store.ts'
import { quarterMs } from '../payment/store/sums-store.ts'
import { daysIn, zoneMaxMs } from './local-day.ts'
import {
  loadMonthSums,
  loadQuarters,
  monthSums,
  type Quarter,
  type SummedQuarter,
  saveMonthSums,
  type TokenSums,
} from './month-store.ts'
import { tokenKey } from './token-sums.ts'

/**
 * Payments read in one turn of the event loop, which takes some milliseconds and holds up every other request. SQLite answers
 * synchronously: without turns, a month of a million payments would be read in one go.
 */
const pageMax = 100

/** After this many payments the sums are stored, which bounds what an interrupted reading loses. */
const unkeptMax = 10_000

/** Quarters stored in one commit, which has about three statements for each. */
const keptAtOnceMax = 96

export type MonthRow = TokenSums & { day: string }

/** `month`: such as 2026-11, in the time zone. */
export type MonthOrder = { merchantId: MerchantId; isTest: boolean; month: string; timeZone: string }

/** A month that is being read. `progress`: its payments, and how many of them are added up. */
export type MonthReading = { rows: Promise<MonthRow[]>; progress: () => { read: number; payments: number } }

/**
 * Reads months. Concurrent requests for the same month share one reading. All readings together read one page a turn, and only
 * the payments of quarters of an hour in which a payment has changed since the last report.
 */
export function createMonths(db: Db, ofOneTurnMax = pageMax): (order: MonthOrder) => MonthReading {
  const running = new Map<string, MonthReading>()
  let turn = Promise.resolve()
  const nextTurn = (): Promise<void> => {
    turn = turn.then(() => new Promise((resolve) => setImmediate(resolve)))
    return turn
  }
  return (order) => {
    const { merchantId, isTest, month, timeZone } = order
    const key = JSON.stringify([merchantId, isTest, month, timeZone])
    const known = running.get(key)
    if (known) return known
    const progress = { read: 0, payments: 0 }
    const rows = readMonth({ db, nextTurn, ofOneTurnMax, progress }, order).finally(() => running.delete(key))
    const reading = { rows, progress: () => ({ ...progress }) }
    running.set(key, reading)
    return reading
  }
}

type Reader = {
  db: Db
  nextTurn: () => Promise<void>
  ofOneTurnMax: number
  progress: { read: number; payments: number }
}

/**
 * Sums the payments created in a month by day of creation, network and token: the values that `export` writes for each payment.
 * An unmatched transfer counts for its own network and token.
 * @throws {ValidationError} naming `timeZone`.
 */
async function readMonth(reader: Reader, { month, timeZone, ...whose }: MonthOrder): Promise<MonthRow[]> {
  const { db, progress } = reader
  const dayOf = daysIn(timeZone)
  const isOfMonth = ({ quarter }: { quarter: number }) => dayOf(quarter * quarterMs).startsWith(month)
  const [year, number] = month.split('-').map(Number)
  const range = {
    fromQuarter: Math.floor((Date.UTC(year ?? 0, (number ?? 1) - 1) - zoneMaxMs) / quarterMs),
    untilQuarter: Math.ceil((Date.UTC(year ?? 0, number ?? 1) + zoneMaxMs) / quarterMs),
  }
  const found = await db.read(async (tx) => ({
    quarters: await loadQuarters(tx, whose, range),
    kept: await loadMonthSums(tx, whose, range),
  }))
  const quarters = found.quarters.filter(isOfMonth)
  const changesOf = new Map(quarters.map(({ quarter, changes }) => [quarter, changes]))
  const summed = new Map(
    found.kept.filter(({ quarter, changes }) => changesOf.get(quarter) === changes).map((one) => [one.quarter, one]),
  )
  for (const { quarter, payments } of quarters) {
    progress.payments += payments
    if (summed.has(quarter)) progress.read += payments
  }
  let unkept: SummedQuarter[] = []
  let unkeptPayments = 0
  const keep = async () => {
    const keeping = unkept
    unkept = []
    unkeptPayments = 0
    await db.write((tx) => saveMonthSums(tx, whose, keeping))
  }
  for (const quarter of quarters) {
    if (summed.has(quarter.quarter)) continue
    const rows = await sumQuarter(reader, whose, quarter)
    const own = { quarter: quarter.quarter, changes: quarter.changes, rows }
    summed.set(quarter.quarter, own)
    unkept.push(own)
    unkeptPayments += quarter.payments
    if (unkeptPayments >= unkeptMax || unkept.length >= keptAtOnceMax) await keep()
  }
  await keep()
  return byDay(
    quarters.flatMap(({ quarter }) => summed.get(quarter) ?? []),
    dayOf,
  )
}

type Whose = { merchantId: MerchantId; isTest: boolean }

/** Each payment counts as it is when its page is read. */
async function sumQuarter(
  { db, nextTurn, ofOneTurnMax, progress }: Reader,
  whose: Whose,
  { quarter }: Quarter,
): Promise<TokenSums[]> {
  const rows = new Map<string, TokenSums>()
  const untilMs = (quarter + 1) * quarterMs
  let after = { createdAtMs: quarter * quarterMs, number: 0 }
  for (;;) {
    await nextTurn()
    const page = await db.read((tx) => paymentsCreated(tx, { ...whose, untilMs }, after, ofOneTurnMax))
    for (const { payment } of page) count(rows, payment)
    progress.read += page.length
    const last = page.at(-1)
    if (last === undefined || page.length < ofOneTurnMax) break
    after = { createdAtMs: last.payment.createdAtMs, number: last.number }
  }
  return [...rows.values()]
}

function count(rows: Map<string, TokenSums>, payment: Payment): void {
  const row = rowOf(rows, payment.network, payment.currency, payment.tokenDecimals)
  const isPaid = outcomeOf(payment) === 'paid'
  const { merchant, fee } = sharesOf(payment)
  const isPaidOut = isPaid && (isDirect(payment) || isSwept(payment))
  row.payments += 1
  row.paid += isPaid ? 1 : 0
  row.received = add(row.received, payment.received)
  row.receivedLate = add(row.receivedLate, payment.late)
  row.merchantAmount = add(row.merchantAmount, merchant)
  row.platformFee = add(row.platformFee, fee)
  row.paidOut = add(row.paidOut, isPaidOut ? merchant : zero)
  row.owedToPayer = add(row.owedToPayer, refundableOf(payment))
  row.refundedByMerchant = add(row.refundedByMerchant, payment.refundedByMerchant)
  row.refundDueByMerchant = add(row.refundDueByMerchant, payment.refundDueByMerchant)
  if (payment.mode === 'contract') return
  row.refunded = add(row.refunded, payment.refunded)
  for (const { network, currency, decimals, refunded } of payment.unmatched) {
    if (refunded === 0n) continue
    const other = rowOf(rows, network, currency, decimals)
    other.returned = add(other.returned, refunded)
  }
}

function rowOf(rows: Map<string, TokenSums>, network: string, currency: string, tokenDecimals: number): TokenSums {
  const token = { network, currency, tokenDecimals }
  const known = rows.get(tokenKey(token))
  if (known) return known
  const row = { ...token, payments: 0, paid: 0, ...monthSums.none }
  rows.set(tokenKey(token), row)
  return row
}

/** The sums of the quarters by day, network and token. */
function byDay(quarters: readonly SummedQuarter[], dayOf: (ms: number) => string): MonthRow[] {
  const rows = quarters.flatMap(({ quarter, rows: ofQuarter }) => {
    const day = dayOf(quarter * quarterMs)
    return ofQuarter.map((row) => ({ day, ...row }))
  })
  return monthSums.totals(rows, (row) => `${row.day} ${tokenKey(row)}`)
}
