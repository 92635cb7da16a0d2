import { closeSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs'
import { stringify } from 'csv-stringify/sync'
import { PaymentError } from '../../core/errors.ts'
import type { Db } from '../../db/db.ts'
import type { Payment } from '../../payment/payment.ts'
import { loadPayment } from '../../payment/payment-store.ts'
import { paymentIdsAfter, type Selection } from './export-store.ts'
import { paymentColumns, paymentRow } from './payment-row.ts'

/** Rows in memory at once. */
const pageMax = 500

/**
 * Writes payments into a new file that its owner alone may read, in the order of their creation: RFC 4180, and no cell that a
 * spreadsheet would run as a formula (an order id is what somebody else wrote).
 * @throws {PaymentError} when the file is there already.
 * @returns how many payments are in it.
 */
export async function exportCsv(db: Db, selection: Selection, path: string): Promise<number> {
  const file = openNew(path)
  let rows = 0
  try {
    writeSync(file, csv([paymentColumns]))
    let after = 0
    for (;;) {
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
      if (page.length === 0) break
      writeSync(file, csv(page.map((payment) => Object.values(paymentRow(payment)))))
      rows += page.length
    }
    fsyncSync(file)
  } catch (error) {
    // Half a list would be taken for a whole one.
    rmSync(path, { force: true })
    throw error
  } finally {
    closeSync(file)
  }
  return rows
}

const csv = (rows: readonly (readonly string[])[]): string =>
  stringify([...rows.map((row) => [...row])], { record_delimiter: 'windows', escape_formulas: true })

function openNew(path: string): number {
  try {
    return openSync(path, 'wx', 0o600)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code !== 'EEXIST') throw error
    throw new PaymentError('FILE_EXISTS', `${path} is there already.`, { status: 400 })
  }
}
