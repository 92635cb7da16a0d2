import {
  type AuthorizationRow,
  client,
  merchantId,
  network,
  openAuthorizationRows,
  otherMerchant as other,
  payer,
  token,
} from '@stablecoin-checkout/rig/authorization-rows'
import { createTestDatabase, type TestDatabase } from '@stablecoin-checkout/rig/test-database'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Db, sql } from '../db/db.ts'
import type { PaymentId } from './payment.ts'
import {
  finalizeAuthorization,
  gasSince,
  markAuthorizationSent,
  openAuthorizationOf,
  promisedBy,
  raiseAuthorizationCost,
  requeueAuthorization,
  usageOfClient,
  usageOfPayer,
  usageOfServer,
} from './store/authorization-store.ts'

const sinceMs = 1_000

let database: TestDatabase
let db: Db
let add: Awaited<ReturnType<typeof openAuthorizationRows>>
beforeEach(async () => {
  database = await createTestDatabase()
  db = await database.open()
  add = await openAuthorizationRows(db, sinceMs + 1)
})
afterEach(async () => {
  await db.close()
  await database.drop()
})

describe('what was accepted within a day', () => {
  const usages = {
    payer: () => db.read((tx) => usageOfPayer(tx, payer, sinceMs)),
    client: () => db.read((tx) => usageOfClient(tx, client, sinceMs)),
    server: () => db.read((tx) => usageOfServer(tx, merchantId, sinceMs)),
  }

  test.each([
    ['payer', { payer: '0xother' }, client],
    ['client', { client: 'another address' }, client],
    ['server', { merchantId: other }, null],
    ['server', { client }, null],
  ] as const)('of one %s is counted, and what was in vain: not that of another', async (name, foreign, of) => {
    await add({ client: of })
    await add({ client: of, state: 'sent', transactionId: 'x' })
    // Refused before it was sent: it has cost nothing.
    await add({ client: of, state: 'failed' })
    await add({ client: of, state: 'failed', transactionId: 'y' })
    // Not within the time, by others, or brought to the chain by somebody else.
    await add({ client: of, atMs: sinceMs })
    await add({ client: of, state: 'failed', transactionId: 'z', ...foreign })
    await add({ client: of, state: 'external', externalTxId: '0xe' })
    expect(await usages[name]()).toEqual({ count: 4, failed: 1 })
  })
})

describe('the daily gas budget', () => {
  const spent = () => db.read((tx) => gasSince(tx, { network, merchantId, client, sinceMs }))

  test('is what was planned: in all, for the merchant, by the client, and by the client at the merchant', async () => {
    expect(await spent()).toEqual({ all: 0, merchant: 0, client: 0, clientHere: 0 })
    await add({ costMicros: 1 })
    await add({ costMicros: 20, merchantId: other })
    await add({ costMicros: 300, client: null })
    await add({ costMicros: 4_000, merchantId: other, client: 'another address' })
    expect(await spent()).toEqual({ all: 4_321, merchant: 301, client: 21, clientHere: 1 })
  })

  test('holds what was reverted, and not what was never sent, on another network, or before', async () => {
    await add({ costMicros: 5, state: 'failed', transactionId: 'x' })
    await add({ costMicros: 7, state: 'failed' })
    await add({ costMicros: 7, network: 'elsewhere' })
    await add({ costMicros: 7, atMs: sinceMs })
    expect(await spent()).toEqual({ all: 5, merchant: 5, client: 5, clientHere: 5 })
  })

  test('grows with a transaction that was replaced by a dearer one, and never shrinks', async () => {
    await add({ costMicros: 10, state: 'sent', transactionId: 'x' })
    await add({ costMicros: 10, state: 'sent', transactionId: 'y' })
    await db.write((tx) => raiseAuthorizationCost(tx, 'x', 15))
    await db.write((tx) => raiseAuthorizationCost(tx, 'x', 12))
    expect((await spent()).all).toBe(25)
  })
})

test('what is queued or sent is promised, of the very account, token and network, until its payment has seen money', async () => {
  const promised = () => db.read((tx) => promisedBy(tx, { network, token, payer, nonce: '0x' }))
  expect(await promised()).toBe(0n)
  await add({ amount: 1n })
  await add({ amount: 20n, state: 'sent', transactionId: 'x' })
  for (const state of ['confirmed', 'failed', 'external'] as const) await add({ amount: 7n, state })
  for (const foreign of [{ payer: '0xother' }, { token: '0xother' }, { network: 'elsewhere' }])
    await add({ amount: 7n, ...foreign })
  expect(await promised()).toBe(21n)
  const { paymentId } = await add({ amount: 300n, state: 'sent', transactionId: 'y' })
  expect(await promised()).toBe(321n)
  await db.write((tx) => tx.run(sql`update payments set seen = '1' where id = ${paymentId}`))
  expect(await promised()).toBe(21n)
})

test('an authorization holds its payment while it may pay, or has paid in a block that was not read yet', async () => {
  const open = async (id: PaymentId) => (await db.read((tx) => openAuthorizationOf(tx, id))) !== undefined
  const held = async (changes: Partial<AuthorizationRow>) => await open((await add(changes)).paymentId)
  expect(await held({ state: 'queued' })).toBe(true)
  expect(await held({ state: 'sent', transactionId: 'x' })).toBe(true)
  expect(await held({ state: 'failed', transactionId: 'y' })).toBe(false)
  const { paymentId } = await add({ state: 'external', externalTxId: '0xe' })
  expect(await open(paymentId)).toBe(true)
  await db.write((tx) =>
    tx.run(sql`
      insert into transfers (network, tx_id, log_index, payment_id, payer, amount, block_number, block_hash, block_time_ms,
                             state, is_late)
      values (${network}, '0xe', 0, ${paymentId}, ${payer}, '1', 1, '0xb', 1, 'seen', 0)`),
  )
  expect(await open(paymentId)).toBe(false)
})

test('one process sends an authorization; what became of its transaction moves that one alone', async () => {
  const [one, two] = [await add(), await add()]
  const states = async () =>
    (await db.read((tx) => tx.all<{ state: string }>(sql`select state from authorizations order by id`))).map(
      ({ state }) => state,
    )
  expect(await db.write((tx) => markAuthorizationSent(tx, one.id, 'x'))).toBe(true)
  expect(await db.write((tx) => markAuthorizationSent(tx, one.id, 'y'))).toBe(false)
  expect(await db.write((tx) => markAuthorizationSent(tx, two.id, 'z'))).toBe(true)
  await db.write((tx) => requeueAuthorization(tx, 'x'))
  expect(await states()).toEqual(['queued', 'sent'])
  await db.write((tx) => finalizeAuthorization(tx, 'z', false))
  expect(await states()).toEqual(['queued', 'failed'])
  // A reorg may undo a transaction that was final, or land it with another result.
  expect(await db.write((tx) => markAuthorizationSent(tx, one.id, 'v'))).toBe(true)
  await db.write((tx) => finalizeAuthorization(tx, 'v', true))
  expect(await states()).toEqual(['confirmed', 'failed'])
  await db.write((tx) => requeueAuthorization(tx, 'v'))
  expect(await states()).toEqual(['queued', 'failed'])
  expect(await db.write((tx) => markAuthorizationSent(tx, one.id, 'w'))).toBe(true)
  await db.write((tx) => finalizeAuthorization(tx, 'w', true))
  await db.write((tx) => finalizeAuthorization(tx, 'w', false))
  expect(await states()).toEqual(['failed', 'failed'])
  // A failure that is final is not taken back.
  await db.write((tx) => requeueAuthorization(tx, 'z'))
  await db.write((tx) => finalizeAuthorization(tx, 'z', true))
  expect(await states()).toEqual(['failed', 'failed'])
})
