import { openMerchantDatabase } from '@stablecoin-checkout/rig/merchant-database'
import { newPayment } from '@stablecoin-checkout/rig/new-payment'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PaymentId } from '../payment/payment.ts'
import { daysMax, summaryOf } from './summary.ts'

const times = [
  '2026-11-19T23:59:59.999Z',
  '2026-11-20T00:00:00.000Z',
  '2026-11-21T11:30:00.000Z',
  '2026-11-21T23:59:59.999Z',
  '2026-11-22T00:00:00.000Z',
]

let merchants: Awaited<ReturnType<typeof openMerchantDatabase>>
beforeAll(async () => {
  merchants = await openMerchantDatabase()
  await merchants.db.write(async (tx) => {
    for (const [index, time] of times.entries()) {
      const own = { id: `payment ${index}` as PaymentId, depositAddress: `0x${index}`, createdAtMs: Date.parse(time) }
      await merchants.ledger.createIn(tx, newPayment(own))
    }
  })
})
afterAll(() => merchants.remove())

const { merchantId } = newPayment()

async function created(from: string, to: string, timeZone = 'UTC') {
  const { days, totals } = await summaryOf(merchants.db, { merchantId, isTest: false, from, to, timeZone })
  return [Object.fromEntries(days.map((row) => [row.day, row.created])), totals.map((row) => row.created)]
}

test('a summary has its first and its last day whole, and nothing of the days beside them', async () => {
  expect(await created('2026-11-20', '2026-11-21')).toEqual([{ '2026-11-20': 1, '2026-11-21': 2 }, [3]])
})

test.each([
  // UTC+14 and UTC-11: where a day begins first and last.
  ['Pacific/Kiritimati', { '2026-11-20': 2 }, [2]],
  ['Pacific/Pago_Pago', { '2026-11-21': 3 }, [3]],
] as const)('a summary of the days in %s has what was created in them alone', async (timeZone, days, totals) => {
  expect(await created('2026-11-20', '2026-11-21', timeZone)).toEqual([days, totals])
})

test('a summary has a quarter of a year of days, and not one more', async () => {
  const last = (days: number) => new Date(Date.UTC(2026, 8, 1 + days - 1)).toISOString().slice(0, 10)
  expect(await created('2026-09-01', last(daysMax))).toMatchObject([{}, [5]])
  await expect(created('2026-09-01', last(daysMax + 1))).rejects.toThrow('at most 91 days after from')
})
