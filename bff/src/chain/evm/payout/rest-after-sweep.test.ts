import { due, type ModelStage, openModelStage, payer } from '@stablecoin-checkout/rig/model-payouts'
import { transferOf } from '@stablecoin-checkout/rig/new-payment'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sql } from '../../../db/db.ts'
import type { PaymentId } from '../../../payment/payment.ts'

const never = new AbortController().signal
const least = 24_000_000n
const rest = due - least

let stage: ModelStage
beforeEach(async () => {
  stage = await openModelStage()
})
afterEach(() => stage.close())

async function pass(): Promise<void> {
  await stage.sweeper().pass(never)
  await stage.chain.mine(3)
  stage.clock.nowMs += 2_000
}

/** The rest arrives at the deposit address; `isConfirmed`: it is also in the books. */
async function payRest(id: PaymentId, isConfirmed = true): Promise<void> {
  stage.chain.arrive((await stage.load(id)).depositAddress, rest)
  if (isConfirmed) await confirmRest(id)
}

const confirmRest = (id: PaymentId) =>
  stage.apply(id, {
    type: 'transfer.confirmed',
    transfer: transferOf(String(rest), { blockTimeMs: stage.clock.nowMs, blockNumber: stage.chain.head().number }),
  })

test('the rest that arrives after the sweep of a payment within the tolerance is returned to the payer', async () => {
  const id = await stage.pay({ least, paid: least })
  for (let passes = 0; passes < 2; passes++) await pass()
  expect(await stage.load(id)).toMatchObject({ status: 'swept', sweptAmount: least })
  await payRest(id)
  await stage.apply(id, { type: 'refund.requested', address: payer })
  for (let passes = 0; passes < 2; passes++) await pass()
  const payment = await stage.load(id)
  expect(payment).toMatchObject({ status: 'swept', sweptAmount: least, refunded: rest })
  expect(stage.chain.balanceOf(payment.depositAddress)).toBe(0n)
})

test('a rest swept before its confirmations is not owed', async () => {
  const id = await stage.pay({ least, paid: least })
  await payRest(id, false)
  for (let passes = 0; passes < 2; passes++) await pass()
  expect(await stage.load(id)).toMatchObject({ status: 'swept', sweptAmount: due })
  await confirmRest(id)
  await stage.apply(id, { type: 'refund.requested', address: payer })
  expect(await stage.load(id)).toMatchObject({ refund: 'none', received: due })
})

test('an external settlement’s paid amount counts', async () => {
  const id = await stage.pay({ least, paid: least })
  const { depositAddress } = await stage.load(id)
  stage.chain.settleAsStranger(depositAddress)
  await stage.chain.mine(3)
  await payRest(id)
  await stage.apply(id, { type: 'refund.requested', address: payer })
  for (let passes = 0; passes < 3; passes++) await pass()
  expect(await stage.load(id)).toMatchObject({ status: 'swept', sweptAmount: least, refunded: rest })
})

test('the rest after a sweep of a version that did not store its amount is returned too', async () => {
  const id = await stage.pay({ least, paid: least })
  for (let passes = 0; passes < 2; passes++) await pass()
  await stage.db.write((tx) => tx.run(sql`update payments set swept_amount = null where id = ${id}`))
  expect(await stage.load(id)).toMatchObject({ status: 'swept', sweptAmount: null })
  await payRest(id)
  await stage.apply(id, { type: 'refund.requested', address: payer })
  for (let passes = 0; passes < 2; passes++) await pass()
  const payment = await stage.load(id)
  expect(payment).toMatchObject({ status: 'swept', sweptAmount: least, refunded: rest })
  expect(stage.chain.balanceOf(payment.depositAddress)).toBe(0n)
})
