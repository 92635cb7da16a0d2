import { plansOf } from '@stablecoin-checkout/rig/postgres-plans'
import { createTestDatabase } from '@stablecoin-checkout/rig/test-database'
import { afterAll, expect, test } from 'vitest'
import { sql, type Tx } from '../../../db/db.ts'
import type { PaymentId } from '../../../payment/payment.ts'
import { newestNumber } from '../watch/token-account-store.ts'
import { loadSplitCursor, splitAccounts, splitsBetween, splitTermsOf } from './split-account-store.ts'

const database = await createTestDatabase()
const db = await database.open()
afterAll(async () => {
  await db.close()
  await database.drop()
})

/** Enough for PostgreSQL to avoid full table scans. */
const count = 20_000
const network = 'solana'

async function fill(tx: Tx): Promise<void> {
  await tx.run(sql`insert into merchants (id, name, webhook_secret, created_at_ms) values ('m', 'm', 's', 1)`)
  await tx.run(sql`
      insert into payments (id, merchant_id, mode, is_test, network, currency, token_address, token_decimals, due, least,
                            status, created_at_ms, expires_at_ms, window_ends_at_ms, splitter, terms_hash, split_terms, sequence)
      select cast(n as text), 'm', 'contract', 0, ${network}, 'USDC', 'mint', 6, '1', '1', 'expired', n, n, n, 'splitter',
             cast(n as text), 'terms', 1
        from generate_series(1, ${count}) as n`)
  await tx.run(sql`
      insert into split_accounts (network, address, since_ms, window_ends_at_ms, read_to)
      select ${network}, cast(n as text), n, n, null from generate_series(1, ${count}) as n`)
  await tx.run(sql`
      insert into split_cursors (network, payment_number) select 'network ' || n, n from generate_series(1, ${count}) as n`)
  for (const statement of [sql`analyze payments`, sql`analyze split_accounts`, sql`analyze split_cursors`])
    await tx.run(statement)
}

test('the watcher of wallet payments resumes by index scans only, for any number of payments', async () => {
  await db.write(fill)
  const planOf = (ask: (tx: Tx) => Promise<unknown>) => db.read((tx) => plansOf(tx, ask))
  expect(await planOf((tx) => loadSplitCursor(tx, network))).toMatch(/^Index Scan using split_cursors_pkey/)
  expect(await planOf(newestNumber)).toMatch(/Index Only Scan Backward using payments_pkey/)
  for (const after of [0, count / 2, count - 500]) {
    const range = { after, upTo: after + 500, endedAfterMs: 0 }
    const plan = await planOf((tx) => splitsBetween(tx, network, range))
    expect([after, plan]).toEqual([after, expect.stringMatching(/^Index Scan using payments_pkey/)])
    expect(plan).toMatch(/Index Cond: \(\(number > .*\) AND \(number <= /)
  }
  const terms = await planOf((tx) => splitTermsOf(tx, ['7', '8'] as PaymentId[]))
  expect(terms).toMatch(/Index Scan using payments_id_key/)
  const page = await planOf((tx) => splitAccounts(tx, network, 0, { after: '5', limit: 500 }))
  expect(page).toMatch(/Index Scan using split_accounts_pkey/)
  expect(page).toMatch(/Index Cond: .*address > /)
  expect(page).not.toMatch(/Sort/)
})
