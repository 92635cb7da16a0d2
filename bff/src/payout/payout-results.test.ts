import { duePayout, openPayoutStage, type PayoutStage, payer } from '@stablecoin-checkout/rig/payout-stage'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { baseUnits } from '../core/money.ts'
import { sql } from '../db/db.ts'
import { failPayouts } from './payout-failure.ts'
import { countExternalRefund, finalizePayouts } from './payout-finalize.ts'
import { insertOutgoingPayout, markPayoutSent } from './payout-queue-store.ts'
import { failuresMax } from './payout-retry.ts'

let stage: PayoutStage
beforeEach(async () => {
  stage = await openPayoutStage()
})
afterEach(() => stage.close())

const never = new AbortController().signal

test('the books have what a sweep paid by the chain, also where that is less than what is due', async () => {
  const id = await stage.paid()
  const payout = duePayout('sweep', id)
  await stage.storeTransaction(async (tx, transactionId) => {
    await markPayoutSent(tx, payout, transactionId)
    await insertOutgoingPayout(tx, payout, transactionId, null)
  })
  await stage.finalize(id, { result: 'paid', txId: '0x5', amount: 24_000_000n, block: 9 })
  expect(await stage.load(id)).toMatchObject({ status: 'swept', sweptAmount: 24_000_000n, sweepTxId: '0x5' })
  expect(await stage.queued(id)).toEqual([])
})

test('the books have what will be swept where an older version sent the sweep and stored no amount', async () => {
  const id = await stage.paid()
  const payout = duePayout('sweep', id)
  await stage.storeTransaction(async (tx, transactionId) => {
    await markPayoutSent(tx, payout, transactionId)
    await insertOutgoingPayout(tx, payout, transactionId, null)
  })
  await stage.finalize(id, { result: 'paid', txId: '0x5', amount: undefined, block: 9 })
  expect(await stage.load(id)).toMatchObject({ sweptAmount: 25_000_000n })
})

test('a refund of ours that was given up and landed after all is the row that it was, and is counted once', async () => {
  const id = await stage.short()
  await stage.openWorker().worker.pass(never)
  await stage.finalize(id, { result: 'unpaid' })
  const [row] = await stage.db.read((tx) =>
    tx.all<{ txId: string }>(sql`select tx_id as "txId" from outgoing_transactions`),
  )
  const found = { txId: row?.txId ?? '', to: payer, amount: 10_000_000n }
  await countExternalRefund(stage.deps, duePayout('refund', id), found)
  expect(await stage.outgoing(id)).toEqual([{ kind: 'refund', address: payer, amount: '10000000', state: 'confirmed' }])
  expect(await stage.load(id)).toMatchObject({ refunded: 10_000_000n, refunding: 0n, refundTxId: row?.txId })
  expect(await stage.queued(id)).toEqual([])
  const states = await stage.db.read((tx) => tx.all(sql`select state from outgoing_transactions`))
  expect(states).toEqual([{ state: 'confirmed' }])
})

describe('a refund and a return of one payment', () => {
  /** A refund on its way, and a return of the same payment. */
  async function sent() {
    const id = await stage.short()
    await stage.openWorker().worker.pass(never)
    const [refund] = await stage.db.read((tx) => tx.all<{ id: string }>(sql`select id from outgoing_transactions`))
    return { id, refund: refund?.id ?? '', back: duePayout('return', id) }
  }
  const terms = { address: payer, amount: baseUnits('7') }

  test('in one transaction are counted each by itself', async () => {
    const { id, refund, back } = await sent()
    await stage.db.write((tx) => insertOutgoingPayout(tx, back, refund, terms))
    const paid = { result: 'paid', txId: '0x5', amount: 10_000_000n, block: 9 } as const
    await stage.db.write((tx) => finalizePayouts(stage.deps, tx, refund, () => paid, { kind: 'refund', paymentId: id }))
    const states = (await stage.outgoing(id)).map(({ kind, state }) => [kind, state]).toSorted()
    expect(states).toEqual([
      ['refund', 'confirmed'],
      ['return', 'sent'],
    ])
  })

  test('are on their way each by itself: the refund still is when the return was undone', async () => {
    const { id, back } = await sent()
    await stage.storeTransaction(async (tx, transactionId) => {
      await insertOutgoingPayout(tx, back, transactionId, terms)
    })
    expect(await stage.finalize(id, { result: 'failed', txId: '0x6' })).toBe(1)
    expect(await stage.load(id)).toMatchObject({ refunding: 10_000_000n, refunded: 0n })
  })
})

describe('a payout that fails', () => {
  test.each([
    ['sweep', 'paid', 'sweep'],
    ['refund', 'short', 'refund'],
  ] as const)(
    'is tried again after twice the time, and hourly once it is given up: a %s',
    async (kind, open, field) => {
      const id = await stage[open]()
      const delays: number[] = []
      const states: string[] = []
      for (let failures = 0; failures < failuresMax + 1; failures++) {
        await failPayouts(stage.deps, [{ ...duePayout(kind, id, failures), refused: { reason: 'blocked' } }])
        delays.push(((await stage.queued(id))[0]?.due_at_ms ?? 0) - stage.clock.nowMs)
        states.push((await stage.load(id))[field])
      }
      expect(delays.map((ms) => ms / 1000)).toEqual([30, 60, 120, 240, 480, 3_600, 3_600])
      expect(states).toEqual([...Array.from({ length: failuresMax - 1 }, () => 'failing'), 'failed', 'failed'])
    },
  )
})
