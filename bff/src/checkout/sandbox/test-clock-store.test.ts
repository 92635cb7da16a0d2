import { openMerchantDatabase } from '@stablecoin-checkout/rig/merchant-database'
import { newPayment, transferOf } from '@stablecoin-checkout/rig/new-payment'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { PaymentId } from '../../payment/payment.ts'
import { dueTests, lateEndedTests, loadAheadMs, saveAheadMs } from './test-clock-store.ts'

const windowEndsAtMs = 900_000
const acceptedUntilMs = 2_000_000
const abandonedMs = 50_000

let merchants: Awaited<ReturnType<typeof openMerchantDatabase>>
beforeEach(async () => {
  merchants = await openMerchantDatabase()
  await create('live', { isTest: false })
  await create('test', {})
  await create('ahead', {})
  await merchants.db.write((tx) => saveAheadMs(tx, 'ahead' as PaymentId, 1_000))
})
afterEach(() => merchants.remove())

const create = (name: string, changes: object) =>
  merchants.db.write((tx) =>
    merchants.ledger.createIn(
      tx,
      newPayment({
        ...{ id: name as PaymentId, depositAddress: name, isTest: true, windowEndsAtMs, acceptedUntilMs },
        ...changes,
      }),
    ),
  )
const due = async (nowMs: number) => (await merchants.db.read((tx) => dueTests(tx, nowMs, abandonedMs, 10))).toSorted()
const late = async (nowMs: number) => (await merchants.db.read((tx) => lateEndedTests(tx, nowMs, 10))).toSorted()

test('a window ends after its last moment on the clock of the test payment, and never that of a live one', async () => {
  expect(await due(windowEndsAtMs - 1_000)).toEqual([])
  expect(await due(windowEndsAtMs - 999)).toEqual(['ahead'])
  expect(await due(windowEndsAtMs)).toEqual(['ahead'])
  expect(await due(windowEndsAtMs + 1)).toEqual(['ahead', 'test'])
  expect(await merchants.db.read((tx) => loadAheadMs(tx, 'test' as PaymentId))).toBe(0)
})

test('money is late no longer after the last moment in which it is taken, on the same clock', async () => {
  expect(await late(acceptedUntilMs - 1_000)).toEqual([])
  expect(await late(acceptedUntilMs - 999)).toEqual(['ahead'])
  expect(await late(acceptedUntilMs)).toEqual(['ahead'])
  expect(await late(acceptedUntilMs + 1)).toEqual(['ahead', 'test'])
})

test('a payment whose transfers were seen in time and stay unconfirmed is polled again only after a while', async () => {
  const id = 'test' as PaymentId
  const transfer = { ...transferOf('25000000', {}), blockTimeMs: windowEndsAtMs }
  await merchants.ledger.apply(id, { type: 'transfer.seen', transfer, atMs: 0 })
  const ended = { type: 'window.ended', blockTimeMs: windowEndsAtMs + 1, atMs: 0 } as const
  expect(await merchants.ledger.apply(id, ended)).toMatchObject({ status: 'pending' })
  expect(await due(windowEndsAtMs + abandonedMs)).toEqual(['ahead'])
  expect(await due(windowEndsAtMs + abandonedMs + 1)).toEqual(['ahead', 'test'])
})
