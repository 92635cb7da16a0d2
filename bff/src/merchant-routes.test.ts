import { type AppFixture, openApp, order, transferTo } from '@stablecoin-checkout/rig/test-app'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { PaymentId } from './payment/payment.ts'

let fixture: AppFixture
beforeEach(async () => {
  fixture = await openApp()
})
afterEach(() => fixture.close())

const unknownId = '7f0f1f4e-6a43-4a2e-9d2b-0a9f6d9d0a11'
const newId = async (body: object = order) => (await fixture.create(body)).body.payment['id'] as PaymentId

/** A payment that was paid on chain and swept. */
async function paidId(body: object = order): Promise<PaymentId> {
  const id = await newId(body)
  const { ledger } = fixture.deps
  const transfer = transferTo(id, 25_000_000n)
  const atMs = fixture.deps.runtime.nowMs()
  await ledger.apply(id, { type: 'transfer.confirmed', transfer, atMs })
  return id
}

describe('the record of one payment', () => {
  test('shows the merchant everything that was attached to it', async () => {
    const id = await newId({ ...order, orderId: 'o-7', customerEmail: ' A@Example.com ', metadata: { table: 4 } })
    expect((await fixture.read(`/api/v1/payments/${id}`, fixture.keys.secret)).body.payment).toMatchObject({
      id,
      clientSecret: fixture.clientSecretOf(id),
      paymentLink: null,
      orderId: 'o-7',
      customerEmail: 'a@example.com',
      metadata: { table: 4 },
      settlement: { state: 'pending' },
      Merchant: { businessName: 'Corner Coffee' },
    })
  })

  test('of an unknown id is the 500 that version 1 keeps, and so is a stranger’s', async () => {
    const unknown = await fixture.read(`/api/v1/payments/${unknownId}`)
    expect([unknown.status, unknown.body['success'], unknown.body['code']]).toEqual([500, false, 'PAYMENT_NOT_FOUND'])
    const id = await newId()
    expect((await fixture.read(`/api/v1/payments/${id}`, fixture.keys.stranger)).status).toBe(500)
  })
})

describe('ending a payment by hand', () => {
  const fail = (body: object) => fixture.post('/api/v1/payments/fail', body)

  test.each([
    ['cancelled', 'cancelled'],
    ['expired', 'expired'],
    ['failed', 'failed'],
    ['nonsense', 'failed'],
    [42, 'failed'],
    [undefined, 'failed'],
  ])('with %j records %s', async (status, recorded) => {
    const id = await newId()
    const answer = await fail({ paymentId: id, status, reason: 'the customer left' })
    expect(answer.body).toMatchObject({ success: true, status: recorded, skipped: false })
    expect((await fixture.read(`/api/v1/payments/${id}/status`)).body.payment).toMatchObject({
      outcome: 'failed',
      isFinal: true,
    })
  })

  test('a second time is skipped and changes nothing', async () => {
    const id = await newId()
    await fail({ paymentId: id, status: 'cancelled' })
    expect((await fail({ paymentId: id, status: 'expired' })).body).toMatchObject({
      status: 'cancelled',
      skipped: true,
    })
  })

  test('is skipped once money is on its way: a closed page must not fail it', async () => {
    const id = await newId()
    const transfer = transferTo(id, 1n)
    await fixture.deps.ledger.apply(id, { type: 'transfer.seen', transfer, atMs: 1 })
    expect((await fail({ paymentId: id })).body).toMatchObject({ status: 'pending', skipped: true })
  })

  test('of an unknown payment is 404, of no payment 400', async () => {
    expect(await fail({ paymentId: unknownId })).toMatchObject({ status: 404, body: { code: 'PAYMENT_NOT_FOUND' } })
    expect(await fail({})).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } })
  })
})

describe('a scanned code', () => {
  const verify = (body: unknown) => fixture.post('/api/v1/payments/verify-qr', body)

  test('always answers 200, and says in `verified` whether the payment is paid', async () => {
    expect((await verify({ paymentId: await paidId() })).body).toMatchObject({
      success: true,
      verified: true,
      error: null,
      onChainData: { transactionHash: expect.stringMatching(/^0x/) },
    })
    for (const body of [{ paymentId: await newId() }, { paymentId: unknownId }, { paymentId: 7 }, {}, 'not json']) {
      const { status, body: answer } = await verify(body)
      expect([status, answer['verified']]).toEqual([200, false])
      expect([typeof answer['error'], typeof answer['message']]).toEqual(['string', 'string'])
    }
  })
})

describe('the merchant’s list', () => {
  const list = (query = '') => fixture.read(`/api/v1/payments/merchant/list${query}`, fixture.keys.secret)
  const idsOf = async (query: string) =>
    ((await list(query)).body['payments'] as { data: { id: string }[] }).data.map((row) => row.id)

  test('comes in pages, newest first, with what it can be filtered by', async () => {
    const ids: string[] = []
    for (let count = 0; count < 5; count++) {
      fixture.advance(1_000)
      ids.unshift(await newId())
    }
    expect((await list('?limit=2&page=2')).body).toMatchObject({
      payments: { totalCount: 5, totalPages: 3, currentPage: 2, data: [{ id: ids[2] }, { id: ids[3] }] },
      filters: { currencies: ['USDC', 'USDT'] },
    })
    expect(await idsOf('?page=9')).toEqual([])
  })

  test('is searched by id, order id and transaction, and filtered by status, outcome, currency and day', async () => {
    const paid = await paidId({ ...order, orderId: 'o-paid' })
    const open = await newId({ ...order, orderId: 'o-open' })
    expect(await idsOf('?search=o-paid')).toEqual([paid])
    expect(await idsOf(`?search=${open}`)).toEqual([open])
    expect(await idsOf(`?search=${transferTo(paid, 1n).txId}`)).toEqual([paid])
    await fixture.deps.ledger.apply(paid, { type: 'sweep.confirmed', txId: '0x5', atMs: fixture.nowMs() })
    expect(await idsOf('?search=0x5')).toEqual([paid])
    expect(await idsOf('?status=paid')).toEqual([paid])
    expect(await idsOf('?status=swept')).toEqual([paid])
    expect(await idsOf('?status=pending')).toEqual([open])
    expect(await idsOf('?currency=usdt')).toEqual([])
    expect(new Set(await idsOf('?startDate=2026-11-21&endDate=2026-11-21'))).toEqual(new Set([open, paid]))
    expect(await idsOf('?endDate=2026-11-20')).toEqual([])
  })

  test('has payments of one millisecond in the order of their creation, and ends before the time that is given', async () => {
    const ids = [await newId(), await newId(), await newId()].reverse()
    expect([await idsOf('?limit=2'), await idsOf('?limit=2&page=2')]).toEqual([ids.slice(0, 2), ids.slice(2)])
    const before = async (ms: number) =>
      (await list(`?endDate=${new Date(fixture.nowMs() + ms).toISOString()}`)).body['payments']
    expect(await before(1)).toMatchObject({ totalCount: 3, data: [{}, {}, {}] })
    expect(await before(0)).toMatchObject({ totalCount: 0, data: [] })
  })

  test.each([
    '?limit=0',
    '?limit=101',
    '?page=0',
    '?page=x',
    '?status=nonsense',
    '?startDate=2026-02-30',
    '?startDate=yesterday',
    '?startDate=2026-11-22&endDate=2026-11-20',
    '?startDate=2026-11-21T00:00:00Z&endDate=2026-11-21T00:00:00Z',
  ])('refuses %s, naming the field', async (query) => {
    const { status, body } = await list(query)
    expect([status, body['code']]).toEqual([400, 'VALIDATION_FAILED'])
    expect(body['message']).toContain(/\?(\w+)=/.exec(query)?.[1] ?? '')
  })

  test('never shows a stranger’s payments', async () => {
    await newId()
    const { body } = await fixture.read('/api/v1/payments/merchant/list', fixture.keys.stranger)
    expect(body['payments']).toMatchObject({ totalCount: 0, data: [] })
  })

  test('still answers a public key, and says that it will not for ever', async () => {
    for (const path of ['/api/v1/payments/merchant/list', '/api/v1/payments/merchant/stats']) {
      expect((await fixture.read(path)).headers.get('Deprecation')).toBe('true')
      const refused = await fixture.read(`${path}?startDate=yesterday`)
      expect([refused.status, refused.headers.get('Deprecation')]).toEqual([400, 'true'])
      expect((await fixture.read(path, fixture.keys.secret)).headers.get('Deprecation')).toBeNull()
    }
  })
})

describe('the merchant’s numbers', () => {
  test('count what was created and add up what was paid, exactly', async () => {
    await paidId()
    await paidId({ ...order, amount: '0.000001' })
    await newId({ ...order, amount: '1000000000', agentId: 'a1', agentOwner: 'me' })
    const { body } = await fixture.read('/api/v1/payments/merchant/stats', fixture.keys.secret)
    expect(body['stats']).toEqual({
      totalPayments: 3,
      completedPayments: 2,
      pendingPayments: 1,
      failedPayments: 0,
      agentPayments: 1,
      totalAmount: '25.000001',
      averageAmount: '12.50',
      byCurrency: [{ currency: 'USD', completedPayments: 2, totalAmount: '25.000001', averageAmount: '12.50' }],
      isNairaMerchant: false,
    })
    const pending = await fixture.read('/api/v1/payments/merchant/stats?statusFilter=pending', fixture.keys.secret)
    expect(pending.body['stats']).toMatchObject({ totalPayments: 1, completedPayments: 0, totalAmount: '0.00' })
    expect((await fixture.read('/api/v1/payments/merchant/stats?statusFilter=odd', fixture.keys.secret)).status).toBe(
      400,
    )
  })
})

describe('what a later version brings', () => {
  const contract = { amount: 25, currency: 'USDC', network: 'devnet' }
  const crossChain = { amount: 25, originChainId: 8453, originCurrency: 'USDC' }
  const hash = `0x${'ab'.repeat(32)}`

  test.each([
    [{ currency: 'DAI' }, 'CURRENCY_NOT_SUPPORTED', /DAI is not supported on Devnet/],
    [{ currency: 'BUSD' }, 'CURRENCY_NOT_SUPPORTED', /BUSD is not supported on Devnet/],
    [{ currency: 'EURC' }, 'CURRENCY_NOT_SUPPORTED', /EURC is not supported on Devnet/],
    [{ currency: 'usd coin' }, 'VALIDATION_FAILED', /currency/],
    [{ network: 'elsewhere' }, 'WALLET_MISSING', /elsewhere/],
    [{ amount: '1e3' }, 'VALIDATION_FAILED', /amount/],
    [{ agentOwner: 'me' }, 'VALIDATION_FAILED', /Both agentId and agentOwner/],
  ])('contract payments are judged by their contract, then refused honestly: %j', async (change, code, message) => {
    const { status, body } = await fixture.post('/api/payments/create', { ...contract, ...change })
    expect([status, body['code'], body['message']]).toEqual([400, code, expect.stringMatching(message)])
  })

  test('a transaction for a deposit is not needed, and one for another network or in another form is named', async () => {
    const paymentId = await newId()
    const process = (change: object) =>
      fixture.post('/api/payments/process', { paymentId, network: 'devnet', transactionHash: hash, ...change })
    expect((await process({})).body).toMatchObject({ code: 'NOT_A_CONTRACT_PAYMENT', isAlreadyCompleted: false })
    expect((await process({ network: 'elsewhere' })).body['message']).toMatch(/network must be devnet/)
    expect((await process({ transactionHash: '0x12' })).body['message']).toMatch(/transactionHash/)
    expect((await process({ senderAddress: 'me' })).body['message']).toMatch(/senderAddress/)
    expect(await process({ paymentId: unknownId })).toMatchObject({ status: 404, body: { code: 'PAYMENT_NOT_FOUND' } })
  })

  test.each([
    [{}, 'NO_ROUTE'],
    [{ originChainId: 792_703_809 }, 'ORIGIN_NOT_SUPPORTED'],
    [{ originChainId: 'base' }, 'VALIDATION_FAILED'],
    [{ originCurrency: undefined }, 'VALIDATION_FAILED'],
    [{ orderId: 'x'.repeat(101) }, 'VALIDATION_FAILED'],
  ])('cross-chain payments are refused with a code: %j', async (change, code) => {
    const { status, body } = await fixture.post('/api/payments/cross-chain/create', { ...crossChain, ...change })
    expect([status, body['code']]).toEqual([400, code])
  })

  test('bridge progress and balances answer for deposits', async () => {
    const id = await newId()
    expect((await fixture.read(`/api/payments/cross-chain/status/${id}`)).body.payment).toMatchObject({
      bridgeStatus: null,
    })
    expect((await fixture.read(`/api/deposits/balance/${id}`)).body).toMatchObject({
      success: true,
      balance: '0.00',
      isComplete: false,
    })
    expect((await fixture.read(`/api/deposits/balance/${await paidId()}`)).body).toMatchObject({
      balance: '25.00',
      isComplete: true,
    })
  })
})

describe('the document', () => {
  test('is OpenAPI 3.1 and names every route', async () => {
    const { body } = await fixture.read('/api/openapi.json', {})
    const document = body as unknown as { openapi: string; paths: Record<string, unknown> }
    expect(document.openapi).toBe('3.1.0')
    for (const path of [
      '/deposits/create',
      '/payments/{paymentId}/status',
      '/payments/merchant/list',
      '/payments/fail',
    ]) {
      expect(document.paths).toHaveProperty([path])
    }
  })
})
