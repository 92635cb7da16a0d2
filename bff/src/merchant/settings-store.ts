import { sql, type Tx } from '../db/db.ts'
import type { MerchantId } from '../payment/payment.ts'
import type { LatePayments, MerchantSettings } from './merchant-settings.ts'

/** The columns of a merchant that hold its settings. */
export type SettingsRow = {
  tolerance_bps: number
  tolerance_max_micros: string
  late_payments: LatePayments
  public_reports: number
}

export function fromSettingsRow(row: SettingsRow): MerchantSettings {
  return {
    tolerance: { bps: row.tolerance_bps, maxMicros: BigInt(row.tolerance_max_micros) },
    latePayments: row.late_payments,
    publicReports: row.public_reports === 1,
  }
}

/** Undefined when there is no such merchant. */
export async function loadSettings(tx: Tx, id: MerchantId): Promise<MerchantSettings | undefined> {
  const row = await tx.get<SettingsRow>(sql`
      select tolerance_bps, tolerance_max_micros, late_payments, public_reports
        from merchants where id = ${id}`)
  return row && fromSettingsRow(row)
}

export async function saveSettings(
  tx: Tx,
  id: MerchantId,
  { tolerance, latePayments, publicReports }: MerchantSettings,
): Promise<void> {
  await tx.run(sql`
      update merchants
         set tolerance_bps = ${tolerance.bps}, tolerance_max_micros = ${String(tolerance.maxMicros)},
             late_payments = ${latePayments}, public_reports = ${publicReports ? 1 : 0}
       where id = ${id}`)
}
