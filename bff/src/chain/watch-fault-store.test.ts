import { openMerchantDatabase } from '@stablecoin-checkout/rig/merchant-database'
import { newPayment } from '@stablecoin-checkout/rig/new-payment'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { PaymentId } from '../payment/payment.ts'
import { type FaultPart, faultSince, saveFault, windowFaults } from './watch-fault-store.ts'

let merchants: Awaited<ReturnType<typeof openMerchantDatabase>>
beforeEach(async () => {
  merchants = await openMerchantDatabase()
})
afterEach(() => merchants.remove())

const create = async (name: string): Promise<PaymentId> => {
  const id = name as PaymentId
  await merchants.db.write((tx) => merchants.ledger.createIn(tx, newPayment({ id, depositAddress: name })))
  return id
}

const fail = (id: PaymentId, part: FaultPart, place: string, atMs: number) =>
  merchants.db.write((tx) => saveFault(tx, 'devnet', { id, part, place }, { error: 'broken', atMs }))

test('a window that could not end is tried again only where nothing else of its payment waits, and the oldest try first', async () => {
  const [alone, earlier, account, block] = [
    await create('alone'),
    await create('earlier'),
    await create('account'),
    await create('block'),
  ]
  await fail(alone, 'window', '', 20)
  await fail(earlier, 'window', '', 10)
  for (const id of [account, block]) await fail(id, 'window', '', 1)
  await fail(account, 'account', '', 1)
  await fail(block, 'transfers', '7', 1)
  const found = await merchants.db.read((tx) => windowFaults(tx, 'devnet', {}, 10))
  expect(found.map(({ id }) => id)).toEqual([earlier, alone])
})

test('a part that fails again has failed since the first time, and is counted', async () => {
  const id = await create('payment')
  expect(await fail(id, 'window', '', 10)).toBe(1)
  expect(await fail(id, 'window', '', 20)).toBe(2)
  const since = await merchants.db.read((tx) => faultSince(tx, 'devnet', { id, part: 'window', place: '' }))
  expect(since).toBe(10)
})
