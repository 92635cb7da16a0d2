import { ValidationError } from '../core/errors.ts'
import type { Db } from '../db/db.ts'
import type { MerchantId } from '../payment/payment.ts'
import type { MerchantSettings } from './merchant-settings.ts'
import { loadSettings, saveSettings } from './settings-store.ts'

/**
 * Changes what is given and keeps the rest; for payments that are created from then on.
 * @returns all settings after it.
 * @throws {ValidationError} when there is no such merchant.
 */
export async function setMerchant(db: Db, id: string, changes: Partial<MerchantSettings>): Promise<MerchantSettings> {
  return await db.write(async (tx) => {
    const before = await loadSettings(tx, id as MerchantId)
    if (!before) throw new ValidationError(`there is no merchant "${id}"`)
    const after = { ...before, ...changes }
    await saveSettings(tx, id as MerchantId, after)
    return after
  })
}
