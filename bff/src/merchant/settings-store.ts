import { type Sql, sql, type Tx } from '../db/db.ts'
import { type Column, flag, integer, named, orNull, table, text, units } from '../db/table.ts'
import type { MerchantId } from '../payment/payment.ts'
import type { LatePayments, MerchantSettings } from './merchant-settings.ts'

/** Separated by spaces; null: none. */
const origins: Column<MerchantSettings['keyOrigins']> = {
  type: 'text',
  isNullable: true,
  parse: (stored) => (stored as string | null)?.split(' ') ?? [],
  format: (value) => (value.length === 0 ? null : value.join(' ')),
}

const settings = table('merchants', {
  latePayments: text<LatePayments>(),
  publicReports: flag(),
  keyOrigins: origins,
  currency: orNull(text()),
})
const tolerances = table<MerchantSettings['tolerance']>('merchants', {
  bps: named('tolerance_bps', integer()),
  maxMicros: named('tolerance_max_micros', units()),
})
const signatureGas = table<MerchantSettings['signatureGas']>('merchants', {
  bps: named('signature_gas_bps', integer()),
  minMicros: named('signature_gas_min_micros', integer()),
  maxMicros: named('signature_gas_max_micros', integer()),
})

/** The columns of a merchant that hold its settings. */
export const settingsColumns: Sql = sql`${settings.names}, ${tolerances.names}, ${signatureGas.names}`

export const parseSettings = (row: object): MerchantSettings => ({
  ...settings.parse(row),
  tolerance: tolerances.parse(row),
  signatureGas: signatureGas.parse(row),
})

/** Undefined when there is no such merchant. */
export async function loadSettings(tx: Tx, id: MerchantId): Promise<MerchantSettings | undefined> {
  const row = await tx.get<object>(sql`select ${settingsColumns} from merchants where id = ${id}`)
  return row && parseSettings(row)
}

export async function saveSettings(tx: Tx, id: MerchantId, changed: MerchantSettings): Promise<void> {
  await tx.run(sql`
      update merchants
         set ${settings.set(changed)}, ${tolerances.set(changed.tolerance)}, ${signatureGas.set(changed.signatureGas)}
       where id = ${id}`)
}
