import { type AppFixture, openApp, order } from '@stablecoin-checkout/rig/test-app'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createKey } from '../merchant/keys.ts'
import type { PaymentId } from '../payment/payment.ts'

let fixture: AppFixture
beforeEach(async () => {
  fixture = await openApp()
})
afterEach(() => fixture.close())

const endpoints = ['/api/v1/deposits/create', '/api/v1/payments/create', '/api/v1/sandbox/payments/create']
const shop = '198.51.100.10'
const shopper = '198.51.100.1'
const stranger = '192.0.2.66'

/** A create from an address, with a public key unless other headers are given. */
async function create(
  address: string,
  body: object,
  headers: Record<string, string> = fixture.keys.public,
  path = '/api/v1/deposits/create',
) {
  const init = {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  }
  const from = { incoming: { socket: { remoteAddress: address } } } as never
  const response = await fixture.app.request(path, init, from)
  const answer = (await response.json()) as {
    code?: string
    message?: string
    payment?: { id: PaymentId; clientSecret?: string }
  }
  return {
    status: response.status,
    code: answer.code,
    message: answer.message ?? '',
    id: answer.payment?.id,
    clientSecret: answer.payment?.clientSecret,
    isReplay: response.headers.get('Idempotent-Replayed') === 'true',
    text: JSON.stringify(answer),
  }
}

const keyed = (key: string, keys: Record<string, string> = fixture.keys.public) => ({ ...keys, 'Idempotency-Key': key })

describe.each(endpoints)('%s: a public key and the merchant’s server share no key', (path) => {
  const names = [
    ['an order id', { orderId: 'A-1001' }, undefined],
    ['an Idempotency-Key', {}, 'A-1001'],
  ] as const

  test.each(names)('%s that a public key used first neither answers nor refuses the server', async (_, name, key) => {
    const with_ = (keys: Record<string, string>) => (key === undefined ? keys : keyed(key, keys))
    const evil = { ...order, ...name, amount: '0.01', callbackUrl: 'https://thief.example/hooks' }
    const squatted = await create(stranger, evil, with_(fixture.keys.public), path)
    const own = await create(shop, { ...order, ...name }, with_(fixture.keys.secret), path)
    expect([squatted.status, own.status, own.isReplay]).toEqual([200, 200, false])
    expect(own.id).not.toBe(squatted.id)
    const again = await create(shop, { ...order, ...name }, with_(fixture.keys.secret), path)
    expect([again.id, again.isReplay]).toEqual([own.id, true])
  })

  test.each(names)('%s that the server used shows a public key nothing', async (_, name, key) => {
    const with_ = (keys: Record<string, string>) => (key === undefined ? keys : keyed(key, keys))
    const own = await create(shop, { ...order, ...name, amount: '25.37' }, with_(fixture.keys.secret), path)
    for (const amount of ['25.37', '25.00']) {
      const guess = await create(stranger, { ...order, ...name, amount }, with_(fixture.keys.public), path)
      expect([guess.status === 200 || guess.status === 400, guess.isReplay && amount === '25.37']).toEqual([
        true,
        false,
      ])
      expect(guess.text).not.toContain(own.id)
      if (amount === '25.00') expect(guess.text).not.toMatch(/25[.]?37/)
    }
  })
})

describe('two shoppers with one public key', () => {
  const cart = { ...order, orderId: 'A-1001' }

  test('and one order id get payments of their own, whatever the first one asked for', async () => {
    const first = await create(shopper, cart)
    const changes = [{}, { amount: '26.00' }, { callbackUrl: 'https://thief.example/' }]
    for (const [index, change] of changes.entries()) {
      const guess = await create(`192.0.2.${index}`, { ...cart, ...change })
      expect([guess.status, guess.text.includes(String(first.id))]).toEqual([200, false])
    }
    const reload = await create(shopper, cart)
    expect([reload.id, reload.isReplay]).toEqual([first.id, true])
  })

  test.each([
    ['callbackUrl', { callbackUrl: 'https://thief.example/' }],
    ['metadata', { metadata: { ship_to: 'thief' } }],
    ['customerEmail', { customerEmail: 'thief@example.com' }],
    ['agentId', { agentId: 'a', agentOwner: 'thief' }],
  ])('behind one address never pay for a payment with another one’s %s', async (_, theirs) => {
    const squatted = await create(shopper, { ...cart, ...theirs })
    const own = await create(shopper, cart)
    expect([own.status, own.isReplay, own.id === squatted.id]).toEqual([200, false, false])
    const reload = await create(shopper, cart)
    expect([reload.id, reload.isReplay]).toEqual([own.id, true])
  })

  test('and one header key, which is no random value then, get payments of their own where they ask for something else', async () => {
    const squatted = await create(stranger, { ...cart, callbackUrl: 'https://thief.example/' }, keyed('cart-1'))
    const own = await create(shopper, cart, keyed('cart-1'))
    expect([own.status, own.isReplay, own.id === squatted.id]).toEqual([200, false, false])
    const reload = await create(shopper, cart, keyed('cart-1'))
    expect([reload.id, reload.isReplay]).toEqual([own.id, true])
  })

  test('who buy the same in the page do not share a payment', async () => {
    const path = '/api/v1/payments/create'
    const ids = [await create(shopper, order, undefined, path), await create(stranger, order, undefined, path)]
    expect(new Set(ids.map(({ id }) => id)).size).toBe(2)
  })
})

test('two shops of one merchant that sell the same thing with keys of their own do not share a payment', async () => {
  const { deps, merchant, keys } = fixture
  const made = await deps.db.write((tx) => createKey(tx, deps.runtime, merchant.merchantId, { kind: 'api' }))
  const path = '/api/v1/payments/create'
  const first = await create(shop, order, keys.secret, path)
  const second = await create(shop, order, { 'X-API-Key': made.key, 'X-API-Secret': made.secret ?? '' }, path)
  const again = await create(shop, order, keys.secret, path)
  expect([first.status, second.status, second.id === first.id]).toEqual([200, 200, false])
  expect([again.id, again.isReplay]).toEqual([first.id, true])
})

describe('a client secret', () => {
  const cart = { ...order, orderId: 'A-1001' }

  test('is returned again to the page that repeats its header key, on a reload and after a lost answer', async () => {
    const first = await create(shopper, cart, keyed('4c5a8ab0-3b63'))
    const again = await create(shopper, cart, keyed('4c5a8ab0-3b63'))
    expect(first.clientSecret).toMatch(/^cs_/)
    expect([again.isReplay, again.clientSecret]).toEqual([true, first.clientSecret])
  })

  test('is not returned by an order id, which can be guessed', async () => {
    const first = await create(shopper, cart)
    const again = await create(shopper, cart)
    expect([again.id, again.isReplay, again.clientSecret]).toEqual([first.id, true, undefined])
  })

  test('is not returned by a header key from another address, where the same payment is still shown', async () => {
    const first = await create(shopper, cart, keyed('4c5a8ab0-3b63'))
    const moved = await create('203.0.113.7', cart, keyed('4c5a8ab0-3b63'))
    expect([moved.id, moved.isReplay, moved.clientSecret]).toEqual([first.id, true, undefined])
  })

  test('is returned to the merchant’s server by an order id too', async () => {
    const first = await create(shop, cart, fixture.keys.secret)
    const again = await create('198.51.100.11', cart, fixture.keys.secret)
    expect([again.id, again.clientSecret]).toEqual([first.id, first.clientSecret])
  })
})

describe('other money under a key', () => {
  test.each([
    ['Idempotency-Key', {}, 'k1'],
    ['orderId', { orderId: 'A-1001' }, undefined],
  ] as const)('is refused by a sentence that names the %s and this request only', async (name, fields, key) => {
    for (const keys of [fixture.keys.public, fixture.keys.secret]) {
      const headers = key === undefined ? keys : keyed(key, keys)
      await create(shop, { ...order, ...fields, amount: '25.37' }, headers)
      const { status, code, message } = await create(shop, { ...order, ...fields, amount: '26' }, headers)
      expect([status, code]).toEqual([400, 'IDEMPOTENCY_MISMATCH'])
      expect(message).toBe(
        `This ${name} was used before for another amount, currency, network or mode than 26 USDC on devnet. Use a new one for a new payment.`,
      )
    }
  })

  test('is what a server’s key refuses, and nothing else: metadata may differ', async () => {
    const first = await create(shop, { ...order, orderId: 'A-1', metadata: { try: 1 } }, fixture.keys.secret)
    const again = await create(shop, { ...order, orderId: 'A-1', metadata: { try: 2 } }, fixture.keys.secret)
    expect([again.id, again.isReplay]).toEqual([first.id, true])
  })
})

describe('the fingerprint of a body', () => {
  const path = '/api/v1/payments/create'
  const post = async (text: string, app = fixture) => {
    const { status, body } = await app.post(path, text)
    return { status, id: body.payment?.['id'], message: String(body['message']) }
  }

  test('does not depend on the order of its keys, on spaces, or on how a number is written', async () => {
    const first = await post('{"amount":25,"currency":"USDC","network":"devnet","metadata":{"a":1,"b":2}}')
    const same = [
      '{"metadata":{"b":2,"a":1},"network":"devnet","currency":"USDC","amount":25}',
      '{ "amount": 25.00, "currency": "USDC", "network": "devnet", "metadata": { "a": 1.0, "b": 2e0 } }',
      '{"amount":"25.00","currency":"USDC","network":"devnet","metadata":{"a":1,"b":2}}',
    ]
    for (const text of same) expect((await post(text)).id).toBe(first.id)
    const others = [
      '{"amount":26,"currency":"USDC","network":"devnet","metadata":{"a":1,"b":2}}',
      '{"amount":25,"currency":"USDC","network":"devnet","metadata":{"a":2,"b":1}}',
      '{"amount":25,"currency":"USDC","network":"devnet","metadata":{"a":"1","b":2}}',
      '{"amount":25,"currency":"USDC","network":"devnet","metadata":{"a":1,"b":2},"receiver":"x"}',
    ]
    const ids = await Promise.all(others.map(async (text) => (await post(text)).id))
    expect(new Set([first.id, ...ids]).size).toBe(5)
  })

  test('does not depend on the order of nested keys either, where nested metadata is taken', async () => {
    const lenient = await openApp({ lenientClients: true })
    try {
      const first = await post(
        '{"amount":25,"currency":"USDC","network":"devnet","metadata":{"a":{"x":1,"y":2}}}',
        lenient,
      )
      const same = await post(
        '{"metadata":{"a":{"y":2,"x":1}},"amount":25,"currency":"USDC","network":"devnet"}',
        lenient,
      )
      const other = await post(
        '{"metadata":{"a":{"y":1,"x":2}},"amount":25,"currency":"USDC","network":"devnet"}',
        lenient,
      )
      expect([first.status, same.id === first.id, other.id === first.id]).toEqual([200, true, false])
    } finally {
      await lenient.close()
    }
  })
})

describe('a body with 30,000 brackets', () => {
  const deep = '['.repeat(30_000) + ']'.repeat(30_000)
  const pairs = `${'{"a":'.repeat(8_000)}1${'}'.repeat(8_000)}`
  const bodyOf = (field: string) =>
    `{"amount":25,"currency":"USDC","network":"devnet","originChainId":8453,"originCurrency":"USDC",${field}}`
  const paths = [...endpoints, '/api/v1/payments/cross-chain/create']

  test.each(paths)('is a 400 that names field and rule at %s, also for lenient clients', async (path) => {
    const lenient = await openApp({ lenientClients: true })
    try {
      for (const app of [fixture, lenient]) {
        for (const value of [deep, pairs]) {
          const { status, body } = await app.post(path, bodyOf(`"metadata":{"a":${value}}`))
          expect([status, body['message']]).toEqual([400, expect.stringMatching(/metadata/)])
        }
      }
    } finally {
      await lenient.close()
    }
  })

  test.each(paths)('in a field that nobody reads never is a 500 at %s', async (path) => {
    const lenient = await openApp({ lenientClients: true })
    try {
      for (const app of [fixture, lenient]) {
        for (const field of [`"receiver":${deep}`, `"expiresIn":${deep}`, `"autonomous":${pairs}`]) {
          const { status } = await app.post(path, bodyOf(`${field},"metadata":{"a":{"b":1}}`))
          expect([200, 400]).toContain(status)
          expect([200, 400]).toContain((await app.post(path, bodyOf(field))).status)
        }
      }
    } finally {
      await lenient.close()
    }
  })

  test('nested metadata of a reasonable depth is still taken from lenient clients', async () => {
    const lenient = await openApp({ lenientClients: true })
    try {
      const { status, body } = await lenient.post(endpoints[0] ?? '', {
        ...order,
        metadata: { cart: { items: [{ sku: 'a', tags: [['x']] }] } },
      })
      expect(status).toBe(200)
      const record = await lenient.read(`/api/v1/payments/${body.payment['id']}`, lenient.keys.secret)
      expect(record.body.payment['metadata']).toEqual({ cart: '{"items":[{"sku":"a","tags":[["x"]]}]}' })
    } finally {
      await lenient.close()
    }
  })

  test('__proto__ is refused wherever it stands in metadata', async () => {
    const lenient = await openApp({ lenientClients: true })
    try {
      for (const metadata of ['{"__proto__":{"a":1}}', '{"a":{"b":{"__proto__":1}}}', '{"a":[{"constructor":1}]}']) {
        const { status, body } = await lenient.post(endpoints[0] ?? '', bodyOf(`"metadata":${metadata}`))
        expect([status, body['message']]).toEqual([400, expect.stringMatching(/metadata must not have the key/)])
      }
    } finally {
      await lenient.close()
    }
  })
})
