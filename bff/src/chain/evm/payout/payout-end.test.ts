import { confirmations, type ModelStage, openModelStage, payer, platform } from '@stablecoin-checkout/rig/model-payouts'
import type { Hex } from 'viem'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { BaseUnits } from '../../../core/money.ts'
import { sql } from '../../../db/db.ts'
import type { PaymentId } from '../../../payment/payment.ts'
import { refundStateOf } from '../../../payment/refund.ts'
import { giveUpAfterMs } from './monitor.ts'

const never = new AbortController().signal
const otherMerchant = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65'
const otherToken = '0x5fc8d32690cc91d4c39d9d3abcbd16989f875707'
let stage: ModelStage
beforeEach(async () => {
  stage = await openModelStage()
})
afterEach(() => stage.close())

const pass = (sweeper = stage.sweeper()) => sweeper.pass(never)
const mineFinal = () => stage.chain.mine(confirmations)
const lastLines = (count: number) => stage.lines.slice(-count)
const lastTxId = async () => (await stage.outgoing()).at(-1)?.tx_id

describe('a final sweep transaction', () => {
  test('that omitted a deposit settles the others, and queues that one again with the reason', async () => {
    const blocked = await stage.pay({ merchant: otherMerchant })
    const free = await stage.pay()
    await pass()
    stage.chain.blocked.add(otherMerchant)
    await mineFinal()
    expect(await pass()).toBe(1)
    expect(await stage.statuses([blocked, free])).toEqual(['sweeping', 'swept'])
    const { nowMs } = stage.clock
    expect(await stage.sweepOf(blocked)).toMatchObject({ state: 'queued', failures: 1, due_at_ms: nowMs + 30_000 })
    expect(await stage.load(blocked)).toMatchObject({ sweep: 'failing' })
    expect(await stage.sweepOf(free)).toBeUndefined()
    expect(lastLines(1)).toEqual([
      {
        ...{ level: 'warn', message: 'A transaction left a deposit unsettled' },
        fields: { network: 'devnet', txId: await lastTxId(), paymentId: blocked, reason: 'the wallet is blocked' },
      },
    ])
  })

  test.each([
    ['reverted', 'the transaction reverted'],
    ['left it out without a word', 'the factory gave no reason'],
  ])('that %s queues its deposit again', async (how, reason) => {
    const id = await stage.pay()
    await pass()
    if (how === 'reverted') stage.chain.isReverting = true
    else stage.chain.isSilent.add((await stage.load(id)).depositAddress.toLowerCase())
    await mineFinal()
    expect(await pass()).toBe(1)
    expect(await stage.sweepOf(id)).toMatchObject({ state: 'queued', failures: 1 })
    expect(lastLines(1)[0]?.fields).toMatchObject({ paymentId: id, reason })
  })

  test('that failed for the sixth time is reported to the merchant', async () => {
    const id = await stage.pay()
    await stage.db.write((tx) => tx.run(sql`update payouts set failures = 5`))
    await pass()
    stage.chain.isReverting = true
    await mineFinal()
    await pass()
    expect(await stage.load(id)).toMatchObject({ status: 'sweep_failed' })
    expect(await stage.sweepOf(id)).toMatchObject({ failures: 6, due_at_ms: stage.clock.nowMs + 3_600_000 })
  })

  test('that came after an external settlement has not failed: the external one is the sweep', async () => {
    const id = await stage.pay()
    await pass()
    const txId = stage.chain.settleAsStranger((await stage.load(id)).depositAddress)
    await mineFinal()
    expect(
      await pass(stage.sweeper({ findSettlement: () => Promise.reject(new Error('down')) })).catch(String),
    ).toMatch(/down/)
    expect(await stage.sweepOf(id)).toMatchObject({ state: 'queued', failures: 0 })
    expect(await stage.load(id)).toMatchObject({ sweep: 'queued' })
    stage.clock.nowMs += 30_000
    await pass()
    expect(await stage.load(id)).toMatchObject({ status: 'swept', sweepTxId: txId })
  })

  test('whose platform could not be paid is settled, and records where the share is parked', async () => {
    const id = await stage.pay()
    await pass()
    stage.chain.blocked.add(platform)
    await mineFinal()
    await pass()
    expect(await stage.statuses([id])).toEqual(['swept'])
    expect(lastLines(1)).toEqual([
      {
        ...{ level: 'warn', message: "The platform's wallet rejected its share, which stays at the deposit address" },
        fields: { network: 'devnet', txId: await lastTxId(), paymentId: id },
      },
    ])
  })

  test('whose platform was paid records no parked share, and the total of merchant and platform', async () => {
    const id = await stage.pay()
    await pass()
    await mineFinal()
    await pass()
    expect(stage.said('warn')).toEqual([])
    const { due, sweptAmount } = await stage.load(id)
    expect(sweptAmount).toBe(due)
  })

  test('is counted once, also by two concurrent sweepers', async () => {
    const id = await stage.pay()
    await pass()
    await mineFinal()
    const { isCanonical } = stage.sender
    const slow = stage.sweeper({
      async isCanonical(block) {
        await pass(stage.sweeper())
        return await isCanonical(block)
      },
    })
    expect(await pass(slow)).toBe(0)
    expect(await stage.statuses([id])).toEqual(['swept'])
    expect(stage.said('info').filter((message) => message === 'A deposit was settled')).toHaveLength(1)
  })
})

test('a lost transaction is counted once, also by two concurrent sweepers', async () => {
  await stage.pay()
  await pass()
  stage.chain.pool.clear()
  stage.chain.takeNonce(stage.signer.address)
  await mineFinal()
  const { isReplaced } = stage.sender
  const other = stage.sweeper()
  await pass(other)
  const slow = stage.sweeper({
    async isReplaced(used) {
      await pass(other)
      return await isReplaced(used)
    },
  })
  await pass(slow)
  stage.clock.nowMs += giveUpAfterMs
  expect(await pass(slow)).toBe(0)
  expect(stage.said('warn')).toHaveLength(1)
})

/** Partially paid and expired; the payer wants a refund. */
async function openRefund(paid = 10_000_000n) {
  const deadlineSeconds = Math.floor(stage.clock.nowMs / 1000) + 900
  const id = await stage.pay({ paid, deadlineSeconds })
  const { windowEndsAtMs: endsAtMs } = await stage.load(id)
  stage.clock.nowMs = endsAtMs + 60_000
  stage.chain.timeSeconds = Math.floor(stage.clock.nowMs / 1000)
  await stage.apply(id, { type: 'window.ended', blockTimeMs: stage.clock.nowMs })
  await stage.apply(id, { type: 'refund.requested', address: payer })
  return id
}

const refundOf = (id: PaymentId) =>
  stage.db.read((tx) =>
    tx.get<{ state: string; failures: number; due_at_ms: number }>(
      sql`select state, failures, due_at_ms from payouts where kind = 'refund' and payment_id = ${id}`,
    ),
  )

describe('a final refund transaction', () => {
  test('counts as refunded, and the payment gets the event', async () => {
    const id = await openRefund()
    expect(await pass()).toBe(1)
    expect(await stage.load(id)).toMatchObject({ refunding: 10_000_000n, refunded: 0n })
    await mineFinal()
    expect(await pass()).toBe(1)
    const txId = await lastTxId()
    const payment = await stage.load(id)
    expect(payment).toMatchObject({ refunding: 0n, refunded: 10_000_000n, refundTxId: txId })
    expect(refundStateOf(payment)).toBe('refunded')
    expect(await refundOf(id)).toBeUndefined()
    expect(lastLines(1)).toEqual([
      {
        ...{ level: 'info', message: 'Money was sent back' },
        fields: { network: 'devnet', paymentId: id, address: payer, txId, amount: '10000000' },
      },
    ])
  })

  test('is counted by the amount on chain, not by the intended amount', async () => {
    const id = await openRefund()
    await pass()
    await mineFinal()
    const { receipt } = stage.sender
    await pass(
      stage.sweeper({
        async receipt(txId, to) {
          const found = await receipt(txId, to)
          return found && { ...found, refunds: found.refunds.map((log) => ({ ...log, amount: 9_999_999n })) }
        },
      }),
    )
    expect(await stage.load(id)).toMatchObject({ refunded: 9_999_999n })
  })

  test.each([
    ['another deposit', { forwarder: otherMerchant as Hex }],
    ['another token', { token: otherToken as Hex }],
    ['another receiver', { to: otherMerchant as Hex }],
  ])('does not count an amount of %s', async (_, change) => {
    const id = await openRefund()
    await pass()
    await mineFinal()
    const { receipt } = stage.sender
    await pass(
      stage.sweeper({
        async receipt(txId, to) {
          const found = await receipt(txId, to)
          return found && { ...found, refunds: found.refunds.map((log) => ({ ...log, ...change })) }
        },
      }),
    )
    const { nowMs } = stage.clock
    expect(await stage.load(id)).toMatchObject({ refunded: 0n, refunding: 0n, refund: 'failing' })
    expect(await refundOf(id)).toEqual({ state: 'queued', failures: 1, due_at_ms: nowMs + 30_000 })
  })

  test.each(['forwarder', 'token', 'to'] as const)(
    'is not one with another %s in the same transaction',
    async (other) => {
      const id = await openRefund()
      await pass()
      await mineFinal()
      const { receipt } = stage.sender
      await pass(
        stage.sweeper({
          async receipt(txId, at) {
            const found = await receipt(txId, at)
            const refunds =
              found?.refunds.map((refund) => ({ ...refund, [other]: `0x${'ee'.repeat(20)}` as Hex })) ?? []
            return found && { ...found, refunds }
          },
        }),
      )
      expect(await stage.load(id)).toMatchObject({ refunded: 0n, refund: 'failing' })
    },
  )

  test('goes to the same address in any case', async () => {
    const id = await openRefund()
    await pass()
    await mineFinal()
    const { receipt } = stage.sender
    const upper = (text: Hex) => `0x${text.slice(2).toUpperCase()}` as Hex
    await pass(
      stage.sweeper({
        async receipt(txId, at) {
          const found = await receipt(txId, at)
          const spelt = ({ forwarder, token, to, amount }: NonNullable<typeof found>['refunds'][number]) => ({
            ...{ forwarder: upper(forwarder), token: upper(token), to: upper(to), amount },
          })
          return found && { ...found, refunds: found.refunds.map(spelt) }
        },
      }),
    )
    expect(await stage.load(id)).toMatchObject({ refunded: 10_000_000n })
  })

  test('that reverted is tried again, and given up after six failures', async () => {
    const id = await openRefund()
    stage.chain.isReverting = true
    await pass()
    await mineFinal()
    await pass()
    expect(lastLines(1)).toEqual([
      {
        ...{ level: 'warn', message: 'A refund failed on chain; retrying' },
        fields: { network: 'devnet', paymentId: id, address: payer, txId: await lastTxId() },
      },
    ])
    await stage.db.write((tx) => tx.run(sql`update payouts set failures = 5`))
    stage.clock.nowMs += 30_000
    await pass()
    await mineFinal()
    await pass()
    expect(await stage.load(id)).toMatchObject({ refund: 'failed', refunding: 0n })
    expect(await refundOf(id)).toMatchObject({ failures: 6 })
  })

  test('whose nonce was taken has not failed: the refund is due again at once', async () => {
    const id = await openRefund()
    await pass()
    stage.chain.pool.clear()
    stage.chain.takeNonce(stage.signer.address)
    await mineFinal()
    const faulty = stage.sweeper({ checkRefund: () => Promise.reject(new Error('down')) })
    await pass(faulty)
    stage.clock.nowMs += giveUpAfterMs
    await pass(faulty).catch(() => undefined)
    expect(await refundOf(id)).toMatchObject({ state: 'queued', failures: 0 })
    expect(await stage.load(id)).toMatchObject({ refund: 'queued', refunding: 0n })
    stage.clock.nowMs += 30_000
    await pass()
    await mineFinal()
    await pass()
    expect(await stage.load(id)).toMatchObject({ refunded: 10_000_000n })
  })
})

/**
 * A reorg deeper than the confirmations removes the transaction, and it is mined again because a later one waits for
 * it.
 */
async function mineAgain(sweeper = () => stage.sweeper()) {
  stage.chain.reorg(confirmations)
  await stage.pay()
  await pass(sweeper())
  stage.clock.nowMs += 90_000
  await pass(sweeper())
  await pass(sweeper())
  await mineFinal()
  await pass(sweeper())
}

describe('a refund transaction undone by a deep reorg', () => {
  test('is counted once, however often it becomes final', async () => {
    const id = await openRefund()
    await pass()
    await mineFinal()
    await pass()
    await mineAgain()
    expect((await stage.outgoing()).map(({ state }) => state)).toEqual(['confirmed', 'confirmed'])
    expect(await stage.load(id)).toMatchObject({ refunded: 10_000_000n, refunding: 0n })
  })

  test('is counted if it reverted at first and then succeeds', async () => {
    const id = await openRefund()
    await pass()
    stage.chain.isReverting = true
    await mineFinal()
    await pass()
    stage.chain.isReverting = false
    await mineAgain()
    expect(await stage.outgoing()).toHaveLength(2)
    expect(await stage.load(id)).toMatchObject({ refunded: 10_000_000n, refunding: 0n, refund: 'none' })
  })
})

describe('a final transaction that returns an unmatched transfer', () => {
  const otherTransfer = { network: 'devnet', token: otherToken, currency: 'USDT', decimals: 6 }
  const unmatchedOf = async (id: PaymentId) => (await stage.load(id)).unmatched[0]
  const queueOf = (id: PaymentId) =>
    stage.db.read((tx) =>
      tx.get<{ state: string; failures: number; due_at_ms: number }>(
        sql`select state, failures, due_at_ms from payouts where kind = 'return' and payment_id = ${id}`,
      ),
    )

  /** An unmatched token is at the payment's address, and the payer has set a return address. */
  async function openUnmatched() {
    const id = await stage.pay({ paid: 1n })
    await stage.apply(id, {
      ...{ type: 'unmatched.measured', ...otherTransfer, balance: 7_000_000n as BaseUnits, block: 100, txId: '0x57' },
    })
    await stage.apply(id, { type: 'refund.requested', address: payer })
    return id
  }
  const sweeper = (change: Partial<{ forwarder: Hex; token: Hex; to: Hex; amount: bigint }> = {}) => {
    const { receipt } = stage.sender
    return stage.sweeper({
      checkRefund: async () => ({ gas: 100_000n }),
      async receipt(txId, to) {
        const found = await receipt(txId, to)
        const forwarder = (await stage.load(id)).depositAddress as Hex
        const log = { forwarder, token: otherToken as Hex, to: payer as Hex, amount: 7_000_000n, ...change }
        return found && { ...found, isReverted: false, refunds: [log] }
      },
    })
  }
  let id: PaymentId
  beforeEach(async () => {
    id = await openUnmatched()
  })

  test('counts as returned, and the payment gets the event', async () => {
    await pass(sweeper())
    await mineFinal()
    await pass(sweeper())
    const txId = await lastTxId()
    expect(await unmatchedOf(id)).toMatchObject({ balance: 0n, refunded: 7_000_000n, refund: 'none', refundTxId: txId })
    expect(await queueOf(id)).toBeUndefined()
    expect(lastLines(1)).toEqual([
      {
        ...{ level: 'info', message: 'An unmatched transfer was sent back' },
        fields: { network: 'devnet', paymentId: id, token: otherToken, address: payer, txId, amount: '7000000' },
      },
    ])
  })

  test.each([
    ['another deposit', { forwarder: otherMerchant as Hex }],
    ['another token', { token: payer as Hex }],
    ['another receiver', { to: otherMerchant as Hex }],
  ])('does not count an amount of %s', async (_, change) => {
    await pass(sweeper())
    await mineFinal()
    await pass(sweeper(change))
    expect(await unmatchedOf(id)).toMatchObject({ balance: 7_000_000n, refunded: 0n, refund: 'failing' })
    expect(await queueOf(id)).toEqual({ state: 'queued', failures: 1, due_at_ms: stage.clock.nowMs + 30_000 })
    expect(stage.said('warn')).toEqual(['The return of an unmatched transfer failed on chain; retrying'])
  })

  test('that reverted for the sixth time is given up', async () => {
    await stage.db.write((tx) => tx.run(sql`update payouts set failures = 5`))
    await pass(sweeper())
    await mineFinal()
    await pass(sweeper({ to: otherMerchant }))
    expect(await unmatchedOf(id)).toMatchObject({ refund: 'failed' })
    expect(await queueOf(id)).toMatchObject({ failures: 6 })
  })

  test('whose nonce was taken has not failed: it is due again at once', async () => {
    await pass(sweeper())
    stage.chain.pool.clear()
    stage.chain.takeNonce(stage.signer.address)
    await mineFinal()
    const faulty = stage.sweeper({ checkRefund: () => Promise.reject(new Error('down')) })
    await pass(faulty)
    stage.clock.nowMs += giveUpAfterMs
    await pass(faulty).catch(() => undefined)
    expect(await queueOf(id)).toMatchObject({ state: 'queued', failures: 0 })
    expect(await unmatchedOf(id)).toMatchObject({ refund: 'queued', balance: 7_000_000n })
  })

  test('is counted once, however often a deep reorg undoes it', async () => {
    await pass(sweeper())
    await mineFinal()
    await pass(sweeper())
    await mineAgain(sweeper)
    expect((await stage.outgoing()).map(({ state }) => state)).toEqual(['confirmed', 'confirmed'])
    expect(await unmatchedOf(id)).toMatchObject({ refunded: 7_000_000n })
  })

  test('is counted if it reverted at first, and succeeds after a deep reorg', async () => {
    await pass(sweeper())
    await mineFinal()
    await pass(sweeper({ to: otherMerchant }))
    await mineAgain(sweeper)
    expect(await unmatchedOf(id)).toMatchObject({ balance: 0n, refunded: 7_000_000n, refund: 'none' })
  })
})
