import type { FoundPayments } from '../../src/api-types.ts'
import { type Query, request } from '../api/client.ts'
import { csvText } from './csv.ts'

type FoundPayment = FoundPayments['payments'][number]

/** Payments of one export: so many are read in fifty requests, and a spreadsheet opens them. Reports have whole months. */
export const exportMax = 5_000

/** The largest page that the service gives. */
const pageMax = 100

export type Exported = { payments: FoundPayment[]; isCut: boolean }

/**
 * Reads the payments that the filters show, newest first, page by page.
 * @param query - Without a place: an export begins with the newest.
 * @throws {Fault}
 */
export async function readForExport(query: Query, read = readPage): Promise<Exported> {
  const payments: FoundPayment[] = []
  let after: string | null = null
  do {
    const page: FoundPayments = await read({ ...query, after, limit: pageMax })
    payments.push(...page.payments)
    after = page.next
  } while (after !== null && payments.length < exportMax)
  return { payments: payments.slice(0, exportMax), isCut: after !== null || payments.length > exportMax }
}

const readPage = (query: Query): Promise<FoundPayments> => request<FoundPayments>('payments', { query })

/** In the order of the list's columns. */
const columns = [
  'paymentId',
  'orderId',
  'createdAt',
  'outcome',
  'status',
  'attention',
  'amount',
  'amountReceived',
  'amountRemaining',
  'amountRefunded',
  'currency',
  'network',
  'paymentMode',
  'customerEmail',
  'depositAddress',
  'transactionHash',
  'expiresAt',
  'isTest',
] as const satisfies readonly (keyof FoundPayment)[]

export const csvOf = (payments: readonly FoundPayment[]): string =>
  csvText(
    columns,
    payments.map((payment) => columns.map((name) => payment[name])),
  )
