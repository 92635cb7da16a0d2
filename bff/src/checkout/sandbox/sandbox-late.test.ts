import { type AppFixture, openApp, order } from '@stablecoin-checkout/rig/test-app'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { setMerchant } from '../../merchant/accounts.ts'
import { endTestPayments } from './sandbox-expiry.ts'

let bff: AppFixture
beforeEach(async () => {
  bff = await openApp()
  await setMerchant(bff.deps.db, bff.merchant.merchantId, { latePayments: 'accept' })
})
afterEach(() => bff.close())

const dayMs = 24 * 60 * 60 * 1000
const create = async () => String((await bff.create(order, bff.keys.test)).body.payment['id'])
const simulate = async (id: string, action: string, query = '') =>
  (await bff.post(`/api/v1/sandbox/payments/${id}/simulate${query}`, { action }, bff.keys.test)).body.payment
const read = async (id: string) => (await bff.read(`/api/v1/payments/${id}/status`, bff.keys.test)).body.payment

test('a test payment of a merchant who accepts late money is paid late', async () => {
  const id = await create()
  expect(await simulate(id, 'expire')).toMatchObject({ status: 'expired', outcome: 'failed', isFinal: false })
  expect(await simulate(id, 'late')).toMatchObject({ status: 'swept', outcome: 'paid', isFinal: true })
})

test('money that comes late to a paid test payment brings no payout to an end that failed', async () => {
  const id = await create()
  expect(await simulate(id, 'sweep_fail')).toMatchObject({ status: 'sweep_failed', outcome: 'paid' })
  expect(await simulate(id, 'late')).toMatchObject({ status: 'sweep_failed', outcome: 'paid' })
})

test('it is final by itself when seven days are over, on its own clock or ours', async () => {
  const [ours, own] = [await create(), await create()]
  expect(await simulate(own, 'expire', '?advance=691200')).toMatchObject({ status: 'expired', isFinal: true })
  bff.advance(dayMs)
  await endTestPayments(bff.deps)
  expect(await read(ours)).toMatchObject({ status: 'expired', isFinal: false })
  bff.advance(7 * dayMs)
  await endTestPayments(bff.deps)
  expect(await read(ours)).toMatchObject({ status: 'expired', isFinal: true })
  expect(await endTestPayments(bff.deps)).toBe(0)
})

test('a setting that is changed holds for new payments only', async () => {
  const id = await create()
  await setMerchant(bff.deps.db, bff.merchant.merchantId, { latePayments: 'report' })
  bff.advance(2_000)
  const later = await create()
  expect(await simulate(id, 'expire')).toMatchObject({ isFinal: false })
  expect(await simulate(later, 'expire')).toMatchObject({ isFinal: true })
})
