import { type ContractStage, openContractStage } from '@stablecoin-checkout/rig/contract-stage'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemRuntime } from '../../../core/runtime.ts'

let stage: ContractStage
beforeAll(async () => {
  stage = await openContractStage()
})
afterAll(() => stage.close())

test('after a downtime of days, money that arrived while its payment was watched is found', async () => {
  const payment = await stage.create()
  await stage.watch()
  await stage.pay(payment)
  const nowMs = () => Date.now() + 9 * 24 * 60 * 60 * 1000
  await stage.otherWatcher({}, { runtime: { ...systemRuntime, nowMs } }).pass(new AbortController().signal)
  expect((await stage.load(payment.id)).seen).toBe(25_000_000n)
})
