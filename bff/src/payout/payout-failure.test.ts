import { type AppFixture, openApp, order, transferTo } from '@stablecoin-checkout/rig/test-app'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sql } from '../db/db.ts'
import { createMeter } from '../ops/metrics/meter.ts'
import { createLedger, logTransition } from '../payment/ledger.ts'
import type { PaymentId } from '../payment/payment.ts'

let bff: AppFixture
beforeEach(async () => {
  bff = await openApp()
})
afterEach(() => bff.close())

async function newEndpoint(url: string, eventTypes?: string[]): Promise<void> {
  const body = JSON.stringify({ url, ...(eventTypes && { eventTypes }) })
  const headers = { 'Content-Type': 'application/json', ...bff.keys.secret }
  const { status } = await bff.call('/api/v1/webhooks/endpoints', { method: 'POST', headers, body })
  expect(status).toBe(200)
}

/** A payment that was paid, and whose payout was given up. */
async function failPayout(ledger = bff.deps.ledger): Promise<PaymentId> {
  const { body } = await bff.create({ ...order, callbackUrl: 'https://shop.example/hook' })
  const id = body.payment['id'] as PaymentId
  const atMs = bff.nowMs()
  await ledger.apply(id, { type: 'transfer.confirmed', transfer: transferTo(id, 25_000_000n), atMs })
  await ledger.apply(id, { type: 'sweep.failed', isGivenUp: false, atMs })
  await ledger.apply(id, { type: 'sweep.failed', isGivenUp: true, atMs })
  return id
}

test('of a payout that keeps failing the merchant is notified at every address there is, as the customer reads', async () => {
  await newEndpoint('https://shop.example/all')
  await newEndpoint('https://shop.example/paid', ['payment.completed'])
  const id = await failPayout()
  const deliveries = await bff.deps.db.read((tx) =>
    tx.all<{ url: string }>(sql`
        select url from deliveries where payment_id = ${id} and type = 'deposit.sweep_failed' order by url`),
  )
  expect(deliveries.map(({ url }) => url)).toEqual([
    'https://shop.example/all',
    'https://shop.example/hook',
    'https://shop.example/paid',
  ])
  const others = await bff.deps.db.read((tx) =>
    tx.all<{ type: string }>(sql`
        select type from deliveries where payment_id = ${id} and url = 'https://shop.example/paid' order by number`),
  )
  expect(others.map(({ type }) => type)).toEqual(['payment.completed', 'deposit.sweep_failed'])
  const { payment } = (await bff.read(`/api/v1/payments/public/${id}`)).body
  expect(payment).toMatchObject({
    outcome: 'paid',
    settlement: { state: 'failed', message: expect.stringMatching(/The merchant is being contacted\.$/) },
  })
})

test('of a payout that keeps failing the operator finds an error with the payment’s id in the log, and a number in the metrics', async () => {
  const errors: { fields: object; message: string }[] = []
  const log = {
    debug() {},
    info() {},
    warn() {},
    error: (fields: object, message: string) => errors.push({ fields, message }),
  }
  const meter = createMeter()
  const ledger = createLedger(bff.deps.db, bff.deps.viewer.merchant, (payment, event) => {
    meter.moved(payment, payment.status)
    logTransition(log, payment, event)
  })
  const paymentId = await failPayout(ledger)
  expect(errors).toEqual([
    {
      fields: {
        ...{ paymentId, merchantId: bff.merchant.merchantId, network: 'devnet' },
        ...{ event: 'sweep.failed', status: 'sweep_failed' },
      },
      message: 'The payout to the merchant keeps failing; check its reason and resolve it',
    },
  ])
  const metrics = await meter.registry.metrics()
  expect(metrics).toMatch(/checkout_payments_moved_total\{network="devnet",status="sweep_failed",test="0"\} 1/)
})
