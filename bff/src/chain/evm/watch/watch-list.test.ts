import { newContractPayment, newPayment } from '@stablecoin-checkout/rig/new-payment'
import { createTestDatabase, type TestDatabase } from '@stablecoin-checkout/rig/test-database'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Db, sql } from '../../../db/db.ts'
import { createLedger } from '../../../payment/ledger.ts'
import type { Payment, PaymentId } from '../../../payment/payment.ts'
import { addressTopic } from '../../event-topic.ts'
import { watchAfterWindowMs } from '../../watch-window.ts'
import { createWatchList } from './watch-list.ts'

const nowMs = 1_700_000_000_000
const usdc = newPayment().tokenAddress.toLowerCase()

let database: TestDatabase
let db: Db
beforeEach(async () => {
  database = await createTestDatabase()
  db = await database.open()
  const { merchantId } = newPayment()
  await db.write((tx) =>
    tx.run(sql`insert into merchants (id, name, webhook_secret, created_at_ms) values (${merchantId}, 'm', 's', 0)`),
  )
})
afterEach(async () => {
  await db.close()
  await database.drop()
})

const addressOf = (index: number) => `0xAb${index.toString(16).padStart(38, '0')}`
const hashOf = (index: number) => `0x${(index + 1).toString(16).padStart(64, 'f')}`

/** Stores the payments by another connection, as another replica does. */
async function store(...payments: Payment[]): Promise<void> {
  const other = await database.open()
  const ledger = createLedger(other, () => ({}))
  await other.write(async (tx) => {
    for (const payment of payments) await ledger.createIn(tx, payment)
  })
  await other.close()
}

const deposit = (index: number, changes: Partial<Payment> = {}) =>
  newPayment({
    id: `deposit ${index}` as PaymentId,
    depositAddress: addressOf(index),
    windowEndsAtMs: nowMs,
    ...(changes as object),
  })

const split = (index: number, splitter: string, changes: Partial<Payment> = {}) =>
  newContractPayment({
    id: `split ${index}` as PaymentId,
    termsHash: hashOf(index),
    splitter,
    windowEndsAtMs: nowMs,
    ...(changes as object),
  })

const idsOf = async (list: ReturnType<typeof createWatchList>, topics: string[]) =>
  [...(await list.find(topics)).values()].map(({ id }) => id)

test('a payment stored by another replica after the list was read is found by the block that pays it', async () => {
  const list = createWatchList(db, 'devnet')
  await store(deposit(0))
  await list.refresh(nowMs)
  await store(deposit(1))
  expect(await idsOf(list, [addressTopic(addressOf(1)), addressTopic(addressOf(2))])).toEqual(['deposit 1'])
})

test('a payment is found by its address in any case, with its token and amount', async () => {
  const list = createWatchList(db, 'devnet')
  await store(deposit(1, { confirmations: 12 }), split(1, '0x0a'))
  await list.refresh(nowMs)
  const found = await list.find([addressTopic(addressOf(1)), hashOf(1)])
  expect([...found]).toEqual([
    [addressTopic(addressOf(1)), { id: 'deposit 1', source: usdc, isHighValue: true }],
    [hashOf(1), { id: 'split 1', source: '0x0a', isHighValue: false }],
  ])
})

test('payments of other networks, test payments and those that ended long ago are not watched', async () => {
  const list = createWatchList(db, 'devnet')
  await store(
    deposit(1, { network: 'other' }),
    deposit(2, { isTest: true }),
    deposit(3, { windowEndsAtMs: nowMs - watchAfterWindowMs }),
    split(1, '0x0a', { windowEndsAtMs: nowMs - watchAfterWindowMs }),
  )
  await list.refresh(nowMs)
  expect([list.isEmpty(), list.few(), [...list.splitters()]]).toEqual([true, [], []])
  const topics = [1, 2, 3].map((index) => addressTopic(addressOf(index)))
  expect(await idsOf(list, [...topics, hashOf(1)])).toEqual([])
  // From a time when its window was not that old.
  await list.refresh(nowMs - 1)
  expect([list.isEmpty(), list.few()]).toEqual([false, [topics[2], hashOf(1)]])
  expect(await idsOf(list, [...topics, hashOf(1)])).toEqual(['deposit 3', 'split 1'])
})

test('the node filters by up to 500 topics, and thousands of topics are looked up', async () => {
  const list = createWatchList(db, 'devnet')
  await store(...Array.from({ length: 500 }, (_, index) => deposit(index)))
  await list.refresh(nowMs)
  expect(list.few()).toHaveLength(500)
  await store(split(1, '0x0a'))
  await list.refresh(nowMs)
  expect(list.few()).toBeUndefined()
  const topics = Array.from({ length: 12_000 }, (_, index) => addressTopic(addressOf(index)))
  expect(await idsOf(list, [...topics, hashOf(1)])).toHaveLength(501)
})

test('every contract of a watched payment is queried, including removed ones', async () => {
  const list = createWatchList(db, 'devnet')
  await store(
    split(1, '0x0a'),
    split(2, '0x0a'),
    split(3, '0x0b'),
    split(4, '0x0c', { network: 'other' }),
    split(5, '0x0d', { windowEndsAtMs: nowMs - watchAfterWindowMs }),
    split(6, '0x0e', { isTest: true }),
  )
  await list.refresh(nowMs)
  expect([...list.splitters()]).toEqual(['0x0a', '0x0b'])
})
