import { newContractPayment, newPayment, transferOf, windowEndsAtMs } from '@stablecoin-checkout/rig/new-payment'
import { createTestDatabase, type TestDatabase } from '@stablecoin-checkout/rig/test-database'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Db, sql, type Tx } from '../db/db.ts'
import type { StoredTransfer } from './event.ts'
import { createLedger, type Ledger } from './ledger.ts'
import type { PaymentId } from './payment.ts'
import { paidBefore, transfersAbove, transfersIn, transfersInBlock } from './store/transfer-store.ts'

const { id, merchantId } = newPayment()
const other = 'other' as PaymentId

let database: TestDatabase
let db: Db
let ledger: Ledger
beforeEach(async () => {
  database = await createTestDatabase()
  db = await database.open()
  ledger = createLedger(db, () => ({}))
  await db.write(async (tx) => {
    await tx.run(sql`
        insert into merchants (id, name, webhook_secret, created_at_ms) values (${merchantId}, 'm', 's', 0)`)
    await ledger.createIn(tx, newPayment({ sequence: 0 }))
    await ledger.createIn(tx, newPayment({ sequence: 0, id: other, depositAddress: '0xother' }))
  })
})
afterEach(async () => {
  await db.close()
  await database.drop()
})

const seen = { type: 'transfer.seen', atMs: 1 } as const
const first = transferOf('25000000', { blockNumber: 10, logIndex: 3 })
/** The same transaction in the block that replaced the first one, behind another transaction. */
const moved = transferOf('25000000', { blockNumber: 11, logIndex: 5 })

test('a transaction that a reorg moved to another block and place counts once, before the reorg is known', async () => {
  await ledger.apply(id, { ...seen, transfer: first })
  expect(await ledger.apply(id, { ...seen, transfer: moved })).toMatchObject({ seen: 25_000_000n, lastBlock: 11 })
  await ledger.apply(id, { ...seen, transfer: { ...moved, blockHash: '0xb12', blockNumber: 12, logIndex: 6 } })
  const confirmed = { type: 'transfer.confirmed', atMs: 2 } as const
  const after = await ledger.apply(id, {
    ...confirmed,
    transfer: { ...moved, blockHash: '0xb12', blockNumber: 12, logIndex: 6 },
  })
  expect(after).toMatchObject({ seen: 25_000_000n, received: 25_000_000n, status: 'sweeping' })
})

test('nor twice when it is found in its new place with all its confirmations', async () => {
  await ledger.apply(id, { type: 'transfer.confirmed', transfer: first, atMs: 2 })
  const after = await ledger.apply(id, { type: 'transfer.confirmed', transfer: moved, atMs: 3 })
  expect(after).toMatchObject({ seen: 25_000_000n, received: 25_000_000n, lastBlock: 11 })
})

test('a transaction that was sent again on another network is another one there', async () => {
  await ledger.apply(id, { ...seen, transfer: first })
  const elsewhere = await ledger.apply(other, { ...seen, transfer: { ...first, network: 'devnet-b' } })
  expect(elsewhere).toMatchObject({ seen: 25_000_000n })
  expect(await ledger.apply(id, { ...seen, transfer: first })).toMatchObject({ seen: 25_000_000n })
})

test('two transfers of one transaction in one block are two', async () => {
  await ledger.apply(id, { ...seen, transfer: transferOf('10000000', { txId: '0x1', logIndex: 1 }) })
  const after = await ledger.apply(id, { ...seen, transfer: transferOf('15000000', { txId: '0x1', logIndex: 2 }) })
  expect(after).toMatchObject({ seen: 25_000_000n })
})

test('a transfer that counts for one payment is refused for another, until a reorg has taken it back', async () => {
  await ledger.apply(id, { ...seen, transfer: first })
  await expect(ledger.apply(other, { ...seen, transfer: first })).rejects.toThrow('belongs to')
  await ledger.apply(id, { type: 'transfer.reverted', transfer: first, atMs: 2 })
  expect(await ledger.apply(other, { ...seen, transfer: first })).toMatchObject({ seen: 25_000_000n })
})

test('a payment whose newest transfer a reorg took back shows the newest of the others', async () => {
  const [old, one, two, newest] = [
    transferOf('1', { txId: '0x1', blockNumber: 10 }),
    transferOf('2', { txId: '0x2', blockNumber: 11, logIndex: 1 }),
    transferOf('3', { txId: '0x2', blockNumber: 11, logIndex: 2 }),
    transferOf('4', { txId: '0x3', blockNumber: 12 }),
  ]
  for (const transfer of [old, one, two, newest]) await ledger.apply(id, { ...seen, transfer })
  const revert = (transfer: typeof old) => ledger.apply(id, { type: 'transfer.reverted', transfer, atMs: 2 })
  expect(await revert(newest)).toMatchObject({ seen: 6n, lastTxId: '0x2', lastBlock: 11 })
  expect(await revert(two)).toMatchObject({ seen: 3n, lastTxId: '0x2', lastBlock: 11 })
  expect(await revert(one)).toMatchObject({ seen: 1n, lastTxId: '0x1', lastBlock: 10 })
})

test('a reorg down to a block takes what is above it, and not what is in it', async () => {
  await ledger.apply(id, { ...seen, transfer: transferOf('1', { blockNumber: 10 }) })
  await ledger.apply(id, { ...seen, transfer: transferOf('2', { blockNumber: 11 }) })
  const above = await db.read((tx) => transfersAbove(tx, 'devnet', 10, 100))
  expect(above.map(({ amount }) => amount)).toEqual([2n])
  expect(await db.read((tx) => transfersAbove(tx, 'elsewhere', 0, 100))).toEqual([])
})

test('the transfers of a transaction, and of a payment in a block, leave out what a reorg took back', async () => {
  const transfers = [
    transferOf('2', { txId: '0x1', logIndex: 2 }),
    transferOf('1', { txId: '0x1', logIndex: 1 }),
    transferOf('3', { txId: '0x1', logIndex: 3 }),
    transferOf('4', { txId: '0x2', logIndex: 4, blockNumber: 11 }),
  ]
  for (const transfer of transfers) await ledger.apply(id, { ...seen, transfer })
  await ledger.apply(other, { ...seen, transfer: transferOf('5', { txId: '0x1', logIndex: 5 }) })
  await ledger.apply(id, {
    type: 'transfer.reverted',
    transfer: transferOf('3', { txId: '0x1', logIndex: 3 }),
    atMs: 2,
  })
  const amounts = async (found: (tx: Tx) => Promise<StoredTransfer[]>) =>
    (await db.read(found)).map(({ amount, isLate }) => [amount, isLate])
  const late = transferOf('6', { txId: '0x3', blockNumber: 12, blockTimeMs: windowEndsAtMs + 1 })
  await ledger.apply(id, { type: 'transfer.confirmed', transfer: late, atMs: 3 })
  expect(await amounts((tx) => transfersIn(tx, 'devnet', '0x1'))).toEqual([
    [1n, false],
    [2n, false],
    [5n, false],
  ])
  expect(await amounts((tx) => transfersIn(tx, 'polygon', '0x1'))).toEqual([])
  expect(await amounts((tx) => transfersInBlock(tx, id, 10))).toEqual([
    [1n, false],
    [2n, false],
  ])
  expect(await amounts((tx) => transfersInBlock(tx, id, 12))).toEqual([[6n, true]])
})

test('a transaction that has paid a wallet payment pays no other, and one to a deposit only by another transfer', async () => {
  const split = 'split' as PaymentId
  await db.write((tx) => ledger.createIn(tx, newContractPayment({ sequence: 0, id: split, termsHash: '0xother' })))
  await ledger.apply(split, { ...seen, transfer: transferOf('25000000', { txId: '0xs', logIndex: 1 }) })
  await ledger.apply(other, { ...seen, transfer: transferOf('25000000', { txId: '0xd', logIndex: 1 }) })
  const isPaid = (txId: string, logIndex: number, of = id) =>
    db.read((tx) => paidBefore(tx, { network: 'devnet', txId, logIndex }, of))
  expect([await isPaid('0xs', 1), await isPaid('0xs', 2), await isPaid('0xs', 2, split)]).toEqual([true, true, false])
  expect([await isPaid('0xd', 1), await isPaid('0xd', 2), await isPaid('0xnew', 1)]).toEqual([true, false, false])
  // A fork has taken it back, and it may land again.
  await ledger.apply(split, {
    ...{ type: 'transfer.reverted', transfer: transferOf('25000000', { txId: '0xs', logIndex: 1 }), atMs: 2 },
  })
  expect(await isPaid('0xs', 2)).toBe(true)
})
