import { closeSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs'
import { stringify } from 'csv-stringify/sync'
import { paymentColumns, paymentRow } from '../../checkout/read/payment-row.ts'
import { OperatorError } from '../../core/errors.ts'
import type { Db } from '../../db/db.ts'
import type { Payment } from '../../payment/payment.ts'
import { loadPayment } from '../../payment/store/payment-store.ts'
import { countPayments, paymentIdsAfter, type Selection } from './export-store.ts'

/** Maximum payments in memory. */
const pageMax = 500

/**
 * Writes payments in creation order into a new file readable by its owner only: RFC 4180, with every cell escaped that
 * a spreadsheet would run as a formula.
 * @throws {OperatorError} when the file exists.
 * @returns the number of payments.
 */
export async function exportCsv(
  db: Db,
  selection: Selection,
  path: string,
  onProgress: (label: string, done: number, total: number) => void = () => undefined,
): Promise<number> {
  // More payments may be created meanwhile.
  const total = await db.read((tx) => countPayments(tx, selection))
  onProgress('payments', 0, total)
  let after = 0
  let rows = 0
  return await writeCsv(path, paymentColumns, async () => {
    const page = await db.read(async (tx) => {
      const ids = await paymentIdsAfter(tx, selection, after, pageMax)
      const payments: Payment[] = []
      for (const { id, number } of ids) {
        const payment = await loadPayment(tx, id)
        if (payment) payments.push(payment)
        after = number
      }
      return payments
    })
    rows += page.length
    if (page.length > 0) onProgress('payments', Math.min(rows, total), total)
    return page.map(paymentRow)
  })
}

/**
 * Writes pages of rows into a new file until a page is empty.
 * @throws {OperatorError} when the file exists.
 * @returns the number of rows.
 */
export async function writeCsv(
  path: string,
  columns: readonly string[],
  nextPage: () => Promise<readonly (readonly string[])[]>,
): Promise<number> {
  const file = openNew(path)
  let rows = 0
  try {
    writeSync(file, csv([columns]))
    for (let page = await nextPage(); page.length > 0; page = await nextPage()) {
      writeSync(file, csv(page))
      rows += page.length
    }
    fsyncSync(file)
  } catch (error) {
    // A partial file could be mistaken for a complete one.
    rmSync(path, { force: true })
    throw error
  } finally {
    closeSync(file)
  }
  return rows
}

/**
 * In many languages a spreadsheet splits lines at semicolons: a cell of its begins there too. It reads a quote there, which is doubled in the
 * file, as an empty text before the rest.
 */
const innerFormula = /([;\t\r\n])(?="?[=+\-@＝＋－＠])/g

const csv = (rows: readonly (readonly string[])[]): string =>
  stringify([...rows.map((row) => [...row])], {
    record_delimiter: 'windows',
    escape_formulas: true,
    cast: { string: (text) => text.replaceAll(innerFormula, "$1'") },
  })

function openNew(path: string): number {
  try {
    return openSync(path, 'wx', 0o600)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code !== 'EEXIST') throw error
    throw new OperatorError(`${path} already exists.`)
  }
}
