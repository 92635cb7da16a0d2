import { afterEach, beforeEach, expect, test } from 'vitest'
import { confirmations, type ModelStage, openModelStage, payer } from '../../../../test/model-payouts.ts'
import type { PaymentId } from '../../../payment/payment.ts'
import { createSweeper } from './sweeper.ts'

const never = new AbortController().signal
const finalityBlocks = 12
let stage: ModelStage
beforeEach(async () => {
  stage = await openModelStage()
  await stage.chain.mine(finalityBlocks)
})
afterEach(() => stage.close())

async function pass(): Promise<void> {
  const network = { ...stage.network, finalityBlocks }
  await createSweeper({ ...stage.deps(), network }).pass(never)
  stage.clock.nowMs += 15_000
}

/** A refund that is final and counted. */
async function openRefund(): Promise<PaymentId> {
  const deadlineSeconds = Math.floor(stage.clock.nowMs / 1000) + 900
  const id = await stage.pay({ paid: 10_000_000n, deadlineSeconds })
  stage.clock.nowMs = (await stage.load(id)).windowEndsAtMs + 60_000
  stage.chain.timeSeconds = Math.floor(stage.clock.nowMs / 1000)
  await stage.apply(id, { type: 'window.ended', blockTimeMs: stage.clock.nowMs })
  await stage.apply(id, { type: 'refund.requested', address: payer })
  await pass()
  await stage.chain.mine(confirmations)
  await pass()
  expect(await stage.load(id)).toMatchObject({ refund: 'none', refunded: 10_000_000n })
  return id
}

const refundsOnChain = () =>
  stage.chain.blocks.flatMap(({ transactions }) => transactions.flatMap(({ receipt }) => receipt?.refunds ?? [])).length

test('the last refund that a reorg deeper than the confirmations takes back is sent again, and counted once', async () => {
  const id = await openRefund()
  stage.chain.reorg(confirmations + 2)
  expect(refundsOnChain()).toBe(0)
  await pass()
  await pass()
  await stage.chain.mine(confirmations)
  await pass()
  expect(refundsOnChain()).toBe(1)
  expect(await stage.load(id)).toMatchObject({ refunded: 10_000_000n, refunding: 0n })
  expect(await stage.outgoing()).toMatchObject([{ state: 'confirmed' }])
})

test('so is the last sweep', async () => {
  const id = await stage.pay()
  await pass()
  await stage.chain.mine(confirmations)
  await pass()
  expect(await stage.load(id)).toMatchObject({ status: 'swept' })
  const { depositAddress } = await stage.load(id)
  stage.chain.reorg(confirmations + 2)
  expect(stage.chain.settlementOf(depositAddress)).toBeUndefined()
  await pass()
  await pass()
  await stage.chain.mine(confirmations)
  await pass()
  expect(stage.chain.settlementOf(depositAddress)).toBeDefined()
  expect(await stage.load(id)).toMatchObject({ status: 'swept' })
})

test('what is deeper than any reorg is not checked any more, and a node that is behind proves nothing', async () => {
  await openRefund()
  const network = { ...stage.network, finalityBlocks }
  const behind = { head: async () => ({ ...(await stage.sender.head()), number: 100 }), nonce: async () => 0 }
  await createSweeper({ ...stage.deps(behind), network }).pass(never)
  expect(await stage.outgoing()).toMatchObject([{ state: 'confirmed' }])

  await stage.chain.mine(finalityBlocks)
  await pass()
  let asked = 0
  const counted = {
    async head() {
      asked += 1
      return await stage.sender.head()
    },
  }
  await createSweeper({ ...stage.deps(counted), network }).pass(never)
  expect(asked).toBe(0)
})
