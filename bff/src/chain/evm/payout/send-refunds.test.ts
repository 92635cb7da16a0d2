import { confirmations, due, openStage, platformShare, type Stage } from '@stablecoin-checkout/rig/sweeper-stage'
import { getAddress, type Hex } from 'viem'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sql } from '../../../db/db.ts'
import type { PaymentId } from '../../../payment/payment.ts'
import type { PayoutWorker } from '../../../payout/payout-worker.ts'

const never = new AbortController().signal
const payer = '0x00000000000000000000000000000000000000A1'
const otherWallet = '0x00000000000000000000000000000000000000a2'
const short = 10_000_000n
/** Long over by the chain's clock. */
const deadlineSeconds = 1
let stage: Stage

beforeEach(async () => {
  stage = await openStage()
})
afterEach(() => stage.close())

async function passUntilRefunded(sweeper: PayoutWorker, id: PaymentId, amount: bigint): Promise<void> {
  for (let passes = 0; passes < 40; passes++) {
    if ((await stage.load(id)).refunded === amount) return
    await sweeper.pass(never)
    await stage.chain.mine({ blocks: 1 })
    stage.clock.nowMs += 1_000
  }
  throw new Error(`Not refunded: ${JSON.stringify(stage.warnings)}`)
}

/** An underpaid deposit, whose window and deadline are over. */
async function expiredShort(): Promise<PaymentId> {
  const id = await stage.pay({ amount: short, deadlineSeconds })
  await stage.expire(id)
  return id
}

const died = () => Promise.reject(new Error('killed'))

test('the excess of a paid deposit is refunded after its sweep, and merchant and platform have their full shares', async () => {
  const before = await stage.balanceOf(stage.merchant)
  const id = await stage.pay({ amount: due + 7n })
  await stage.requestRefund(id, payer)
  const sweeper = stage.sweeper()
  await sweeper.pass(never)
  expect(await stage.refunds(id)).toEqual([])

  await passUntilRefunded(sweeper, id, 7n)
  expect(await stage.refunds(id)).toEqual([{ to: payer, amount: 7n }])
  expect((await stage.balanceOf(stage.merchant)) - before).toBe(due - platformShare)
  const sent = await stage.outgoing()
  expect(await stage.load(id)).toMatchObject({ status: 'swept', refundTxId: sent.at(-1)?.tx_id, refund: 'none' })
  expect(await sweeper.pass(never)).toBe(0)
})

test('the money of an expired payment is refunded in full, and counts only with the network’s confirmations', async () => {
  const id = await expiredShort()
  const sweeper = stage.sweeper()
  expect(await sweeper.pass(never)).toBe(0)
  await stage.requestRefund(id, payer)
  await sweeper.pass(never)
  expect(await stage.balanceOf(payer)).toBe(short)
  await stage.chain.mine({ blocks: confirmations - 2 })
  await sweeper.pass(never)
  expect(await stage.load(id)).toMatchObject({ refunded: 0n })

  await stage.chain.mine({ blocks: 1 })
  await sweeper.pass(never)
  expect(await stage.load(id)).toMatchObject({ status: 'expired', refunded: short })
  expect(await stage.db.read((tx) => tx.all(sql`select type from events order by number`))).toContainEqual({
    type: 'deposit.refunded',
  })
})

test('money received after a refund is refunded by another', async () => {
  const id = await expiredShort()
  await stage.requestRefund(id, payer)
  const sweeper = stage.sweeper()
  await passUntilRefunded(sweeper, id, short)
  await stage.payMore(id, 3n, { isLate: true })
  await passUntilRefunded(sweeper, id, short + 3n)
  expect(await stage.refunds(id)).toEqual([
    { to: payer, amount: short },
    { to: payer, amount: 3n },
  ])
})

test('money that arrives bit by bit is refunded three times at once, then together a day later', async () => {
  const id = await expiredShort()
  await stage.requestRefund(id, payer)
  const sweeper = stage.sweeper()
  await passUntilRefunded(sweeper, id, short)
  for (const more of [1n, 2n]) {
    await stage.payMore(id, 1n, { isLate: true })
    await passUntilRefunded(sweeper, id, short + more)
  }
  await stage.payMore(id, 1n, { isLate: true })
  expect(await sweeper.pass(never)).toBe(0)
  await stage.payMore(id, 1n, { isLate: true })
  expect(await sweeper.pass(never)).toBe(0)
  expect(await stage.outgoing()).toHaveLength(3)

  stage.clock.nowMs += 24 * 60 * 60 * 1000
  await passUntilRefunded(sweeper, id, short + 4n)
  expect((await stage.refunds(id)).map(({ amount }) => amount)).toEqual([short, 1n, 1n, 2n])
})

test('a full amount that arrives late is the merchant’s on chain: only its excess is sent', async () => {
  const id = await expiredShort()
  await stage.payMore(id, due - short, { isLate: true })
  await stage.requestRefund(id, payer)
  expect(await stage.sweeper().pass(never)).toBe(0)
  expect(await stage.outgoing()).toHaveLength(0)

  await stage.payMore(id, 5n, { isLate: true })
  await passUntilRefunded(stage.sweeper(), id, 5n)
  expect(await stage.refunds(id)).toEqual([{ to: payer, amount: 5n }])
})

test('nothing is refunded before the deadline by the chain’s clock, and waiting is not a failure', async () => {
  const { timestamp } = await stage.chain.getBlock()
  const id = await stage.pay({ amount: short, deadlineSeconds: Number(timestamp) + 3_600 })
  await stage.expire(id)
  await stage.requestRefund(id, payer)
  const sweeper = stage.sweeper()
  await sweeper.pass(never)
  expect(await stage.load(id)).toMatchObject({ refund: 'queued' })
  expect(await stage.outgoing()).toHaveLength(0)

  await stage.chain.increaseTime({ seconds: 3_602 })
  await stage.chain.mine({ blocks: 1 })
  stage.clock.nowMs += 10_000
  await passUntilRefunded(sweeper, id, short)
})

test('killed between commit and broadcast, or right after it: a restart refunds once', async () => {
  const one = await expiredShort()
  await stage.requestRefund(one, payer)
  await expect(stage.sweeper({ broadcast: died }).pass(never)).rejects.toThrow('killed')
  expect(await stage.operatorNonce()).toBe(0)
  await passUntilRefunded(stage.sweeper(), one, short)

  const two = await expiredShort()
  await stage.requestRefund(two, payer)
  const broadcast = async (raw: Hex) => {
    await stage.sender.broadcast(raw)
    return died()
  }
  await expect(stage.sweeper({ broadcast }).pass(never)).rejects.toThrow('killed')
  await passUntilRefunded(stage.sweeper(), two, short)
  expect(await stage.balanceOf(payer)).toBe(2n * short)
  expect(await stage.operatorNonce()).toBe(2)
})

test('two concurrent sweepers on one database refund once', async () => {
  const id = await expiredShort()
  await stage.requestRefund(id, payer)
  const [one, two] = [stage.sweeper(), stage.sweeper()]
  for (let pass = 0; pass < 8; pass++) {
    await Promise.all([one.pass(never), two.pass(never)])
    await stage.chain.mine({ blocks: 1 })
  }
  expect(await stage.refunds(id)).toHaveLength(1)
  expect(await stage.outgoing()).toHaveLength(1)
  expect(await stage.load(id)).toMatchObject({ refunded: short })
})

test('a refund is not sent as planned if its address or its money changes meanwhile', async () => {
  const id = await expiredShort()
  const transfer = await stage.payMore(id, 3n, { isLate: true })
  await stage.requestRefund(id, payer)
  const meanwhile = (change: () => Promise<unknown>) =>
    stage.sweeper({
      fees: async (head) => {
        await change()
        return await stage.sender.fees(head)
      },
    })
  await meanwhile(() => stage.requestRefund(id, otherWallet)).pass(never)
  const atMs = stage.clock.nowMs
  await meanwhile(() => stage.ledger.apply(id, { type: 'transfer.reverted', transfer, atMs })).pass(never)
  expect(await stage.outgoing()).toHaveLength(0)
  await passUntilRefunded(stage.sweeper(), id, short)
  expect(await stage.refunds(id)).toEqual([{ to: getAddress(otherWallet), amount: short }])
})

test('a reorg that removes the refund before it is final leads to one refund', async () => {
  const id = await expiredShort()
  await stage.requestRefund(id, payer)
  await stage.chain.mine({ blocks: 3 })
  const sweeper = stage.sweeper()
  await sweeper.pass(never)
  expect(await stage.refunds(id)).toHaveLength(1)
  await stage.reorg(1)
  expect(await stage.refunds(id)).toHaveLength(0)
  stage.clock.nowMs += 15_000
  await passUntilRefunded(sweeper, id, short)
  expect(await stage.refunds(id)).toHaveLength(1)
  expect(await stage.outgoing()).toHaveLength(1)
})

test('a refund whose transaction was reopened after it was final is counted once', async () => {
  const id = await expiredShort()
  await stage.requestRefund(id, payer)
  const sweeper = stage.sweeper()
  await passUntilRefunded(sweeper, id, short)
  await stage.db.write((tx) => tx.run(sql`update outgoing_transactions set state = 'stored'`))
  await sweeper.pass(never)
  expect((await stage.outgoing()).map(({ state }) => state)).toEqual(['confirmed'])
  expect(await stage.load(id)).toMatchObject({ refunded: short })
})

test('a database restored from before the refund finds it on chain, and sends nothing twice', async () => {
  const id = await expiredShort()
  await stage.requestRefund(id, payer)
  await passUntilRefunded(stage.sweeper(), id, short)
  const { refundTxId } = await stage.load(id)
  await stage.db.write(async (tx) => {
    await tx.run(sql`delete from outgoing_payouts`)
    await tx.run(sql`delete from outgoing_transactions`)
    await tx.run(sql`update payments set refunded = '0', refund_tx_id = null, refund = 'queued'`)
    await tx.run(sql`
        insert into payouts (payment_id, kind, network, token, state, due_at_ms)
        select id, 'refund', network, token_address, 'queued', 0 from payments where id = ${id}`)
  })
  await stage.sweeper().pass(never)
  expect(await stage.outgoing()).toHaveLength(0)
  expect(await stage.load(id)).toMatchObject({ refund: 'none', refunded: short, refundTxId })

  await stage.payMore(id, 3n, { isLate: true })
  stage.clock.nowMs += 30_000
  await passUntilRefunded(stage.sweeper(), id, short + 3n)
  expect(await stage.balanceOf(payer)).toBe(short + 3n)
})

test('an address that the token refuses is reported without delaying others, and another one is tried at once', async () => {
  await stage.blacklist(payer)
  const bad = await expiredShort()
  const good = await expiredShort()
  await stage.requestRefund(bad, payer)
  await stage.requestRefund(good, otherWallet)
  const sweeper = stage.sweeper()
  await passUntilRefunded(sweeper, good, short)
  expect(await stage.load(bad)).toMatchObject({ refund: 'failing', refunded: 0n })
  expect(stage.warnings).toContainEqual({
    message: 'Sending a refund failed; retrying',
    fields: expect.objectContaining({ paymentId: bad, reason: 'Blacklistable: account is blacklisted' }),
  })
  expect(await stage.outgoing()).toHaveLength(1)

  await stage.requestRefund(bad, otherWallet)
  await passUntilRefunded(sweeper, bad, short)
  expect(await stage.balanceOf(otherWallet)).toBe(2n * short)
})

test('a refund that reverts is queued again and arrives later', async () => {
  const id = await expiredShort()
  await stage.requestRefund(id, payer)
  await stage.chain.setAutomine(false)
  const sweeper = stage.sweeper()
  await sweeper.pass(never)
  const [sent] = await stage.outgoing()
  if (!sent) throw new Error('nothing was sent')
  await stage.chain.dropTransaction({ hash: sent.tx_id })
  await stage.chain.setAutomine(true)
  await stage.blacklist(payer)
  stage.clock.nowMs += 15_000
  await sweeper.pass(never)
  await stage.chain.mine({ blocks: confirmations })
  await sweeper.pass(never)
  expect(await stage.load(id)).toMatchObject({ refund: 'failing', refunded: 0n })

  await stage.unblacklist(payer)
  stage.clock.nowMs += 30_000
  await passUntilRefunded(sweeper, id, short)
  expect(await stage.refunds(id)).toHaveLength(1)
})

test('an empty gas balance loses nothing, and the refund continues after a refill', async () => {
  const { address } = stage.signer
  const id = await expiredShort()
  await stage.requestRefund(id, payer)
  await stage.chain.setBalance({ address, value: 1n })
  const sweeper = stage.sweeper()
  await sweeper.pass(never)
  expect(stage.warnings).toContainEqual(expect.objectContaining({ message: expect.stringContaining('gas') }))
  expect(await stage.load(id)).toMatchObject({ refund: 'queued' })
  await stage.chain.setBalance({ address, value: 10n ** 18n })
  stage.clock.nowMs += 15_000
  await passUntilRefunded(sweeper, id, short)
})
