import { newContractPayment, newPayment, transferOf, windowEndsAtMs } from '@stablecoin-checkout/rig/new-payment'
import { createTestDatabase, type TestDatabase } from '@stablecoin-checkout/rig/test-database'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { baseUnits } from '../core/money.ts'
import { type Db, sql } from '../db/db.ts'
import { createLedger, type Ledger } from './ledger.ts'
import type { PaymentId } from './payment.ts'
import { loadSums, quarterMs } from './store/sums-store.ts'

const { merchantId, merchantName } = newPayment()
let database: TestDatabase
let db: Db
let ledger: Ledger
beforeEach(async () => {
  database = await createTestDatabase()
  db = await database.open()
  ledger = createLedger(db, ({ status }) => ({ status }))
  await db.write((tx) =>
    tx.run(sql`
        insert into merchants (id, name, webhook_secret, created_at_ms) values (${merchantId}, ${merchantName}, 's', 0)`),
  )
})
afterEach(async () => {
  await db.close()
  await database.drop()
})

let count = 0
async function create(changes: Parameters<typeof newPayment>[0] = {}): Promise<PaymentId> {
  count += 1
  const id = `7f0f1f4e-6a43-4a2e-9d2b-${String(count).padStart(12, '0')}` as PaymentId
  const depositAddress = `0x${String(count).padStart(40, '0')}`
  await db.write((tx) => ledger.createIn(tx, newPayment({ sequence: 0, id, depositAddress, ...changes })))
  return id
}

const sums = (isTest = false) =>
  db.read((tx) => loadSums(tx, { merchantId, isTest }, { fromQuarter: 0, untilQuarter: 1_000 }))

let transfers = 0
function pay(id: PaymentId, amount: string) {
  transfers += 1
  const transfer = { ...transferOf(amount), txId: `0x${transfers}` }
  return { transfer, done: ledger.apply(id, { type: 'transfer.confirmed', transfer, atMs: 7 }) }
}

test('what was created, paid, received and refunded is added up by quarter, network, token and mode', async () => {
  const at = { createdAtMs: 0 }
  const [paid, over] = [await create(at), await create(at)]
  await create({ createdAtMs: 2 * quarterMs - 1 })
  await create({ ...at, isTest: true })
  await create({ ...at, currency: 'USDT' })
  await pay(paid, '25000000').done
  await pay(over, '26000000').done
  await ledger.apply(over, { type: 'sweep.confirmed', txId: '0x5', atMs: 8 })
  await ledger.apply(over, { type: 'refund.requested', address: '0xaa', atMs: 9 })
  await ledger.apply(over, { type: 'refund.confirmed', amount: baseUnits('1000000'), txId: '0x6', atMs: 9 })
  const row = { network: 'devnet', tokenDecimals: 6 }
  const none = { paid: 0, received: 0n, refunded: 0n, refundedByMerchant: 0n }
  expect(await sums()).toEqual([
    {
      ...row,
      quarter: 0,
      currency: 'USDC',
      created: 2,
      paid: 2,
      received: 51_000_000n,
      refunded: 1_000_000n,
      refundedByMerchant: 0n,
    },
    { ...row, quarter: 0, currency: 'USDT', created: 1, ...none },
    { ...row, quarter: 1, currency: 'USDC', created: 1, ...none },
  ])
  expect(await sums(true)).toEqual([{ ...row, quarter: 0, currency: 'USDC', created: 1, ...none }])
})

test('late money that the merchant accepts makes the payment a paid one, without a transfer', async () => {
  const id = await create({ createdAtMs: 0 })
  await ledger.apply(id, { type: 'window.ended', blockTimeMs: windowEndsAtMs + 1, atMs: 8 })
  transfers += 1
  const transfer = transferOf('25000000', { txId: `0x${transfers}`, blockTimeMs: windowEndsAtMs + 2 })
  await ledger.apply(id, { type: 'transfer.confirmed', transfer, atMs: 9 })
  expect(await sums()).toMatchObject([{ created: 1, paid: 0, received: 25_000_000n }])
  await ledger.apply(id, { type: 'late.accepted', atMs: 10 })
  expect(await sums()).toMatchObject([{ created: 1, paid: 1, received: 25_000_000n, refunded: 0n }])
})

test('refunds in parts are added up, and a refund that a reorg took back is taken off', async () => {
  const id = await create({ createdAtMs: 0 })
  await pay(id, '26000000').done
  await ledger.apply(id, { type: 'refund.requested', address: '0xaa', atMs: 9 })
  const refund = (amount: string, txId: string) =>
    ledger.apply(id, { type: 'refund.confirmed', amount: baseUnits(amount), txId, atMs: 9 })
  await refund('300000', '0x6')
  expect(await sums()).toMatchObject([{ refunded: 300_000n }])
  await refund('600000', '0x7')
  expect(await sums()).toMatchObject([{ received: 26_000_000n, refunded: 900_000n }])
  await ledger.apply(id, { type: 'refund.undone', amount: baseUnits('600000'), txIds: ['0x7'], atMs: 10 })
  expect(await sums()).toMatchObject([{ refunded: 300_000n }])
})

test('a wallet payment is counted like a deposit', async () => {
  const payment = newContractPayment({ sequence: 0, createdAtMs: 0 })
  await db.write((tx) => ledger.createIn(tx, payment))
  await pay(payment.id, '25000000').done
  expect(await sums()).toMatchObject([{ created: 1, paid: 1, received: 25_000_000n, refunded: 0n }])
})

test('a quarter of an hour is 900 seconds, from its first to its last millisecond', async () => {
  await create({ createdAtMs: 900_000 })
  await create({ createdAtMs: 1_799_999 })
  await create({ createdAtMs: 1_800_000 })
  expect(await sums()).toMatchObject([
    { quarter: 1, created: 2 },
    { quarter: 2, created: 1 },
  ])
})

test('what a reorg takes back is taken back from the sums', async () => {
  const id = await create({ createdAtMs: 0 })
  const { transfer, done } = pay(id, '25000000')
  await done
  await ledger.apply(id, { type: 'transfer.reverted', transfer, atMs: 8 })
  expect(await sums()).toMatchObject([{ created: 1, paid: 0, received: 0n }])
})

test('amounts beyond every integer of a database are added to the unit', async () => {
  const large = { due: baseUnits(`9${'0'.repeat(26)}`), least: baseUnits(`9${'0'.repeat(26)}`), tokenDecimals: 18 }
  const ids = [await create({ createdAtMs: 0, ...large }), await create({ createdAtMs: 1, ...large })]
  for (const id of ids) await pay(id, '999999999999999999999999999').done
  const small = await create({ createdAtMs: 2 })
  await pay(small, '7').done
  expect(await sums()).toMatchObject([
    { tokenDecimals: 6, created: 1, paid: 0, received: 7n },
    { tokenDecimals: 18, created: 2, paid: 2, received: 1_999_999_999_999_999_999_999_999_998n },
  ])
})
