import type { Caller } from '../../access/caller.ts'
import type { Networks } from '../../core/families.ts'
import { baseUnits, formatAmount, parseAmount } from '../../core/money.ts'
import type { Db } from '../../db/db.ts'
import type { Attention } from '../../payment/attention.ts'
import { type Outcome, outcomeOfStatus, type Status, statusesOf } from '../../payment/payment.ts'
import {
  amountDigits,
  comparedDecimals,
  type FoundPayment,
  findByIds,
  findByTime,
  idsNamedBy,
  newestChange,
  type Place,
  placeAfter,
  type SearchFilter,
} from './payment-search-store.ts'

/**
 * Maximum number of payments that one request examines. A filter that few payments pass would otherwise read them all:
 * the response then ends early and names the position to continue from.
 */
const examinedMax = 10_000

/** Maximum number of payments that a text search finds of each kind, such as the orders of one e-mail address. */
const namedMax = 100

/** A position before every payment in the list. */
const newest: Place = { createdAtMs: Number.MAX_SAFE_INTEGER, number: Number.MAX_SAFE_INTEGER }

export type PaymentQuery = {
  status?: Status | Outcome | undefined
  network?: string | undefined
  currency?: string | undefined
  attention?: Attention | undefined
  /** Inclusive, unix milliseconds. */
  fromMs?: number | undefined
  /** Exclusive. */
  untilMs?: number | undefined
  amountMin?: string | undefined
  amountMax?: string | undefined
  search?: string | undefined
  after?: Place | undefined
  limit: number
}

export function createPaymentSearch({ db, networks }: { db: Db; networks: Networks }, ofOneRequestMax = examinedMax) {
  /**
   * Newest first. `next`: the position to continue from, null at the end. `isCut`: the page is short because
   * `examinedMax` was reached, not because it is the last.
   */
  async function search(caller: Caller, query: PaymentQuery) {
    const filter = filterOf(caller, query)
    const before: Place = query.untilMs === undefined ? newest : { createdAtMs: query.untilMs, number: 0 }
    const after = query.after && isAfter(query.after, before) ? query.after : before
    const range = { after, until: { createdAtMs: query.fromMs ?? 0, number: 0 } }
    const text = query.search?.trim()
    if (text) return await searchByText(filter, query, text, range)
    return await searchByTime(filter, query, range)
  }

  async function searchByText(filter: SearchFilter, query: PaymentQuery, text: string, range: Range) {
    const found = await db.read(async (tx) => {
      const names = [...networks.keys()]
      return await findByIds(tx, await idsNamedBy(tx, filter, text, names, namedMax))
    })
    const passed = found.filter((row) => passes(row, filter, query, range)).sort(byPlace)
    const page = passed.slice(0, query.limit)
    return { payments: page, next: passed.length > page.length ? placeOf(page.at(-1)) : null, isCut: false }
  }

  async function searchByTime(filter: SearchFilter, query: PaymentQuery, range: Range) {
    const statuses = query.status === undefined ? [null] : statusesOf(query.status)
    const isFiltered = [filter.network, filter.currency, filter.attention, filter.amounts].some(
      (value) => value !== null,
    )
    return await db.read(async (tx) => {
      const ends: Place[] = []
      for (const status of isFiltered ? statuses : []) {
        const end = await placeAfter(tx, filter, status, range, Math.ceil(ofOneRequestMax / statuses.length))
        if (end) ends.push(end)
      }
      // With several statuses, the nearest end bounds the page, so that no payment between is skipped.
      const end = ends.sort(byPlace)[0]
      const examined = end ? { after: range.after, until: end } : range
      const found: FoundPayment[] = []
      for (const status of statuses) {
        found.push(...(await findByTime(tx, filter, status, examined, query.limit + 1)))
      }
      found.sort(byPlace)
      const payments = found.slice(0, query.limit)
      const isFull = found.length > payments.length
      return {
        payments,
        next: isFull ? placeOf(payments.at(-1)) : (end ?? null),
        isCut: !isFull && end !== undefined,
      }
    })
  }

  return {
    search,
    newestChange: (caller: Caller) => db.read((tx) => newestChange(tx, caller.merchantId, caller.isTest)),
  }
}

export type PaymentSearch = ReturnType<typeof createPaymentSearch>

type Range = { after: Place; until: Place }

const placeOf = (row: FoundPayment | undefined): Place | null =>
  row ? { createdAtMs: row.createdAtMs, number: row.number } : null

/** Newest first. */
const byPlace = (a: Place, b: Place): number => b.createdAtMs - a.createdAtMs || b.number - a.number

const isAfter = (a: Place, b: Place): boolean => byPlace(a, b) > 0

/** @throws {ValidationError} for an amount that is not a decimal number. */
function filterOf(caller: Caller, { network, currency, attention, amountMin, amountMax }: PaymentQuery): SearchFilter {
  const digitsOf = (text: string) => String(parseAmount(text, comparedDecimals)).padStart(amountDigits, '0')
  const isAnyAmount = amountMin === undefined && amountMax === undefined
  return {
    merchantId: caller.merchantId,
    isTest: caller.isTest,
    network: network ?? null,
    currency: currency?.toUpperCase() ?? null,
    attention: attention ?? null,
    amounts: isAnyAmount
      ? null
      : {
          min: amountMin === undefined ? '' : digitsOf(amountMin),
          max: amountMax === undefined ? '9'.repeat(amountDigits) : digitsOf(amountMax),
        },
  }
}

/** The conditions of `findByTime`, for rows found by text. */
function passes(row: FoundPayment, filter: SearchFilter, query: PaymentQuery, { after, until }: Range): boolean {
  const amount = (row.due + '0'.repeat(comparedDecimals - row.decimals)).padStart(amountDigits, '0')
  return (
    row.isTest === (filter.isTest ? 1 : 0) &&
    isAfter(row, after) &&
    !isAfter(row, until) &&
    (query.status === undefined || statusesOf(query.status).includes(row.status)) &&
    (filter.network === null || row.network === filter.network) &&
    (filter.currency === null || row.currency === filter.currency) &&
    (filter.attention === null || row.attention === filter.attention) &&
    (filter.amounts === null || (amount >= filter.amounts.min && amount <= filter.amounts.max))
  )
}

/** A payment as an entry of the list. */
export function viewFound(row: FoundPayment) {
  const text = (units: string) => formatAmount(baseUnits(units), row.decimals)
  return {
    paymentId: row.id,
    orderId: row.orderId,
    customerEmail: row.customerEmail,
    paymentMode: row.mode,
    isTest: row.isTest === 1,
    network: row.network,
    currency: row.currency,
    amount: text(row.due),
    amountReceived: formatAmount(baseUnits(String(BigInt(row.received) + BigInt(row.late))), row.decimals),
    amountRefunded: text(row.refunded),
    status: row.status,
    outcome: outcomeOfStatus(row.status),
    attention: row.attention,
    depositAddress: row.depositAddress,
    transactionHash: row.txId,
    createdAt: new Date(row.createdAtMs).toISOString(),
    expiresAt: new Date(row.expiresAtMs).toISOString(),
  }
}
