import { openMerchantDatabase } from '@stablecoin-checkout/rig/merchant-database'
import { newPayment, windowEndsAtMs } from '@stablecoin-checkout/rig/new-payment'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { silentLog as log } from '../core/log.ts'
import { systemRuntime as runtime } from '../core/runtime.ts'
import { sql } from '../db/db.ts'
import type { PaymentId } from '../payment/payment.ts'
import { loadPayment } from '../payment/store/payment-store.ts'
import { isFaulty } from './watch-fault-store.ts'
import { endWindows } from './watch-window.ts'

const { signal } = new AbortController()
const network = 'devnet'

let merchants: Awaited<ReturnType<typeof openMerchantDatabase>>
beforeEach(async () => {
  merchants = await openMerchantDatabase()
})
afterEach(() => merchants.remove())

/** Deposits whose windows end one after another. */
async function create(count: number): Promise<PaymentId[]> {
  const payments = Array.from({ length: count }, (_, index) => {
    const id = `deposit ${index}` as PaymentId
    return newPayment({ id, sequence: 0, depositAddress: `0x${index}`, windowEndsAtMs: windowEndsAtMs + index })
  })
  await merchants.db.write(async (tx) => {
    for (const payment of payments) await merchants.ledger.createIn(tx, payment)
  })
  return payments.map(({ id }) => id)
}

const endAt = (windowMs: number, hold: (ids: readonly PaymentId[]) => ReadonlyMap<PaymentId, number>) =>
  endWindows(
    { db: merchants.db, ledger: merchants.ledger, network, runtime, log, hold: async (ids) => hold(ids) },
    { windowMs, lateMs: windowMs },
    signal,
  )

const load = async (id: PaymentId | undefined) => await merchants.db.read((tx) => loadPayment(tx, id as PaymentId))
const statusOf = async (id: PaymentId | undefined) => (await load(id))?.status

test('more windows than one commit ends, all of which stay open, delay none behind them', async () => {
  const ids = await create(502)
  const held = new Map(ids.slice(0, 501).map((id) => [id, 0]))
  await endAt(windowEndsAtMs + 1_000, () => held)
  expect([await statusOf(ids[0]), await statusOf(ids[500]), await statusOf(ids[501])]).toEqual([
    'pending',
    'pending',
    'expired',
  ])
})

test('a window ends at the time up to which its own money was seen, and so does the time to pay late', async () => {
  const [first, second] = await create(2)
  await merchants.db.write((tx) =>
    tx.run(sql`update payments set accepted_until_ms = ${windowEndsAtMs + 500} where id = ${String(first)}`),
  )
  const upTo = (ms: number) => (ids: readonly PaymentId[]) => new Map(ids.map((id) => [id, ms]))
  await endAt(windowEndsAtMs + 1_000, upTo(windowEndsAtMs + 1))
  expect([await load(first), await load(second)]).toMatchObject([
    { status: 'expired', lateEnded: false },
    { status: 'pending' },
  ])
  await endAt(windowEndsAtMs + 1_000, upTo(windowEndsAtMs + 501))
  expect([await load(first), await load(second)]).toMatchObject([
    { status: 'expired', lateEnded: true },
    { status: 'expired' },
  ])
})

test('a window that could not be ended before is not ended while its payment is held', async () => {
  const [id] = await create(1)
  await merchants.db.write((tx) =>
    tx.run(sql`
        insert into watch_faults (network, payment_id, part, place, error, failures, since_ms, tried_at_ms)
        values (${network}, ${String(id)}, 'window', '', 'full', 1, 1, 1)`),
  )
  await endAt(windowEndsAtMs + 1, (ids) => new Map(ids.map((one) => [one, 0])))
  expect(await statusOf(id)).toBe('pending')
  await endAt(windowEndsAtMs + 1, () => new Map())
  expect(await statusOf(id)).toBe('expired')
})

test('a time to pay late that could not be ended before ends by what was seen late, once', async () => {
  const [id] = await create(1)
  await merchants.db.write(async (tx) => {
    await tx.run(sql`
        update payments set accepted_until_ms = ${windowEndsAtMs + 500} where id = ${String(id)}`)
    await tx.run(sql`
        insert into watch_faults (network, payment_id, part, place, error, failures, since_ms, tried_at_ms)
        values (${network}, ${String(id)}, 'window', 'late', 'full', 1, 1, 1)`)
  })
  const deps = { db: merchants.db, ledger: merchants.ledger, network, runtime, log }
  const isWaiting = () => merchants.db.read((tx) => isFaulty(tx, network, String(id)))
  const windowMs = windowEndsAtMs + 1_000
  await endWindows(deps, { windowMs, lateMs: windowEndsAtMs + 1 }, signal)
  expect(await load(id), 'late money may still come').toMatchObject({ status: 'expired', lateEnded: false })
  await endWindows(deps, { windowMs, lateMs: windowEndsAtMs + 501 }, signal)
  expect([await load(id), await isWaiting()]).toMatchObject([{ status: 'expired', lateEnded: true }, false])
})
