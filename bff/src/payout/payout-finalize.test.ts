import {
  duePayout,
  openPayoutStage,
  type PayoutStage,
  payer,
  unmatchedToken,
} from '@stablecoin-checkout/rig/payout-stage'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Db, sql } from '../db/db.ts'
import type { PaymentId } from '../payment/payment.ts'
import { failPayouts } from './payout-failure.ts'
import { countExternalRefund } from './payout-finalize.ts'
import { deletePayout, insertOutgoingPayout, markPayoutSent } from './payout-queue-store.ts'

const never = new AbortController().signal
const hourMs = 3_600_000

let stage: PayoutStage
beforeEach(async () => {
  stage = await openPayoutStage()
})
afterEach(() => stage.close())

describe('a failure before anything was sent', () => {
  test('is counted once, whoever else counts it', async () => {
    const id = await stage.paid()
    const failed = [{ ...duePayout('sweep', id), refused: { reason: 'blocked' } }]
    await failPayouts(stage.deps, failed)
    const [row] = await stage.queued(id)
    expect(row).toMatchObject({ kind: 'sweep', state: 'queued', failures: 1 })
    await failPayouts(stage.deps, failed)
    expect(await stage.queued(id)).toEqual([row])
  })

  test('is not counted for a payout that was cancelled meanwhile', async () => {
    const id = await stage.paid()
    const payout = duePayout('sweep', id)
    await stage.db.write((tx) => deletePayout(tx, payout))
    const before = await stage.load(id)
    await failPayouts(stage.deps, [{ ...payout, refused: { reason: 'blocked' } }])
    expect(await stage.load(id)).toEqual(before)
  })

  test('writes nothing where there is none', async () => {
    let writes = 0
    const write: Db['write'] = (act, ...rest) => {
      writes += 1
      return stage.db.write(act, ...rest)
    }
    await failPayouts({ ...stage.deps, db: { ...stage.db, write } }, [])
    expect(writes).toBe(0)
  })

  test.each([
    ['sweep', 'paid', 'Settling a deposit failed; retrying', { sweep: 'failed' }],
    ['refund', 'short', 'Sending a refund failed; retrying', { refund: 'failed' }],
  ] as const)('of a %s is the payment’s, and the log’s, until it is given up', async (kind, open, message, state) => {
    const id = await stage[open]()
    for (let failures = 0; failures < 40; failures++)
      await failPayouts(stage.deps, [{ ...duePayout(kind, id, failures), refused: { reason: 'blocked' } }])
    expect(await stage.load(id)).toMatchObject(state)
    expect(stage.logged).toHaveLength(40)
    const fields = { network: 'devnet', paymentId: id, failures: 1, reason: 'blocked' }
    expect(stage.logged[0]).toEqual({ level: 'warn', fields, message })
  })

  test('of a return says why, and waits an hour where only fees or the address can change', async () => {
    const id = await stage.unmatched()
    const shown = () => stage.load(id).then(({ unmatched }) => unmatched[0])
    const fail = (failures: number, refused: object = {}) =>
      failPayouts(stage.deps, [{ ...duePayout('return', id, failures), refused: { reason: 'blocked', ...refused } }])
    await fail(0)
    expect(await shown()).toMatchObject({ refund: 'failing', refundReason: null })
    await fail(1, { state: 'too_small' })
    expect(await shown()).toMatchObject({ refund: 'too_small' })
    expect(await stage.queued(id)).toMatchObject([{ failures: 2, due_at_ms: stage.clock.nowMs + hourMs }])
    await fail(2, { state: 'failed', shownReason: 'coins_refused' })
    expect(await shown()).toMatchObject({ refund: 'failed', refundReason: 'coins_refused' })
    for (let failures = 3; failures < 40; failures++) await fail(failures)
    expect(await shown()).toMatchObject({ refund: 'failed' })
    const fields = { network: 'devnet', paymentId: id, token: unmatchedToken, failures: 1, reason: 'blocked' }
    expect(stage.logged[0]).toEqual({
      level: 'warn',
      fields,
      message: 'Returning an unmatched transfer failed; retrying',
    })
  })
})

describe('a final transaction', () => {
  test('that sent a refund counts it once', async () => {
    const id = await stage.short()
    await stage.openWorker().worker.pass(never)
    expect(await stage.finalize(id, { result: 'paid', txId: '0x5', amount: 10_000_000n, block: 9 })).toBe(1)
    expect(await stage.load(id)).toMatchObject({
      refunded: 10_000_000n,
      refunding: 0n,
      refund: 'none',
      refundTxId: '0x5',
    })
    expect(await stage.queued(id)).toEqual([])
    expect(await stage.outgoing(id)).toMatchObject([{ state: 'confirmed' }])
    const fields = { network: 'devnet', paymentId: id, address: payer, txId: '0x5', amount: '10000000' }
    expect(stage.logged.at(-1)).toEqual({ level: 'info', fields, message: 'Money was sent back' })
  })

  test('that sent a part queues what is still owed', async () => {
    const id = await stage.short()
    await stage.openWorker({ prepareRefund: async () => stage.sends(4_000_000n) }).worker.pass(never)
    await stage.finalize(id, { result: 'paid', txId: '0x5', amount: 4_000_000n, block: 9 })
    expect(await stage.load(id)).toMatchObject({ refunded: 4_000_000n })
    expect(await stage.queued(id)).toMatchObject([{ kind: 'refund', state: 'queued', failures: 0 }])
  })

  test('that reverted takes the refund back to the queue', async () => {
    const id = await stage.short()
    await stage.openWorker().worker.pass(never)
    await stage.finalize(id, { result: 'failed', txId: '0x6' })
    expect(await stage.load(id)).toMatchObject({ refunding: 0n, refunded: 0n, refund: 'failing' })
    expect(await stage.queued(id)).toMatchObject([{ state: 'queued', failures: 1 }])
    expect(await stage.outgoing(id)).toMatchObject([{ state: 'failed' }])
    const fields = { network: 'devnet', paymentId: id, address: payer, txId: '0x6' }
    const message = 'A refund failed on chain; retrying'
    expect(stage.logged.at(-1)).toEqual({ level: 'warn', fields, message })
  })

  test('that reverted is retried after 30 seconds, and given up with its sixth failure', async () => {
    const id = await stage.short()
    const failed = async () => {
      stage.clock.nowMs += 100 * hourMs
      await stage.openWorker().worker.pass(never)
      await stage.finalize(id, { result: 'failed', txId: '0x6' })
      const dueAtMs = (await stage.queued(id))[0]?.due_at_ms ?? 0
      return [(dueAtMs - stage.clock.nowMs) / 1000, (await stage.load(id)).refund]
    }
    const ends: unknown[] = []
    for (let count = 0; count < 6; count++) ends.push(await failed())
    const failing = [30, 60, 120, 240, 480].map((seconds) => [seconds, 'failing'])
    expect(ends).toEqual([...failing, [3_600, 'failed']])
  })

  test('that reverted fails no payout that was cancelled meanwhile', async () => {
    const id = await stage.paid()
    const payout = duePayout('sweep', id)
    await stage.storeTransaction(async (tx, transactionId) => {
      await markPayoutSent(tx, payout, transactionId)
      await insertOutgoingPayout(tx, payout, transactionId, null)
    })
    await stage.db.write((tx) => deletePayout(tx, payout))
    const before = await stage.load(id)
    await stage.finalize(id, { result: 'failed', txId: '0x6' })
    expect(await stage.load(id)).toEqual(before)
    expect(await stage.queued(id)).toEqual([])
  })

  test('that can never be mined is no failure', async () => {
    const id = await stage.short()
    await stage.openWorker().worker.pass(never)
    await stage.finalize(id, { result: 'unpaid' })
    expect(await stage.load(id)).toMatchObject({ refunding: 0n })
    expect(await stage.queued(id)).toMatchObject([{ state: 'queued', failures: 0, due_at_ms: stage.clock.nowMs }])
  })

  test('that reverted takes a return back to the queue', async () => {
    const id = await stage.unmatched()
    await stage.openWorker().worker.pass(never)
    expect(stage.logged.at(-1)).toMatchObject({
      fields: { token: unmatchedToken },
      message: 'Returning an unmatched transfer',
    })
    await stage.finalize(id, { result: 'failed', txId: '0x6' })
    expect((await stage.load(id)).unmatched).toMatchObject([{ refund: 'failing' }])
    expect(await stage.queued(id)).toMatchObject([{ kind: 'return', state: 'queued', failures: 1 }])
    expect(stage.logged.at(-1)).toEqual({
      level: 'warn',
      fields: { network: 'devnet', paymentId: id, address: payer, txId: '0x6', token: unmatchedToken },
      message: 'The return of an unmatched transfer failed on chain; retrying',
    })
  })

  test('that returned an unmatched transfer counts it', async () => {
    const id = await stage.unmatched()
    await stage.openWorker().worker.pass(never)
    await stage.finalize(id, { result: 'paid', txId: '0x7', amount: 7n, block: 9 })
    expect((await stage.load(id)).unmatched).toMatchObject([{ refunded: 7n, balance: 0n, refundTxId: '0x7' }])
    expect(await stage.queued(id)).toEqual([])
    expect(stage.logged.at(-1)).toMatchObject({
      fields: { token: unmatchedToken },
      message: 'An unmatched transfer was sent back',
    })
  })
})

describe('a payout that was counted', () => {
  test('and that a reorg undid is owed again, and made by another transaction', async () => {
    const [short, unmatched] = [await stage.short(), await stage.unmatched()]
    await stage.openWorker().worker.pass(never)
    await stage.finalize(short, { result: 'paid', txId: '0x5', amount: 10_000_000n, block: 9 })
    await stage.finalize(unmatched, { result: 'paid', txId: '0x7', amount: 7n, block: 9 })
    await stage.finalize(short, { result: 'unpaid' })
    await stage.finalize(unmatched, { result: 'failed', txId: '0x7' })
    expect(await stage.load(short)).toMatchObject({ refunded: 0n, refunding: 0n, refund: 'queued' })
    expect((await stage.load(unmatched)).unmatched).toMatchObject([{ refunded: 0n, balance: 7n, refund: 'queued' }])
    for (const id of [short, unmatched]) {
      expect(await stage.queued(id)).toMatchObject([{ state: 'queued', failures: 0 }])
      expect(await stage.outgoing(id)).toMatchObject([{ state: 'failed' }])
    }
    expect(stage.logged.at(-1)).toMatchObject({ message: 'A reorg undid a final payout; sending it again' })
  })

  test('is not counted a second time where its transaction is final in another block', async () => {
    const [short, unmatched] = [await stage.short(), await stage.unmatched()]
    await stage.openWorker().worker.pass(never)
    for (const block of [9, 11]) {
      await stage.finalize(short, { result: 'paid', txId: '0x5', amount: 10_000_000n, block })
      await stage.finalize(unmatched, { result: 'paid', txId: '0x7', amount: 7n, block })
    }
    expect(await stage.load(short)).toMatchObject({ refunded: 10_000_000n })
    expect((await stage.load(unmatched)).unmatched).toMatchObject([{ refunded: 7n, balance: 0n }])
  })
})

test('a payout whose replaced form is the final one after a reorg is shown by that form', async () => {
  const [short, unmatched] = [await stage.short(), await stage.unmatched()]
  await stage.openWorker().worker.pass(never)
  const txIdOf = async (id: PaymentId) => {
    const row = await stage.db.read((tx) =>
      tx.get<{ txId: string }>(sql`
          select x.tx_id as "txId" from outgoing_payouts o join outgoing_transactions x on x.id = o.transaction_id
           where o.payment_id = ${id}`),
    )
    return row?.txId ?? ''
  }
  await stage.finalize(short, { result: 'paid', txId: await txIdOf(short), amount: 10_000_000n, block: 9 })
  await stage.finalize(unmatched, { result: 'paid', txId: await txIdOf(unmatched), amount: 7n, block: 9 })
  await stage.finalize(short, { result: 'paid', txId: '0xother', amount: 10_000_000n, block: 11 })
  await stage.finalize(unmatched, { result: 'paid', txId: '0xother', amount: 7n, block: 11 })
  expect(await stage.load(short)).toMatchObject({ refunded: 10_000_000n, refundTxId: '0xother' })
  expect((await stage.load(unmatched)).unmatched).toMatchObject([{ refunded: 7n, refundTxId: '0xother' }])
})

test('a refund that only the chain has is counted, and what is still owed is queued', async () => {
  const id = await stage.short()
  await countExternalRefund(stage.deps, duePayout('refund', id), { txId: '0x8', to: payer, amount: 4_000_000n })
  expect(await stage.load(id)).toMatchObject({ refunded: 4_000_000n, refundTxId: '0x8' })
  expect(await stage.outgoing(id)).toEqual([{ kind: 'refund', address: payer, amount: '4000000', state: 'confirmed' }])
  expect(await stage.queued(id)).toMatchObject([{ kind: 'refund', state: 'queued', failures: 0 }])
  expect(stage.logged).toEqual([
    {
      level: 'warn',
      fields: { network: 'devnet', paymentId: id, address: payer, txId: '0x8', amount: '4000000' },
      message: 'Counted a refund that was on chain but not in the books',
    },
  ])
})
