import { everyNetworkPayable } from '@stablecoin-checkout/rig/app-defaults'
import { openBridgedApp, originToken, quoteShape, relayAddress } from '@stablecoin-checkout/rig/relay-stage'
import { order } from '@stablecoin-checkout/rig/test-app'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createRateLimits, defaultLimits } from '../../access/limits/rate-limit.ts'
import { sql } from '../../db/db.ts'
import { windowEndOf } from '../../payment/bridge.ts'
import type { BridgeReport, Payment, PaymentId } from '../../payment/payment.ts'
import { loadPayment } from '../../payment/store/payment-store.ts'

let bff: Awaited<ReturnType<typeof openBridgedApp>>
beforeAll(async () => {
  bff = await openBridgedApp()
})
afterAll(() => bff.close())
beforeEach(() => bff.responses.clear())

const path = '/api/v1/payments/cross-chain/create'
const wanted = { amount: 25, originChainId: 8453, originCurrency: 'USDC' }
const create = (change: object = {}, headers: Record<string, string> = {}) =>
  bff.post(path, { ...wanted, ...change }, headers)
const newKey = () => ({ 'Idempotency-Key': crypto.randomUUID() })
const quotes = () => bff.relay.of('/quote/v2')
const rows = () => bff.deps.db.read((tx) => tx.all<{ payment_id: string }>(sql`select payment_id from bridges`))

const refuse = (errorCode: string, message = 'no', status = 400) =>
  bff.responses.set('/quote/v2', () => ({ status, body: { message, errorCode } }))

describe('a cross-chain payment', () => {
  test('returns where to send exactly how much of what, and the amount that the merchant receives', async () => {
    const { status, body } = await create({ orderId: 'cc-1', metadata: { table: 7 } })
    expect(status).toBe(200)
    expect(body).toMatchObject({ success: true, requestId: expect.any(String), serverTime: expect.any(String) })
    expect(body.payment).toMatchObject({
      ...{ id: expect.stringMatching(/^[0-9a-f-]{36}$/), status: 'pending', outcome: 'pending' },
      ...{ relayDepositAddress: relayAddress, amountToSend: '25100000', amountToSendFormatted: '25.10' },
      ...{ originChainId: 8453, originCurrency: 'USDC', bridgeStatus: 'waiting', paymentMode: 'cross_chain' },
      destination: { network: 'devnet', currency: 'USDC', amount: '25.00' },
      // On the merchant's own chain only the bridge pays: the address is shown to nobody else.
      ...{ depositAddress: null, depositMethod: 'bridge', expiresAt: '2026-11-21T12:30:00.000Z' },
      paymentUri: `ethereum:${originToken}@8453/transfer?address=${relayAddress}&uint256=25100000`,
    })
    const { destination } = body.payment as { destination: { address: string } }
    expect(quotes().at(-1)?.body).toMatchObject({ recipient: destination.address, amount: '25000000', ttl: 1_800 })
    expect(quotes().at(-1)?.apiKey).toBe('a-key')
  })

  test('is created for a price, of which the merchant receives no less', async () => {
    const priced = { amount: undefined, price: '24.995', priceCurrency: 'USD' }
    const headers = newKey()
    const { payment } = (await create(priced, headers)).body
    const inDollars = { amount: '25.00', price: '24.995', priceCurrency: 'USD', rate: '1' }
    expect(payment).toMatchObject({ ...inDollars, rateAt: expect.any(String), amountToSend: '25100000' })
    expect((await create(priced, headers)).body.payment['id']).toBe(payment['id'])
    const other = await create({ ...priced, price: '25' }, headers)
    expect([other.status, other.body['code']]).toEqual([400, 'IDEMPOTENCY_MISMATCH'])
    const none = await create({ ...priced, priceCurrency: 'EUR' }, newKey())
    expect([none.status, none.body['code']]).toEqual([400, 'NO_RATE'])
    const asked = quotes().length
    const small = await create({ ...priced, price: '0.01' }, newKey())
    expect([small.status, small.body['code'], quotes().length - asked]).toEqual([400, 'NO_ROUTE', 0])
  })

  test('is read everywhere as returned', async () => {
    const { payment } = (await create({}, newKey())).body
    expect(payment['clientSecret']).toMatch(/^cs_[\w-]{43}$/)
    const shown = { relayDepositAddress: relayAddress, amountToSend: '25100000', bridgeStatus: 'waiting' }
    const id = payment['id']
    expect((await bff.read(`/api/v1/payments/public/${id}`, {})).body.payment).toMatchObject(shown)
    expect((await bff.read(`/api/v1/payments/${id}`)).body.payment).toMatchObject(shown)
    expect((await bff.read(`/api/v1/payments/cross-chain/status/${id}`)).body.payment).toMatchObject({
      ...shown,
      ...{ originTxHash: null, destinationTxHash: null, bridgeMessage: 'Waiting for your transfer.' },
    })
    expect((await bff.read(`/api/v1/payments/status/${id}`)).body.payment).toMatchObject({ bridgeStatus: 'waiting' })
    expect((await bff.read(`/api/v1/deposits/status/${id}`)).body.payment).toMatchObject({ depositAddress: null })
    const stranger = await bff.read(`/api/v1/payments/cross-chain/status/${id}`, bff.keys.stranger)
    expect(stranger.status).toBe(404)
  })

  test('has the first screen’s QR codes in the response, if requested', async () => {
    const { body } = await bff.post(`${path}?include=qr`, wanted, newKey())
    expect(body.payment['qr']).toMatchObject({
      address: { size: expect.any(Number) },
      uri: { size: expect.any(Number) },
    })
  })

  test.each([
    [undefined, '12:30:00', 1_800],
    [60, '12:01:00', 60],
    [3_601, '13:00:01', 3_601],
  ])('with expiresIn %s ends to the second, and so does the bridge’s order', async (expiresIn, end, ttl) => {
    const { body } = await create(expiresIn === undefined ? {} : { expiresIn }, newKey())
    expect(body.payment['expiresAt']).toBe(`2026-11-21T${end}.000Z`)
    expect(quotes().at(-1)?.body['ttl']).toBe(ttl)
  })

  test('with a window of more than a day needs API key and secret, and has exactly that window', async () => {
    const weekSeconds = 7 * 24 * 60 * 60
    const refused = await create({ expiresIn: weekSeconds }, newKey())
    expect([refused.status, refused.body['message']]).toEqual([
      400,
      'expiresIn must be at most 86400 seconds with a public key; longer requires API key and secret',
    ])
    expect((await create({ expiresIn: 86_400 }, newKey())).body.payment['expiresAt']).toBe('2026-11-22T12:00:00.000Z')
    const init = { method: 'POST', headers: { 'Content-Type': 'application/json', ...bff.keys.secret } }
    const own = await bff.call(path, { ...init, body: JSON.stringify({ ...wanted, expiresIn: weekSeconds }) })
    expect(own.body.payment['expiresAt']).toBe('2026-11-28T12:00:00.000Z')
  })

  test('accepts the token by its address, and a preferred network and currency', async () => {
    const { status, body } = await create(
      { originCurrency: originToken, network: 'Devnet', currency: 'USDC' },
      newKey(),
    )
    expect([status, body.payment['originCurrency']]).toEqual([200, 'USDC'])
  })
})

describe('a repeat', () => {
  test('gets the stored response, even while the bridge is down, without a second quote', async () => {
    const key = newKey()
    const first = await create({}, key)
    const before = quotes().length
    bff.responses.set('/quote/v2', () => ({ status: 500 }))
    const second = await create({ amount: '25.00', originCurrency: 'usdc' }, key)
    expect(second.headers.get('Idempotent-Replayed')).toBe('true')
    expect(second.body).toEqual(first.body)
    expect(quotes()).toHaveLength(before)
  })

  test('gets the stored response for as long as the payment may wait for the bridge', async () => {
    const [halfHourMs, weekMs] = [30 * 60_000, 7 * 24 * 60 * 60_000]
    const init = (key: object, body: object) => ({
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...bff.keys.secret, ...key },
      body: JSON.stringify(body),
    })
    for (const windowMs of [halfHourMs, weekMs]) {
      const [key, body] = [newKey(), { ...wanted, expiresIn: windowMs / 1_000 }]
      const first = await bff.call(path, init(key, body))
      const id = first.body.payment['id'] as PaymentId
      const report = { status: 'pending', originTxId: '0x1', destinationTxId: null, refundTxId: null, reason: null }
      await bff.deps.ledger.apply(id, { type: 'bridge.moved', report: report as BridgeReport, atMs: bff.nowMs() })
      const payment = await bff.deps.db.read((tx) => loadPayment(tx, id))
      const lastMs = windowEndOf(payment as Payment) - bff.nowMs()
      bff.advance(lastMs - 1)
      const second = await bff.call(path, init(key, body))
      bff.advance(1 - lastMs)
      expect(second.body.payment['id']).toBe(id)
    }
  })

  test('with other money is refused', async () => {
    const key = newKey()
    await create({}, key)
    for (const change of [{ amount: 26 }, { originChainId: 1 }, { originCurrency: 'ETH' }, { network: 'elsewhere' }]) {
      const { status, body } = await create(change, key)
      expect([change, status, body['code']]).toEqual([change, 400, 'IDEMPOTENCY_MISMATCH'])
    }
  })

  test('by a public key of an order with another window is another payment', async () => {
    const first = await create({ orderId: 'cc-window', expiresIn: 86_400 })
    const other = await create({ orderId: 'cc-window' })
    expect(other.body.payment['id']).not.toBe(first.body.payment['id'])
    expect(other.body.payment['expiresAt']).toBe('2026-11-21T12:30:00.000Z')
  })

  test('forty concurrent requests are one payment and one quote', async () => {
    const [before, stored] = [quotes().length, (await rows()).length]
    const answers = await Promise.all(Array.from({ length: 40 }, () => create({ orderId: 'cc-nervous' })))
    expect(new Set(answers.map(({ body }) => body.payment['id'])).size).toBe(1)
    expect(quotes()).toHaveLength(before + 1)
    expect(await rows()).toHaveLength(stored + 1)
  })

  test('after a fault tries again', async () => {
    const key = newKey()
    refuse('AMOUNT_TOO_LOW')
    expect((await create({}, key)).body['code']).toBe('NO_ROUTE')
    bff.responses.clear()
    expect((await create({}, key)).status).toBe(200)
  })
})

describe('a refusal', () => {
  test.each([
    ['25', '27500000', 200],
    ['25', '27500001', 400],
    ['25', '2500000000', 400],
    ['1', '1100000', 200],
    ['1', '1100001', 400],
  ])(
    'of %s that asks for %s base units is accepted only up to a tenth above the amount due',
    async (amount, asked, expected) => {
      bff.responses.set('/quote/v2', ({ body }) => {
        const quote = quoteShape(body)
        return {
          body: { ...quote, details: { ...quote.details, currencyIn: { ...quote.details.currencyIn, amount: asked } } },
        }
      })
      const before = (await rows()).length
      const { status, body } = await create({ amount }, newKey())
      expect(status).toBe(expected)
      expect((await rows()).length - before).toBe(expected === 200 ? 1 : 0)
      if (expected === 200) return expect(body.payment['amountToSend']).toBe(asked)
      expect(body['code']).toBe('NO_ROUTE')
      expect(body['message']).toMatch(
        /^The bridge asks for [\d.]+ USDC on chain 8453 to deliver [\d.]+ USDC, .* \(10 %\)/,
      )
    },
  )

  test.each([
    ...['AMOUNT_TOO_LOW', 'NO_QUOTES', 'NO_SWAP_ROUTES_FOUND', 'NO_INTERNAL_SWAP_ROUTES_FOUND', 'UNSUPPORTED_ROUTE'],
    ...['INSUFFICIENT_LIQUIDITY', 'SWAP_IMPACT_TOO_HIGH', 'ROUTE_TEMPORARILY_RESTRICTED'],
  ])('of Relay for %s is NO_ROUTE', async (errorCode) => {
    refuse(errorCode)
    const { status, body } = await create({}, newKey())
    expect([status, body['success'], body['code']]).toEqual([400, false, 'NO_ROUTE'])
  })

  test.each([
    ['UNSUPPORTED_CHAIN', 'ORIGIN_NOT_SUPPORTED'],
    ['CHAIN_DISABLED', 'ORIGIN_NOT_SUPPORTED'],
    ['INVALID_REFUND_TO', 'ORIGIN_REFUND_NOT_SUPPORTED'],
    ['SANCTIONED_WALLET_ADDRESS', 'BRIDGE_REFUSED'],
    ['INVALID_ADDRESS', 'BRIDGE_REFUSED'],
    ['UNSUPPORTED_CURRENCY', 'BRIDGE_REFUSED'],
  ])('of Relay for %s is %s', async (errorCode, code) => {
    refuse(errorCode, 'because')
    const before = quotes().length
    const { status, body } = await create({}, newKey())
    expect([status, body['code']]).toEqual([400, code])
    expect(quotes()).toHaveLength(before + 1)
  })

  test('is ORIGIN_REFUND_NOT_SUPPORTED if Relay would refund on another chain than the customer pays on', async () => {
    const refundOn = (chainId: number) =>
      bff.responses.set('/quote/v2', ({ body }) => {
        const { details, ...quote } = quoteShape(body)
        const refundCurrency = { ...details.currencyIn, currency: { ...details.currencyIn.currency, chainId } }
        return { body: { ...quote, details: { ...details, refundCurrency } } }
      })
    refundOn(31_337)
    const before = (await rows()).length
    const { status, body } = await create({}, newKey())
    expect([status, body['code']]).toEqual([400, 'ORIGIN_REFUND_NOT_SUPPORTED'])
    expect(await rows()).toHaveLength(before)
    refundOn(8453)
    expect((await create({}, newKey())).status).toBe(200)
  })

  test.each([
    { message: 'refundTo is not supported on this chain' },
    { message: 'no', errorCode: 'REFERRER_REFUND_FEE' },
  ])('of Relay by %j is BRIDGE_REFUSED with its message, which decides nothing', async (refusal) => {
    bff.responses.set('/quote/v2', () => ({ status: 400, body: refusal }))
    const { body } = await create({}, newKey())
    expect([body['code'], body['message']]).toEqual(['BRIDGE_REFUSED', expect.stringContaining(refusal.message)])
  })

  test.each([
    [{ originChainId: 792_703_809 }, 'ORIGIN_NOT_SUPPORTED', /not an EVM chain/],
    [{ originChainId: 1337 }, 'ORIGIN_NOT_SUPPORTED', /not an EVM chain/],
    [{ originChainId: 777 }, 'ORIGIN_NOT_SUPPORTED', /777/],
    [{ originChainId: 10 }, 'ORIGIN_NOT_SUPPORTED', /10/],
    [{ originChainId: 42 }, 'ORIGIN_NOT_SUPPORTED', /42/],
    [{ originChainId: 31_337 }, 'NO_DESTINATION', /settlement wallet/],
    [{ network: 'elsewhere' }, 'NO_DESTINATION', /elsewhere/],
    [{ currency: 'USDT' }, 'NO_DESTINATION', /USDT/],
    [{ amount: '0.99' }, 'NO_ROUTE', /at least 1\.00/],
    [{ originCurrency: 'DOGE' }, 'CURRENCY_NOT_SUPPORTED', /originCurrency DOGE.*USDC/],
    [{ originCurrency: 'ETH' }, 'CURRENCY_NOT_SUPPORTED', /accepted: USDC/],
    [{ amount: '1e3' }, 'VALIDATION_FAILED', /amount/],
    [{ amount: '25.0000001' }, 'VALIDATION_FAILED', /amount.*6 decimals/],
    [{ expiresIn: 0 }, 'VALIDATION_FAILED', /expiresIn/],
    [{ expiresIn: 604_801 }, 'VALIDATION_FAILED', /expiresIn must be at most/],
    [{ originChainId: 'base' }, 'VALIDATION_FAILED', /originChainId/],
    [{ originCurrency: '' }, 'VALIDATION_FAILED', /originCurrency/],
  ])('of %j names the fault, and requests no quote from Relay', async (change, code, message) => {
    const before = quotes().length
    const { status, body } = await create(change, newKey())
    expect([status, body['code'], body['message']]).toEqual([400, code, expect.stringMatching(message)])
    expect(quotes()).toHaveLength(before)
  })

  test('with a test key moves no real money', async () => {
    expect((await create({}, { ...newKey(), ...bff.keys.test })).body['code']).toBe('NO_ROUTE')
  })

  test('stores nothing', async () => {
    const before = (await rows()).length
    refuse('NO_QUOTES')
    await create({}, newKey())
    expect(await rows()).toHaveLength(before)
  })
})

test('while the merchant’s network is unavailable contains that reason', async () => {
  const health = { ...everyNetworkPayable, get: () => ({ isPayable: false, reason: 'The node is away.' }) }
  const out = await openBridgedApp({ health })
  const { status, body } = await out.post(path, wanted)
  expect([status, body['code'], out.relay.of('/quote/v2')]).toEqual([400, 'NETWORK_UNAVAILABLE', []])
  await out.close()
})

describe('an unavailable bridge', () => {
  test('that is down, or refuses our key, is 503, with a retry delay', async () => {
    for (const [status, headers] of [
      [500, {}],
      [429, { 'retry-after': '17' }],
      [401, {}],
    ] as const) {
      bff.responses.set('/quote/v2', () => ({ status, headers, body: { message: 'no' } }))
      const answer = await create({}, newKey())
      expect([answer.status, answer.body['code']]).toEqual([503, 'BRIDGE_UNAVAILABLE'])
      expect(answer.headers.get('Retry-After')).toBe(status === 429 ? '17' : '5')
    }
  })

  test('with a quote that would pay somebody else creates no payment', async () => {
    const recipient = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
    const before = (await rows()).length
    bff.responses.set('/quote/v2', ({ body }) => ({ body: quoteShape(body, { details: { recipient } }) }))
    expect((await create({}, newKey())).status).toBe(503)
    expect(await rows()).toHaveLength(before)
  })
})

test('the relay’s reports reach the payment, its merchant and every reader, and pay nothing', async () => {
  const callbackUrl = 'http://127.0.0.1:1/hook'
  const { payment } = (await create({ callbackUrl }, newKey())).body
  const id = payment['id'] as never
  const { ledger } = bff.deps
  const none = { originTxId: null, destinationTxId: null, refundTxId: null, reason: null }
  const move = (report: object) =>
    ledger.apply(id, { type: 'bridge.moved', report: { ...none, status: 'waiting', ...report }, atMs: bff.nowMs() })
  await move({})
  await move({ status: 'pending', originTxId: '0x0a' })
  await move({ status: 'pending', originTxId: '0x0a' })
  // A closed page does not end a payment under way.
  const failed = await bff.post('/api/v1/payments/fail', { paymentId: id, status: 'cancelled' })
  expect(failed.body).toMatchObject({ skipped: true, status: 'pending' })
  await move({ status: 'success', destinationTxId: '0x0b' })
  // An old copy.
  await move({ status: 'pending', originTxId: '0x0a' })
  expect((await bff.read(`/api/v1/payments/cross-chain/status/${id}`)).body.payment).toMatchObject({
    ...{ bridgeStatus: 'success', originTxHash: '0x0a', destinationTxHash: '0x0b' },
    ...{ outcome: 'pending', status: 'pending', isFinal: false },
  })
  const events = await bff.deps.db.read((tx) =>
    tx.all<{ type: string; body: string }>(
      sql`select type, body from events where payment_id = ${id} order by sequence`,
    ),
  )
  expect(events.map(({ type }) => type)).toEqual(['payment.created', 'bridge.moved', 'bridge.moved'])
  const data = events.map(({ body }) => (JSON.parse(body) as { data: Record<string, unknown> }).data['bridgeStatus'])
  expect(data).toEqual(['waiting', 'pending', 'success'])
})

test('a deposit has no bridge', async () => {
  const { payment } = (await bff.create(order, newKey())).body
  expect(payment).not.toHaveProperty('relayDepositAddress')
  const { body } = await bff.read(`/api/v1/payments/cross-chain/status/${payment['id']}`)
  expect(body.payment).toMatchObject({ bridgeStatus: null })
})

test('the sources are the chains that are really available, and need no key', async () => {
  const { status, body } = await bff.call('/api/v1/payments/cross-chain/sources')
  expect(status).toBe(200)
  expect(body['sources']).toEqual([
    {
      ...{ chainId: 8453, name: 'Base', currencies: ['USDC'], minimumAmount: '1.00' },
      logo: 'http://localhost/logos/networks/base.svg',
      tokens: [{ symbol: 'USDC', address: originToken, decimals: 6, logo: 'http://localhost/logos/tokens/usdc.svg' }],
    },
    expect.objectContaining({ chainId: 31_337 }),
  ])
  // The bridge pays out USDC there, but not USDT; it does not know the other network.
  expect(body['destinations']).toEqual([
    { chainId: 31_337, network: 'devnet', name: expect.any(String), currencies: ['USDC'] },
  ])
  expect(bff.relay.of('/chains')).toHaveLength(1)
})

test('each quote is counted, because it costs a call with the service’s own key: by address, and by merchant', async () => {
  const limits = createRateLimits({ limits: { ...defaultLimits, quotes: 2, merchantQuotes: 3 }, trustedProxies: [] })
  const limited = await openBridgedApp({ limits })
  try {
    const asked = { ...wanted, amount: 26 }
    const codeOf = async (headers: Record<string, string>) => {
      const { status, body } = await limited.post(path, asked, headers)
      return status === 200 ? 200 : body['code']
    }
    const repeated = newKey()
    expect([await codeOf(repeated), await codeOf(repeated), await codeOf(newKey())]).toEqual([200, 200, 200])
    expect(await codeOf(newKey())).toBe('RATE_LIMITED')
    const ofServer = async () => {
      const headers = { 'Content-Type': 'application/json', ...limited.keys.secret, ...newKey() }
      return (await limited.call(path, { method: 'POST', headers, body: JSON.stringify(asked) })).status
    }
    expect([await ofServer(), await ofServer()]).toEqual([200, 429])
    expect(limited.relay.of('/quote/v2')).toHaveLength(3)
  } finally {
    await limited.close()
  }
})
