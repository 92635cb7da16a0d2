import type { Query } from '../api/client.ts'

/** As in the page's URL: days in the reader's time zone. */
export type Filters = {
  readonly [Name in (typeof filterNames)[number]]?: string
}

export const filterNames = [
  'search',
  'status',
  'network',
  'currency',
  'attention',
  'kind',
  'from',
  'until',
  'amountMin',
  'amountMax',
  'after',
] as const

/** @param search - `location.search`. */
export function parseFilters(search: string): Filters {
  const params = new URLSearchParams(search)
  return Object.fromEntries(
    filterNames.flatMap((name) => {
      const value = params.get(name)?.trim()
      return value ? [[name, value]] : []
    }),
  )
}

/** The service's query: includes the whole last day. Invalid days are omitted. */
export function queryOf(filters: Filters): Query {
  const { from, until, ...rest } = filters
  return { ...rest, from: startOfDay(from, 0), until: startOfDay(until, 1) }
}

function startOfDay(day: string | undefined, daysLater: number): string | null {
  const [, year, month, date] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day ?? '') ?? []
  if (!year) return null
  // The reader's midnight, even when a day has 23 or 25 hours.
  return new Date(Number(year), Number(month) - 1, Number(date) + daysLater).toISOString()
}

/** Whether any filter is set, ignoring the page's cursor. */
export const isFiltered = ({ after: _, ...filters }: Filters): boolean => Object.keys(filters).length > 0
