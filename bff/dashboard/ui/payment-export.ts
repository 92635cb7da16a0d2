import type { FoundPayments } from '../../src/api-types.ts'
import { type Query, request } from '../api/client.ts'
import { csvText } from './csv.ts'

type FoundPayment = FoundPayments['payments'][number]

/** Maximum payments of one export: fifty requests read them, and a spreadsheet can open them. Reports have whole months. */
export const exportMax = 5_000

/** The service's maximum page size. */
const pageMax = 100

export type Exported = { payments: FoundPayment[]; isCut: boolean }

/**
 * Reads the payments that pass the filters, newest first, page by page.
 * @param query - Without a cursor: an export begins with the newest payment.
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
