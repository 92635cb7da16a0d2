import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type AppFixture, openApp, order, transferTo } from '@stablecoin-checkout/rig/test-app'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { exportCsv } from '../ops/export/export-csv.ts'
import type { PaymentId } from '../payment/payment.ts'

const customer = '0x00000000000000000000000000000000000000aa'
let fixture: AppFixture
beforeAll(async () => {
  fixture = await openApp()
})
afterAll(() => fixture.close())

/** The cells of the only payment that `export` writes, by column. */
async function exported(): Promise<Record<string, string>> {
  const folder = mkdtempSync(join(tmpdir(), 'checkout-reports-'))
  try {
    const path = join(folder, 'all.csv')
    const { merchantId } = fixture.merchant
    const everything = { merchantId, isTest: false, fromMs: 0, untilMs: Number.MAX_SAFE_INTEGER }
    await exportCsv(fixture.deps.db, everything, path)
    const [names = [], cells = []] = readFileSync(path, 'utf8')
      .trimEnd()
      .split('\r\n')
      .map((line) => line.split(','))
    return Object.fromEntries(names.map((name, at) => [name, cells[at] ?? '']))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function request(id: PaymentId): Promise<string> {
  const body = JSON.stringify({ amount: '10.000001', address: customer })
  const headers = { 'Content-Type': 'application/json', ...fixture.keys.secret }
  const answer = await fixture.fetch(`/api/v1/payments/${id}/refunds`, { method: 'POST', headers, body })
  return ((await answer.json()) as { refund: { id: string } }).refund.id
}

test('the month, its summary and `export` have what the merchant’s wallet has refunded and what it still owes, to the unit', async () => {
  const { db, ledger } = fixture.deps
  const atMs = fixture.nowMs()
  const id = (await fixture.create(order)).body.payment['id'] as PaymentId
  await ledger.apply(id, { type: 'transfer.confirmed', transfer: transferTo(id, 25_000_000n), atMs })
  await ledger.apply(id, { type: 'sweep.confirmed', txId: '0x5', atMs })
  const [first] = [await request(id), await request(id)]
  const transfer = { ...transferTo(id, 9_000_000n), txId: '0x7', to: customer }
  await db.write((tx) => ledger.merchantRefunds.applyIn(tx, first, { type: 'transfer.confirmed', transfer, atMs }))

  // Of the first 9 are paid and 1.000001 is due, of the second all.
  expect(await exported()).toMatchObject({ refundedByMerchant: '9.00', refundDueByMerchant: '11.000002' })
  const totals = async (path: string) => {
    const { body } = await fixture.read(`/api/v1/reports${path}`, fixture.keys.secret)
    return body['totals']
  }
  expect(await totals('/month?month=2026-11')).toMatchObject([
    { refundedByMerchant: '9000000', refundDueByMerchant: '11000002', refunded: '0' },
  ])
  expect(await totals('/summary?from=2026-11-21&to=2026-11-21')).toMatchObject([
    { refundedByMerchant: '9000000', refunded: '0' },
  ])
})
