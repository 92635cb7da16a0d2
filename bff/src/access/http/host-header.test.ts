import { type AppFixture, openApp, order } from '@stablecoin-checkout/rig/test-app'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sql } from '../../db/db.ts'

let bff: AppFixture
beforeEach(async () => {
  bff = await openApp()
})
afterEach(() => bff.close())

const forged = { Host: 'evil.example' }
const own = { Host: 'pay.example' }

test('the host that a stranger’s request names is in no response to others, and in no stored row', async () => {
  const made = await bff.create(order, { ...bff.keys.public, ...forged })
  const { id } = made.body.payment
  const paths = [
    ...['networks', 'networks/stablecoins', 'networks/payable', 'networks/payable/stablecoins'],
    ...[`payments/public/${id}`, `payments/${id}`, 'currency/rates', 'payments/cross-chain/sources'],
  ]
  let named = 0
  for (const path of paths) {
    const ask = async (headers: Record<string, string>) =>
      JSON.stringify((await bff.read(`/api/v1/${path}`, { ...bff.keys.public, ...headers })).body)
    if ((await ask(forged)).includes('evil.example')) named += 1
    expect([path, await ask(own)]).toEqual([path, expect.not.stringContaining('evil.example')])
  }
  expect(named).toBeGreaterThan(0)
  const rows = await bff.deps.db.read(async (tx) => [
    await tx.all(sql`select * from payments`),
    await tx.all(sql`select * from events`),
  ])
  expect(rows.flat().length).toBeGreaterThan(1)
  expect(JSON.stringify(rows)).not.toContain('evil.example')
})
