import { newPayment, transferOf } from '@stablecoin-checkout/rig/new-payment'
import { type AppFixture, openApp } from '@stablecoin-checkout/rig/test-app'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { formatDepositTerms } from '../chain/evm/deposit/deposit-terms.ts'
import { sql } from '../db/db.ts'
import type { MerchantId, PaymentId } from '../payment/payment.ts'
import { quarterMs } from '../payment/store/sums-store.ts'
import { createMonths } from './month.ts'

const startMs = Date.UTC(2026, 10, 21, 12)
const address = '0x00000000000000000000000000000000000000aa'
const depositTerms = formatDepositTerms({
  ...{ chainId: 1, token: address, amount: 25_000_000n, least: 25_000_000n, merchant: address, platform: address },
  ...{ feeBps: 0, deadlineSeconds: 900, operator: address, factory: address, salt: `0x${'07'.repeat(32)}` },
})

let bff: AppFixture
beforeEach(async () => {
  bff = await openApp()
})
afterEach(() => bff.close())

/** As many live as test payments in each quarter, so that nothing but their mode and their sums tells their quarters apart. */
async function createBoth(): Promise<void> {
  const { db, ledger } = bff.deps
  const merchantId = bff.merchant.merchantId as MerchantId
  await db.write(async (tx) => {
    for (let quarter = 0; quarter < 3; quarter++) {
      for (const isTest of [false, true]) {
        const id = crypto.randomUUID() as PaymentId
        const createdAtMs = startMs + quarter * quarterMs
        const fields = { id, merchantId, isTest, createdAtMs, depositTerms, sequence: 0 }
        await ledger.createIn(tx, newPayment({ ...fields, depositAddress: id }))
        const transfer = transferOf(isTest ? '7000000' : '1000000', { txId: id })
        await ledger.applyIn(tx, id, { type: 'transfer.confirmed', transfer, atMs: createdAtMs })
      }
    }
  })
}

async function received(isTest: boolean, read = createMonths(bff.deps.db)): Promise<bigint> {
  const merchantId = bff.merchant.merchantId as MerchantId
  const order = { merchantId, isTest, month: '2026-11', timeZone: 'UTC' }
  const rows = await read(order).rows
  return rows.reduce((sum, row) => sum + row.received, 0n)
}

test.each([
  ['test', true],
  ['live', false],
])('what is kept of the %s month is shown in no other, whichever is read first and however often', async (_, first) => {
  await createBoth()
  for (const isTest of [first, !first, first, !first])
    expect(await received(isTest)).toBe(isTest ? 21_000_000n : 3_000_000n)
})

test('a live and a test month that are asked for at the same moment are two readings', async () => {
  await createBoth()
  const read = createMonths(bff.deps.db)
  expect(await Promise.all([received(true, read), received(false, read)])).toEqual([21_000_000n, 3_000_000n])
})

test('a reading that fails is answered to those who wait for it, and to nobody after them', async () => {
  await createBoth()
  const { db } = bff.deps
  const read = createMonths(db)
  const damage = (due: string) => db.write((tx) => tx.run(sql`update payments set due = ${due} where is_test = 0`))
  await damage('none')
  await expect(received(false, read)).rejects.toThrow()
  await damage('25000000')
  expect(await received(false, read)).toBe(3_000_000n)
})
