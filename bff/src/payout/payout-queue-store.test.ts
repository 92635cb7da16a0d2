import { openPayoutStage, type PayoutStage, payer, unmatchedToken } from '@stablecoin-checkout/rig/payout-stage'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '../db/db.ts'
import type { PaymentId } from '../payment/payment.ts'
import {
  ConflictError,
  deferPayout,
  duePayouts,
  endOutgoingPayout,
  failedDeposits,
  failQueuedPayout,
  insertOutgoingPayout,
  markPayoutSent,
  outgoingPayouts,
  type Payout,
  type PayoutKind,
  payoutTransactions,
  postponePayout,
  requeuePayout,
} from './payout-queue-store.ts'

const network = 'devnet'
/** Newer than the block of every transfer. */
const head = 100

let stage: PayoutStage
beforeEach(async () => {
  stage = await openPayoutStage()
})
afterEach(() => stage.close())

const due = async (kind: PayoutKind, changes: { network?: string; nowMs?: number; head?: number } = {}) => {
  const scope = { network, kind, nowMs: stage.clock.nowMs, head, limit: 10, ...changes }
  return (await stage.db.read((tx) => duePayouts(tx, scope))).map(({ paymentId }) => paymentId)
}
const payoutOf = async (id: PaymentId, kind: PayoutKind): Promise<Payout> => {
  const { tokenAddress } = await stage.load(id)
  return { kind, paymentId: id, network, token: kind === 'return' ? unmatchedToken : tokenAddress }
}
/** A transaction that makes the payout, as it is stored before it is broadcast. */
async function send(id: PaymentId, kind: PayoutKind, isMarked = true): Promise<string> {
  const payout = await payoutOf(id, kind)
  let transaction = ''
  await stage.storeTransaction(async (tx, transactionId) => {
    transaction = transactionId
    if (isMarked) await markPayoutSent(tx, payout, transactionId)
    await insertOutgoingPayout(tx, payout, transactionId, { address: payer, amount: 1n })
  })
  return transaction
}
const setTransaction = (id: string, state: string) =>
  stage.db.write((tx) => tx.run(sql`update outgoing_transactions set state = ${state} where id = ${id}`))
const rowOf = async (id: PaymentId) => (await stage.queued(id))[0]

describe('payouts that are due', () => {
  test('are those of one kind on one network whose time has come', async () => {
    const [sweep, refund, back] = [await stage.paid(), await stage.short(), await stage.unmatched()]
    expect([await due('sweep'), await due('refund'), await due('return')]).toEqual([[sweep], [refund], [back]])
    expect(await due('sweep', { network: 'elsewhere' })).toEqual([])
    await stage.db.write(async (tx) => postponePayout(tx, await payoutOf(sweep, 'sweep'), stage.clock.nowMs + 1))
    expect(await due('sweep')).toEqual([])
    expect(await due('sweep', { nowMs: stage.clock.nowMs + 1 })).toEqual([sweep])
  })

  test('are not those of money in blocks that the node does not have yet', async () => {
    const id = await stage.paid()
    const { lastBlock } = await stage.load(id)
    expect(await due('sweep', { head: (lastBlock ?? 0) - 1 })).toEqual([])
    expect(await due('sweep', { head: lastBlock ?? 0 })).toEqual([id])
  })

  test('are not those of test payments, whose money is not real', async () => {
    const id = await stage.paid()
    await stage.db.write((tx) => tx.run(sql`update payments set is_test = 1 where id = ${id}`))
    expect(await due('sweep')).toEqual([])
  })

  test('are not those that a transaction may still make: not even when the payout was cancelled and queued again', async () => {
    const id = await stage.paid()
    const transaction = await send(id, 'sweep', false)
    expect((await rowOf(id))?.state).toBe('queued')
    for (const state of ['stored', 'replaced']) {
      await setTransaction(transaction, state)
      expect([state, await due('sweep')]).toEqual([state, []])
    }
    await setTransaction(transaction, 'failed')
    expect(await due('sweep')).toEqual([id])
  })

  test('wait for no transaction of another payment, of another kind, or of another token', async () => {
    const [one, other, back] = [await stage.paid(), await stage.paid(), await stage.unmatched()]
    await send(one, 'sweep')
    await stage.ledger.apply(other, { type: 'refund.requested', address: payer, atMs: stage.clock.nowMs })
    expect(await due('sweep')).toEqual([other])
    expect(await due('return')).toEqual([back])
  })

  test('are not the refunds of a payment whose sweep is under way', async () => {
    const id = await stage.short()
    const transaction = await send(id, 'sweep', false)
    expect(await due('refund')).toEqual([])
    await setTransaction(transaction, 'confirmed')
    expect(await due('refund')).toEqual([id])
  })

  test('are also the sweeps that are deferred, so that another takes them along, until they have failed', async () => {
    const id = await stage.paid()
    const payout = await payoutOf(id, 'sweep')
    const times = { nowMs: stage.clock.nowMs, dueAtMs: stage.clock.nowMs + 60_000 }
    expect(await stage.db.write((tx) => deferPayout(tx, payout, times))).toBe(true)
    expect(await stage.db.write((tx) => deferPayout(tx, payout, times))).toBe(false)
    expect(await due('sweep')).toEqual([id])
    await stage.db.write((tx) => failQueuedPayout(tx, { ...payout, failures: 0 }, times.dueAtMs))
    expect(await due('sweep')).toEqual([])
  })
})

describe('a payout', () => {
  test('is taken by one transaction', async () => {
    const id = await stage.paid()
    const payout = await payoutOf(id, 'sweep')
    await send(id, 'sweep')
    await expect(stage.db.write((tx) => markPayoutSent(tx, payout, 'another'))).rejects.toThrow(ConflictError)
    await expect(stage.db.write((tx) => markPayoutSent(tx, { ...payout, kind: 'refund' }, 'x'))).rejects.toThrow(
      ConflictError,
    )
  })

  test('fails once for all that found the same failure', async () => {
    const id = await stage.paid()
    const failed = { ...(await payoutOf(id, 'sweep')), failures: 0 }
    const fail = () => stage.db.write((tx) => failQueuedPayout(tx, failed, stage.clock.nowMs + 30_000))
    expect([await fail(), await fail()]).toEqual([true, false])
    expect(await rowOf(id)).toMatchObject({ failures: 1, due_at_ms: stage.clock.nowMs + 30_000 })
  })

  test('that was sent is neither postponed nor failed by what was planned before', async () => {
    const id = await stage.paid()
    const payout = await payoutOf(id, 'sweep')
    await send(id, 'sweep')
    const before = await rowOf(id)
    await stage.db.write(async (tx) => {
      await postponePayout(tx, payout, 1)
      expect(await failQueuedPayout(tx, { ...payout, failures: 0 }, 1)).toBe(false)
    })
    expect(await rowOf(id)).toEqual(before)
  })

  test('is queued again by its own transaction alone', async () => {
    const id = await stage.paid()
    const payout = await payoutOf(id, 'sweep')
    const transactionId = await send(id, 'sweep')
    const requeue = (of: string) =>
      stage.db.write((tx) => requeuePayout(tx, payout, { transactionId: of, failures: 2, dueAtMs: 5 }))
    expect(await requeue('another')).toBe(false)
    expect((await rowOf(id))?.state).toBe('sent')
    expect(await requeue(transactionId)).toBe(true)
    expect(await rowOf(id)).toMatchObject({ state: 'queued', failures: 2, due_at_ms: 5 })
    expect(await requeue(transactionId)).toBe(false)
  })
})

test('a payout is known as counted once its transaction was final', async () => {
  const [sweep, refund] = [await stage.paid(), await stage.short()]
  const counted = async (id: PaymentId, kind: PayoutKind) => {
    const transactionId = await send(id, kind)
    const payout = await payoutOf(id, kind)
    const load = async () =>
      (await stage.db.read((tx) => outgoingPayouts(tx, transactionId))).map(({ isCounted }) => isCounted)
    const before = await load()
    await stage.db.write((tx) => endOutgoingPayout(tx, payout, transactionId, 'confirmed'))
    return [before, await load()]
  }
  expect(await counted(sweep, 'sweep')).toEqual([[false], [true]])
  expect(await counted(refund, 'refund')).toEqual([[false], [true]])
})

test('the known transactions of a payment are all but the refunds that were given up, which may be on the chain after all', async () => {
  const id = await stage.short()
  const known = () => stage.db.read((tx) => payoutTransactions(tx, id))
  const [sweep, refund] = [await send(id, 'sweep', false), await send(id, 'refund')]
  expect((await known()).sort()).toEqual([`0x${sweep}`, `0x${refund}`].sort())
  await stage.db.write(async (tx) => {
    await endOutgoingPayout(tx, await payoutOf(id, 'refund'), refund, 'failed')
    await endOutgoingPayout(tx, await payoutOf(id, 'sweep'), sweep, 'failed')
  })
  expect(await known()).toEqual([`0x${sweep}`])
})

test('the failed deposits that a person has to see are live ones, in the order of their numbers', async () => {
  const ids = [await stage.short(), await stage.short(), await stage.short()]
  const [test, paid] = [await stage.short(), await stage.paid()]
  await stage.db.write(async (tx) => {
    await tx.run(sql`update payments set attention = 'held' where id in ${[...ids, test, paid]}`)
    await tx.run(sql`update payments set is_test = 1 where id = ${test}`)
  })
  const found = await stage.db.read((tx) => failedDeposits(tx, network, 0, 10))
  expect(found.map(({ paymentId }) => paymentId)).toEqual(ids)
  const behind = await stage.db.read((tx) => failedDeposits(tx, network, found[0]?.number ?? 0, 1))
  expect(behind.map(({ paymentId }) => paymentId)).toEqual([ids[1]])
})
