import {
  client,
  merchantId,
  network,
  openAuthorizationRows,
  payer,
  token,
} from '@stablecoin-checkout/rig/authorization-rows'
import { newContractPayment, newPayment } from '@stablecoin-checkout/rig/new-payment'
import { createTestDatabase, type TestDatabase } from '@stablecoin-checkout/rig/test-database'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { baseUnits } from '../core/money.ts'
import { type Db, sql, type Tx } from '../db/db.ts'
import { AuthorizationRefused, type IdentifiedAuthorization, signableAmount, signaturesOff } from './authorization.ts'
import type { PaymentId } from './payment.ts'
import {
  carriesAuthorization,
  dropExternalAuthorization,
  failQueuedAuthorization,
  finalizeAuthorization,
  findAuthorization,
  gasSince,
  hasQueuedAuthorization,
  insertExternalAuthorization,
  queueAuthorization,
  queuedAuthorizations,
  transactionsOfPayer,
} from './store/authorization-store.ts'

const nowMs = 5_000

let database: TestDatabase
let db: Db
let add: Awaited<ReturnType<typeof openAuthorizationRows>>
beforeEach(async () => {
  database = await createTestDatabase()
  db = await database.open()
  add = await openAuthorizationRows(db, nowMs)
})
afterEach(async () => {
  await db.close()
  await database.drop()
})

/** What a payer has signed for the payment, beside its row of the number. */
const identified = (paymentId: PaymentId, nonce: string): IdentifiedAuthorization => ({
  ...{ paymentId, merchantId, network, token, payer, nonce, kind: 'authorization', value: 7n },
  ...{ recipient: '0xto', target: '0xtarget', data: '0xdata', digest: '0x', signature: '0x', isKeySignature: true },
})
const find = (nonce: string) => db.read((tx) => findAuthorization(tx, { network, token, payer, nonce }))
const write = <T>(unit: (tx: Tx) => Promise<T>) => db.write(unit)

describe('an authorization that somebody else has brought', () => {
  const bring = (paymentId: PaymentId, nonce: string) =>
    write((tx) =>
      insertExternalAuthorization(tx, {
        ...identified(paymentId, nonce),
        ...{ id: 'theirs', presenter: '0xpresenter', txId: '0xtx', atMs: nowMs + 1 },
      }),
    )

  test('is found with its transaction and its presenter, and has cost nothing', async () => {
    const { paymentId } = await add({ state: 'failed' })
    const before = await db.read((tx) => gasSince(tx, { network, merchantId, client, sinceMs: 0 }))
    await bring(paymentId, '0x1')
    expect(await find('0x1')).toMatchObject({
      ...{ id: 'theirs', paymentId, data: '0xdata', presenter: '0xpresenter', state: 'external', txId: '0xtx' },
    })
    expect(await db.read((tx) => gasSince(tx, { network, merchantId, client, sinceMs: 0 }))).toEqual(before)
    expect(await find('0x2')).toBeUndefined()
  })

  test('changes nothing while an attempt of ours has not failed', async () => {
    const { id, paymentId } = await add()
    await bring(paymentId, '0x1')
    expect(await find('0x1')).toMatchObject({ id, state: 'queued' })
  })

  test('is dropped when its transaction is gone, and no attempt of ours ever is', async () => {
    const ours = await add()
    const { paymentId } = await add({ state: 'failed' })
    await bring(paymentId, '0x2')
    for (const id of ['theirs', ours.id]) await write((tx) => dropExternalAuthorization(tx, id))
    expect(await find('0x2')).toMatchObject({ state: 'failed', code: 'TRANSFER_REFUSED', reason: 'reverted' })
    expect(await find('0x1')).toMatchObject({ id: ours.id })
  })
})

test('an attempt is found before those that have failed, and of those the newest', async () => {
  const { paymentId } = await add({ state: 'failed', atMs: nowMs })
  const queueAgain = (id: string, atMs: number) =>
    write((tx) =>
      queueAuthorization(tx, {
        ...identified(paymentId, '0x1'),
        ...{ sendBeforeMs: 9_000, id, client: null, presenter: null, costMicros: 3, atMs },
      }),
    )
  await queueAgain('second', nowMs + 1)
  const failure = { code: 'GAS_TOO_EXPENSIVE', reason: 'Gas is dear.' } as const
  await write((tx) => failQueuedAuthorization(tx, 'second', failure))
  expect(await find('0x1')).toMatchObject({ id: 'second', state: 'failed', ...failure, txId: null })
  await queueAgain('third', nowMs - 1)
  expect(await find('0x1')).toMatchObject({ id: 'third', state: 'queued' })
  // One attempt at a time.
  await queueAgain('fourth', nowMs + 2)
  expect(await find('0x1')).toMatchObject({ id: 'third' })
})

test('what is queued of a network is sent oldest first, a few at a time, and what was given up is not', async () => {
  expect(await db.read((tx) => hasQueuedAuthorization(tx, network))).toBe(false)
  await add({ atMs: nowMs + 1, amount: 2n, costMicros: 20 })
  const first = await add({ atMs: nowMs, amount: 1n, costMicros: 10 })
  await add({ network: 'another' })
  await add({ state: 'sent', transactionId: 'x' })
  const queued = async (limit: number) =>
    (await db.read((tx) => queuedAuthorizations(tx, network, limit))).map(({ parse }) => parse())
  expect((await queued(10)).map(({ value }) => value)).toEqual([1n, 2n])
  expect(await queued(1)).toMatchObject([
    { ...first, value: 1n, target: '0x', data: '0x', costMicros: 10, sendBeforeMs: 9_000 },
  ])
  const failure = { code: 'RELAY_UNAVAILABLE', reason: 'No node answers.' } as const
  await write((tx) => failQueuedAuthorization(tx, first.id, failure))
  expect((await queued(10)).map(({ value }) => value)).toEqual([2n])
  expect(await db.read((tx) => hasQueuedAuthorization(tx, network))).toBe(true)
  expect(await db.read((tx) => hasQueuedAuthorization(tx, 'none'))).toBe(false)
  expect(await find('0x2')).toMatchObject({ state: 'failed', ...failure })
})

test('what was sent is not given up as if it were queued', async () => {
  const { id } = await add({ state: 'sent', transactionId: 'x' })
  await write((tx) => failQueuedAuthorization(tx, id, { code: 'DAILY_LIMIT', reason: 'Spent.' }))
  expect(await find('0x1')).toMatchObject({ state: 'sent' })
})

test('a transaction that was reverted says so, one that was done says nothing, and each is known as an authorization’s', async () => {
  await add({ state: 'sent', transactionId: 'x' })
  await add({ state: 'sent', transactionId: 'y' })
  await write((tx) => finalizeAuthorization(tx, 'x', false))
  await write((tx) => finalizeAuthorization(tx, 'y', true))
  expect(await find('0x1')).toMatchObject({
    ...{ state: 'failed', code: 'TRANSFER_REFUSED', reason: 'The transaction was reverted.' },
  })
  expect(await find('0x2')).toMatchObject({ state: 'confirmed', code: null, reason: null })
  const carries = (transactionId: string) => db.read((tx) => carriesAuthorization(tx, transactionId))
  expect([await carries('x'), await carries('y'), await carries('a sweep')]).toEqual([true, true, false])
})

test('the transactions of a payer are those of the payment’s canonical blocks, newest first, and nobody else’s', async () => {
  const [{ paymentId }, other] = [await add(), await add()]
  const receive = (
    txId: string,
    blockNumber: number,
    changes: { of?: PaymentId; from?: string; state?: string } = {},
  ) =>
    write((tx) =>
      tx.run(sql`
        insert into transfers (network, tx_id, log_index, payment_id, payer, amount, block_number, block_hash,
                               block_time_ms, state, is_late)
        values (${network}, ${txId}, 0, ${changes.of ?? paymentId}, ${changes.from ?? '0xPayer'}, '1', ${blockNumber},
                '0xb', 1, ${changes.state ?? 'seen'}, 0)`),
    )
  await receive('0xold', 1)
  await receive('0xnew', 2, { state: 'confirmed' })
  await receive('0xgone', 3, { state: 'reverted' })
  await receive('0xother', 4, { of: other.paymentId })
  await receive('0xstranger', 5, { from: '0xstranger' })
  expect(await db.read((tx) => transactionsOfPayer(tx, paymentId, payer))).toEqual(['0xnew', '0xold'])
})

test('by a signature is paid what is still owed, and nothing of a payment that is over or comes over a bridge', () => {
  const owed = { seen: baseUnits('0') }
  expect(signableAmount(newPayment(owed))).toBe(25_000_000n)
  expect(signableAmount(newPayment({ seen: baseUnits('10000000') }))).toBe(15_000_000n)
  expect(signableAmount(newContractPayment(owed))).toBe(25_000_000n)
  expect(signableAmount(newPayment({ ...owed, status: 'expired' }))).toBe(0n)
  const bridge = { state: 'waiting' } as unknown as NonNullable<ReturnType<typeof newPayment>['bridge']>
  expect(signableAmount(newPayment({ ...owed, bridge }))).toBe(0n)
  // What no type rules out for a row of the database: a bridge belongs to deposits alone.
  expect(signableAmount({ ...newContractPayment(owed), bridge } as never)).toBe(25_000_000n)
})

test('a refusal has the status of its kind, and always says what the customer can do instead', () => {
  const fallback = 'Pay by a transaction of your own wallet, or send the amount to the address of the payment.'
  const refused = new AuthorizationRefused('PAYER_LIMIT', 'Too often.', { nonce: '0x1' })
  expect(refused).toMatchObject({
    ...{ code: 'PAYER_LIMIT', message: 'Too often.', status: 429, error: 'Payment by signature refused' },
    fields: { fallback, nonce: '0x1' },
  })
  expect(signaturesOff()).toMatchObject({
    ...{ code: 'SIGNATURE_NOT_OFFERED', message: 'The shop does not accept payments by signature.', status: 400 },
    fields: { fallback },
  })
})
