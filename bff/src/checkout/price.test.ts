import { type AppFixture, openApp, order } from '@stablecoin-checkout/rig/test-app'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { PaymentError } from '../core/errors.ts'
import type { Rates } from '../rates/rate.ts'
import { tokensFor } from '../rates/tokens-for.ts'

describe('tokens for a price', () => {
  test.each([
    ['25', '0.9213', '27.14'],
    ['25', '1', '25.00'],
    ['0.01', '1530.2', '0.01'],
    ['1000000', '154.8', '6459.95'],
    ['19.99', '0.999905', '20.00'],
    ['0.0001', '0.925925925925925', '0.01'],
  ])('%s at %s are %s', (price, rate, amount) => expect(tokensFor(price, rate)).toBe(amount))

  test('are worth the price at least, and less than a cent of the token more', () => {
    const digits = (max: number) => fc.bigInt({ min: 1n, max: 10n ** BigInt(max) })
    fc.assert(
      fc.property(digits(15), digits(15), fc.nat(4), fc.nat(14), (units, rateUnits, decimals, rateDecimals) => {
        const text = (value: bigint, places: number) => {
          const padded = String(value).padStart(places + 1, '0')
          return places === 0 ? padded : `${padded.slice(0, -places)}.${padded.slice(-places)}`
        }
        const cents = BigInt(tokensFor(text(units, decimals), text(rateUnits, rateDecimals)).replace('.', ''))
        // All in units of 10^-(decimals + rateDecimals + 2) of the currency.
        const price = units * 10n ** BigInt(rateDecimals + 2)
        const worth = (amount: bigint) => amount * rateUnits * 10n ** BigInt(decimals)
        expect(worth(cents) >= price && worth(cents - 1n) < price).toBe(true)
      }),
    )
  })
})

const rateAt = '2026-11-21T12:01:00.000Z'
/** What the service knows now; null: nothing that is fresh enough. */
let rates: Rates['rates'] | null
let bff: AppFixture

beforeEach(() => {
  rates = { USDC: { EUR: '0.9213', USD: '1' }, USDT: { EUR: '0.92' } }
})
beforeAll(async () => {
  bff = await openApp({
    readRates: async () => {
      if (rates !== null) return { rates, asOfMs: Date.parse(rateAt), provider: 'test' }
      throw new PaymentError('RATES_UNAVAILABLE', 'The newest rates are old.', { retryAfterSeconds: 30 })
    },
  })
})
afterAll(async () => await bff.close())

const { amount: _, ...unpriced } = order
const priced = { ...unpriced, price: '25.00', priceCurrency: 'EUR' }
const inEuros = { amount: '27.14', price: '25.00', priceCurrency: 'EUR', rate: '0.9213', rateAt }

/** Every door that creates a payment, by path. */
const doors = ['deposits/create', 'payments/create', 'sandbox/payments/create'] as const

async function ask(door: string, body: object, headers: Record<string, string> = bff.keys.secret) {
  return await bff.call(`/api/v1/${door}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
}

describe.each(doors)('a price at /%s', (door) => {
  test('becomes an amount at a rate that the answer names, and every read after it', async () => {
    const { status, body } = await ask(door, priced)
    expect([status, body.payment]).toMatchObject([200, inEuros])
    const id = String(body.payment['id'])
    expect((await bff.call(`/api/v1/payments/public/${id}`)).body.payment).toMatchObject(inEuros)
    expect((await bff.call(`/api/v1/payments/${id}`, { headers: bff.keys.secret })).body.payment).toMatchObject(inEuros)
  })

  test('in dollars is at the rate of the provider, because a token that it lists is no dollar by definition', async () => {
    rates = { USDC: { USD: '0.98' } }
    const { body } = await ask(door, { ...priced, price: '24.50', priceCurrency: 'USD' })
    expect(body.payment).toMatchObject({ amount: '25.00', priceCurrency: 'USD', rate: '0.98', rateAt })
  })

  test.each<[string, object, string]>([
    ['both', { amount: '25.00' }, 'amount and price must not be sent together'],
    ['an amount and a currency', { amount: '25.00', price: undefined }, 'amount and priceCurrency must not be sent'],
    ['neither', { price: undefined, priceCurrency: undefined }, 'amount is required'],
    ['no currency', { priceCurrency: undefined }, 'priceCurrency is required with price'],
    ['no price', { price: undefined }, 'price is required with priceCurrency'],
    ['no such currency', { priceCurrency: 'EURO' }, 'priceCurrency must be an ISO 4217 code'],
    ['nothing', { price: '0.00' }, 'price must be more than zero'],
    ['too fine a price', { price: '1.00001' }, 'price must have at most 4 decimals'],
    ['a sign', { price: '-1' }, 'price must be a plain decimal number'],
    ['an exponent', { price: 1e21 }, 'price must be a plain decimal number'],
    ['too much', { price: '999999999999' }, 'price must come to at most 1000000000 USDC'],
    ['a list', { price: ['1'] }, 'price must be a decimal number'],
  ])('is refused with %s, in a sentence that names the field', async (_name, change, message) => {
    const { status, body } = await ask(door, { ...priced, ...change })
    expect([status, body['code']]).toEqual([400, 'VALIDATION_FAILED'])
    expect(body['message']).toContain(message)
  })

  test('is refused with NO_RATE where its currency has no rate, and while every rate is too old', async () => {
    const unknown = await ask(door, { ...priced, priceCurrency: 'NGN' })
    expect([unknown.status, unknown.body['code']]).toEqual([400, 'NO_RATE'])
    expect(unknown.body['message']).toContain('known: EUR, USD')
    rates = null
    const stale = await ask(door, { ...priced, price: '25.50' })
    expect([stale.status, stale.body['code'], stale.headers.get('Retry-After')]).toEqual([503, 'NO_RATE', '30'])
  })

  test('keeps its first rate when the request is repeated, also while there is none', async () => {
    const headers = { ...bff.keys.secret, 'Idempotency-Key': 'k-1' }
    const first = (await ask(door, priced, headers)).body.payment
    rates = { USDC: { EUR: '0.5' } }
    const again = await ask(door, { ...priced, price: 25, priceCurrency: 'eur' }, headers)
    expect(again.headers.get('Idempotent-Replayed')).toBe('true')
    expect(again.body.payment).toMatchObject({ id: first['id'], ...inEuros })
    rates = null
    expect((await ask(door, priced, headers)).body.payment['id']).toBe(first['id'])
    const other = await ask(door, { ...priced, price: '26.00' }, headers)
    expect([other.status, other.body['code']]).toEqual([400, 'IDEMPOTENCY_MISMATCH'])
    const tokens = await ask(door, { ...unpriced, amount: '27.14' }, headers)
    expect([tokens.status, tokens.body['code']]).toEqual([400, 'IDEMPOTENCY_MISMATCH'])
  })
})

test('a request with a price that comes twice at once makes one payment', async () => {
  const headers = { ...bff.keys.secret, 'Idempotency-Key': 'k-2' }
  const answers = await Promise.all(
    ['0.9213', '0.9', '0.8'].map((rate) => {
      rates = { USDC: { EUR: rate } }
      return ask('deposits/create', priced, headers)
    }),
  )
  expect(new Set(answers.map(({ body }) => `${body.payment['id']} ${body.payment['rate']}`)).size).toBe(1)
})

test.each([
  ['2500', 'JPY', '2500'],
  ['025.0', 'EUR', '25.00'],
  ['1.5', 'KWD', '1.500'],
  ['0.0125', 'EUR', '0.0125'],
])('a price of %s %s is shown as %s', async (price, priceCurrency, shown) => {
  rates = { USDC: { JPY: '154.8', EUR: '0.9213', KWD: '0.3' } }
  const { payment } = (await ask('deposits/create', { ...priced, price, priceCurrency })).body
  expect(payment).toMatchObject({ price: shown, priceCurrency })
})

test.each(['25.00000', '25.000000000000000000', '025.0'])(
  'a price of %s has no decimals too many: only noughts',
  async (price) => {
    const { status, body } = await ask('deposits/create', { ...priced, price })
    expect([status, body.payment]).toMatchObject([200, inEuros])
  },
)

test('a price may come to a thousand million tokens exactly, and to no cent more', async () => {
  rates = { USDC: { EUR: '0.5' } }
  const most = await ask('deposits/create', { ...priced, price: '500000000' })
  expect([most.status, most.body.payment]).toMatchObject([200, { amount: '1000000000.00' }])
  const more = await ask('deposits/create', { ...priced, price: '500000000.005' })
  expect([more.status, more.body['message']]).toEqual([
    400,
    'price must come to at most 1000000000 USDC, not 1000000000.01',
  ])
})

test('a payment of an amount names no price', async () => {
  const none = { price: null, priceCurrency: null, rate: null, rateAt: null, returnUrl: null }
  expect((await bff.create(order)).body.payment).toMatchObject(none)
})

test('a price stands in the list of payments, for the books', async () => {
  const { id } = (await ask('deposits/create', priced)).body.payment
  const { body } = await bff.call(`/api/v1/payments/merchant/list?search=${id}`, { headers: bff.keys.secret })
  expect(body['payments']).toMatchObject({ data: [inEuros] })
})

describe('a way back', () => {
  test.each(doors)('is shown with the payment’s id by /%s and to who pays', async (door) => {
    const returnUrl = 'https://shop.example/orders?number=7#done'
    const { payment } = (await ask(door, { ...order, returnUrl })).body
    const shown = `https://shop.example/orders?number=7&paymentId=${payment['id']}#done`
    expect(payment['returnUrl']).toBe(shown)
    expect((await bff.call(`/api/v1/payments/public/${payment['id']}`)).body.payment['returnUrl']).toBe(shown)
  })

  test.each(['http://localhost:8080/back', 'http://127.0.0.1/', 'http://[::1]:3000/a'])(
    'may be without TLS on the machine itself: %s',
    async (returnUrl) => expect((await bff.create({ ...order, returnUrl })).status).toBe(200),
  )

  test.each([
    'javascript:alert(1)',
    'data:text/html,hi',
    'http://shop.example/',
    'https://user:secret@shop.example/',
    'https:\\\\shop.example',
    'https:shop.example',
    'https:/shop.example',
    '//shop.example/',
    '/orders/1',
    'https://shop.example/ x',
    'http://localhost.example/',
    `https://shop.example/${'a'.repeat(2_048)}`,
  ])('is refused where it is no page that a shop serves safely: %s', async (returnUrl) => {
    const { status, body } = await bff.create({ ...order, returnUrl })
    expect([status, body['code']]).toEqual([400, 'VALIDATION_FAILED'])
    expect(body['message']).toContain('returnUrl')
  })

  test('is part of what a public key must repeat to get the payment of an order id', async () => {
    const first = await bff.create({ ...order, orderId: 'o-1', returnUrl: 'https://evil.example/' }, bff.keys.public)
    const second = await bff.create({ ...order, orderId: 'o-1', returnUrl: 'https://shop.example/' }, bff.keys.public)
    expect(second.body.payment['id']).not.toBe(first.body.payment['id'])
  })
})
