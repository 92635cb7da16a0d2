import { plansOf } from '@stablecoin-checkout/rig/postgres-plans'
import { createTestDatabase } from '@stablecoin-checkout/rig/test-database'
import { expect, test } from 'vitest'
import type { LinkId } from '../checkout/link/link.ts'
import { sql } from '../db/db.ts'
import { statuses } from '../payment/payment.ts'
import { loadInvoicePayments } from './invoice-store.ts'

test('the newest payments of a link are read along its index, however many strangers opened, and no others', async () => {
  const database = await createTestDatabase()
  const db = await database.open()
  const plan = await db.write(async (tx) => {
    // Of a table without rows, PostgreSQL reads and sorts all unless that is forbidden.
    await tx.run(sql`set local enable_seqscan = off`)
    await tx.run(sql`set local enable_bitmapscan = off`)
    await tx.run(sql`set local enable_sort = off`)
    return await plansOf(tx, (asked) => loadInvoicePayments(asked, 'pl_1' as LinkId))
  })
  await db.close()
  await database.drop()
  // By this condition, no other index has the order: PostgreSQL may look along that of all numbers for few payments of a flooded link.
  const newest =
    /Index Scan Backward using payments_by_link on payments.*\n *Index Cond: \(\(ROW\(status, link_id, number\) > /g
  expect(plan.match(newest)).toHaveLength(statuses.length)
  expect(plan).toContain('Index Scan using payments_by_link_with_money on payments')
  expect(plan.match(/Scan .*on payments/g)).toHaveLength(statuses.length + 1)
})
