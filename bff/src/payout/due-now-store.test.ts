import { duePayout, openPayoutStage, type PayoutStage } from '@stablecoin-checkout/rig/payout-stage'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '../db/db.ts'
import type { PaymentId } from '../payment/payment.ts'
import { makeDueNow, type WaitingKind } from './due-now-store.ts'
import { countParkedShares, dueShares, saveParkedShare } from './parked-share-store.ts'
import { deferPayout, duePayouts, failQueuedPayout, markPayoutSent, type PayoutKind } from './payout-queue-store.ts'

const hourMs = 3_600_000

let stage: PayoutStage
beforeEach(async () => {
  stage = await openPayoutStage()
})
afterEach(() => stage.close())

const make = (kind: WaitingKind, network = 'devnet') =>
  stage.db.write((tx) => makeDueNow(tx, network, kind, stage.clock.nowMs))
const due = async (kind: PayoutKind) => {
  const scope = { network: 'devnet', kind, nowMs: stage.clock.nowMs, head: 100, limit: 10 }
  return (await stage.db.read((tx) => duePayouts(tx, scope))).map(({ paymentId }) => paymentId)
}
const payoutOf = async (kind: PayoutKind, id: PaymentId) => ({
  ...duePayout(kind, id),
  ...(kind !== 'return' && { token: (await stage.load(id)).tokenAddress }),
})
const fail = async (kind: PayoutKind, id: PaymentId) => {
  const payout = await payoutOf(kind, id)
  expect(await stage.db.write((tx) => failQueuedPayout(tx, payout, stage.clock.nowMs + hourMs))).toBe(true)
}
const row = (id: PaymentId) =>
  stage.db.read((tx) =>
    tx.get<{ state: string; due: number; waiting: number | null; failures: number }>(sql`
        select state, due_at_ms as due, waiting_since_ms as waiting, failures from payouts where payment_id = ${id}`),
  )

describe('payouts that failed', () => {
  test('are due at once, each kind of the network, with their failures; a repeat changes nothing', async () => {
    const [sweep, refund, back] = [await stage.paid(), await stage.short(), await stage.unmatched()]
    await fail('sweep', sweep)
    await fail('refund', refund)
    await fail('return', back)
    expect([await due('sweep'), await due('refund'), await due('return')]).toEqual([[], [], []])
    expect(await make('failed', 'elsewhere')).toBe(0)
    expect(await make('failed')).toBe(3)
    expect([await due('sweep'), await due('refund'), await due('return')]).toEqual([[sweep], [refund], [back]])
    const first = await row(sweep)
    expect(first).toMatchObject({ due: stage.clock.nowMs, failures: 1 })
    stage.clock.nowMs += 1_000
    expect(await make('failed')).toBe(3)
    expect(await row(sweep)).toEqual(first)
  })

  test('are neither those that wait for the first time nor those that were sent', async () => {
    const [waiting, sent] = [await stage.paid(), await stage.paid()]
    await fail('sweep', sent)
    const payout = await payoutOf('sweep', sent)
    await stage.db.write((tx) => markPayoutSent(tx, payout, 'transaction'))
    await stage.db.write((tx) =>
      tx.run(sql`update payouts set due_at_ms = ${stage.clock.nowMs + hourMs} where payment_id = ${waiting}`),
    )
    expect(await make('failed')).toBe(0)
    expect(await due('sweep')).toEqual([])
    expect(await row(sent)).toMatchObject({ state: 'sent', due: stage.clock.nowMs + hourMs })
  })
})

test('sweeps that wait for cheaper gas are due as if they had waited for as long as they may; others are not', async () => {
  const [deferred, failed] = [await stage.paid(), await stage.paid()]
  const { nowMs } = stage.clock
  const payout = await payoutOf('sweep', deferred)
  await stage.db.write((tx) => deferPayout(tx, payout, { nowMs, dueAtMs: nowMs + hourMs }))
  await fail('sweep', failed)
  expect(await make('deferred', 'elsewhere')).toBe(0)
  expect(await make('deferred')).toBe(1)
  expect(await row(deferred)).toMatchObject({ due: nowMs, waiting: 0 })
  expect(await row(failed)).toMatchObject({ due: nowMs + hourMs, waiting: null })
  stage.clock.nowMs += 1_000
  expect(await make('deferred'), 'a repeat').toBe(1)
  expect(await row(deferred)).toMatchObject({ due: nowMs, waiting: 0 })
})

test('shares of the platform are due at once, on one network', async () => {
  const { nowMs } = stage.clock
  const share = { place: '0xplace', token: '0xtoken', recipient: '0xplatform', paymentId: null, amount: 5n }
  for (const network of ['devnet', 'elsewhere']) {
    await stage.db.write((tx) => saveParkedShare(tx, { ...share, network }, nowMs, nowMs + hourMs))
  }
  const dueOn = async (network: string) =>
    (await stage.db.read((tx) => dueShares(tx, network, stage.clock.nowMs, 10))).map(({ parse }) => parse())
  expect(await dueOn('devnet')).toEqual([])
  expect(await make('parked')).toBe(1)
  expect([await dueOn('devnet'), await dueOn('elsewhere')]).toMatchObject([[share], []])
  expect(await stage.db.read(countParkedShares)).toHaveLength(2)
})
