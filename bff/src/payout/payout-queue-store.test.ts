import { openPayoutStage, type PayoutStage, payer, unmatchedToken } from '@stablecoin-checkout/rig/payout-stage'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { baseUnits } from '../core/money.ts'
import { sql, type Tx } from '../db/db.ts'
import type { PaymentId } from '../payment/payment.ts'
import {
  ConflictError,
  deferPayout,
  deletePayout,
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
  queuedReturnTerms,
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

  test('are the returns of any block, because they arrived on any network', async () => {
    const id = await stage.unmatched()
    await stage.db.write((tx) => tx.run(sql`update payments set last_block = ${head + 1} where id = ${id}`))
    expect(await due('return')).toEqual([id])
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
  const [test, direct, paid] = [await stage.short(), await stage.short(), await stage.paid()]
  await stage.db.write(async (tx) => {
    await tx.run(sql`update payments set attention = 'held' where id in ${[...ids, test, direct, paid]}`)
    await tx.run(sql`update payments set is_direct = 1 where id = ${direct}`)
    await tx.run(sql`update payments set is_test = 1 where id = ${test}`)
  })
  const found = await stage.db.read((tx) => failedDeposits(tx, network, 0, 10))
  expect(found.map(({ paymentId }) => paymentId)).toEqual(ids)
  const behind = await stage.db.read((tx) => failedDeposits(tx, network, found[0]?.number ?? 0, 1))
  expect(behind.map(({ paymentId }) => paymentId)).toEqual([ids[1]])
})

describe('the returns of two tokens of one payment', () => {
  const secondToken = '0x9fe46736679d2d9a65f0992f2272de9f3c7fa6e0'
  let id: PaymentId
  let first: Payout
  let second: Payout
  beforeEach(async () => {
    id = await stage.unmatched()
    first = await payoutOf(id, 'return')
    second = { ...first, token: secondToken }
    const measured = { network, token: secondToken, currency: 'DAI', decimals: 18, balance: baseUnits('9'), block: 1 }
    const event = { type: 'unmatched.measured', ...measured, txId: null, atMs: stage.clock.nowMs } as const
    await stage.ledger.apply(id, event)
  })
  const rowsOf = ({ token }: Payout) =>
    stage.db.read((tx) =>
      tx.all<{ state: string }>(sql`
          select state, failures, due_at_ms, waiting_since_ms, transaction_id from payouts
           where payment_id = ${id} and token = ${token}`),
    )

  test.each<[string, (tx: Tx) => Promise<unknown>]>([
    ['sent', (tx) => markPayoutSent(tx, first, 'one')],
    ['postponed', (tx) => postponePayout(tx, first, 5)],
    ['deferred', (tx) => deferPayout(tx, first, { nowMs: 4, dueAtMs: 5 })],
    ['failed', (tx) => failQueuedPayout(tx, { ...first, failures: 0 }, 5)],
    ['deleted', (tx) => deletePayout(tx, first)],
  ])('are apart: one that is %s leaves the other as it is', async (_, change) => {
    const [mine, others] = [await rowsOf(first), await rowsOf(second)]
    expect([mine, others]).toMatchObject([[{ state: 'queued' }], [{ state: 'queued' }]])
    await stage.db.write(change)
    expect(await rowsOf(first)).not.toEqual(mine)
    expect(await rowsOf(second)).toEqual(others)
  })

  test('are apart: one that is queued again leaves the other with the same transaction', async () => {
    await stage.db.write(async (tx) => {
      await markPayoutSent(tx, first, 'one')
      await markPayoutSent(tx, second, 'one')
      await requeuePayout(tx, first, { transactionId: 'one', failures: 1, dueAtMs: 5 })
    })
    expect([await rowsOf(first), await rowsOf(second)]).toMatchObject([[{ state: 'queued' }], [{ state: 'sent' }]])
  })

  test('are apart: one whose transaction may still be mined holds up no other', async () => {
    const transaction = await send(id, 'return', false)
    const tokensDue = async () => {
      const scope = { network, kind: 'return', nowMs: stage.clock.nowMs, head, limit: 10 } as const
      return (await stage.db.read((tx) => duePayouts(tx, scope))).map(({ token }) => token)
    }
    expect(await tokensDue()).toEqual([secondToken])
    await setTransaction(transaction, 'failed')
    expect((await tokensDue()).toSorted()).toEqual([unmatchedToken, secondToken].toSorted())
  })

  test('count their failures apart', async () => {
    await stage.db.write((tx) => failQueuedPayout(tx, { ...second, failures: 0 }, 5))
    const transactionId = await send(id, 'return')
    const found = await stage.db.read((tx) => outgoingPayouts(tx, transactionId))
    expect(found.map(({ token, failures }) => ({ token, failures }))).toEqual([{ token: unmatchedToken, failures: 0 }])
  })
})

test('one transaction settles many payments, and each has its own end', async () => {
  const [one, other] = [await stage.paid(), await stage.paid()]
  const payouts = [await payoutOf(one, 'sweep'), await payoutOf(other, 'sweep')] as const
  let transaction = ''
  await stage.storeTransaction(async (tx, transactionId) => {
    transaction = transactionId
    for (const payout of payouts) await insertOutgoingPayout(tx, payout, transactionId, null)
  })
  await stage.db.write((tx) => endOutgoingPayout(tx, payouts[0], transaction, 'confirmed'))
  expect([await stage.outgoing(one), await stage.outgoing(other)]).toMatchObject([
    [{ state: 'confirmed' }],
    [{ state: 'sent' }],
  ])
})

test('the failed deposits of a network are those of every end that a person has to see', async () => {
  const ids = [await stage.short(), await stage.short(), await stage.short(), await stage.short(), await stage.short()]
  const [cancelled, failed, elsewhere, seen] = ids
  await stage.db.write(async (tx) => {
    await tx.run(sql`update payments set attention = 'held' where id in ${ids} and id <> ${seen ?? ''}`)
    await tx.run(sql`update payments set status = 'cancelled' where id = ${cancelled ?? ''}`)
    await tx.run(sql`update payments set status = 'failed' where id = ${failed ?? ''}`)
    await tx.run(sql`update payments set network = 'elsewhere' where id = ${elsewhere ?? ''}`)
  })
  const found = await stage.db.read((tx) => failedDeposits(tx, network, 0, 10))
  expect(found.map(({ paymentId }) => paymentId)).toEqual([cancelled, failed, ids[4]])
})

test('the terms of deposits to send back are those of the queued refunds and returns of the network', async () => {
  const sweep = await stage.paid()
  const refund = await stage.short()
  const back = await stage.unmatched()
  const sent = await stage.short()
  for (const id of [sweep, refund, back, sent])
    await stage.db.write((tx) => tx.run(sql`update payments set deposit_terms = ${`terms ${id}`} where id = ${id}`))
  await send(sent, 'refund')
  const termsOn = (at: string) => stage.db.read((tx) => queuedReturnTerms(tx, at, 10))
  expect((await termsOn(network)).sort()).toEqual([`terms ${refund}`, `terms ${back}`].sort())
  expect(await termsOn('elsewhere')).toEqual([])
})
