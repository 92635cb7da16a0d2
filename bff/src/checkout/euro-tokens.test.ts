import { type AppFixture, openApp, order } from '@stablecoin-checkout/rig/test-app'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { PaymentError } from '../core/errors.ts'
import type { EvmNetwork, Token } from '../core/families.ts'
import type { PaymentId } from '../payment/payment.ts'
import { loadPayment } from '../payment/store/payment-store.ts'
import type { RateTable } from '../rates/rate.ts'
import { withTokenRates } from '../rates/token-rates.ts'

/** What the source knows now; null: nothing that is fresh enough. */
let listed: RateTable | null
/** Reading the rates fails for a reason that nobody foresaw. */
let isBroken = false
let bff: AppFixture

const parity = { USDC: { USD: '1' } }
const withEuros = { USDC: { USD: '1', EUR: '0.8' } }

beforeAll(async () => {
  const readListed = async () => {
    if (isBroken) throw new Error('a fault of ours')
    if (listed) return { rates: listed, asOfMs: Date.parse('2026-11-21T12:00:00Z'), provider: 'test' }
    throw new PaymentError('RATES_UNAVAILABLE', 'The newest rates are old.', { retryAfterSeconds: 30 })
  }
  bff = await openApp({ readRates: withTokenRates(readListed, [{ symbol: 'EURC', currency: 'EUR' }]) })
  const devnet = bff.deps.networks.get('devnet') as EvmNetwork
  const [usdc] = devnet.tokens
  const eurc = { ...usdc, symbol: 'EURC', currency: 'EUR', name: 'EURC', address: `0x${'e'.repeat(40)}` } as Token
  const highValue = { amount: '1000', confirmations: 64 }
  bff.deps.networks.set('devnet', { ...devnet, highValue, tokens: [...devnet.tokens, eurc] })
})
afterAll(async () => await bff.close())
beforeEach(() => {
  listed = parity
})

const { amount: _, orderId: __, ...unpriced } = { orderId: undefined, ...order }
const inEuros = { ...unpriced, currency: 'EURC' }
let keys = 0
const create = async (body: object) =>
  await bff.create({ ...body }, { ...bff.keys.secret, 'Idempotency-Key': `k-${++keys}` })
const storedOf = async (body: object) => {
  const created = await create(body)
  expect(created.status, JSON.stringify(created.body)).toBe(200)
  const id = created.body.payment['id'] as PaymentId
  return await bff.deps.db.read((tx) => loadPayment(tx, id))
}

test('a create fails where the reading of rates does, and is never priced as if there were none', async () => {
  for (const money of [{ amount: '25.00' }, { price: '25.00', priceCurrency: 'EUR' }]) {
    isBroken = true
    expect((await create({ ...inEuros, ...money })).status).toBe(500)
    isBroken = false
    expect((await create({ ...inEuros, ...money })).status).toBe(200)
  }
})

describe('a price', () => {
  test('in the token’s own currency needs no rate, also while every rate is too old', async () => {
    listed = null
    const { status, body } = await create({ ...inEuros, price: '25.505', priceCurrency: 'EUR' })
    expect([status, body.payment]).toMatchObject([200, { amount: '25.51', currency: 'EURC', rate: '1' }])
  })

  test('in another currency is converted through the dollar, and refused by name without its rate', async () => {
    const dollars = { ...inEuros, price: '25.00', priceCurrency: 'USD' }
    const refused = await create(dollars)
    expect([refused.status, refused.body]).toMatchObject([400, { code: 'NO_RATE' }])
    expect(refused.body['message']).toBe('There is no rate of EURC in USD (priceCurrency); known: EUR.')
    listed = withEuros
    expect((await create(dollars)).body.payment).toMatchObject({ amount: '20.00', rate: '1.25' })
    listed = null
    expect((await create(dollars)).body).toMatchObject({ code: 'NO_RATE' })
  })

  test('is quoted for the tokens that have a rate, and for none as if it were another currency', async () => {
    const quotes = async (query: string) => {
      const { body } = await bff.read(`/api/v1/networks/payable/stablecoins?${query}`, bff.keys.secret)
      return (body['stablecoins'] as { symbol: string; amount: string | null }[]).map((one) => [one.symbol, one.amount])
    }
    expect(await quotes('price=20&priceCurrency=USD')).toEqual([['USDC', '20.00']])
    expect(await quotes('price=20&priceCurrency=EUR')).toEqual([['EURC', '20.00']])
    listed = withEuros
    expect(await quotes('price=20&priceCurrency=EUR')).toEqual([
      ['USDC', '25.00'],
      ['EURC', '20.00'],
    ])
    listed = null
    expect(await quotes('price=20&priceCurrency=EUR')).toEqual([
      ['USDC', null],
      ['EURC', '20.00'],
    ])
  })
})

describe('a payment link', () => {
  const make = async (terms: object) => {
    const headers = { 'Content-Type': 'application/json', ...bff.keys.secret }
    return (await bff.call('/api/v1/links', { method: 'POST', headers, body: JSON.stringify(terms) })).body
  }
  const symbolsOf = async (id: string) => {
    const { body } = await bff.read(`/api/v1/links/public/${id}/stablecoins`)
    return (body['stablecoins'] as { symbol: string }[]).map(({ symbol }) => symbol)
  }
  const pay = async (id: string, currency: string) =>
    await bff.post(`/api/v1/links/public/${id}/create`, { network: 'devnet', currency })

  test('over an amount without a token is in dollars: no token of another currency pays it', async () => {
    const { id } = (await make({ amount: '25.00' }))['link'] as { id: string }
    expect(await symbolsOf(id)).toEqual(['USDC'])
    const refused = await pay(id, 'EURC')
    expect([refused.status, refused.body['message']]).toEqual([
      400,
      expect.stringContaining('that the payment link allows'),
    ])
    expect((await pay(id, 'USDC')).body.payment).toMatchObject({ amount: '25.00', currency: 'USDC' })
  })

  test('over an amount of a named token is in that token', async () => {
    const { id } = (await make({ amount: '25.00', currency: 'EURC' }))['link'] as { id: string }
    expect(await symbolsOf(id)).toEqual(['EURC'])
    expect((await pay(id, 'EURC')).body.payment).toMatchObject({ amount: '25.00', currency: 'EURC' })
  })

  test('over a price takes every token that has a rate', async () => {
    const { id } = (await make({ price: '25.00', priceCurrency: 'EUR' }))['link'] as { id: string }
    expect(await symbolsOf(id)).toEqual(['EURC'])
    listed = withEuros
    expect(await symbolsOf(id)).toEqual(['USDC', 'EURC'])
    expect((await make({ price: '25.00', priceCurrency: 'NGN' }))['code']).toBe('NO_RATE')
  })
})

describe('a limit in dollars', () => {
  test('of high value counts euros at their rate', async () => {
    listed = withEuros
    const confirmationsOf = async (amount: string) => (await storedOf({ ...inEuros, amount }))?.confirmations
    expect([await confirmationsOf('799.99'), await confirmationsOf('800.00')]).toEqual([null, 64])
  })

  test('of an agent counts euros at the rate of the create, and refuses them without one', async () => {
    const agent = { agentId: 'shopper', agentOwner: 'me' }
    const path = '/api/v1/merchants/agent-policies/shopper'
    const policy = { method: 'PUT', headers: { 'Content-Type': 'application/json', ...bff.keys.secret } }
    const put = await bff.call(path, {
      ...policy,
      body: JSON.stringify({ dailyBudget: '50', maxPerTransaction: '25' }),
    })
    expect(put.status).toBe(200)
    const refused = await create({ ...inEuros, ...agent, amount: '1.00' })
    expect(refused.body).toMatchObject({
      code: 'AGENT_CONSTRAINT_VIOLATED',
      message: 'Agent shopper: per-transaction limit is in dollars, and there is no rate of EURC in dollars.',
    })
    listed = withEuros
    expect((await create({ ...inEuros, ...agent, amount: '20.01' })).body['message']).toContain('per-transaction limit')
    expect((await storedOf({ ...inEuros, ...agent, amount: '20.00' }))?.dollarRate).toBe('1.25')
    const spent = await bff.call(path, { headers: bff.keys.secret })
    expect(spent.body['policy']).toMatchObject({ spentToday: '25.00' })
    expect((await create({ ...unpriced, ...agent, amount: '25.01', currency: 'USDC' })).status).not.toBe(200)
    expect((await create({ ...unpriced, ...agent, amount: '25.00', currency: 'USDC' })).status).toBe(200)
  })
})

test('a payment keeps the dollars that its token was worth when it was created; null where nobody knew', async () => {
  const payment = await storedOf({ ...inEuros, price: '25.00', priceCurrency: 'EUR' })
  expect(payment).toMatchObject({ dollarRate: null, price: { rate: '1' } })
  listed = withEuros
  expect(await storedOf({ ...inEuros, amount: '25.00' })).toMatchObject({ dollarRate: '1.25', price: null })
  expect(await storedOf({ ...unpriced, amount: '25.00' })).toMatchObject({ dollarRate: '1', price: null })
})
