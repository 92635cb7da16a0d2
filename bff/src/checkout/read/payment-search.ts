import type { Caller } from '../../access/context/caller.ts'
import type { Networks } from '../../core/families.ts'
import { baseUnits, excess, formatAmount, parseAmount, zero } from '../../core/money.ts'
import type { Db, Tx } from '../../db/db.ts'
import type { Attention } from '../../payment/attention.ts'
import { type Outcome, outcomeOfStatus, type Status, statuses, statusesOf } from '../../payment/payment.ts'
import {
  amountDigits,
  comparedDecimals,
  countOfStatuses,
  countUpTo,
  type FoundPayment,
  findByIds,
  findByTime,
  findNamed,
  findNamedByTime,
  type NamedPayment,
  newestChange,
  type PaymentKind,
  type Place,
  placeAfter,
  type SearchFilter,
} from './payment-search-store.ts'

/**
 * Maximum number of payments that one request examines. A filter that few payments pass would otherwise read them all:
 * the response then ends early and names the position to continue from.
 */
const examinedMax = 10_000

/** `count` counts no further: people read larger numbers as "many", and each count reads at most so many rows. */
export const countMax = 100

/** Rows that are read at once of the payments that a text names. */
const rowsOfStep = 200

/** A position before every payment in the list. */
const newest: Place = { createdAtMs: Number.MAX_SAFE_INTEGER, number: Number.MAX_SAFE_INTEGER }

export type PaymentQuery = {
  status?: Status | Outcome | undefined
  network?: string | undefined
  currency?: string | undefined
  attention?: Attention | undefined
  kind?: PaymentKind | undefined
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
    return await db.read(async (tx) => {
      const named = await findNamed(tx, filter.merchantId, text, [...networks.keys()], ofOneRequestMax)
      if (named === null) return await searchOften(tx, filter, query, text, range)
      const found = await passing(tx, named, filter, query, range)
      return pageOf(found, query.limit, undefined)
    })
  }

  /**
   * For a text that matches more payments than one request can sort: searches by creation time, at most `ofOneRequestMax` payments per
   * request.
   */
  async function searchOften(tx: Tx, filter: SearchFilter, query: PaymentQuery, text: string, range: Range) {
    const end = await placeAfter(tx, filter, null, range, ofOneRequestMax)
    const examined = end ? { after: range.after, until: end } : range
    const wanted = query.status === undefined ? statuses : statusesOf(query.status)
    const found = await findNamedByTime(tx, filter, wanted, text, examined, query.limit + 1)
    return pageOf(found, query.limit, end)
  }

  async function searchByTime(filter: SearchFilter, query: PaymentQuery, range: Range) {
    const wanted = query.status === undefined ? [null] : statusesOf(query.status)
    const isFiltered = [filter.network, filter.currency, filter.attention, filter.amounts].some(
      (value) => value !== null,
    )
    return await db.read(async (tx) => {
      const ends: Place[] = []
      for (const status of isFiltered ? wanted : []) {
        const end = await placeAfter(tx, filter, status, range, Math.ceil(ofOneRequestMax / wanted.length))
        if (end) ends.push(end)
      }
      // With several statuses, the nearest end bounds the page, so that no payment between is skipped.
      const end = ends.sort(byPlace)[0]
      const examined = end ? { after: range.after, until: end } : range
      const found: FoundPayment[] = []
      for (const status of wanted) {
        found.push(...(await findByTime(tx, filter, status, examined, query.limit + 1)))
      }
      found.sort(byPlace)
      return pageOf(found, query.limit, end)
    })
  }

  /** How many payments each list without other filters holds, up to `countMax`. */
  async function count(caller: Caller): Promise<PaymentCounts> {
    return await db.read(async (tx) => {
      const countKind = (kind: PaymentKind | null) => countUpTo(tx, caller, kind, countMax)
      return {
        all: await countKind(null),
        paid: await countOfStatuses(tx, caller, statusesOf('paid'), countMax),
        partly_paid: await countKind('partly_paid'),
        overpaid: await countKind('overpaid'),
        late: await countKind('late'),
        refunded: await countKind('refunded'),
        to_do: await countKind('to_do'),
      }
    })
  }

  return {
    search,
    count,
    newestChange: (caller: Caller) => db.read((tx) => newestChange(tx, caller.merchantId, caller.isTest)),
  }
}

/** By what people choose at the list of payments. */
export type PaymentCounts = Record<'all' | 'paid' | PaymentKind, number>

export type PaymentSearch = ReturnType<typeof createPaymentSearch>

type Range = { after: Place; until: Place }

/** @param end - Where the search was cut; undefined: it found everything. */
function pageOf<Found extends Place>(found: readonly Found[], limit: number, end: Place | undefined) {
  const payments = found.slice(0, limit)
  const isFull = found.length > payments.length
  return { payments, next: isFull ? placeOf(payments.at(-1)) : (end ?? null), isCut: !isFull && end !== undefined }
}

const placeOf = (row: Place | undefined): Place | null =>
  row ? { createdAtMs: row.createdAtMs, number: row.number } : null

/** Newest first. */
const byPlace = (a: Place, b: Place): number => b.createdAtMs - a.createdAtMs || b.number - a.number

const isAfter = (a: Place, b: Place): boolean => byPlace(a, b) > 0

/** @throws {ValidationError} for an amount that is not a decimal number. */
function filterOf(
  caller: Caller,
  { network, currency, attention, kind, amountMin, amountMax }: PaymentQuery,
): SearchFilter {
  const digitsOf = (text: string) => String(parseAmount(text, comparedDecimals)).padStart(amountDigits, '0')
  const isAnyAmount = amountMin === undefined && amountMax === undefined
  return {
    merchantId: caller.merchantId,
    isTest: caller.isTest,
    network: network ?? null,
    currency: currency?.toUpperCase() ?? null,
    attention: attention ?? null,
    kind: kind ?? null,
    amounts: isAnyAmount
      ? null
      : {
          min: amountMin === undefined ? '' : digitsOf(amountMin),
          max: amountMax === undefined ? '9'.repeat(amountDigits) : digitsOf(amountMax),
        },
  }
}

/** The conditions of `findByTime`, for rows found by text. */
function passes(row: FoundPayment, filter: SearchFilter, query: PaymentQuery): boolean {
  const amount = (row.due + '0'.repeat(comparedDecimals - row.decimals)).padStart(amountDigits, '0')
  return (
    (query.status === undefined || statusesOf(query.status).includes(row.status)) &&
    (filter.network === null || row.network === filter.network) &&
    (filter.currency === null || row.currency === filter.currency) &&
    (filter.attention === null || row.attention === filter.attention) &&
    (filter.kind === null || isOfKind(row, filter.kind)) &&
    (filter.amounts === null || (amount >= filter.amounts.min && amount <= filter.amounts.max))
  )
}

/** The conditions of `kindConditions`. */
function isOfKind({ status, due, received, late, refunded, attention }: FoundPayment, kind: PaymentKind): boolean {
  switch (kind) {
    case 'partly_paid':
      return status === 'pending' && received !== '0'
    case 'overpaid':
      return BigInt(received) > BigInt(due)
    case 'late':
      return late !== '0'
    case 'refunded':
      return refunded !== '0'
    case 'to_do':
      return attention !== null
    default:
      return kind satisfies never
  }
}

/** The payments matched by a text that pass the filters, newest first, at most one more than a page. */
async function passing(
  tx: Tx,
  named: readonly NamedPayment[],
  filter: SearchFilter,
  query: PaymentQuery,
  range: Range,
): Promise<FoundPayment[]> {
  const isTest = filter.isTest ? 1 : 0
  const inRange = named.filter(
    (one) => one.isTest === isTest && isAfter(one, range.after) && !isAfter(one, range.until),
  )
  const ids = [...new Set(inRange.sort(byPlace).map(({ id }) => id))]
  const found: FoundPayment[] = []
  for (let at = 0; at < ids.length && found.length <= query.limit; at += rowsOfStep) {
    const rows = await findByIds(tx, ids.slice(at, at + rowsOfStep))
    found.push(...rows.filter((row) => passes(row, filter, query)).sort(byPlace))
  }
  return found.slice(0, query.limit + 1)
}

/** A payment as an entry of the list. */
export function viewFound(row: FoundPayment) {
  const text = (units: string) => formatAmount(baseUnits(units), row.decimals)
  const outcome = outcomeOfStatus(row.status)
  const missing = outcome === 'paid' ? zero : excess(baseUnits(row.due), baseUnits(row.received))
  return {
    paymentId: row.id,
    orderId: row.orderId,
    customerEmail: row.customerEmail,
    paymentMode: row.mode,
    isTest: row.isTest === 1,
    network: row.network,
    currency: row.currency,
    amount: text(row.due),
    amountRemaining: formatAmount(missing, row.decimals),
    amountReceived: formatAmount(baseUnits(String(BigInt(row.received) + BigInt(row.late))), row.decimals),
    amountRefunded: text(row.refunded),
    status: row.status,
    outcome,
    attention: row.attention,
    depositAddress: row.depositAddress,
    transactionHash: row.txId,
    createdAt: new Date(row.createdAtMs).toISOString(),
    expiresAt: new Date(row.expiresAtMs).toISOString(),
  }
}
