import { type AppFixture, openApp, order, transferTo } from '@stablecoin-checkout/rig/test-app'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { sql } from '../../db/db.ts'
import type { PaymentId } from '../../payment/payment.ts'
import { createPaymentReader } from './payment-reader.ts'

let fixture: AppFixture
beforeEach(async () => {
  fixture = await openApp()
})
afterEach(() => fixture.close())

async function create(): Promise<PaymentId> {
  const headers = { 'Content-Type': 'application/json', ...fixture.keys.secret }
  const response = await fixture.app.request('/api/v1/deposits/create', {
    method: 'POST',
    headers,
    body: JSON.stringify(order),
  })
  return ((await response.json()) as { payment: { id: PaymentId } }).payment.id
}
const unknown = '7f0f1f4e-6a43-4a2e-9d2b-0a9f6d9d0a11' as PaymentId

test('payments that are asked for in one turn are read by one query', async () => {
  const { db } = fixture.deps
  const ids = [await create(), await create()]
  const reads = vi.spyOn(db, 'read')
  const { byId } = createPaymentReader(db)
  const found = await Promise.allSettled([...ids, unknown].map((id) => byId(id)))
  expect(found.map((one) => one.status === 'fulfilled' && one.value.id)).toEqual([...ids, false])
  expect(reads).toHaveBeenCalledTimes(1)
})

test('a payment whose row is corrupt fails its own read only', async () => {
  const { db } = fixture.deps
  const [good, corrupt] = [await create(), await create()]
  await db.write((tx) => tx.run(sql`update payments set metadata = 'no JSON' where id = ${corrupt}`))
  const { byId } = createPaymentReader(db)
  const found = await Promise.allSettled([good, corrupt].map((id) => byId(id)))
  expect(found.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
})

test('unmatched money is read with each payment that has some, one query after the other', async () => {
  const { db } = fixture.deps
  const ids = [await create(), await create(), await create(), await create()]
  await db.write(async (tx) => {
    for (const id of ids) {
      await tx.run(sql`
          insert into unmatched_transfers (payment_id, network, token, currency, decimals, held, refunded, block,
                                           notifications, refund)
          values (${id}, 'devnet', '0x2', 'USDT', 6, '5', '0', 1, 0, 'none')`)
      await tx.run(sql`update payments set unmatched_count = 1 where id = ${id}`)
    }
  })
  const emitted = vi.spyOn(process, 'emitWarning')
  const { byId } = createPaymentReader(db)
  const found = await Promise.all(ids.map((id) => byId(id)))
  expect(found.map((payment) => payment.mode === 'deposit' && payment.unmatched.length)).toEqual([1, 1, 1, 1])
  // The driver of PostgreSQL warns of queries that wait for one another.
  expect(emitted).not.toHaveBeenCalled()
})

test('of a transaction that paid two payments, each is said to be paid by the wallet that paid it', async () => {
  const { db, ledger } = fixture.deps
  const ids = [await create(), await create()]
  const { byId, payerOf } = createPaymentReader(db)
  for (const [logIndex, id] of ids.entries()) {
    const transfer = { ...transferTo(id, 1n), txId: '0x7', logIndex, payer: `payer ${logIndex}` }
    await ledger.apply(id, { type: 'transfer.seen', transfer, atMs: fixture.nowMs() })
  }
  expect(await Promise.all(ids.map(async (id) => payerOf(await byId(id))))).toEqual(['payer 0', 'payer 1'])
})
