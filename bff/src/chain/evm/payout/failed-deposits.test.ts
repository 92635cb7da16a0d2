import { firstBlock } from '@stablecoin-checkout/rig/model-payout-chain'
import { due, type ModelStage, openModelStage, payer } from '@stablecoin-checkout/rig/model-payouts'
import { transferOf } from '@stablecoin-checkout/rig/new-payment'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { attentionOf } from '../../../payment/attention.ts'
import type { PaymentId } from '../../../payment/payment.ts'
import { refundableOf } from '../../../payment/payment-sums.ts'
import { refundStateOf } from '../../../payment/refund.ts'

const never = new AbortController().signal
const least = 24_000_000n
const part = 10_000_000n

let stage: ModelStage
beforeEach(async () => {
  stage = await openModelStage()
})
afterEach(() => stage.close())

async function pass(sweeper = stage.sweeper()): Promise<void> {
  await sweeper.pass(never)
  await stage.chain.mine(3)
  stage.clock.nowMs += 60_000
}

const expire = (id: PaymentId) => stage.apply(id, { type: 'window.ended', blockTimeMs: stage.clock.nowMs + 900_001 })

/** Money that arrives after the window. */
async function payLate(id: PaymentId, amount: bigint): Promise<void> {
  const { depositAddress, windowEndsAtMs } = await stage.load(id)
  stage.chain.arrive(depositAddress, amount)
  const blockNumber = stage.chain.head().number
  const place = { txId: `0x${id} ${amount}`, blockTimeMs: windowEndsAtMs + 1, blockNumber }
  const transfer = transferOf(String(amount), place)
  await stage.apply(id, { type: 'transfer.confirmed', transfer })
}

/** A part arrived in time, and the rest of the amount due plus `more` late: all of it is held. */
async function payHeld(more = 0n): Promise<PaymentId> {
  const id = await stage.pay({ paid: part, least })
  await expire(id)
  await payLate(id, due - part + more)
  return id
}

const settle = async (id: PaymentId) => stage.chain.settleAsStranger((await stage.load(id)).depositAddress)

describe('a failed payment settled externally', () => {
  test('is the merchant’s: the payment is paid by that transaction, and nothing is owed', async () => {
    const id = await payHeld()
    expect(attentionOf(await stage.load(id))).toBe('late_held')
    const sweepTxId = await settle(id)
    await stage.chain.mine(3)
    await pass()
    const payment = await stage.load(id)
    expect(payment).toMatchObject({ status: 'swept', sweepTxId, sweptAmount: due, lateTaken: true })
    expect([refundableOf(payment), attentionOf(payment)]).toEqual([0n, null])
    expect(await stage.outgoing()).toEqual([])
  })

  test('cannot be refunded to the address set before, and the payment says so', async () => {
    const id = await payHeld()
    await stage.apply(id, { type: 'refund.requested', address: payer })
    expect(refundStateOf(await stage.load(id))).toBe('held')
    await settle(id)
    await stage.chain.mine(3)
    await pass()
    const payment = await stage.load(id)
    expect([payment.refund, refundStateOf(payment)]).toEqual(['none', undefined])
  })

  test('leaves later money to the payer', async () => {
    const id = await payHeld()
    await settle(id)
    await stage.chain.mine(3)
    await payLate(id, 7n)
    await pass()
    expect(await stage.load(id)).toMatchObject({ status: 'swept', sweptAmount: due })
    expect(refundableOf(await stage.load(id))).toBe(7n)
    await stage.apply(id, { type: 'refund.requested', address: payer })
    for (let passes = 0; passes < 2; passes++) await pass()
    expect(await stage.load(id)).toMatchObject({ refunded: 7n })
  })

  test('also counts if a caller ended the payment, within the tolerance', async () => {
    const id = await stage.pay({ paid: part, least })
    await stage.apply(id, { type: 'payment.closed', as: 'failed', isShort: true })
    await payLate(id, least - part)
    await settle(id)
    await stage.chain.mine(3)
    await pass()
    expect(await stage.load(id)).toMatchObject({ status: 'swept', sweptAmount: least })
  })

  test('counts with its confirmations, and not if a reorg removed it', async () => {
    const id = await payHeld()
    await settle(id)
    await stage.sweeper().pass(never)
    expect(await stage.load(id)).toMatchObject({ status: 'expired' })
    stage.chain.reorg(1)
    stage.clock.nowMs += 60_000
    await pass()
    await pass()
    expect(await stage.load(id)).toMatchObject({ status: 'expired', sweep: 'none' })
  })

  test('does not count while a node names a block of it that the chain has replaced', async () => {
    const id = await payHeld()
    await settle(id)
    await stage.chain.mine(3)
    await pass(stage.sweeper({ isCanonical: async () => false }))
    expect(await stage.load(id)).toMatchObject({ status: 'expired', sweep: 'none' })
    await pass()
    expect(await stage.load(id)).toMatchObject({ status: 'swept' })
  })

  test('is found behind fifty deposits that nobody settles', async () => {
    for (let deposit = 0; deposit < 50; deposit++) await payHeld()
    const id = await payHeld()
    await settle(id)
    await stage.chain.mine(3)
    const sweeper = stage.sweeper()
    await pass(sweeper)
    expect(await stage.load(id)).toMatchObject({ status: 'expired' })
    await pass(sweeper)
    expect(await stage.load(id)).toMatchObject({ status: 'swept' })
  })

  test('is recorded for any number of payments, regardless of earlier ones', async () => {
    const waiting = await payHeld()
    const ids = []
    for (let deposit = 0; deposit < 7; deposit++) ids.push(await payHeld())
    for (const id of ids) await settle(id)
    await stage.chain.mine(3)
    const sweeper = stage.sweeper()
    for (let passes = 0; passes < 3; passes++) await pass(sweeper)
    expect(new Set(await stage.statuses(ids))).toEqual(new Set(['swept']))
    expect(await stage.load(waiting)).toMatchObject({ status: 'expired' })
  })
})

test('the searches for a settlement and for a refund of one payment skip no block of each other', async () => {
  const id = await payHeld(7n)
  await stage.apply(id, { type: 'refund.requested', address: payer })
  await stage.apply(id, { type: 'refund.failed', isGivenUp: true })
  await settle(id)
  await stage.chain.mine(20)
  const asked = { settlement: [] as number[], refund: [] as number[] }
  const sweeper = stage.sweeper({
    async findSettlement(_, { from }) {
      asked.settlement.push(from)
      return { next: from + 2 }
    },
    async findRefund(_, __, ___, { from }) {
      asked.refund.push(from)
      return { next: from + 5 }
    },
  })
  for (let passes = 0; passes < 2; passes++) await pass(sweeper)
  expect(asked).toEqual({ settlement: [firstBlock, firstBlock + 2], refund: [firstBlock, firstBlock + 5] })
})

test('failed deposits are checked by one call, a few times a minute, and only if there are any', async () => {
  let calls = 0
  const refusals: typeof stage.sender.refusals = (factory, batch) => {
    calls += 1
    return stage.sender.refusals(factory, batch)
  }
  const sweeper = stage.sweeper({ refusals })
  await sweeper.pass(never)
  expect(calls).toBe(0)
  await payHeld()
  await payHeld()
  for (let passes = 0; passes < 3; passes++) await sweeper.pass(never)
  expect(calls).toBe(1)
  stage.clock.nowMs += 20_000
  await sweeper.pass(never)
  expect(calls).toBe(2)
})

test('a node that does not respond is asked again', async () => {
  const id = await payHeld()
  await settle(id)
  await stage.chain.mine(3)
  const down = () => Promise.reject(new Error('down'))
  await expect(stage.sweeper({ refusals: down }).pass(never)).rejects.toThrow('down')
  await pass()
  expect(await stage.load(id)).toMatchObject({ status: 'swept' })
})
