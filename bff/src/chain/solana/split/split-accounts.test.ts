import { openSolanaStage, type SolanaStage } from '@stablecoin-checkout/rig/solana-stage'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { watchAfterWindowMs } from '../../watch-window.ts'

let stage: SolanaStage
beforeEach(async () => {
  stage = await openSolanaStage()
})
afterEach(() => stage.close())

const windowMs = 1_800_000
const statusOf = async (id: string) => (await stage.stored(id as never))?.status

/** Time passes for the service and for the chain. */
async function pass(ms: number): Promise<void> {
  stage.later(ms)
  await stage.solana.control('travel', ms / 1_000)
  await stage.solana.advance(4)
}

/** @returns its status after the payment is final. */
async function payAndFind(id: string) {
  await stage.pay(id)
  await stage.solana.advance(4)
  await stage.find()
  return await statusOf(id)
}

test('after a restart, accounts on which nothing was paid yet are watched, and so are those of payments made since', async () => {
  const known = await stage.create()
  await stage.find()
  const since = await stage.create({ currency: 'USDT' })
  stage.restartSplitWatcher()
  expect(await payAndFind(known.id)).toBe('completed')
  expect(await payAndFind(since.id)).toBe('completed')
})

test.each([
  ['', () => {}],
  [', also after a restart', () => stage.restartSplitWatcher()],
])('an account is watched until the window of its newest payment has long ended%s', async (_, restart) => {
  await stage.create()
  await stage.find()
  await pass(watchAfterWindowMs + windowMs / 2)
  const newer = await stage.create()
  await stage.find()
  await pass(windowMs - 60_000)
  restart()
  // The window of the first payment ended too long ago by now, that of the newer one ends in a minute.
  await stage.find()
  expect(await payAndFind(newer.id)).toBe('completed')
})

test('an account whose payments have long ended costs no further calls', async () => {
  await stage.create()
  await stage.find()
  await pass(watchAfterWindowMs + windowMs + 60_000)
  const before = stage.calls()
  await stage.find()
  expect(stage.calls() - before).toBe(0)
})
