import { openMerchantDatabase } from '@stablecoin-checkout/rig/merchant-database'
import { newPayment } from '@stablecoin-checkout/rig/new-payment'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Caller } from '../access/context/caller.ts'
import { baseUnits } from '../core/money.ts'
import type { PaymentId } from '../payment/payment.ts'
import { createReports } from './payment-report.ts'

const caller = { merchantId: newPayment().merchantId, isTest: false, kind: 'api' } as Caller

let merchants: Awaited<ReturnType<typeof openMerchantDatabase>>
beforeEach(async () => {
  merchants = await openMerchantDatabase()
})
afterEach(() => merchants.remove())

/** Payments that were paid, each with its token, the token's decimals and the amount asked in base units. */
async function storePaid(asked: readonly (readonly [currency: string, tokenDecimals: number, due: string])[]) {
  const { db, ledger } = merchants
  await db.write(async (tx) => {
    for (const [index, [currency, tokenDecimals, due]] of asked.entries()) {
      const place = { id: `paid-${index}` as PaymentId, depositAddress: `0x${index}` }
      const payment = newPayment({ ...place, currency, tokenDecimals, due: baseUnits(due), status: 'swept' })
      await ledger.createIn(tx, payment)
    }
  })
}

test.each([1, 2, 3, 4, 1_000])(
  'amounts of tokens with other decimals are added up to the unit, however long, and euros are no dollars: %i in a turn',
  async (ofOneTurn) => {
    await storePaid([
      ['USDC', 6, '1234567890123'],
      ['USDC', 6, '999999999999'],
      ['USDT', 18, '5000001000000000000'],
      ['EURC', 6, '7000000'],
    ])
    const { byCurrency, ...stats } = await createReports(merchants.db, new Map(), ofOneTurn).stats(caller, {})
    expect(stats).toMatchObject({ completedPayments: 4, totalAmount: '2234572.890123', averageAmount: '744857.630041' })
    expect(byCurrency).toEqual([
      { currency: 'EUR', completedPayments: 1, totalAmount: '7.00', averageAmount: '7.00' },
      { currency: 'USD', completedPayments: 3, totalAmount: '2234572.890123', averageAmount: '744857.630041' },
    ])
  },
)

test('the numbers of many payments let other requests be answered before them', async () => {
  await storePaid(Array.from({ length: 9 }, () => ['USDC', 6, '1000000'] as const))
  const order: string[] = []
  const read = createReports(merchants.db, new Map(), 2)
    .stats(caller, {})
    .then(({ totalPayments }) => order.push(`${totalPayments} payments`))
  for (let nth = 0; nth < 3; nth++) {
    await new Promise((resolve) => setImmediate(resolve))
    order.push('request')
  }
  await read
  expect(order).toEqual(['request', 'request', 'request', '9 payments'])
})
