import { plansOf } from '@stablecoin-checkout/rig/postgres-plans'
import { createTestDatabase } from '@stablecoin-checkout/rig/test-database'
import { afterAll, expect, test } from 'vitest'
import { sql, type Tx } from '../../db/db.ts'
import { type MerchantId, statuses, statusesOf } from '../../payment/payment.ts'
import {
  countOfStatuses,
  countUpTo,
  findByTime,
  findNamed,
  findNamedByTime,
  kinds,
  placeAfter,
  type SearchFilter,
} from './payment-search-store.ts'

const database = await createTestDatabase()
const db = await database.open()
afterAll(async () => {
  await db.close()
  await database.drop()
})

/** A table without rows is read whole unless that is forbidden. */
const plansOfStore = (ask: (tx: Tx) => Promise<unknown>) =>
  db.write(async (tx) => {
    await tx.run(sql`set local enable_seqscan = off`)
    await tx.run(sql`set local enable_bitmapscan = off`)
    return await plansOf(tx, ask)
  })

test.each(kinds)('the payments that are "%s" are read along an index of their own, without sorting', async (kind) => {
  const filter: SearchFilter = {
    merchantId: 'm' as MerchantId,
    isTest: false,
    network: null,
    currency: null,
    attention: null,
    kind,
    amounts: null,
  }
  const range = { after: { createdAtMs: 2, number: 2 }, until: { createdAtMs: 1, number: 1 } }
  const index = new RegExp(`Index (Only )?Scan Backward using payments_${kind} `)
  for (const read of [findByTime, placeAfter]) {
    const plan = await plansOfStore((tx) => read(tx, filter, null, range, 50))
    expect(plan).toMatch(index)
    expect(plan).not.toMatch(/Sort|Seq Scan/)
  }
  const counted = await plansOfStore((tx) => countUpTo(tx, filter, kind, 100))
  expect(counted).toMatch(index)
  expect(counted).toMatch(/Limit/)
  expect(counted).not.toMatch(/Sort|Seq Scan/)
})

test('payments are counted along the index of their list, which has all that is read', async () => {
  const whose = { merchantId: 'm' as MerchantId, isTest: false }
  const all = await plansOfStore((tx) => countUpTo(tx, whose, null, 100))
  expect(all).toMatch(/Limit[\s\S]*Index Only Scan Backward using payments_by_creation/)
  const paid = await plansOfStore((tx) => countOfStatuses(tx, whose, statusesOf('paid'), 100))
  expect(paid).toMatch(/Limit[\s\S]*Index Only Scan Backward using payments_by_status/)
  expect(all + paid).not.toMatch(/Sort|Seq Scan/)
})

test('a page is read backwards along an index from its place on, without sorting', async () => {
  const filter: SearchFilter = {
    merchantId: 'm' as MerchantId,
    isTest: false,
    network: 'base',
    currency: null,
    attention: null,
    kind: null,
    amounts: { min: '1', max: '2' },
  }
  const range = { after: { createdAtMs: 2, number: 2 }, until: { createdAtMs: 1, number: 1 } }
  const byTime = await plansOfStore((tx) => findByTime(tx, filter, null, range, 50))
  expect(byTime).toMatch(/Index Scan Backward using payments_by_creation/)
  const byStatus = await plansOfStore((tx) => findByTime(tx, filter, 'swept', range, 50))
  expect(byStatus).toMatch(/Index Scan Backward using payments_by_status/)
  expect(byTime + byStatus).not.toMatch(/Sort|Seq Scan/)
  const named = await plansOfStore((tx) => findNamed(tx, filter.merchantId, 'text', ['base'], 100))
  expect(named).not.toMatch(/Seq Scan/)
  const conditions = named.replaceAll(/\s+/g, ' ')
  expect(conditions).toMatch(/using payments_by_order on payments \([^)]*\) Index Cond: .{0,60} AND \(order_id >= /)
  expect(conditions).toMatch(
    /using payments_by_email on payments \([^)]*\) Index Cond: .{0,60} AND \(lower\(customer_email\) >= /,
  )
  const often = await plansOfStore((tx) => findNamedByTime(tx, filter, statuses, 'text', range, 50))
  expect(often).toMatch(/Index Scan Backward using payments_by_creation/)
})
