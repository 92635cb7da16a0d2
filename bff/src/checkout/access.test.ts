import { type Made, openRequests, thief, unknownId, wallet } from '@stablecoin-checkout/rig/access-stage'
import { type AppFixture, openApp, transferTo } from '@stablecoin-checkout/rig/test-app'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { baseUnits } from '../core/money.ts'
import { sql } from '../db/db.ts'
import { setMerchant } from '../merchant/accounts.ts'
import type { PaymentId } from '../payment/payment.ts'

let bff: AppFixture
beforeAll(async () => {
  bff = await openApp()
})
afterAll(() => bff.close())

const { ask, make, endShort, pay, refund, fail, addressOf, outcomeOf } = openRequests(() => bff)

/** What a public key, or no key, can read of a payment. */
const reads = (id: string): [string, string, unknown?][] => [
  ['GET', `/payments/${id}`],
  ['GET', `/payments/${id}/status`],
  ['GET', `/payments/status/${id}`],
  ['GET', `/payments/public/${id}`],
  ['GET', `/payments/public/${id}?include=qr`],
  ['GET', `/payments/public/${id}/events`],
  ['GET', `/deposits/status/${id}`],
  ['GET', `/deposits/balance/${id}`],
  ['GET', `/payments/cross-chain/status/${id}`],
  ['POST', '/payments/verify-qr', { paymentId: id }],
  ['POST', '/payments/fail', { paymentId: unknownId }],
  ['GET', `/payments/merchant/list?search=${id}`],
  ['GET', '/payments/merchant/list'],
  ['GET', '/payments/merchant/stats'],
  ['GET', '/merchants/agent-policies/planted-agent'],
  ['GET', '/events'],
  ['GET', '/webhooks/deliveries'],
  ['GET', '/webhooks/endpoints'],
]

/** An unmatched transfer is at the deposit's address. */
const unmatchedOf = (id: PaymentId) =>
  bff.deps.ledger.apply(id, {
    ...{ type: 'unmatched.measured', network: 'devnet', token: '0xusdt', currency: 'USDT', decimals: 6 },
    ...{ balance: baseUnits('1000000'), block: 10, txId: '0xunmatched', atMs: bff.nowMs() },
  })

/** Keys are cached for a moment. */
async function setPublicReports(publicReports: boolean): Promise<void> {
  await setMerchant(bff.deps.db, bff.merchant.merchantId, { publicReports })
  bff.advance(1_001)
}

describe('an outsider with a page’s public key, who knows other payments’ ids', () => {
  /** Everything attached to a payment that only its merchant may see. */
  const attached = {
    orderId: 'planted-order-17',
    customerEmail: 'planted@example.com',
    callbackUrl: 'https://shop.example/hooks?key=planted-query',
    metadata: { table: 'planted-metadata' },
    agentId: 'planted-agent',
    agentOwner: 'planted-owner',
  }
  let ofServer: Made
  let ofPage: Made

  beforeEach(async () => {
    const agent = '/merchants/agent-policies/planted-agent'
    await ask('PUT', agent, bff.keys.secret, { dailyBudget: '7777777', monthlyBudget: '88888888' })
    ofServer = await make(bff.keys.secret, { ...attached, orderId: `planted-order-${crypto.randomUUID()}` })
    ofPage = await make(bff.keys.public, { ...attached, orderId: `planted-order-${crypto.randomUUID()}` })
  })

  test('reads nothing attached to a payment on any route, while the merchant reads all of it', async () => {
    for (const { id } of [ofServer, ofPage]) {
      for (const keys of [bff.keys.public, {}]) {
        for (const [method, path, body] of reads(id)) {
          const { text } = await ask(method, path, keys, body)
          expect([path, text]).toEqual([
            path,
            expect.not.stringMatching(/planted-[^a]|planted@|planted-agent"|7777777|cs_/),
          ])
        }
      }
      const { payment } = (await ask('GET', `/payments/${id}`, bff.keys.secret)).body
      expect(payment).toMatchObject({ ...attached, orderId: expect.stringContaining('planted-order') })
      expect(payment['clientSecret']).toBe(bff.clientSecretOf(id))
    }
    const { policy } = (await ask('GET', '/merchants/agent-policies/planted-agent', bff.keys.secret)).body
    expect(policy).toMatchObject({ dailyBudget: '7777777.00', spentToday: expect.stringMatching(/^[1-9]/) })
  })

  test('gets the record’s fields empty, so that clients that read them still work', async () => {
    const mine = (await ask('GET', `/payments/${ofServer.id}`, bff.keys.secret)).body.payment
    const theirs = (await ask('GET', `/payments/${ofServer.id}`, bff.keys.public)).body.payment
    const merchantsOwn = [
      'clientSecret',
      'paymentLink',
      'refunds',
      'refundedByMerchant',
      'refundDueByMerchant',
      'canAcceptLate',
    ]
    const withheld = Object.fromEntries(Object.entries(mine).filter(([name]) => !merchantsOwn.includes(name)))
    const none = {
      orderId: null,
      customerEmail: null,
      callbackUrl: null,
      metadata: {},
      agentId: null,
      agentOwner: null,
    }
    expect(theirs).toEqual({ ...withheld, ...none })
  })

  test('reads neither lists nor numbers, in the documented envelope and with Deprecation', async () => {
    await pay(ofServer.id)
    const { orderId } = (await ask('GET', `/payments/${ofServer.id}`, bff.keys.secret)).body.payment
    for (const query of [
      '',
      '?status=paid',
      `?search=${ofServer.id}`,
      `?search=${String(orderId)}`,
      '?limit=1&page=2',
    ]) {
      const { status, headers, body } = await ask('GET', `/payments/merchant/list${query}`, bff.keys.public)
      expect([status, headers.get('Deprecation')]).toEqual([200, 'true'])
      const currentPage = query.includes('page=2') ? 2 : 1
      expect(body).toEqual({
        success: true,
        payments: { data: [], totalCount: 0, totalPages: 0, currentPage },
        filters: { currencies: ['USDC', 'USDT'], statuses: expect.arrayContaining(['pending', 'swept']) },
        message: expect.stringContaining('API key and secret'),
      })
    }
    const { status, headers, body } = await ask('GET', '/payments/merchant/stats', bff.keys.public)
    expect([status, headers.get('Deprecation')]).toEqual([200, 'true'])
    expect(body).toMatchObject({
      success: true,
      stats: {
        ...{ totalPayments: 0, completedPayments: 0, pendingPayments: 0, failedPayments: 0, agentPayments: 0 },
        ...{ totalAmount: '0.00', averageAmount: '0.00', isNairaMerchant: false },
      },
    })
    const own = (await ask('GET', `/payments/merchant/list?search=${ofServer.id}`, bff.keys.secret)).body
    expect(own['payments']).toMatchObject({ totalCount: 1, data: [{ id: ofServer.id, orderId }] })
    expect((await ask('GET', '/payments/merchant/stats', bff.keys.secret)).body['stats']).not.toMatchObject({
      totalPayments: 0,
    })
  })

  test('reads the turnover if the merchant allows it, and still nothing that names a payment, an order or a customer', async () => {
    await setPublicReports(true)
    await pay(ofServer.id)
    const { text, body } = await ask('GET', '/payments/merchant/list?limit=100', bff.keys.public)
    const { data } = body['payments'] as { data: Record<string, unknown>[] }
    expect(data.length).toBeGreaterThan(1)
    for (const row of data) {
      expect(row).toMatchObject({ id: null, orderId: null, transactionHash: null, amount: '25.00', currency: 'USDC' })
    }
    expect(text).not.toMatch(/planted|0x|[0-9a-f]{8}-[0-9a-f]{4}/)
    const found = await ask('GET', `/payments/merchant/list?search=${ofServer.id}`, bff.keys.public)
    expect(found.body['payments']).toMatchObject({ totalCount: 0, data: [] })
    const stats = await ask('GET', '/payments/merchant/stats', bff.keys.public)
    expect(stats.body['stats']).toEqual((await ask('GET', '/payments/merchant/stats', bff.keys.secret)).body['stats'])
    await setPublicReports(false)
  })

  test('cannot set a refund address: neither without the client secret nor with a wrong one or another payment’s', async () => {
    const own = await make(bff.keys.public)
    for (const payment of [ofServer, ofPage]) {
      await endShort(payment)
      const wrong = `cs_${Buffer.alloc(32, 1).toString('base64url')}`
      for (const clientSecret of [undefined, wrong, own.clientSecret, '', 7, null, [payment.clientSecret]]) {
        const { status, body } = await refund(bff.keys.public, payment.id, { address: thief, clientSecret })
        expect([status, body['code']]).toEqual([403, 'CLIENT_SECRET_REQUIRED'])
      }
      const missing = await refund(bff.keys.public, payment.id, { address: thief })
      const wrongOne = await refund(bff.keys.public, payment.id, { address: thief, clientSecret: wrong })
      expect(wrongOne.body).toEqual(missing.body)
      expect(await addressOf(payment.id)).toBeNull()
      const said = await bff.deps.db.read((tx) =>
        tx.all(sql`select 1 from refund_requests where payment_id = ${payment.id}`),
      )
      expect(said).toEqual([])
    }
  })

  test('cannot end a payment created by the merchant’s server, neither by fail nor by replacing it', async () => {
    for (const status of ['failed', 'cancelled', 'expired', 'odd', undefined]) {
      const { status: code, body } = await fail(bff.keys.public, { paymentId: ofServer.id, status })
      expect([code, body]).toEqual([
        200,
        { success: true, skipped: true, status: 'pending', message: expect.stringContaining('merchant') },
      ])
    }
    await make(bff.keys.public, { existingPaymentId: ofServer.id })
    await make(bff.keys.public, { existingPaymentId: ofServer.id }, '/payments/create')
    expect(await outcomeOf(ofServer.id)).toBe('pending')
  })

  test('cannot end a payment that has received anything, matched or not', async () => {
    const transfer = transferTo(ofPage.id, 1n)
    await bff.deps.ledger.apply(ofPage.id, { type: 'transfer.seen', transfer, atMs: bff.nowMs() })
    expect((await fail(bff.keys.public, { paymentId: ofPage.id })).body).toMatchObject({
      skipped: true,
      status: 'pending',
    })
    await make(bff.keys.public, { existingPaymentId: ofPage.id })

    const withUnmatched = await make(bff.keys.public)
    await unmatchedOf(withUnmatched.id)
    expect((await fail(bff.keys.public, { paymentId: withUnmatched.id })).body).toMatchObject({
      skipped: true,
      status: 'pending',
    })
    for (const { id } of [ofPage, withUnmatched]) expect(await outcomeOf(id)).toBe('pending')
  })
})

describe('the customer who created the payment, or received its link', () => {
  test('sets the refund address once, with the public key or without any key', async () => {
    for (const keys of [bff.keys.public, {}]) {
      for (const maker of [bff.keys.public, bff.keys.secret]) {
        const { clientSecret, ...payment } = await make(maker)
        await endShort({ clientSecret, ...payment })
        const first = await refund(keys, payment.id, { address: wallet, clientSecret })
        expect([first.status, first.body.payment['refund']]).toEqual([
          200,
          expect.objectContaining({ address: wallet }),
        ])
        expect((await refund(keys, payment.id, { address: wallet, clientSecret })).status).toBe(200)
        const second = await refund(keys, payment.id, { address: thief, clientSecret })
        expect([second.status, second.body['code']]).toEqual([403, 'REFUND_ALREADY_REQUESTED'])
        expect(await addressOf(payment.id)).toBe(wallet)
        // The merchant may change it at any time.
        expect((await refund(bff.keys.secret, payment.id, { address: thief })).status).toBe(200)
        expect(await refund(keys, payment.id, { address: wallet, clientSecret })).toMatchObject({
          status: 403,
          body: { code: 'REFUND_ALREADY_REQUESTED' },
        })
        expect(await addressOf(payment.id)).toBe(thief)
      }
    }
  })

  test('cancels it while nothing was sent to it, whoever created it', async () => {
    for (const keys of [bff.keys.public, {}]) {
      for (const maker of [bff.keys.public, bff.keys.secret]) {
        const { id, clientSecret } = await make(maker)
        expect((await fail(keys, { paymentId: id, clientSecret })).body).toMatchObject({
          skipped: false,
          status: 'cancelled',
        })
        const touched = await make(maker)
        await bff.deps.ledger.apply(touched.id, {
          type: 'transfer.seen',
          transfer: transferTo(touched.id, 1n),
          atMs: bff.nowMs(),
        })
        expect((await fail(keys, { paymentId: touched.id, clientSecret: touched.clientSecret })).body).toMatchObject({
          skipped: true,
          status: 'pending',
        })
      }
    }
  })

  test('without a key has no other access: not with a wrong secret, and to no other route', async () => {
    const { id, clientSecret } = await make(bff.keys.public)
    const wrong = await fail({}, { paymentId: id, clientSecret: `${clientSecret}A` })
    expect([wrong.status, wrong.body['code']]).toEqual([403, 'CLIENT_SECRET_REQUIRED'])
    expect(await refund({}, id, { address: wallet, clientSecret: 'cs_' })).toMatchObject({
      status: 403,
      body: { code: 'CLIENT_SECRET_REQUIRED' },
    })
    expect(await fail({}, { paymentId: id })).toMatchObject({ status: 401, body: { code: 'UNAUTHORIZED' } })
    expect(await refund({}, id, { address: wallet })).toMatchObject({ status: 401, body: { code: 'UNAUTHORIZED' } })
    expect(await ask('GET', `/payments/${id}`, {})).toMatchObject({ status: 401, body: { code: 'UNAUTHORIZED' } })
    expect(await ask('POST', '/payments/verify-qr', {}, { paymentId: id, clientSecret })).toMatchObject({
      status: 401,
      body: { code: 'UNAUTHORIZED' },
    })
    expect(await fail({ 'X-Public-Key': 'pk_live_wrong' }, { paymentId: id, clientSecret })).toMatchObject({
      status: 401,
      body: { code: 'UNAUTHORIZED' },
    })
    expect(await outcomeOf(id)).toBe('pending')
  })

  test('in a page works as before: it ends and replaces its own payments', async () => {
    const first = await make(bff.keys.public)
    const second = await make(bff.keys.public, { existingPaymentId: first.id }, '/payments/create')
    expect(await outcomeOf(first.id)).toBe('failed')
    expect((await fail(bff.keys.public, { paymentId: second.id })).body).toMatchObject({
      skipped: false,
      status: 'cancelled',
    })
  })

  test('the merchant, with key and secret, ends any of its payments', async () => {
    for (const maker of [bff.keys.public, bff.keys.secret]) {
      const { id } = await make(maker)
      expect((await fail(bff.keys.secret, { paymentId: id })).body).toMatchObject({
        skipped: false,
        status: 'cancelled',
      })
    }
  })
})
