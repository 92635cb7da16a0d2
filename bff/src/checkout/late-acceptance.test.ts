import { newPayment, transferOf, windowEndsAtMs } from '@stablecoin-checkout/rig/new-payment'
import { createTestDatabase, type TestDatabase } from '@stablecoin-checkout/rig/test-database'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { baseUnits } from '../core/money.ts'
import { systemRuntime } from '../core/runtime.ts'
import { type Db, sql } from '../db/db.ts'
import type { PaymentEvent } from '../payment/event.ts'
import { createLedger, type Ledger } from '../payment/ledger.ts'
import type { MerchantId, PaymentId } from '../payment/payment.ts'
import { createLateAcceptance } from './accept-late.ts'
import type { CallerAccount } from './access.ts'

const lateMs = windowEndsAtMs + 1
const { id, merchantId } = newPayment()
const owner: CallerAccount = { merchantId, isTest: false, kind: 'api' }
const lines: unknown[] = []
const log = {
  ...{ debug() {}, warn() {}, error() {} },
  info: (fields: object, message: string) => void lines.push([fields, message]),
}

let database: TestDatabase
let db: Db
let ledger: Ledger
let accept: (by?: CallerAccount, of?: PaymentId) => ReturnType<ReturnType<typeof createLateAcceptance>>
beforeEach(async () => {
  lines.length = 0
  database = await createTestDatabase()
  db = await database.open()
  ledger = createLedger(db, () => ({}))
  const acceptLate = createLateAcceptance({ db, ledger, runtime: systemRuntime, log })
  accept = (by = owner, of = id) => acceptLate(by, of)
  await db.write(async (tx) => {
    await tx.run(sql`
        insert into merchants (id, name, webhook_secret, created_at_ms) values (${merchantId}, 'm', 's', 0)`)
    await ledger.createIn(tx, newPayment({ sequence: 0 }))
  })
})
afterEach(async () => {
  await db.close()
  await database.drop()
})

const apply = (event: Partial<PaymentEvent> & { type: PaymentEvent['type'] }) =>
  ledger.apply(id, { atMs: 0, ...event } as PaymentEvent)
const expire = () => apply({ type: 'window.ended', blockTimeMs: lateMs })
const pay = async (amount: number, blockTimeMs = lateMs) => {
  const transfer = transferOf(String(amount), { blockTimeMs })
  await apply({ type: 'transfer.confirmed', transfer })
  return transfer
}
const refusal = (code: string, message: string) => ({ code, message, status: 409, error: 'Late payment not accepted' })

test('the whole late amount is taken once, and put on record once', async () => {
  await expire()
  await pay(25_000_000)
  const first = await accept()
  expect(first).toMatchObject({ payment: { status: 'sweeping', lateTaken: true }, isNew: true })
  expect(await accept()).toEqual({ ...first, isNew: false })
  expect(lines).toEqual([[{ paymentId: id, merchantId }, 'The merchant accepted late money']])
})

test('each refusal has its code and says why', async () => {
  await expect(accept()).rejects.toMatchObject(
    refusal('PAYMENT_OPEN', 'The payment is still open; money that arrives counts automatically.'),
  )
  await expire()
  await pay(10_000_000)
  await expect(accept()).rejects.toMatchObject(
    refusal('LATE_AMOUNT_SHORT', 'Only 10.00 of at least 25.00 has arrived and is confirmed.'),
  )
  await apply({ type: 'refund.requested', address: '0xpayer' })
  await apply({ type: 'refund.sent', amount: baseUnits('10000000') })
  await pay(15_000_000)
  await expect(accept()).rejects.toMatchObject(
    refusal('REFUND_UNDER_WAY', 'A refund of this payment is in progress. Try again when it is final.'),
  )
  expect(lines).toEqual([])
})

test('a payment that was paid in time has nothing to be taken', async () => {
  await pay(25_000_000, 10_000)
  await expect(accept()).rejects.toMatchObject(refusal('ALREADY_PAID', 'The payment is already paid.'))
})

test('what was taken and went away with a reorg is refused as short', async () => {
  await expire()
  const transfer = await pay(25_000_000)
  await accept()
  await apply({ type: 'transfer.reverted', transfer })
  await expect(accept()).rejects.toMatchObject({ code: 'LATE_AMOUNT_SHORT' })
})

test('only its own merchant finds it, with a key of its own mode', async () => {
  await expire()
  await pay(25_000_000)
  const strangers: CallerAccount[] = [
    { ...owner, merchantId: 'other' as MerchantId },
    { ...owner, isTest: true },
  ]
  for (const stranger of strangers) await expect(accept(stranger)).rejects.toMatchObject({ status: 404 })
  await expect(accept(owner, 'nobody' as PaymentId)).rejects.toMatchObject({ status: 404 })
})
