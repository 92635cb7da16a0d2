import { setTimeout as sleep } from 'node:timers/promises'
import { z } from '@hono/zod-openapi'
import { stringify } from 'csv-stringify/sync'
import { defineOperation } from '../access/context/operation.ts'
import type { ApiErrors } from '../access/http/api-errors.ts'
import { errorResponses, jsonContent } from '../access/operation/common-schemas.ts'
import type { Operations } from '../access/operation/operation-registry.ts'
import type { Networks } from '../core/families.ts'
import { formatAmount } from '../core/money.ts'
import type { Db } from '../db/db.ts'
import type { GasBalances } from '../network/gas-balances.ts'
import type { NetworkHealth } from '../network/network-health.ts'
import { createAttention } from './attention.ts'
import { createMonths, type MonthReading, type MonthRow } from './month.ts'
import { monthAmounts, monthSums } from './month-store.ts'
import * as schemas from './report-schemas.ts'
import { summaryOf, summarySums } from './summary.ts'

const summaryRoute = defineOperation({
  method: 'get',
  path: '/reports/summary',
  access: 'secret',
  secretFor: 'Reports are',
  role: 'viewer',
  operationId: 'readSummaryReport',
  tags: ['reports'],
  summary: 'Sums of payments by day, network and token',
  description: 'By day of creation. The cost does not depend on the number of payments.',
  request: { query: schemas.summaryQuery },
  responses: { 200: jsonContent('the sums', schemas.summaryResponse), ...errorResponses },
})

const attentionRoute = defineOperation({
  method: 'get',
  path: '/reports/attention',
  access: 'secret',
  secretFor: 'Reports are',
  role: 'viewer',
  operationId: 'readAttentionReport',
  tags: ['reports'],
  summary: 'Open actions: payments, endpoints, gas and networks',
  request: { query: schemas.attentionQuery },
  responses: { 200: jsonContent('open actions', schemas.attentionResponse), ...errorResponses },
})

const monthDescription =
  'By the day on which a payment was created: exactly the sums of the rows that `stablecoin-checkout export` writes for the same payments. The first report of a month reads all its payments; later ones only the quarter hours in which a payment has changed.'

const monthRoute = defineOperation({
  method: 'get',
  path: '/reports/month',
  access: 'secret',
  secretFor: 'Reports are',
  role: 'viewer',
  operationId: 'readMonthReport',
  tags: ['reports'],
  summary: 'Sums of one month for bookkeeping, by day, network and token',
  description: monthDescription,
  request: { query: schemas.monthQuery, headers: schemas.monthHeaders },
  responses: {
    200: jsonContent('the month', schemas.monthResponse),
    202: jsonContent('The report was not complete within the time of `Prefer`; call again.', schemas.monthProgress),
    ...errorResponses,
  },
})

const monthCsvRoute = defineOperation({
  method: 'get',
  path: '/reports/month.csv',
  access: 'secret',
  secretFor: 'Reports are',
  role: 'viewer',
  operationId: 'exportMonthReport',
  tags: ['reports'],
  summary: 'The same as CSV (RFC 4180), in whole tokens',
  description: monthDescription,
  request: { query: schemas.monthQuery },
  responses: {
    200: { description: 'one line for each day, network and token', content: { 'text/csv': { schema: z.string() } } },
    ...errorResponses,
  },
})

const errorsRoute = defineOperation({
  method: 'get',
  path: '/reports/errors',
  access: 'secret',
  secretFor: 'Reports are',
  role: 'viewer',
  operationId: 'listRefusedCalls',
  tags: ['reports'],
  summary: "The merchant's newest API calls that were refused, newest first",
  description:
    'At most 100, of all replicas; refusals of other replicas appear within two seconds. Request contents are not stored.',
  responses: { 200: jsonContent('the calls', schemas.errorsResponse), ...errorResponses },
})

type Deps = {
  db: Db
  networks: Networks
  health: NetworkHealth
  gasBalances: Pick<GasBalances, 'get'>
  apiErrors: ApiErrors
}

export function merchantReportRoutes(api: Operations, deps: Deps) {
  const { db, apiErrors } = deps
  const attention = createAttention(deps)
  const monthOf = createMonths(db)
  const success = true as const

  api.serve(summaryRoute, async (c) => {
    const query = c.req.valid('query')
    const { days, totals } = await summaryOf(db, { ...query, merchantId: c.get('caller').merchantId })
    const created = totals.reduce((sum, row) => sum + row.created, 0)
    const paid = totals.reduce((sum, row) => sum + row.paid, 0)
    const conversionBps = created === 0 ? null : Math.floor((paid * 10_000) / created)
    const body = {
      days: days.map((row) => ({ day: row.day, ...summarySums.view(row) })),
      totals: totals.map(summarySums.view),
    }
    return c.json({ success, ...query, ...body, created, paid, conversionBps }, 200)
  })

  api.serve(attentionRoute, async (c) =>
    c.json({ success, ...(await attention(c.get('caller'), c.req.valid('query').isTest)) }, 200),
  )

  api.serve(monthRoute, async (c) => {
    const query = c.req.valid('query')
    const reading = monthOf({ ...query, merchantId: c.get('caller').merchantId })
    const rows = await rowsWithin(reading, c.req.valid('header').prefer)
    if (rows === undefined) return c.json({ success, progress: reading.progress() }, 202, { 'Retry-After': '1' })
    const body = {
      days: rows.map((row) => ({ day: row.day, ...monthSums.view(row) })),
      totals: monthSums.totals(rows).map(monthSums.view),
    }
    return c.json({ success, ...query, ...body }, 200)
  })

  api.serve(monthCsvRoute, async (c) => {
    const query = c.req.valid('query')
    const rows = await monthOf({ ...query, merchantId: c.get('caller').merchantId }).rows
    const name = `payments-${query.month}${query.isTest ? '-test' : ''}.csv`
    return c.body(csvOf(rows), 200, {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="${name}"`,
    })
  })

  api.serve(errorsRoute, async (c) => {
    const errors = await apiErrors.read(c.get('caller').merchantId)
    const shown = errors.map(({ atMs, ...error }) => ({ at: new Date(atMs).toISOString(), ...error }))
    return c.json({ success, errors: shown }, 200)
  })
}

/** Waits up to the seconds of `Prefer: wait`; without the header, until the end. @returns undefined when that was too short. */
async function rowsWithin({ rows }: MonthReading, waitSeconds: number | undefined): Promise<MonthRow[] | undefined> {
  if (waitSeconds === undefined) return await rows
  const waited = new AbortController()
  const patience = sleep(waitSeconds * 1000, undefined, { signal: waited.signal }).catch(() => undefined)
  return await Promise.race([rows, patience]).finally(() => waited.abort())
}

function csvOf(rows: readonly MonthRow[]): string {
  const columns = ['day', 'network', 'currency', 'payments', 'paid', ...monthAmounts]
  const lines = rows.map(({ day, network, currency, tokenDecimals, payments, paid, ...row }) => [
    ...[day, network, currency, String(payments), String(paid)],
    ...monthAmounts.map((name) => formatAmount(row[name], tokenDecimals)),
  ])
  return stringify([columns, ...lines], { record_delimiter: 'windows', escape_formulas: true })
}
