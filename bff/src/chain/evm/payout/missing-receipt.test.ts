import { confirmations, type ModelStage, openModelStage, payer } from '@stablecoin-checkout/rig/model-payouts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sql } from '../../../db/db.ts'
import type { PaymentId } from '../../../payment/payment.ts'
import { giveUpAfterMs, openMax } from './monitor.ts'
import { createSweeper } from './sweeper.ts'

const never = new AbortController().signal
/** The node for receipts has none; the one for nonces is right. */
const noReceipts = { receipt: async () => undefined }

let stage: ModelStage
beforeEach(async () => {
  stage = await openModelStage()
})
afterEach(() => stage.close())

function later(ms: number): void {
  stage.clock.nowMs += ms
  stage.chain.timeSeconds += Math.ceil(ms / 1_000)
}

/** A refund of 10, in a final block, unknown to the service. */
async function refundLands(): Promise<PaymentId> {
  const deadlineSeconds = Math.floor(stage.clock.nowMs / 1000) + 900
  const id = await stage.pay({ paid: 10_000_000n, deadlineSeconds })
  const { windowEndsAtMs } = await stage.load(id)
  stage.clock.nowMs = windowEndsAtMs + 60_000
  stage.chain.timeSeconds = Math.floor(stage.clock.nowMs / 1000)
  await stage.apply(id, { type: 'window.ended', blockTimeMs: stage.clock.nowMs })
  await stage.apply(id, { type: 'refund.requested', address: payer })
  await stage.sweeper().pass(never)
  await stage.chain.mine(confirmations)
  return id
}

const refundsOnChain = () =>
  stage.chain.blocks.flatMap(({ transactions }) => transactions).filter(({ receipt }) => receipt?.refunds.length).length

async function expectCountedOnce(id: PaymentId): Promise<void> {
  for (let round = 0; round < 10; round++) {
    later(3_700_000)
    await stage.sweeper().pass(never)
    await stage.chain.mine()
  }
  const refunded = { refunded: 10_000_000n, refunding: 0n, refund: 'none', status: 'expired' }
  expect(await stage.load(id)).toMatchObject(refunded)
  expect(refundsOnChain()).toBe(1)
  expect((await stage.outgoing()).map(({ state }) => state)).toEqual(['confirmed'])
}

test('a refund with one missing receipt stays pending, and is counted', async () => {
  const id = await refundLands()
  await stage.sweeper(noReceipts).pass(never)
  expect(await stage.load(id)).toMatchObject({ refunded: 0n, refunding: 10_000_000n, refund: 'queued' })
  await expectCountedOnce(id)
})

test('a refund of a high-value payment is counted once two nodes have its receipt; below that, one node is enough', async () => {
  const asked: string[] = []
  const contradicted = stage.sweeper({ isAttested: async ({ txId }) => asked.push(txId) === 0 })
  const low = await refundLands()
  await contradicted.pass(never)
  expect(await stage.load(low)).toMatchObject({ refunded: 10_000_000n })
  expect(asked).toEqual([])
  const id = await refundLands()
  await stage.db.write((tx) => tx.run(sql`update payments set confirmations = 6 where id = ${id}`))
  await contradicted.pass(never)
  expect(await stage.load(id)).toMatchObject({ refunded: 0n, refunding: 10_000_000n })
  expect(asked).toHaveLength(1)
  await stage.sweeper().pass(never)
  expect(await stage.load(id)).toMatchObject({ refunded: 10_000_000n, refunding: 0n })
})

test('a high-value refund missing from the books is counted once two nodes show it', async () => {
  const id = await refundLands()
  await stage.db.write(async (tx) => {
    await tx.run(sql`delete from outgoing_payouts`)
    await tx.run(sql`delete from outgoing_transactions`)
    await tx.run(sql`update payouts set state = 'queued', transaction_id = null, due_at_ms = 0`)
    await tx.run(sql`update payments set refunding = '0', confirmations = 6 where id = ${id}`)
  })
  await stage.sweeper({ isAttested: async () => false }).pass(never)
  expect(await stage.load(id)).toMatchObject({ refunded: 0n })
  later(3_700_000)
  await stage.sweeper().pass(never)
  expect(await stage.load(id)).toMatchObject({ refunded: 10_000_000n })
  expect(refundsOnChain()).toBe(1)
})

test('missing receipts do not accumulate across a found one', async () => {
  const id = await refundLands()
  let isMissing = true
  const receipt: typeof stage.sender.receipt = async (...asked) =>
    isMissing ? undefined : await stage.sender.receipt(...asked)
  // The block differs from the receipt's: the transaction is not final. The other node has no receipt either.
  const sweeper = stage.sweeper({ receipt, isCanonical: async () => false, isReplaced: async () => true })
  await sweeper.pass(never)
  later(giveUpAfterMs)
  isMissing = false
  await sweeper.pass(never)
  isMissing = true
  await sweeper.pass(never)
  expect(await stage.load(id)).toMatchObject({ refunding: 10_000_000n })
})

test('a refund is not given up while another node has its receipt, however long the first lacks it', async () => {
  const id = await refundLands()
  const sweeper = stage.sweeper(noReceipts)
  await sweeper.pass(never)
  later(10 * giveUpAfterMs)
  await sweeper.pass(never)
  expect(await stage.load(id)).toMatchObject({ refunding: 10_000_000n })
  await expectCountedOnce(id)
})

test('a refund given up although it was mined is found among its own transactions, and counted once', async () => {
  const id = await refundLands()
  const sweeper = stage.sweeper({ ...noReceipts, isReplaced: async () => true })
  await sweeper.pass(never)
  later(giveUpAfterMs)
  await sweeper.pass(never)
  await expectCountedOnce(id)
})

test('a refund given up although it was mined is not counted from a block that a reorg may remove', async () => {
  const id = await refundLands()
  const lost = { ...noReceipts, isReplaced: async () => true, isCanonical: async () => false }
  const sweeper = stage.sweeper(lost)
  await sweeper.pass(never)
  later(giveUpAfterMs)
  await sweeper.pass(never)
  // Given up, found again on chain, and not counted.
  expect(await stage.load(id)).toMatchObject({ refunded: 0n, refunding: 0n })
  later(3_700_000)
  await createSweeper({ ...stage.deps(), network: { ...stage.network, confirmations: 50 } }).pass(never)
  expect(await stage.load(id)).toMatchObject({ refunded: 0n })
  await expectCountedOnce(id)
})

test('transactions that too few nodes confirm hold up no others', async () => {
  let isDown = true
  let asked = 0
  const sweeper = stage.sweeper({
    async isAttested() {
      asked += 1
      return !isDown
    },
  })
  const high: PaymentId[] = []
  for (let count = 0; count < openMax; count++) {
    const id = await stage.pay()
    await stage.db.write((tx) => tx.run(sql`update payments set confirmations = 6 where id = ${id}`))
    await sweeper.pass(never)
    await stage.chain.mine(confirmations)
    high.push(id)
  }
  await sweeper.pass(never)
  const before = asked
  await sweeper.pass(never)
  expect(asked, 'within the pause').toBe(before)
  const low = await stage.pay()
  await sweeper.pass(never)
  await stage.chain.mine(confirmations)
  await sweeper.pass(never)
  expect(await stage.load(low)).toMatchObject({ status: 'swept' })
  expect(await stage.load(high[0] as PaymentId)).toMatchObject({ status: 'sweeping' })
  isDown = false
  later(15_000)
  await sweeper.pass(never)
  for (const id of high) expect(await stage.load(id)).toMatchObject({ status: 'swept' })
})
