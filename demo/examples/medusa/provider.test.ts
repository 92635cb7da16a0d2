import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { silentLog, systemRuntime } from '@stablecoin-checkout/bff/testing/core'
import { sql } from '@stablecoin-checkout/bff/testing/db'
import type { PaymentId } from '@stablecoin-checkout/bff/testing/payment'
import { createDispatcher } from '@stablecoin-checkout/bff/testing/webhook'
import { type Receiver, startReceiver } from '@stablecoin-checkout/rig/outbox'
import { type AppFixture, openApp, transferTo } from '@stablecoin-checkout/rig/test-app'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import module, { StablecoinCheckoutProvider } from './index.ts'

type Provider = InstanceType<typeof StablecoinCheckoutProvider>

let bff: AppFixture
let provider: Provider
/** Medusa's route for webhooks. */
let medusa: Receiver
let dispatcher: ReturnType<typeof createDispatcher>
const ending: (() => unknown)[] = []

beforeEach(async () => {
  bff = await openApp()
  medusa = await startReceiver()
  const { db, vault } = bff.deps
  // With the clock of today, because the provider refuses old signatures.
  dispatcher = createDispatcher({ db, vault, runtime: systemRuntime, log: silentLog, targets: 'any' })
  const service = createServer(getRequestListener(bff.app.fetch))
  service.listen(0, '127.0.0.1')
  await once(service, 'listening')
  ending.push(bff.close, medusa.close, dispatcher.close, () => service.close().closeAllConnections())
  provider = open((service.address() as AddressInfo).port)
})
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end()
})

const open = (port: number, changes: object = {}): Provider => {
  const { apiKey, apiSecret, webhookSecret } = bff.merchant
  const backendUrl = `http://127.0.0.1:${medusa.port}`
  const keys = { checkoutUrl: `http://127.0.0.1:${port}`, apiKey, apiSecret, webhookSecret, backendUrl, id: 'main' }
  return new StablecoinCheckoutProvider({}, { ...keys, ...changes })
}

const initiate = async (amount: number | string | { value: string } = 25, session_id = 'payses_1') =>
  (await provider.initiatePayment({ amount, currency_code: 'usd', data: { session_id } })).data as Record<
    string,
    string
  >

/** The customer chooses a network and a token on the link's page. @returns the payment's id. */
async function choose(linkId: unknown): Promise<PaymentId> {
  const { status, body } = await bff.post(`/api/v1/links/public/${linkId}/create`, {
    network: 'devnet',
    currency: 'USDC',
  })
  expect([status, body['code']]).toEqual([200, undefined])
  return body.payment['id'] as PaymentId
}

async function pay(id: PaymentId, amount = 25_000_000n, logIndex = 0): Promise<void> {
  const transfer = { ...transferTo(id, amount), logIndex }
  await bff.deps.ledger.apply(id, { type: 'transfer.confirmed', transfer, atMs: bff.nowMs() })
}

/** What the provider makes of the events since the last call. */
async function actions(by = provider) {
  while ((await dispatcher.pass(new AbortController().signal)) > 0);
  const calls = medusa.calls.splice(0)
  expect(new Set(calls.map(({ path }) => path))).toEqual(new Set(calls.length > 0 ? [hook] : []))
  return await Promise.all(
    calls.map(({ body, headers }) =>
      by.getWebhookActionAndData({ data: JSON.parse(body), rawData: Buffer.from(body), headers }),
    ),
  )
}
const hook = '/hooks/payment/stablecoin-checkout_main'
test('Medusa finds the provider in the module', () => {
  expect(module).toEqual({ module: 'payment', services: [StablecoinCheckoutProvider] })
  expect(StablecoinCheckoutProvider.identifier).toBe('stablecoin-checkout')
})

test('a start without an option is refused by its name', () => {
  expect(() => StablecoinCheckoutProvider.validateOptions({ checkoutUrl: 'https://pay.example', apiKey: '' })).toThrow(
    'needs the options apiKey, apiSecret, webhookSecret, backendUrl, id',
  )
})

describe('a payment session', () => {
  test('is a link with the exact price, which is paid once', async () => {
    const session = await initiate({ value: '19.99' })
    expect(session).toMatchObject({ session_id: 'payses_1', price: '19.99', currency: 'USD' })
    expect(session['url']).toMatch(/\/pay\/pl_/)
    const { body } = await bff.read(`/api/v1/links/${session['linkId']}`, bff.keys.secret)
    expect(body['link']).toMatchObject({ price: '19.99', priceCurrency: 'USD', maxPayments: 1, isTest: false })
  })

  test('with an amount that is no price is refused, not rounded', async () => {
    await expect(initiate('19.99999')).rejects.toThrow('price must have at most 4 decimals')
  })

  test('that is initiated again has the same link, and another session another one', async () => {
    const first = await initiate()
    expect(await initiate()).toEqual(first)
    expect((await initiate(25, 'payses_2'))['linkId']).not.toBe(first['linkId'])
  })

  test('is pending until it is paid in full, and captured then', async () => {
    const data = await initiate()
    const status = async () => (await provider.authorizePayment({ data })).status
    expect(await status()).toBe('pending')
    const id = await choose(data['linkId'])
    await pay(id, 24_999_999n)
    expect(await status()).toBe('pending')
    await expect(provider.capturePayment({ data })).rejects.toThrow('It is not paid.')
    await pay(id, 1n, 1)
    expect(await status()).toBe('captured')
    expect(await provider.getPaymentStatus({ data })).toMatchObject({ status: 'captured' })
    expect(await provider.capturePayment({ data })).toEqual({ data })
    expect((await provider.retrievePayment({ data })).data).toMatchObject({ state: 'paid' })
  })

  test('whose price changes gets another link, and the old payment cannot be paid any more', async () => {
    const before = await initiate()
    const id = await choose(before['linkId'])
    const update = (amount: number) => provider.updatePayment({ amount, currency_code: 'usd', data: before })
    expect((await update(25)).data, 'the same price').toEqual(before)
    const { data: after } = await update(30)
    expect(await provider.updatePayment({ amount: 30, currency_code: 'usd', data: before }), 'repeated').toEqual({
      data: after,
    })
    expect(after).toMatchObject({ price: '30', session_id: 'payses_1' })
    expect((await bff.read(`/api/v1/payments/${id}/status`, bff.keys.secret)).body.payment).toMatchObject({
      status: 'cancelled',
    })
    await pay(id)
    expect((await provider.authorizePayment({ data: after as Record<string, unknown> })).status).toBe('pending')
  })

  test.each(['updatePayment', 'cancelPayment', 'deletePayment'] as const)(
    '%s is refused once money has arrived, and the customer can go on paying',
    async (act) => {
      const data = await initiate()
      const id = await choose(data['linkId'])
      await pay(id, 10_000_000n)
      await expect(provider[act]({ amount: 30, currency_code: 'usd', data })).rejects.toMatchObject({
        type: 'not_allowed',
        message: expect.stringContaining('or is paying it'),
      })
      await pay(id, 15_000_000n, 1)
      expect((await provider.authorizePayment({ data })).status).toBe('captured')
      await expect(provider[act]({ amount: 30, currency_code: 'usd', data })).rejects.toMatchObject({
        type: 'not_allowed',
      })
      expect((await provider.authorizePayment({ data })).status).toBe('captured')
    },
  )

  test.each(['cancelPayment', 'deletePayment'] as const)('%s ends the link and its open payment', async (act) => {
    const data = await initiate()
    const id = await choose(data['linkId'])
    await provider[act]({ data })
    expect((await provider.authorizePayment({ data })).status).toBe('canceled')
    expect((await bff.read(`/api/v1/payments/${id}/status`, bff.keys.secret)).body.payment).toMatchObject({
      status: 'cancelled',
    })
  })

  test('that never got a link is deleted', async () => {
    expect(await provider.deletePayment({ data: {} })).toEqual({ data: {} })
  })
})

describe('a refund', () => {
  const refund = (
    data: Record<string, unknown>,
    amount: number | string | { value: string },
    idempotency_key: string | null = 'ref_1',
  ) => provider.refundPayment({ data, amount, ...(idempotency_key !== null && { context: { idempotency_key } }) })
  const refundsOf = async (id: string) => {
    const { body } = await bff.read(`/api/v1/payments/${id}/refunds`, bff.keys.secret)
    const refunds = body['refunds'] as { id: string; amount: string; price: string; status: string }[]
    return refunds.map(({ id: refundId, amount, price, status }) => ({ id: refundId, amount, price, status }))
  }
  async function paidSession() {
    const data = await initiate('19.99')
    const id = await choose(data['linkId'])
    await pay(id, 19_990_000n)
    return { data, id }
  }

  test('of the price, or of a part, is a refund that the merchant pays, to the cent', async () => {
    const { data, id } = await paidSession()
    const { data: first = {} } = await refund(data, { value: '5.01' })
    const { data: second = {} } = await refund(first, '14.98', 'ref_2')
    expect(await refundsOf(id)).toMatchObject([
      { price: '5.01', amount: '5.01', status: 'awaiting_address' },
      { price: '14.98', amount: '14.98', status: 'awaiting_address' },
    ])
    await expect(refund(second, '0.01', 'ref_3'), 'more than was paid').rejects.toMatchObject({
      type: 'not_allowed',
      message: expect.stringMatching(/Nothing of payment .* is left to refund/),
    })
  })

  test('that Medusa repeats is made once, and leaves its page with the payment', async () => {
    const { data, id } = await paidSession()
    const first = await refund(data, '5.00')
    const [made] = await refundsOf(id)
    expect(first.data).toMatchObject({ ...data, refunds: [{ id: made?.id }] })
    expect(await refund(first.data ?? {}, '5.00')).toEqual(first)
    expect(await refundsOf(id)).toHaveLength(1)
    const second = await refund(first.data ?? {}, '6.00', 'ref_2')
    expect(second.data?.['refunds']).toHaveLength(2)
    await expect(refund(second.data ?? {}, '7.00'), 'the same name for another sum').rejects.toThrow(
      'belongs to a refund with other terms',
    )
  })

  test('whose answer was lost, so that Medusa forgot it, is not made again under another name', async () => {
    const { data, id } = await paidSession()
    await refund(data, '5.00')
    const [made] = await refundsOf(id)
    await expect(refund(data, '5.00', 'ref_2')).rejects.toThrow(`Its refund ${made?.id} of 5.00 USDC is open`)
    expect(await refundsOf(id)).toHaveLength(1)
    await bff.call(`/api/v1/refunds/${made?.id}/cancel`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...bff.keys.secret },
      body: '{}',
    })
    await refund(data, '5.00', 'ref_3')
    expect(await refundsOf(id)).toMatchObject([{ status: 'cancelled' }, { status: 'awaiting_address' }])
  })

  test('whose answer was lost, and which the merchant has paid meanwhile, is recorded then, and not paid twice', async () => {
    const { data, id } = await paidSession()
    await refund(data, '5.00')
    const [made] = await refundsOf(id)
    await bff.deps.db.write((tx) =>
      tx.run(
        sql`update merchant_refunds set status = 'paid', seen = amount, paid = amount where id = ${made?.id ?? ''}`,
      ),
    )
    await expect(refund(data, '6.00', 'ref_2')).rejects.toThrow('was paid: record it first, by a refund of 5')
    const { data: first = {} } = await refund(data, '5.00', 'ref_3')
    expect(first['refunds']).toMatchObject([{ id: made?.id }])
    expect(await refundsOf(id)).toHaveLength(1)
    await refund(first, '5.00', 'ref_4')
    expect(await refundsOf(id)).toHaveLength(2)
  })

  test('that the merchant cancelled is not recorded as made', async () => {
    const { data, id } = await paidSession()
    await refund(data, '5.00')
    const [made] = await refundsOf(id)
    await bff.call(`/api/v1/refunds/${made?.id}/cancel`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...bff.keys.secret },
      body: '{}',
    })
    await expect(refund(data, '5.00')).rejects.toThrow('was cancelled')
  })

  test('of an unpaid payment, or of a sum that is no price, is refused', async () => {
    const data = await initiate()
    const id = await choose(data['linkId'])
    await expect(refund(data, 25)).rejects.toThrow('It is not paid.')
    await pay(id)
    await expect(refund(data, '1.00001')).rejects.toThrow('price must have at most 4 decimals')
    expect(await refundsOf(id)).toEqual([])
  })
})

describe('a webhook', () => {
  test('of a paid payment is captured, for the session and its price', async () => {
    const { linkId } = await initiate('19.99')
    await pay(await choose(linkId), 19_990_000n)
    const found = (await actions()).filter(({ action }) => action === 'captured')
    expect(found.length).toBeGreaterThan(0)
    for (const { data } of found) {
      const amount = data?.amount as unknown as { bigNumber: { toFixed(): string } }
      expect([data?.session_id, amount.bigNumber.toFixed()]).toEqual(['payses_1', '19.99'])
    }
  })

  test('of an open, a short and a failed payment is none', async () => {
    const { linkId } = await initiate()
    const id = await choose(linkId)
    expect((await actions()).map(({ action }) => action)).toEqual(['not_supported'])
    await pay(id, 10_000_000n)
    expect(new Set((await actions()).map(({ action }) => action))).toEqual(new Set(['pending']))
    const ended = await choose((await initiate(30, 'payses_2'))['linkId'])
    await bff.call('/api/v1/payments/fail', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...bff.keys.secret },
      body: JSON.stringify({ paymentId: ended }),
    })
    expect((await actions()).map(({ action }) => action)).toEqual(['not_supported', 'failed'])
  })

  test('that the service has not signed is refused', async () => {
    const { linkId } = await initiate()
    await pay(await choose(linkId))
    await dispatcher.pass(new AbortController().signal)
    const [call] = medusa.calls
    const { body = '', headers = {} } = call ?? {}
    const forged = { data: {}, rawData: body.replace('"25.00"', '"2500.00"'), headers }
    await expect(provider.getWebhookActionAndData(forged)).rejects.toThrow('No matching signature found')
    await expect(provider.getWebhookActionAndData({ data: {}, rawData: body, headers: {} })).rejects.toThrow()
  })

  test('of a payment that somebody made with the public key for this session captures nothing', async () => {
    const { session_id } = await initiate()
    const body = {
      ...{ price: '0.01', priceCurrency: 'USD', currency: 'USDC', network: 'devnet' },
      ...{ metadata: { session_id }, callbackUrl: `http://127.0.0.1:${medusa.port}${hook}` },
    }
    const { payment } = (await bff.create(body)).body
    await pay(payment['id'] as PaymentId, 10_000n)
    const found = await actions()
    expect(found.length).toBeGreaterThan(1)
    expect(new Set(found.map(({ action }) => action))).toEqual(new Set(['not_supported']))
  })
})
