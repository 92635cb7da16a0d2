import { type AppFixture, openApp, order } from '@stablecoin-checkout/rig/test-app'
import { afterAll, beforeAll, expect, test } from 'vitest'

let bff: AppFixture
beforeAll(async () => {
  bff = await openApp()
})
afterAll(() => bff.close())

const nothing = {
  ...{ customerEmail: null, callbackUrl: null, returnUrl: null, orderId: null, price: null, priceCurrency: null },
  ...{
    agentId: null,
    agentOwner: null,
    autonomous: null,
    expiresIn: null,
    senderAddress: null,
    existingPaymentId: null,
  },
}

test.each([
  ['/api/v1/deposits/create', {}],
  ['/api/v1/deposits/create', { metadata: null }],
  ['/api/v1/payments/create', { network: 'devnet' }],
  ['/api/v1/sandbox/payments/create', {}],
  ['/api/v1/links', { title: null, expiresAt: null, paymentsMax: null, network: null }],
])('a field that is posted as null is absent: %s', async (path, more) => {
  const headers = { ...bff.keys.secret, 'Content-Type': 'application/json', 'Idempotency-Key': crypto.randomUUID() }
  const body = JSON.stringify({ ...order, ...nothing, ...more })
  const { status, body: answer } = await bff.call(path, { method: 'POST', headers, body })
  expect([status, answer['code']]).toEqual([200, undefined])
})

test('a field that is required is missing when it is null', async () => {
  const { status, body } = await bff.post('/api/v1/deposits/create', { ...order, currency: null })
  expect([status, body['code']]).toEqual([400, 'VALIDATION_FAILED'])
  expect(body['message']).toContain('currency')
})

test('null is a value in metadata, and a text that says null is a text', async () => {
  const metadata = { table: null, note: 'null' }
  const { body } = await bff.post(
    '/api/v1/deposits/create',
    { ...order, metadata, orderId: 'null', customerEmail: null },
    { ...bff.keys.secret },
  )
  const record = await bff.read(`/api/v1/payments/${body.payment['id']}`, bff.keys.secret)
  expect(record.body.payment).toMatchObject({ metadata, orderId: 'null', customerEmail: null })
})

test('the same create with and without fields that are null is one payment', async () => {
  const id = async (more: object) =>
    (await bff.post('/api/v1/payments/create', { ...order, amount: '7.31', network: 'devnet', ...more })).body
      .payment?.['id']
  const first = await id({ callbackUrl: null })
  expect([await id({}), await id(nothing)]).toEqual([first, first])
})

test.each([['[null]'], ['null'], ['{"amount":null'], [`${'{"a":null,"b":'.repeat(40)}1${'}'.repeat(40)}`]])(
  'what is no body is refused as before: %s',
  async (body) => {
    const headers = { ...bff.keys.public, 'Content-Type': 'application/json' }
    expect((await bff.call('/api/v1/deposits/create', { method: 'POST', headers, body })).status).toBe(400)
  },
)

test('the sum of a JavaScript cart is what it means, and texts stay exact', async () => {
  const create = async (amount: unknown) => {
    const { status, body } = await bff.post(
      '/api/v1/deposits/create',
      { ...order, amount },
      { 'Idempotency-Key': crypto.randomUUID() },
    )
    return [status, body.payment?.['amount'] ?? body['code']]
  }
  expect(await create(0.1 + 0.2)).toEqual([200, '0.30'])
  expect(await create(4.35 * 100)).toEqual([200, '435.00'])
  expect(await create('0.30000000000000004')).toEqual([400, 'VALIDATION_FAILED'])
  expect(await create(1.0000005)).toEqual([400, 'VALIDATION_FAILED'])
})
