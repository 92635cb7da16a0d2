import { confirmations, type ModelStage, openModelStage } from '@stablecoin-checkout/rig/model-payouts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sql } from '../../../db/db.ts'
import type { PaymentId } from '../../../payment/payment.ts'

const never = new AbortController().signal
/** Postponed after a fault. */
const faultDelayMs = 30_000

let stage: ModelStage
beforeEach(async () => {
  stage = await openModelStage()
})
afterEach(() => stage.close())

/** Makes the payment's row unreadable, or readable again. */
const setMetadata = (id: PaymentId, metadata: string | null) =>
  stage.db.write((tx) => tx.run(sql`update payments set metadata = ${metadata} where id = ${id}`))

const sweptEvents = (id: PaymentId) =>
  stage.db.read((tx) => tx.all(sql`select type from events where payment_id = ${id} and type = 'deposit.swept'`))

test('a payment that cannot be changed does not block the others of its sweep, and each is swept once', async () => {
  const [broken, other] = [await stage.pay(), await stage.pay()]
  const sweeper = stage.sweeper()
  await sweeper.pass(never)
  expect(await stage.outgoing()).toHaveLength(1)
  await setMetadata(broken, '{')
  await stage.chain.mine(confirmations)
  for (let passes = 0; passes < 2; passes++) await expect(sweeper.pass(never)).rejects.toThrow('JSON')
  expect(await stage.statuses([other])).toEqual(['swept'])
  await setMetadata(broken, null)
  await sweeper.pass(never)
  expect(await stage.statuses([broken, other])).toEqual(['swept', 'swept'])
  expect(await stage.outgoing()).toMatchObject([{ state: 'confirmed' }])
  expect([await sweptEvents(broken), await sweptEvents(other)].map(({ length }) => length)).toEqual([1, 1])
})

test('a payout whose stored amount cannot be read does not block the others of its transaction', async () => {
  const ids = [await stage.pay(), await stage.pay()]
  const sweeper = stage.sweeper()
  await sweeper.pass(never)
  const address = `0x${'bb'.repeat(20)}`
  await stage.db.write((tx) =>
    tx.run(sql`update outgoing_payouts set address = ${address}, amount = 'x' where payment_id = ${ids[0] ?? ''}`),
  )
  await stage.chain.mine(confirmations)
  await sweeper.pass(never)
  expect(await stage.statuses(ids)).toEqual(['swept', 'swept'])
})

test('a refused sweep whose payment cannot be changed blocks no other', async () => {
  const broken = await stage.pay({ stored: { amount: 1n } })
  await setMetadata(broken, '{')
  const other = await stage.pay()
  await stage.sweeper().pass(never)
  expect(await stage.sweepOf(other)).toMatchObject({ state: 'sent' })
  const dueAtMs = stage.clock.nowMs + faultDelayMs
  expect(await stage.sweepOf(broken)).toMatchObject({ state: 'queued', failures: 0, due_at_ms: dueAtMs })
})

test('a deferred sweep whose payment cannot be changed blocks neither the deferral nor the sweep of others', async () => {
  stage.network.sweepGas = { maxBps: 1, coinPrice: '2000', maxWaitHours: 24 }
  const [broken, other] = [await stage.pay(), await stage.pay()]
  const sweeper = stage.sweeper()
  await setMetadata(broken, '{')
  await sweeper.pass(never)
  expect(await stage.sweepOf(other)).toMatchObject({ state: 'queued', waiting_since_ms: stage.clock.nowMs })
  expect(await stage.sweepOf(broken)).toMatchObject({ state: 'queued', waiting_since_ms: null })

  await setMetadata(broken, null)
  stage.clock.nowMs += faultDelayMs
  await sweeper.pass(never)
  expect(await stage.sweepOf(broken)).toMatchObject({ state: 'queued', waiting_since_ms: stage.clock.nowMs })
  await setMetadata(broken, '{')
  stage.network.sweepGas = { maxBps: 10_000, coinPrice: '2000', maxWaitHours: 24 }
  stage.clock.nowMs += 60_000
  await sweeper.pass(never)
  expect(await stage.sweepOf(other)).toMatchObject({ state: 'sent' })
  expect(await stage.sweepOf(broken)).toMatchObject({ state: 'queued' })
})
