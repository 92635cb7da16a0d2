import { sql, type Tx } from '../db/db.ts'
import type { MerchantId } from '../payment/payment.ts'
import type { LatePayments, MerchantSettings } from './merchant-settings.ts'

/** The columns of a merchant that hold its settings. */
export type SettingsRow = {
  tolerance_bps: number
  tolerance_max_micros: string
  late_payments: LatePayments
  public_reports: number
  signature_gas_bps: number
  signature_gas_min_micros: number
  signature_gas_max_micros: number
  key_origins: string | null
}

export function fromSettingsRow(row: SettingsRow): MerchantSettings {
  return {
    tolerance: { bps: row.tolerance_bps, maxMicros: BigInt(row.tolerance_max_micros) },
    latePayments: row.late_payments,
    publicReports: row.public_reports === 1,
    signatureGas: {
      bps: row.signature_gas_bps,
      minMicros: row.signature_gas_min_micros,
      maxMicros: row.signature_gas_max_micros,
    },
    keyOrigins: row.key_origins?.split(' ') ?? [],
  }
}

/** Undefined when there is no such merchant. */
export async function loadSettings(tx: Tx, id: MerchantId): Promise<MerchantSettings | undefined> {
  const row = await tx.get<SettingsRow>(sql`
      select tolerance_bps, tolerance_max_micros, late_payments, public_reports,
             signature_gas_bps, signature_gas_min_micros, signature_gas_max_micros, key_origins
        from merchants where id = ${id}`)
  return row && fromSettingsRow(row)
}

export async function saveSettings(
  tx: Tx,
  id: MerchantId,
  { tolerance, latePayments, publicReports, signatureGas, keyOrigins }: MerchantSettings,
): Promise<void> {
  await tx.run(sql`
      update merchants
         set tolerance_bps = ${tolerance.bps}, tolerance_max_micros = ${String(tolerance.maxMicros)},
             late_payments = ${latePayments}, public_reports = ${publicReports ? 1 : 0},
             signature_gas_bps = ${signatureGas.bps}, signature_gas_min_micros = ${signatureGas.minMicros},
             signature_gas_max_micros = ${signatureGas.maxMicros},
             key_origins = ${keyOrigins.length === 0 ? null : keyOrigins.join(' ')}
       where id = ${id}`)
}
