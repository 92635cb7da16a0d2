import { createTestDatabase } from '@stablecoin-checkout/rig/test-database'
import { expect, test } from 'vitest'
import { sql } from '../../db/db.ts'
import type { MerchantId } from '../../payment/payment.ts'
import { errorsPerMerchantMax, loadApiErrors, type NewApiError, saveApiErrors } from './api-error-store.ts'

test('however many refusals a merchant collects, they push out only its own oldest ones', async () => {
  const database = await createTestDatabase()
  const db = await database.open()
  const [busy, calm] = ['busy', 'calm'] as unknown as [MerchantId, MerchantId]
  const refusal = (atMs: number): NewApiError => ({
    atMs,
    requestId: `req_${atMs}`,
    method: 'POST',
    route: '/deposits/create',
    status: 400,
    code: 'VALIDATION_FAILED',
    field: 'amount',
    isPublic: false,
  })
  const save = (merchant: MerchantId, from: number, count: number) =>
    db.write((tx) =>
      saveApiErrors(
        tx,
        merchant,
        Array.from({ length: count }, (_, index) => refusal(from + index)),
      ),
    )
  const kept = async (merchant: MerchantId) =>
    (await db.read((tx) => loadApiErrors(tx, merchant))).map(({ requestId }) => requestId)
  await db.write(async (tx) => {
    for (const id of [busy, calm])
      await tx.run(sql`insert into merchants (id, name, webhook_secret, created_at_ms) values (${id}, 'm', 's', 0)`)
  })
  await save(calm, 1, 2)
  await save(busy, 10, errorsPerMerchantMax)
  await save(busy, 500, 3)
  await save(calm, 900, 1)
  expect(await kept(calm)).toEqual(['req_900', 'req_2', 'req_1'])
  const all = await kept(busy)
  expect(all).toHaveLength(errorsPerMerchantMax)
  expect([all[0], all.at(-1)]).toEqual(['req_502', 'req_13'])
  const stored = await db.read((tx) => tx.get(sql`select count(*) as count from api_errors`))
  expect(stored).toEqual({ count: errorsPerMerchantMax + 3 })
  await db.close()
  await database.drop()
})
