import { due, openStage, platformShare, type Stage } from '@stablecoin-checkout/rig/sweeper-stage'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { PaymentId } from '../payment/payment.ts'

const never = new AbortController().signal
const payer = '0x1111111111111111111111111111111111111111'
const short = 10_000_000n

let stage: Stage
beforeEach(async () => {
  stage = await openStage()
})
afterEach(() => stage.close())

const take = (id: PaymentId) => stage.ledger.apply(id, { type: 'late.accepted', atMs: stage.clock.nowMs })

async function expiredShort(): Promise<PaymentId> {
  const id = await stage.pay({ amount: short, deadlineSeconds: 1 })
  await stage.expire(id)
  return id
}

/** What the merchant and the platform have got, beside what their wallets held. */
async function openTill() {
  const read = async () => [await stage.balanceOf(stage.merchant), await stage.balanceOf(stage.platform)]
  const [merchant = 0n, platform = 0n] = await read()
  return async () => {
    const [now = 0n, platformNow = 0n] = await read()
    return [now - merchant, platformNow - platform]
  }
}

test('what came too late and was taken is forwarded whole, and its excess goes back after it', async () => {
  const earned = await openTill()
  const id = await expiredShort()
  await stage.payMore(id, due - short + 7n, { isLate: true })
  await stage.requestRefund(id, payer)
  await take(id)
  const sweeper = stage.sweeper()
  await stage.passUntil(sweeper, 'swept', [id])
  expect(await earned()).toEqual([due - platformShare, platformShare])
  for (let pass = 0; pass < 8; pass++) {
    await sweeper.pass(never)
    await stage.chain.mine({ blocks: 1 })
  }
  expect(await stage.refunds(id)).toEqual([{ to: payer, amount: 7n }])
  expect(await stage.load(id)).toMatchObject({ refunded: 7n, refunding: 0n, status: 'swept' })
})

test('money that completes the amount while a part of it is on its way back: the chain keeps it, and it is taken after that', async () => {
  const earned = await openTill()
  const id = await expiredShort()
  await stage.requestRefund(id, payer)
  let broadcasts = 0
  const sweeper = stage.sweeper({
    // The transaction reaches no node until the rest has come.
    broadcast: async (raw) => (broadcasts++ === 0 ? { answer: 'known' } : await stage.sender.broadcast(raw)),
  })
  await sweeper.pass(never)
  expect(await stage.load(id)).toMatchObject({ refunding: short })
  await stage.payMore(id, due - short, { isLate: true })
  expect((await take(id))?.status).toBe('expired')

  stage.clock.nowMs += 15_000
  for (let pass = 0; pass < 8; pass++) {
    await sweeper.pass(never)
    await stage.chain.mine({ blocks: 1 })
  }
  expect(await stage.refunds(id)).toEqual([])
  expect(await stage.load(id)).toMatchObject({ status: 'expired', refunding: 0n, refunded: 0n, refund: 'none' })
  expect((await take(id))?.status).toBe('sweeping')
  await stage.passUntil(sweeper, 'swept', [id])
  expect(await earned()).toEqual([due - platformShare, platformShare])
})

test('money that completes the amount after a part of it went back is not taken, and goes back too', async () => {
  const id = await expiredShort()
  await stage.requestRefund(id, payer)
  const sweeper = stage.sweeper()
  await sweeper.pass(never)
  await stage.payMore(id, due - short, { isLate: true })
  expect((await take(id))?.status).toBe('expired')
  for (let pass = 0; pass < 12; pass++) {
    await sweeper.pass(never)
    await stage.chain.mine({ blocks: 1 })
  }
  expect((await take(id))?.status).toBe('expired')
  expect(await stage.balanceOf(payer)).toBe(due)
  expect(await stage.load(id)).toMatchObject({ status: 'expired', refunded: due, refunding: 0n })
})
