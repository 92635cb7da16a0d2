import { newPayment } from '@stablecoin-checkout/rig/new-payment'
import { type AppFixture, openApp } from '@stablecoin-checkout/rig/test-app'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { formatDepositTerms } from '../chain/evm/deposit/deposit-terms.ts'
import { baseUnits } from '../core/money.ts'
import type { MerchantId, PaymentId } from '../payment/payment.ts'
import { quarterMs } from '../payment/store/sums-store.ts'
import { createMonths } from './month.ts'

const hourMs = 60 * 60 * 1000
const address = '0x00000000000000000000000000000000000000aa'
const depositTerms = formatDepositTerms({
  chainId: 1,
  token: address,
  amount: 25_000_000n,
  least: 25_000_000n,
  merchant: address,
  platform: address,
  feeBps: 0,
  deadlineSeconds: 900,
  operator: address,
  factory: address,
  salt: `0x${'07'.repeat(32)}`,
})

/** Every quarter of an hour in which November begins or ends somewhere: zones are 12 hours behind UTC to 14 before it. */
const created = [Date.UTC(2026, 10, 1), Date.UTC(2026, 11, 1)].flatMap((edgeMs) =>
  Array.from({ length: (28 * hourMs) / quarterMs }, (_, quarter) => edgeMs - 15 * hourMs + quarter * quarterMs),
)

/** The farthest to both sides, those whose days begin off the hour, and those that change their clocks. */
const zones = [
  ...['Etc/GMT+12', 'Pacific/Niue', 'Pacific/Honolulu', 'America/Los_Angeles', 'America/New_York', 'America/St_Johns'],
  ...['America/Sao_Paulo', 'UTC', 'Europe/London', 'Europe/Berlin', 'Asia/Kolkata', 'Asia/Kathmandu', 'Asia/Tokyo'],
  ...['Australia/Adelaide', 'Australia/Lord_Howe', 'Pacific/Chatham', 'Pacific/Auckland', 'Pacific/Kiritimati'],
]

let bff: AppFixture
beforeAll(async () => {
  bff = await openApp()
  const { db, ledger } = bff.deps
  await db.write(async (tx) => {
    for (const createdAtMs of created) {
      // Each quarter has one live payment, and two test payments of another amount, alike in all else.
      for (const isTest of [false, true, true]) {
        const merchantId = bff.merchant.merchantId as MerchantId
        const payment = newPayment({
          merchantId,
          isTest,
          createdAtMs,
          depositTerms,
          id: crypto.randomUUID() as PaymentId,
        })
        await ledger.createIn(tx, { ...payment, received: baseUnits('0'), sequence: 0 })
      }
    }
  })
})
afterAll(() => bff.close())

const dayIn = (timeZone: string, ms: number) => new Date(ms).toLocaleDateString('sv-SE', { timeZone })

/** By day. */
async function count(timeZone: string, month: string, isTest: boolean): Promise<Record<string, number>> {
  const merchantId = bff.merchant.merchantId as MerchantId
  const rows = await createMonths(bff.deps.db)({ merchantId, isTest, month, timeZone }).rows
  return Object.fromEntries(rows.map(({ day, payments }) => [day, payments]))
}

function expected(timeZone: string, month: string, perQuarter: number): Record<string, number> {
  const days: Record<string, number> = {}
  for (const ms of created) {
    const day = dayIn(timeZone, ms)
    if (day.startsWith(month)) days[day] = (days[day] ?? 0) + perQuarter
  }
  return days
}

test.each(zones)('a month has every payment of its days and no other, in the time zone %s', async (timeZone) => {
  for (const month of ['2026-10', '2026-11', '2026-12']) {
    expect([month, await count(timeZone, month, false)]).toEqual([month, expected(timeZone, month, 1)])
  }
})

test('test payments of the same quarters are in no live month, and live ones in no test month, however often both are read', async () => {
  for (const isTest of [true, false, true, false]) {
    expect(await count('UTC', '2026-11', isTest)).toEqual(expected('UTC', '2026-11', isTest ? 2 : 1))
  }
})
