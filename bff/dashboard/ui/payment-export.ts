import type { FoundPayments } from '../../src/api-types.ts'
import { type Query, request } from '../api/client.ts'

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

/** Lines end as RFC 4180 says, and the text begins with the mark by which a spreadsheet reads UTF-8. */
export function csvOf(payments: readonly FoundPayment[]): string {
  const lines = payments.map((payment) => columns.map((name) => cellOf(payment[name])).join(','))
  return `\ufeff${[columns.join(','), ...lines].map((line) => `${line}\r\n`).join('')}`
}

/** A text that a spreadsheet would run as a formula begins with an apostrophe: customers choose order ids and e-mail addresses. */
function cellOf(value: string | boolean | null): string {
  const text = String(value ?? '')
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Has the browser save the text as a file. */
export function saveFile(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
