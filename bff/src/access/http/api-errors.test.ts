import { type AppFixture, openApp, order } from '@stablecoin-checkout/rig/test-app'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sql } from '../../db/db.ts'

let bff: AppFixture
beforeEach(async () => {
  bff = await openApp()
})
afterEach(() => bff.close())

test('refused calls with a public key, which anybody may hold, push out at most half of those of the shop’s server', async () => {
  for (let count = 0; count < 60; count++) await bff.call('/api/v1/payments/none', { headers: bff.keys.secret })
  for (let flood = 0; flood < 2; flood++) {
    for (let count = 0; count < 60; count++) await bff.create({ ...order, amount: '-1' })
    const { body } = await bff.call('/api/v1/reports/errors', { headers: bff.keys.secret })
    const fields = (body['errors'] as unknown as { field: string | null }[]).map(({ field }) => field)
    expect([fields.length, fields.lastIndexOf('amount')]).toEqual([100, 49])
  }
  expect(await bff.deps.db.read((tx) => tx.all(sql`select number from api_errors`))).toHaveLength(110)
})
