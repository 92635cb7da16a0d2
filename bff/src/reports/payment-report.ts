import type { Caller } from '../access/context/caller.ts'
import { ValidationError } from '../core/errors.ts'
import { currencyOf, limitCurrency, listedSymbols, type Networks, tokensOf } from '../core/families.ts'
import { baseUnits, formatAmount } from '../core/money.ts'
import type { Db } from '../db/db.ts'
import { type Outcome, outcomeOfStatus, outcomes, type Status, statuses, statusesOf } from '../payment/payment.ts'
import {
  countPayments,
  type ListedRow,
  listPayments,
  newest,
  type PaymentFilter,
  placeAfter,
  type StatusTotal,
  totalsByStatus,
} from './payment-report-store.ts'

/** Sums of tokens with different decimals use the most decimals that any token has. */
const sumDecimals = 36
const dayMs = 24 * 60 * 60 * 1000

export type ReportQuery = {
  status?: string | undefined
  currency?: string | undefined
  startDate?: string | undefined
  endDate?: string | undefined
  search?: string | undefined
}

/** A date without a time means the whole UTC day; the end date is included. @throws {ValidationError} naming the field. */
function parseFilter(caller: Caller, query: ReportQuery, statusName: string): PaymentFilter {
  const status = query.status === undefined || query.status === 'all' ? null : query.status
  const known = [...new Set<Status | Outcome>([...statuses, ...outcomes])]
  const filter = known.find((name) => name === status)
  if (status !== null && filter === undefined) {
    throw new ValidationError(`${statusName} must be all or one of ${known.join(', ')}, not "${status}"`)
  }
  const wanted = filter === undefined ? null : `,${statusesOf(filter).join(',')},`
  const fromMs = parseDate('startDate', query.startDate, 0)
  const untilMs = parseDate('endDate', query.endDate, dayMs)
  if (fromMs !== null && untilMs !== null && fromMs >= untilMs) {
    throw new ValidationError('startDate must not be after endDate')
  }
  const currency = query.currency === undefined || query.currency === 'all' ? null : query.currency.toUpperCase()
  const search = query.search?.trim() || null
  return { merchantId: caller.merchantId, isTest: caller.isTest, statuses: wanted, currency, fromMs, untilMs, search }
}

function parseDate(name: string, text: string | undefined, wholeDayMs: number): number | null {
  if (text === undefined || text === '') return null
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text)
  const ms = isDay || /^\d{4}-\d{2}-\d{2}T[\d:.]+(Z|[+-]\d{2}:\d{2})$/.test(text) ? Date.parse(text) : Number.NaN
  // JavaScript parses 30 February as 2 March.
  const isReal = !Number.isNaN(ms) && (!isDay || new Date(ms).toISOString().startsWith(text))
  if (!isReal)
    throw new ValidationError(`${name} must be a date such as 2026-11-21, or a time with its zone, not "${text}"`)
  return isDay ? ms + wholeDayMs : ms
}

/** Payments that are added up in one turn of the event loop, some milliseconds: SQLite answers synchronously. */
const ofOneTurnMax = 2_000

export function createReports(db: Db, networks: Networks, pageMax = ofOneTurnMax) {
  let turn = Promise.resolve()
  /** All reports together add up one page a turn, so that none holds up other requests. */
  const nextTurn = (): Promise<void> => {
    turn = turn.then(() => new Promise((resolve) => setImmediate(resolve)))
    return turn
  }

  /** Each payment counts as it is when its page is read. A status and token may have several totals. */
  async function readTotals(filter: PaymentFilter): Promise<StatusTotal[]> {
    const totals: StatusTotal[] = []
    for (let after: typeof newest | undefined = newest; after !== undefined; ) {
      await nextTurn()
      const from: typeof newest = after
      after = await db.read(async (tx) => {
        const until = await placeAfter(tx, filter, from, pageMax)
        totals.push(...(await totalsByStatus(tx, filter, from, until)))
        return until
      })
    }
    return totals
  }

  /** What was paid, by the currency that each token stands for. An unknown token counts as its own currency. */
  function paidByCurrency(totals: readonly StatusTotal[]) {
    const sums = new Map<string, { count: number; amount: bigint }>()
    for (const { status, currency: symbol, decimals, count, amount } of totals) {
      if (outcomeOfStatus(status) !== 'paid') continue
      const currency = currencyOf(networks, symbol) ?? symbol
      const sum = sums.get(currency) ?? { count: 0, amount: 0n }
      const scaled = amount * 10n ** BigInt(sumDecimals - decimals)
      sums.set(currency, { count: sum.count + count, amount: sum.amount + scaled })
    }
    return sums
  }

  return {
    /** Symbols that payments may have. */
    currencies: () => [...new Set([...listedSymbols, ...tokensOf(networks.values()).map(({ symbol }) => symbol)])],

    /** One page of the merchant's payments, newest first. */
    async list(caller: Caller, query: ReportQuery, page: number, limit: number) {
      const filter = parseFilter(caller, query, 'status')
      const isPublic = caller.kind === 'public'
      // A search must not reveal whether an order exists.
      if (isPublic && (!caller.settings.publicReports || filter.search !== null)) return emptyPage(page)
      const [rows, totalCount] = await db.read(async (tx) => [
        await listPayments(tx, filter, limit, (page - 1) * limit),
        await countPayments(tx, filter),
      ])
      return {
        data: rows.map(listed),
        totalCount,
        totalPages: Math.ceil(totalCount / limit),
        currentPage: page,
      }
    },
    /**
     * Counts the payments created in the range. Amounts are those of paid payments; different currencies are never added.
     */
    async stats(caller: Caller, query: ReportQuery) {
      const filter = parseFilter(caller, query, 'statusFilter')
      const isWithheld = caller.kind === 'public' && !caller.settings.publicReports
      const totals = isWithheld ? [] : await readTotals(filter)
      const wanted = totals.filter(({ status }) => filter.statuses === null || filter.statuses.includes(`,${status},`))
      const count = (outcome: string) =>
        wanted.filter(({ status }) => outcomeOfStatus(status) === outcome).reduce((sum, row) => sum + row.count, 0)
      const paid = paidByCurrency(wanted)
      const format = (amount: bigint) => formatAmount(baseUnits(String(amount / 10n ** 30n)), sumDecimals - 30)
      const amountsOf = (
        { count: payments, amount }: { count: number; amount: bigint } = { count: 0, amount: 0n },
      ) => ({
        totalAmount: format(amount),
        averageAmount: format(payments === 0 ? 0n : amount / BigInt(payments)),
      })
      return {
        totalPayments: wanted.reduce((sum, row) => sum + row.count, 0),
        completedPayments: count('paid'),
        pendingPayments: count('pending'),
        failedPayments: count('failed'),
        agentPayments: wanted.reduce((sum, row) => sum + row.agents, 0),
        ...amountsOf(paid.get(limitCurrency)),
        byCurrency: [...paid].sort().map(([currency, sum]) => ({
          currency,
          completedPayments: sum.count,
          ...amountsOf(sum),
        })),
        isNairaMerchant: false,
      }
    },
  }
}

const emptyPage = (currentPage: number) => ({ data: [], totalCount: 0, totalPages: 0, currentPage })

function listed(row: ListedRow) {
  return {
    id: row.id,
    amount: formatAmount(baseUnits(row.amount), row.decimals),
    currency: row.currency,
    network: row.network,
    status: row.status,
    outcome: outcomeOfStatus(row.status),
    orderId: row.order_id,
    transactionHash: row.transaction_id,
    createdAt: new Date(row.created_at_ms).toISOString(),
    price: row.price,
    priceCurrency: row.price_currency,
    rate: row.rate,
    rateAt: row.rate_at_ms === null ? null : new Date(row.rate_at_ms).toISOString(),
  }
}
