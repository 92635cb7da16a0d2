import { newContractPayment, newPayment } from '@stablecoin-checkout/rig/new-payment'
import { createTestDatabase, type TestDatabase } from '@stablecoin-checkout/rig/test-database'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Db, sql, type Tx } from '../db/db.ts'
import { createLedger } from '../payment/ledger.ts'
import type { Payment, PaymentId } from '../payment/payment.ts'
import { finalizeOutgoing, insertAttempt, markReplaced } from './outgoing-store.ts'
import {
  countParkedShares,
  type DueShare,
  deleteShare,
  dueShares,
  hasDueShare,
  markShareSent,
  type ParkedShare,
  postponeShare,
  saveParkedShare,
  shareOfTransaction,
  splitTermsAfter,
} from './parked-share-store.ts'

const network = 'base'
const share: ParkedShare = {
  ...{ network, place: '0xplace', token: '0xtoken', recipient: '0xplatform', paymentId: null, amount: 7n },
}
const other = { ...share, place: '0xother', amount: 10n ** 30n }

let database: TestDatabase
let db: Db
beforeEach(async () => {
  database = await createTestDatabase()
  db = await database.open()
})
afterEach(async () => {
  await db.close()
  await database.drop()
})

const write = <T>(unit: (tx: Tx) => Promise<T>) => db.write(unit)
const due = async (nowMs: number, limit = 10) =>
  (await db.read((tx) => dueShares(tx, network, nowMs, limit))).map(({ parse }) => parse())
const placesDue = async (nowMs: number, limit?: number) => (await due(nowMs, limit)).map(({ place }) => place)
const insertTransaction = (id: string, txId: `0x${string}`, nonce: number) =>
  write((tx) => insertAttempt(tx, { network, id, sender: '0xa', nonce, txId, raw: '0x00', atMs: 1 }))

describe('a share that waits', () => {
  test('is read although another cannot be', async () => {
    await write((tx) => saveParkedShare(tx, share, 1))
    await write((tx) => saveParkedShare(tx, other, 2))
    await write((tx) => tx.run(sql`update parked_shares set amount = 'x' where place = '0xplace'`))
    expect(await db.read((tx) => hasDueShare(tx, network, 1))).toBe(true)
    const [broken, read] = await db.read((tx) => dueShares(tx, network, 2, 10))
    expect(() => broken?.parse()).toThrow('BigInt')
    expect(read?.parse()).toMatchObject(other)
  })

  test('is due at its time, the oldest first and a few at a time, and of its own network alone', async () => {
    await write((tx) => saveParkedShare(tx, share, 100))
    await write((tx) => saveParkedShare(tx, other, 50, 200))
    await write((tx) => saveParkedShare(tx, { ...share, network: 'polygon' }, 1))
    expect([await placesDue(99), await placesDue(100), await placesDue(200)]).toEqual([
      [],
      ['0xplace'],
      ['0xplace', '0xother'],
    ])
    expect(await placesDue(200, 1)).toEqual(['0xplace'])
    expect((await due(200))[1]).toEqual({ ...other, failures: 0, transactionId: null })
    const hasDue = (nowMs: number) => db.read((tx) => hasDueShare(tx, network, nowMs))
    expect([await hasDue(99), await hasDue(100)]).toEqual([false, true])
  })

  test('that is found again keeps its times, and has the amount that was found', async () => {
    await write((tx) => saveParkedShare(tx, share, 100))
    await write((tx) => saveParkedShare(tx, { ...share, amount: 9n }, 500))
    expect((await due(100)).map(({ amount }) => amount)).toEqual([9n])
  })

  test('is put off with a reason, which counts as a failure, or without one, which does not', async () => {
    await write((tx) => saveParkedShare(tx, share, 100))
    await write((tx) => postponeShare(tx, share, { dueAtMs: 200, reason: 'frozen' }))
    await write((tx) => postponeShare(tx, share, { dueAtMs: 300, reason: null }))
    expect([await due(299), await due(300)]).toEqual([[], [{ ...share, failures: 1, transactionId: null }]])
    expect(await db.read(countParkedShares)).toEqual([
      { network, count: 1, failing: 1, oldestAtMs: 100, reason: 'frozen' },
    ])
  })

  test('is gone once it has reached the platform, and no other share with it', async () => {
    await write((tx) => saveParkedShare(tx, share, 100))
    await write((tx) => saveParkedShare(tx, other, 100))
    for (const changed of [{ network: 'x' }, { token: 'x' }, { recipient: 'x' }])
      await write((tx) => deleteShare(tx, { ...share, ...changed }))
    expect(await placesDue(100)).toEqual(['0xother', '0xplace'])
    await write((tx) => deleteShare(tx, share))
    expect(await placesDue(100)).toEqual(['0xother'])
  })

  test('is counted by network', async () => {
    await write((tx) => saveParkedShare(tx, { ...share, network: 'polygon' }, 3))
    await write((tx) => saveParkedShare(tx, share, 1))
    await write((tx) => saveParkedShare(tx, other, 2))
    expect(await db.read(countParkedShares)).toEqual([
      { network, count: 2, failing: 0, oldestAtMs: 1, reason: null },
      { network: 'polygon', count: 1, failing: 0, oldestAtMs: 3, reason: null },
    ])
  })
})

describe('the transaction that pays a share', () => {
  const mark = (one: DueShare, transactionId: string) =>
    write((tx) => markShareSent(tx, one, { transactionId, dueAtMs: 150 }))

  test('is noted by one process, and again only by one that knew it', async () => {
    await write((tx) => saveParkedShare(tx, share, 100))
    const [found] = await due(100)
    if (!found) throw new Error('It is due.')
    expect([await mark(found, 'first'), await mark(found, 'second')]).toEqual([true, false])
    expect(await mark({ ...found, transactionId: 'first' }, 'third')).toBe(true)
    const of = (id: string) => db.read((tx) => shareOfTransaction(tx, id))
    expect([await of('first'), await of('third')]).toMatchObject([undefined, share])
  })

  test('keeps the share from being paid again until it is final or given up', async () => {
    await write((tx) => saveParkedShare(tx, share, 100))
    const [found] = await due(100)
    if (!found) throw new Error('It is due.')
    await insertTransaction('one', '0x1', 1)
    await mark(found, 'one')
    expect(await placesDue(1_000)).toEqual([])
    await write((tx) => markReplaced(tx, '0x1'))
    expect(await placesDue(1_000)).toEqual([])
    await write((tx) => finalizeOutgoing(tx, 'one', undefined))
    expect([await placesDue(149), await placesDue(150)]).toEqual([[], ['0xplace']])
  })
})

test('the terms of live wallet payments are read in pages, until the youngest payment', async () => {
  const create = (payment: Payment) => write((tx) => createLedger(db, () => ({})).createIn(tx, payment))
  await write((tx) =>
    tx.run(sql`
      insert into merchants (id, name, webhook_secret, created_at_ms) values (${newPayment().merchantId}, 'm', 's', 0)`),
  )
  const contract = (place: number, changes = {}) =>
    create(
      newContractPayment({
        ...{ id: `payment ${place}` as PaymentId, sequence: 0, network, termsHash: `0x${place}` },
        ...{ splitTerms: `terms ${place}`, ...changes },
      }),
    )
  expect(await db.read((tx) => splitTermsAfter(tx, network, { after: 0, limit: 2 }))).toEqual({
    ...{ terms: [], upTo: 0, isLast: true },
  })
  await contract(1)
  await contract(2, { network: 'polygon' })
  await contract(3, { isTest: true })
  await contract(4)
  await create(newPayment({ id: 'payment 5' as PaymentId, sequence: 0, network }))
  const page = (after: number, limit: number) => db.read((tx) => splitTermsAfter(tx, network, { after, limit }))
  expect(await page(0, 2)).toEqual({ terms: ['terms 1'], upTo: 2, isLast: false })
  expect(await page(2, 2)).toEqual({ terms: ['terms 4'], upTo: 4, isLast: false })
  expect(await page(4, 2)).toEqual({ terms: [], upTo: 5, isLast: true })
  expect(await page(0, 5)).toEqual({ terms: ['terms 1', 'terms 4'], upTo: 5, isLast: true })
  expect(await page(9, 2)).toEqual({ terms: [], upTo: 9, isLast: true })
})
