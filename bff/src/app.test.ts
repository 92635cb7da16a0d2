import { type AppFixture, openApp, order } from '@stablecoin-checkout/rig/test-app'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { PaymentId } from './payment/payment.ts'

let fixture: AppFixture
beforeEach(async () => {
  fixture = await openApp()
})
afterEach(() => fixture.close())

const create: AppFixture['create'] = (...args) => fixture.create(...args)
const read: AppFixture['read'] = (...args) => fixture.read(...args)
const call: AppFixture['call'] = (...args) => fixture.call(...args)

describe('creating a deposit', () => {
  test('answers with everything the first screen needs', async () => {
    const { status, body } = await create(order, {}, '/api/v1/deposits/create?include=qr')
    expect(status).toBe(200)
    expect(body).toMatchObject({
      success: true,
      serverTime: '2026-11-21T12:00:00.000Z',
      payment: {
        status: 'pending',
        outcome: 'pending',
        isFinal: false,
        paymentState: 'awaiting',
        settlement: { state: 'pending' },
        amount: '25.00',
        amountReceived: null,
        amountRemaining: '25.00',
        currency: 'USDC',
        network: 'devnet',
        depositAddress: expect.stringMatching(/^0x[0-9a-fA-F]{40}$/),
        requiredConfirmations: 3,
        expiresAt: '2026-11-21T12:15:00.000Z',
        Token: { symbol: 'USDC', decimals: 6 },
        Network: { chainId: 31_337 },
        Merchant: { businessName: 'Corner Coffee' },
        qr: { address: { size: 29 }, uri: { size: expect.any(Number) } },
      },
    })
  })

  test('takes an amount as a number or as text, on both paths, the network in any case', async () => {
    const asNumber = await create({ ...order, amount: 10.5, network: 'DevNet' }, {}, '/api/deposits/create')
    expect(asNumber.body.payment).toMatchObject({ amount: '10.50', network: 'devnet' })
  })

  test.each([
    [{ amount: '1.0000001' }, /amount has more than the 6 decimals/],
    [{ amount: '-5' }, /amount must be a plain decimal/],
    [{ amount: 1e-7 }, /amount/],
    [{ amount: undefined }, /amount is required/],
    [{ amount: null }, /amount is required/],
    [{ currency: 'DAI' }, /DAI is not supported on/],
    [{ currency: 'USDT' }, /currency USDT is not supported on Devnet/],
    [{ network: 'nowhere' }, /network "nowhere" is not supported \(supported: devnet, elsewhere\)/],
    [{ network: 'elsewhere' }, /No settlement wallet is configured for Elsewhere \(elsewhere\)/],
    [{ customerEmail: 'nobody' }, /customerEmail must be an e-mail/],
    [{ callbackUrl: 'ftp://example.com' }, /callbackUrl must be an http or https URL/],
    [{ orderId: 'x'.repeat(101) }, /orderId must be at most 100/],
    [{ metadata: ['a'] }, /metadata/],
    [{ metadata: { nested: { a: 1 } } }, /metadata/],
    [{ metadata: JSON.parse('{"__proto__": "a"}') }, /metadata must not have the key __proto__/],
    [{ metadata: { constructor: 'a' } }, /metadata must not have the key constructor/],
    [{ metadata: { text: 'é'.repeat(5_000) } }, /metadata must be at most 8192 bytes/],
    [{ agentId: 'a1' }, /Both agentId and agentOwner must be provided together/],
    [{ agentId: 'a b', agentOwner: 'me' }, /agentId contains invalid characters/],
  ])('names the field and the rule: %j', async (change, message) => {
    const { status, body } = await create({ ...order, ...change })
    expect(status).toBe(400)
    expect(body).toMatchObject({ success: false, error: 'Validation failed', message: expect.stringMatching(message) })
  })

  test('forbids an autonomous agent without a policy', async () => {
    const { status, body } = await create({ ...order, agentId: 'a1', agentOwner: 'me', autonomous: true })
    expect([status, body['code']]).toEqual([403, 'AGENT_CONSTRAINT_VIOLATED'])
  })

  test.each([
    ['{"amount": 1,', 400],
    ['x'.repeat(70_000), 413],
  ])('explains a body that cannot be read', async (text, status) => {
    const answer = await create(text, { 'Content-Length': String(text.length) })
    expect(answer.status).toBe(status)
    expect(answer.body).toMatchObject({ success: false, error: expect.any(String), message: expect.any(String) })
  })

  test('explains a body that is not JSON', async () => {
    const { status, body } = await create('a=1', { 'Content-Type': 'application/x-www-form-urlencoded' })
    expect([status, body['code']]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE'])
  })

  test('explains a compressed body', async () => {
    const { status, body } = await create(order, { 'Content-Encoding': 'gzip' })
    expect([status, body['code']]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE'])
    expect(body['message']).toBe('Send the body uncompressed, not with Content-Encoding: gzip.')
    expect((await create(order, { 'Content-Encoding': 'Identity' })).status).toBe(200)
  })

  test('gives the customer fifteen minutes of the chain, though our clock be slow', async () => {
    fixture.deps.heads.set('devnet', { number: 1, hash: '0x1', parentHash: '0x0', timeMs: fixture.nowMs() + 600_000 })
    const { body } = await create()
    const late = { type: 'window.ended', blockTimeMs: fixture.nowMs() + 1_400_000, atMs: fixture.nowMs() } as const
    const payment = await fixture.deps.ledger.apply(body.payment['id'] as PaymentId, late)
    expect(payment?.status).toBe('pending')
  })
})

describe('a repeat', () => {
  test('with the same Idempotency-Key gets the same payment, on either path, quoted or not', async () => {
    const first = await create(order, { 'Idempotency-Key': 'k1' })
    const second = await create(order, { 'Idempotency-Key': '"k1"' }, '/api/deposits/create')
    expect(second.body).toEqual(first.body)
    expect([first.headers.get('Idempotent-Replayed'), second.headers.get('Idempotent-Replayed')]).toEqual([
      null,
      'true',
    ])
  })

  test('with the same order id gets the same payment, until that payment failed', async () => {
    const first = await create({ ...order, orderId: 'o1' })
    expect((await create({ ...order, orderId: 'o1' })).body.payment['id']).toBe(first.body.payment['id'])
    const ended = { type: 'window.ended', blockTimeMs: fixture.nowMs() + 1_000_000, atMs: fixture.nowMs() } as const
    await fixture.deps.ledger.apply(first.body.payment['id'] as PaymentId, ended)
    const again = await create({ ...order, orderId: 'o1' })
    expect(again.body.payment['id']).not.toBe(first.body.payment['id'])
    expect((await create({ ...order, orderId: 'o1' })).body.payment['id']).toBe(again.body.payment['id'])
  })

  test('is found by the header before the order id, and an order id in the metadata counts for nothing', async () => {
    const first = await create({ ...order, orderId: 'o1' }, { 'Idempotency-Key': 'k1' })
    const otherKey = await create({ ...order, orderId: 'o1' }, { 'Idempotency-Key': 'k2' })
    const inMetadata = await create({ ...order, metadata: { orderId: 'o1' } })
    expect(new Set([first, otherKey, inMetadata].map((answer) => answer.body.payment['id'])).size).toBe(3)
  })

  test('for other money is refused', async () => {
    await create(order, { 'Idempotency-Key': 'k1' })
    const { status, body } = await create({ ...order, amount: '26' }, { 'Idempotency-Key': 'k1' })
    expect([status, body['code']]).toEqual([400, 'IDEMPOTENCY_MISMATCH'])
  })

  test('a hundred times concurrently creates one payment', async () => {
    const answers = await Promise.all(Array.from({ length: 100 }, () => create(order, { 'Idempotency-Key': 'same' })))
    expect(new Set(answers.map((answer) => answer.body.payment['id'])).size).toBe(1)
    expect(answers.filter((answer) => answer.headers.get('Idempotent-Replayed') === null)).toHaveLength(1)
  })

  test.each(['', 'x'.repeat(201), 'tab\there'])('with a key that is none is refused: %j', async (key) => {
    const { status, body } = await create(order, { 'Idempotency-Key': key })
    expect([status, body['message']]).toEqual([400, expect.stringContaining('Idempotency-Key')])
  })

  test('after a day is a new payment', async () => {
    const first = await create(order, { 'Idempotency-Key': 'k1' })
    fixture.advance(24 * 60 * 60 * 1000 + 1)
    expect((await create(order, { 'Idempotency-Key': 'k1' })).body.payment['id']).not.toBe(first.body.payment['id'])
  })
})

describe('reading', () => {
  test('answers on both status paths alike, and on the deposit path with what is still to come', async () => {
    const id = (await create()).body.payment['id']
    const [a, b] = [await read(`/api/v1/payments/${id}/status`), await read(`/api/payments/status/${id}`)]
    expect(a.body).toEqual(b.body)
    expect(a.body.payment).toMatchObject({ paymentId: id, status: 'pending', outcome: 'pending', bridgeStatus: null })
    expect((await read(`/api/v1/deposits/status/${id}`)).body.payment).toMatchObject({
      amount: '25.00',
      amountReceived: null,
      amountRemaining: '25.00',
      excessOwed: '0.00',
      depositMethod: 'address',
    })
  })

  test('shows anybody who holds the id what a checkout page may show, and nothing else', async () => {
    const body = { ...order, customerEmail: 'A@Example.com', orderId: 'o-7', metadata: { secret: 's3cret' } }
    const id = (await create(body)).body.payment['id']
    const { status, body: shown } = await call(`/api/v1/payments/public/${id}`)
    expect(status).toBe(200)
    expect(JSON.stringify(shown)).not.toMatch(/example\.com|o-7|s3cret/i)
  })

  test('says 304 while nothing changed, and not after it did', async () => {
    const id = (await create()).body.payment['id'] as PaymentId
    const first = await call(`/api/v1/payments/public/${id}`)
    const etag = first.headers.get('ETag') ?? ''
    const again = () => call(`/api/v1/payments/public/${id}`, { headers: { 'If-None-Match': etag } })
    expect((await again()).status).toBe(304)
    await fixture.deps.ledger.apply(id, {
      type: 'window.ended',
      blockTimeMs: fixture.nowMs() + 1_000_000,
      atMs: fixture.nowMs(),
    })
    expect((await again()).body.payment).toMatchObject({ outcome: 'failed', status: 'expired' })
  })

  test('keeps payments of another merchant to themselves', async () => {
    const id = (await create()).body.payment['id']
    const stranger = { 'X-Public-Key': fixture.other.publicKey }
    expect((await read(`/api/v1/payments/${id}/status`, stranger)).status).toBe(404)
    expect((await read(`/api/v1/deposits/status/${id}`, stranger)).status).toBe(500)
  })

  test('answers an unknown id with 404, and with the 500 that version 1 keeps for deposits', async () => {
    const unknown = '7f0f1f4e-6a43-4a2e-9d2b-0a9f6d9d0a11'
    expect((await read(`/api/v1/payments/${unknown}/status`)).status).toBe(404)
    expect((await read(`/api/v1/payments/public/${unknown}`)).status).toBe(404)
    const deposit = await read(`/api/v1/deposits/status/${unknown}`)
    expect([deposit.status, deposit.body['code']]).toEqual([500, 'PAYMENT_NOT_FOUND'])
    const malformed = await read('/api/v1/payments/status/seven')
    expect([malformed.status, malformed.body['message']]).toEqual([400, 'Invalid paymentId: must be a valid UUID'])
  })
})

describe('every answer', () => {
  test('names the version and the request, errors included', async () => {
    for (const path of ['/api/health', '/api/versions', '/api/v1/nowhere', '/api/v1/payments/x/status']) {
      const { headers } = await call(path)
      expect(headers.get('X-API-Version')).toBe('v1')
      expect(headers.get('X-Request-Id')).toMatch(/^[0-9a-f-]{36}$/)
      expect(headers.get('Access-Control-Allow-Origin')).toBe('*')
    }
  })

  test('names the version whatever it is: a page, a stream, a preflight, nothing new, or a refusal', async () => {
    const { id } = (await create()).body.payment
    const etag = (await call(`/api/v1/payments/public/${id}`)).headers.get('ETag') ?? ''
    const post = { method: 'POST', headers: { 'X-Public-Key': fixture.merchant.publicKey } }
    for (const [status, path, init] of [
      [200, '/docs', {}],
      [200, `/api/payments/public/${id}/events`, {}],
      [204, '/api/deposits/create', { method: 'OPTIONS' }],
      [304, `/api/payments/public/${id}`, { headers: { 'If-None-Match': etag } }],
      [413, '/api/deposits/create', { ...post, body: 'x', headers: { ...post.headers, 'Content-Length': '70000' } }],
      [415, '/api/deposits/create', { ...post, body: 'x' }],
      [500, '/api/deposits/status/7f0f1f4e-6a43-4a2e-9d2b-0a9f6d9d0a11', { headers: post.headers }],
    ] as const) {
      const response = await fixture.fetch(path, init)
      await response.body?.cancel()
      expect([path, response.status, response.headers.get('X-API-Version')]).toEqual([path, status, 'v1'])
    }
  })

  test('without valid credentials is a 401 that names the headers', async () => {
    const refused = /Those sent are not valid.*pk_.*ak_.*sk_/
    for (const [headers, isSent] of [
      [{}, false],
      [{ 'X-API-Key': fixture.merchant.apiKey }, false],
      [{ 'X-Public-Key': 'pk_live_wrong' }, true],
      [{ 'X-API-Key': 'ak_wrong', 'X-API-Secret': 'sk_wrong' }, true],
      [{ 'X-API-Key': fixture.merchant.apiKey, 'X-API-Secret': 'sk_wrong' }, true],
    ] as const) {
      const { status, body } = await call('/api/v1/deposits/create', { method: 'POST', headers, body: '{}' })
      expect(status).toBe(401)
      expect(body['error']).toMatch(/API credentials are required.*x-public-key.*x-api-key.*x-api-secret/)
      expect([headers, refused.test(String(body['error']))]).toEqual([headers, isSent])
    }
  })

  test('lets a public key win over key and secret', async () => {
    const headers = {
      'X-Public-Key': 'pk_live_wrong',
      'X-API-Key': fixture.merchant.apiKey,
      'X-API-Secret': fixture.merchant.apiSecret,
    }
    expect((await read('/api/v1/payments/status/7f0f1f4e-6a43-4a2e-9d2b-0a9f6d9d0a11', headers)).status).toBe(401)
  })

  test('to a preflight allows public keys from any page, and never the secret', async () => {
    const { status, headers } = await call('/api/v1/deposits/create', { method: 'OPTIONS' })
    expect(status).toBe(204)
    expect(headers.get('Access-Control-Allow-Headers')).toBe(
      'Content-Type, X-Public-Key, Idempotency-Key, PAYMENT-SIGNATURE, Access-Control-Expose-Headers',
    )
  })

  test('health and versions are not versioned', async () => {
    expect((await call('/api/health')).body).toEqual({ success: true, status: 'ok' })
    expect((await call('/api/versions')).body).toMatchObject({ versions: [{ version: 'v1' }], resolved: 'v1' })
    expect((await call('/api/v1/health')).status).toBe(404)
  })
})
