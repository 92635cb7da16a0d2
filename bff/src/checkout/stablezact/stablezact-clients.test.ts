import { type AppFixture, openApp, order, transferTo } from '@stablecoin-checkout/rig/test-app'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { sql } from '../../db/db.ts'
import type { Payment, PaymentId } from '../../payment/payment.ts'
import { loadPayment } from '../../payment/store/payment-store.ts'
import { createDetails, rules } from './stablezact-rules.ts'

/** What Cal.com's apps `stablezact` and `coinley` send, and how they judge the answers. */

const door = '/stablezact/api'
let bff: AppFixture
beforeAll(async () => {
  const settings = { publicMetadata: ['bookingId'], usd: 'USDC' as const }
  bff = await openApp({ stablezact: settings })
  Object.assign(settings, { merchant: bff.merchant.merchantId })
})
afterAll(() => bff.close())

/** The rules of the app's page for what create answered; a payment that breaks one shows an error in place of the checkout. */
const pageSchema = z.object({
  success: z.boolean(),
  requestId: z.string(),
  amount: z.number(),
  payment: z.object({
    id: z.string(),
    amount: z.number(),
    totalAmount: z.number(),
    currency: z.string(),
    network: z.string(),
    status: z.enum(['pending', 'confirmed', 'failed']),
    expiresAt: z.string(),
    paymentMethod: z.string(),
    contractAddress: z.string().optional(),
    merchantWallet: z.string().optional(),
    stablezactWallet: z.string().optional(),
    merchantPercentage: z.number().optional(),
    stablezactPercentage: z.number().optional(),
    chainId: z.number().optional(),
    tokenAddress: z.string().optional(),
    tokenDecimals: z.number().optional(),
  }),
})

/** As the app's server creates it: the amount of 2500 cents, and the booking in the metadata. */
const fromServer = (changes: object = {}) => ({
  amount: 2500 / 100,
  currency: 'usd',
  network: 'devnet',
  customerEmail: 'guest@example.com',
  metadata: { bookingId: '77', userId: '', bookerName: '', paymentUid: crypto.randomUUID(), source: 'calcom' },
  paymentOption: 'capture',
  callbackUrl: 'https://google.com',
  ...changes,
})

const create = (body: object = fromServer(), keys: Record<string, string> = bff.keys.public) =>
  bff.call(`${door}/payments/create`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...keys },
    body: JSON.stringify(body),
  })
const created = async (...asked: Parameters<typeof create>) => (await create(...asked)).body.payment['id'] as PaymentId
const postEmpty = (path: string, headers: Record<string, string> = bff.keys.public) =>
  bff.call(`${door}${path}`, { method: 'POST', headers: { 'Content-Type': 'application/json', ...headers } })
const detailsOf = async (id: string, keys: Record<string, string> = bff.keys.public) =>
  (await bff.read(`${door}/payments/${id}`, keys)).body

async function pay(id: PaymentId, amount = 25_000_000n): Promise<void> {
  const transfer = transferTo(id, amount)
  await bff.deps.ledger.apply(id, { type: 'transfer.seen', transfer, atMs: bff.nowMs() })
  await bff.deps.ledger.apply(id, { type: 'transfer.confirmed', transfer, atMs: bff.nowMs() })
}

/** A deposit payment, paid and on its way to the merchant: neither completed nor swept. */
async function paidDeposit(changes: object = {}): Promise<PaymentId> {
  const body = { ...order, metadata: { bookingId: 77, customer: 'private' }, ...changes }
  const id = (await bff.post(`${door}/deposits/create`, body)).body.payment['id'] as PaymentId
  await pay(id)
  return id
}

/** `api/confirm-payment.ts` of the app: the code and reason with which it confirms or refuses the booking. */
async function confirmBooking(paymentId: string, bookingId = '77', cents = 2500): Promise<string> {
  const { status, body } = await bff.call(`${door}/payments/public/${encodeURIComponent(paymentId)}`)
  if (status !== 200) return '500 Failed to verify payment status'
  const { payment } = body as { payment: { status: string; amount: string; metadata?: Record<string, unknown> } }
  if (!['confirmed', 'completed', 'swept'].includes(payment.status)) return '400 Payment not confirmed'
  const named = payment.metadata?.['bookingId']?.toString()
  if (!named || named !== bookingId) return '403 Payment does not belong to this booking'
  if (Math.abs(cents / 100 - Number(payment.amount)) > 1e-9) return '403 Payment amount does not match this booking'
  return '200 Payment confirmed'
}

const replays: Record<(typeof rules)[number]['name'], () => Promise<void>> = {
  async 'currency-names'() {
    for (const [currency, shown] of [
      ['usd', 'USDC'],
      ['usdc', 'USDC'],
      ['USD', 'USDC'],
    ] as const) {
      const { status, body } = await create(fromServer({ currency }))
      expect([currency, status, body.payment?.['currency']]).toEqual([currency, 200, shown])
      expect(body.payment, 'one for one').toMatchObject({ amount: 25, price: null })
    }
    const { body } = await create(fromServer({ currency: 'eur' }))
    const message = 'currency EUR is not supported on Devnet (supported: USDC)'
    expect(body, 'no price in euros is taken for tokens').toMatchObject({ code: 'CURRENCY_NOT_SUPPORTED', message })
  },
  async 'unused-callback'() {
    const callbackOf = async (changes: object) => {
      const id = await created(fromServer(changes))
      return (await bff.deps.db.read((tx) => loadPayment(tx, id)))?.callbackUrl
    }
    expect(await callbackOf({}), 'nothing is posted to it').toBeNull()
    const own = 'https://cal.example/api/integrations/stablezact/webhook'
    expect(await callbackOf({ callbackUrl: own })).toBe(own)
  },
  async 'number-amounts'() {
    const { body } = await create()
    expect(pageSchema.parse(body).payment).toMatchObject({ amount: 25, totalAmount: 25, paymentMethod: 'contract' })
    const cents = await create(fromServer({ amount: 1999 / 100 }))
    expect(pageSchema.parse(cents.body).payment).toMatchObject({ amount: 19.99, totalAmount: 19.99 })
  },
  async 'wallet-aliases'() {
    const { payment } = (await create()).body
    expect(payment['stablezactWallet']).toBe(payment['platformWallet'])
    expect(payment).toMatchObject({ stablezactPercentage: 150, coinleyPercentage: 150 })
  },
  async 'payment-id'() {
    const { body } = await create()
    // The app keeps the body of create as its `data`, and cancels `data.paymentId`.
    expect((await postEmpty(`/payments/${String(body['paymentId'])}/cancel`)).body).toMatchObject({ status: 'failed' })
  },
  async 'public-metadata'() {
    const id = await paidDeposit()
    expect(await confirmBooking(id)).toBe('200 Payment confirmed')
    expect(await confirmBooking(id, '78')).toBe('403 Payment does not belong to this booking')
    expect(await confirmBooking(id, '77', 2600)).toBe('403 Payment amount does not match this booking')
    const { payment } = (await bff.call(`${door}/payments/public/${id}`)).body
    expect(payment['metadata'], 'only the keys that the setting names').toEqual({ bookingId: 77 })
  },
  async 'public-status'() {
    const open = (await bff.post(`${door}/deposits/create`, { ...order, metadata: { bookingId: 77 } })).body.payment
    expect(await confirmBooking(open['id'] as string)).toBe('400 Payment not confirmed')
    await pay(open['id'] as PaymentId, 24_999_999n)
    expect(await confirmBooking(open['id'] as string), 'short').toBe('400 Payment not confirmed')
    const id = await paidDeposit()
    const { payment } = (await bff.call(`/api/payments/public/${id}`)).body
    expect(payment['status'], 'what the app would refuse').toBe('sweeping')
    expect(await confirmBooking(id)).toBe('200 Payment confirmed')
  },
  async 'record-status'() {
    const id = await created()
    expect(await detailsOf(id)).toMatchObject({ success: true, paymentId: id, status: 'pending', amount: 25 })
    expect((await detailsOf(id)).payment, 'and all that others read').toMatchObject({ id, amount: '25.00' })
    await pay(id)
    expect(await detailsOf(id)).toMatchObject({ status: 'confirmed', transactionHash: expect.stringMatching(/^0x/) })
    const ended = await created(fromServer({ amount: 26 }))
    await postEmpty(`/payments/${ended}/cancel`)
    expect(await detailsOf(ended)).toMatchObject({ status: 'failed' })
  },
}

describe('each rule of the list is what its client needs', () => {
  test.each(rules)('$name: $client', ({ name }) => replays[name]())
})

describe('capture', () => {
  test('confirms a paid payment, and confirms it again when it is repeated', async () => {
    const id = await created()
    await pay(id)
    for (let time = 0; time < 2; time++) {
      const { status, body } = await postEmpty(`/payments/${id}/capture`)
      expect([status, body]).toMatchObject([200, { success: true, paymentId: id, status: 'confirmed', amount: 25 }])
    }
  })

  test('is refused while the payment is open, short, or was cancelled', async () => {
    const open = await created()
    const short = await created()
    await pay(short, 24_999_999n)
    const ended = await created()
    await postEmpty(`/payments/${ended}/cancel`)
    for (const id of [open, short, ended]) {
      const { status, body } = await postEmpty(`/payments/${id}/capture`)
      expect([status, body['code'], body['status']]).toEqual([409, 'PAYMENT_NOT_PAID', undefined])
    }
  })

  test('and cancel are refused for another merchant, and without a key', async () => {
    const id = await created()
    await pay(id)
    for (const act of ['capture', 'cancel']) {
      expect(await postEmpty(`/payments/${id}/${act}`, bff.keys.stranger)).toMatchObject({
        status: 404,
        body: { code: 'PAYMENT_NOT_FOUND' },
      })
      expect(await postEmpty(`/payments/${id}/${act}`, {})).toMatchObject({
        status: 401,
        body: { code: 'UNAUTHORIZED' },
      })
    }
  })
})

describe('cancel', () => {
  test('ends an open payment, once', async () => {
    const id = await created()
    for (let time = 0; time < 2; time++) {
      expect(await postEmpty(`/payments/${id}/cancel`)).toMatchObject({ status: 200, body: { status: 'failed' } })
    }
    expect((await bff.read(`/api/payments/${id}/status`)).body.payment).toMatchObject({ status: 'cancelled' })
  })

  test('is refused where money arrived, because the app then deletes its record', async () => {
    const paid = await created()
    await pay(paid)
    const short = await created()
    await pay(short, 1n)
    for (const id of [paid, short]) {
      expect(await postEmpty(`/payments/${id}/cancel`)).toMatchObject({ status: 409, body: { code: 'CANCEL_REFUSED' } })
    }
    expect(await detailsOf(paid)).toMatchObject({ status: 'confirmed' })
  })

  test('of what the merchant’s server created is refused with the public key, and done with API key and secret', async () => {
    const id = await created(fromServer(), bff.keys.secret)
    const byStranger = await postEmpty(`/payments/${id}/cancel`)
    expect([byStranger.status, byStranger.body['code']]).toEqual([409, 'CANCEL_REFUSED'])
    expect((await postEmpty(`/payments/${id}/cancel`, bff.keys.secret)).body).toMatchObject({ status: 'failed' })
  })
})

describe('refund', () => {
  /** As the apps send it when a booking is cancelled: the amount of 2500 cents. */
  const asked = { amount: 2500 / 100, reason: 'Booking cancelled by merchant' }
  const refund = (id: string, body: object = asked, headers: Record<string, string> = bff.keys.secret) =>
    bff.call(`${door}/payments/${id}/refund`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
  const ofMerchant = (path: string, body: object = {}) =>
    bff.call(`/api${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...bff.keys.secret },
      body: JSON.stringify(body),
    })
  const refundsOf = async (id: string) => {
    const { body } = await bff.read(`/api/payments/${id}/refunds`, bff.keys.secret)
    return body['refunds'] as { id: string; amount: string; status: string; reason: string }[]
  }

  test('by API key and secret is a refund that the merchant pays, once however often it is asked for', async () => {
    const id = await created()
    await pay(id)
    const first = await refund(id)
    expect([first.status, first.body]).toMatchObject([
      200,
      { success: true, paymentId: id, amount: 25, refund: { status: 'awaiting_address', amount: '25.00' } },
    ])
    expect((await refund(id)).body['refund']).toEqual(first.body['refund'])
    expect(await refundsOf(id)).toMatchObject([{ amount: '25.00', reason: asked.reason, status: 'awaiting_address' }])
  })

  test('with the public key alone, which the newer app has, is refused: anybody may hold that key', async () => {
    const id = await created()
    await pay(id)
    for (const keys of [bff.keys.public, {}]) {
      const { status, body } = await refund(id, asked, keys)
      expect([status, body['code']]).toEqual(
        keys === bff.keys.public ? [403, 'API_SECRET_REQUIRED'] : [401, 'UNAUTHORIZED'],
      )
    }
    expect(await refundsOf(id)).toEqual([])
  })

  test('of what is not paid, of more than was paid, of another merchant or without a sum that is exact is refused', async () => {
    const open = await created()
    expect((await refund(open)).body).toMatchObject({ code: 'NOTHING_TO_REFUND' })
    const paid = await created()
    await pay(paid)
    expect((await refund(paid, { amount: 25.01 })).body).toMatchObject({ code: 'REFUND_TOO_LARGE' })
    expect((await refund(paid, { amount: '25.0000001' })).body).toMatchObject({ code: 'VALIDATION_FAILED' })
    expect((await refund(paid, { amount: true })).body).toMatchObject({ code: 'VALIDATION_FAILED' })
    const { apiKey, apiSecret } = bff.other
    const stranger = { 'X-API-Key': apiKey, 'X-API-Secret': apiSecret }
    expect((await refund(paid, asked, stranger)).body).toMatchObject({ code: 'PAYMENT_NOT_FOUND' })
    expect(await refundsOf(paid)).toEqual([])
  })

  test('that the merchant cancelled is not reported as made', async () => {
    const id = await created()
    await pay(id)
    const { id: refundId } = (await refund(id)).body['refund'] as { id: string }
    await ofMerchant(`/refunds/${refundId}/cancel`)
    const again = await refund(id)
    expect([again.status, again.body['code']]).toEqual([409, 'REFUND_ENDED'])
  })

  test('of a payment that the merchant accepted a little short is all that arrived', async () => {
    const id = await created()
    await bff.deps.db.write((tx) => tx.run(sql`update payments set least = '24900000' where id = ${id}`))
    await pay(id, 24_900_000n)
    expect((await refund(id)).body['refund']).toMatchObject({ amount: '24.90' })
  })

  test('of the whole leaves nothing that could confirm a booking; of a part leaves the booking', async () => {
    const id = await paidDeposit()
    await refund(id, { amount: '10.00' })
    expect(await confirmBooking(id)).toBe('200 Payment confirmed')
    expect(await detailsOf(id)).toMatchObject({ status: 'confirmed' })
    await refund(id, { amount: 15 })
    const requested = await refundsOf(id)
    expect(await confirmBooking(id)).toBe('400 Payment not confirmed')
    expect(await detailsOf(id)).toMatchObject({ status: 'refunding' })
    expect((await postEmpty(`/payments/${id}/capture`)).body).toMatchObject({ code: 'PAYMENT_NOT_PAID' })
    for (const [logIndex, one] of requested.entries()) {
      const address = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
      await ofMerchant(`/refunds/${one.id}/address`, { address })
      const amount = logIndex === 0 ? 10_000_000n : 15_000_000n
      const transfer = { ...transferTo(id, amount), txId: `0x${'ab'.repeat(32)}`, logIndex }
      await bff.deps.db.write((tx) =>
        bff.deps.ledger.merchantRefunds.applyIn(tx, one.id, {
          type: 'transfer.confirmed',
          transfer,
          atMs: bff.nowMs(),
        }),
      )
    }
    expect(await confirmBooking(id)).toBe('400 Payment not confirmed')
    expect(await detailsOf(id)).toMatchObject({ status: 'refunded' })
  })
})

test('the callbackUrl that the apps name without using it is not posted anything; any other is', async () => {
  const callbackOf = async (changes: object) => {
    const id = await created(fromServer(changes))
    return (await bff.deps.db.read((tx) => loadPayment(tx, id)))?.callbackUrl
  }
  expect(await callbackOf({})).toBeNull()
  const own = 'https://cal.example/api/integrations/stablezact/webhook'
  expect(await callbackOf({ callbackUrl: own })).toBe(own)
})

test('the wallets are those of the merchant, by network', async () => {
  const { status, body } = await bff.read(`${door}/merchants/wallets`)
  const wallet = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
  expect([status, body['wallets']]).toEqual([200, [{ networkShortName: 'devnet', walletAddress: wallet }]])
})

describe('a sandbox payment, which anybody with the public key can complete', () => {
  test('confirms no booking: neither by its public view, nor by its record, nor by capture', async () => {
    for (const paymentMode of ['deposit', 'contract']) {
      const body = { ...order, paymentMode, metadata: { bookingId: 77 } }
      const id = (await bff.post(`${door}/sandbox/payments/create`, body)).body.payment['id'] as string
      const done = await bff.post(`${door}/sandbox/payments/${id}/simulate`, { action: 'complete' })
      expect(done.body.payment).toMatchObject({ outcome: 'paid' })
      expect(await confirmBooking(id)).toBe('400 Payment not confirmed')
      const { payment } = (await bff.call(`${door}/payments/public/${id}`)).body
      expect(payment).not.toHaveProperty('metadata')
      for (const keys of [bff.keys.public, bff.keys.secret]) {
        expect(await detailsOf(id, keys)).toMatchObject({ status: 'test_confirmed' })
        expect((await postEmpty(`/payments/${id}/capture`, keys)).body).toMatchObject({ code: 'PAYMENT_NOT_PAID' })
      }
    }
  })

  test('of a test key is confirmed to that key', async () => {
    const id = await created(fromServer(), bff.keys.test)
    await bff.post(`${door}/sandbox/payments/${id}/simulate`, { action: 'complete' }, bff.keys.test)
    expect(await detailsOf(id, bff.keys.test)).toMatchObject({ status: 'confirmed' })
  })
})

test('paid on a testnet beside a mainnet confirms no booking', async () => {
  const networks = new Map(
    [...bff.deps.networks].map(([name, one]) => [name, { ...one, isTestnet: name === 'devnet' }]),
  )
  const id = await paidDeposit()
  const payment = (await bff.deps.db.read((tx) => loadPayment(tx, id))) as Payment
  expect(createDetails(networks, bff.deps.viewer).isMoney(payment)).toBe(false)
  const testnets = new Map([...networks].map(([name, one]) => [name, { ...one, isTestnet: true }]))
  expect(createDetails(testnets, bff.deps.viewer).isMoney(payment), 'where every network is one').toBe(true)
})

test('the record of a delivery shows what Cal.com was posted', async () => {
  const callbackUrl = 'https://cal.example/api/integrations/stablezact/webhook'
  const id = await paidDeposit({ callbackUrl })
  const list = await bff.read(`/api/webhooks/deliveries?paymentId=${id}`, bff.keys.secret)
  const deliveries = list.body['deliveries'] as { id: string; type: string }[]
  const completed = deliveries.find(({ type }) => type === 'payment.completed')
  const { body } = await bff.read(`/api/webhooks/deliveries/${completed?.id}/request`, bff.keys.secret)
  const { body: posted } = body['request'] as { body: string }
  expect(JSON.parse(posted)).toMatchObject({ type: 'payment.confirmed', data: { paymentId: id } })
})

describe('strict callers of the same service', () => {
  test('get at /api, byte for byte, what a service without the setting answers', async () => {
    const strict = await openApp({}, { database: bff.database, merchant: bff.merchant, other: bff.other })
    const id = await paidDeposit()
    const contract = await created()
    await pay(contract)
    const text = async ({ app }: AppFixture, path: string) =>
      await (await app.request(path, { headers: bff.keys.public })).text()
    for (const path of [
      `/api/payments/public/${id}`,
      `/api/v1/payments/${id}`,
      `/api/payments/${contract}`,
      `/api/payments/${contract}/status`,
      `/api/networks/payable`,
      '/api/openapi.json',
      `/api/payments/${id}/capture`,
      '/api/merchants/wallets',
    ]) {
      // The id of the request differs in refusals.
      const plain = (answer: string) => answer.replaceAll(/"requestId":"[^"]*"/g, '')
      expect(plain(await text(bff, path)), path).toBe(plain(await text(strict, path)))
    }
    const repeated = { 'Idempotency-Key': crypto.randomUUID(), ...bff.keys.public }
    const first = await bff.post('/api/payments/create', order, repeated)
    const second = await strict.post('/api/payments/create', order, repeated)
    expect(second.body).toEqual(first.body)
    expect(first.body.payment).toMatchObject({ amount: '25.00', totalAmount: '25.00' })
    await strict.close()
  })

  test('still have to name a token, and plain metadata', async () => {
    const usd = await bff.post('/api/payments/create', fromServer())
    expect([usd.status, usd.body['code']]).toEqual([400, 'VALIDATION_FAILED'])
    const nested = await bff.post('/api/payments/create', fromServer({ currency: 'USDC', metadata: { wallets: {} } }))
    expect([nested.status, nested.body['code']]).toEqual([400, 'VALIDATION_FAILED'])
    expect((await create(fromServer({ metadata: { wallets: {} } }))).status, 'at the clients’ address').toBe(200)
  })

  test('need a key for a status, which these clients read without one', async () => {
    const id = await paidDeposit()
    expect((await bff.call(`/api/deposits/status/${id}`)).status).toBe(401)
    expect((await bff.call(`${door}/deposits/status/${id}`)).status).toBe(200)
  })
})

test('without the setting nothing answers at the clients’ address', async () => {
  const strict = await openApp({}, { database: bff.database, merchant: bff.merchant, other: bff.other })
  for (const path of ['/merchants/wallets', '/networks/payable']) {
    expect((await strict.read(`${door}${path}`)).body).toMatchObject({ code: 'NOT_FOUND' })
  }
  await strict.close()
})
