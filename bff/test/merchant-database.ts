import { type Db, sql } from '@stablecoin-checkout/bff/testing/db'
import { createLedger, type Ledger } from '@stablecoin-checkout/bff/testing/payment'
import { newPayment } from './new-payment.ts'
import { createTestDatabase } from './test-database.ts'

/**
 * A new database with the merchant of `newPayment`, and its ledger, whose events have empty bodies. `remove` closes and deletes
 * it.
 */
export async function openMerchantDatabase(): Promise<{ db: Db; ledger: Ledger; remove: () => Promise<void> }> {
  const database = await createTestDatabase()
  const db = await database.open()
  const { merchantId } = newPayment()
  await db.write((tx) =>
    tx.run(sql`insert into merchants (id, name, webhook_secret, created_at_ms) values (${merchantId}, 'm', 's', 0)`),
  )
  const remove = async () => {
    await db.close()
    await database.drop()
  }
  return { db, ledger: createLedger(db, () => ({})), remove }
}
