import { pageOrigin, signedIn } from '@stablecoin-checkout/rig/dashboard-stage'
import { type AppFixture, openApp, order, transferTo } from '@stablecoin-checkout/rig/test-app'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { implementationAddress } from '../../chain/evm/deploy/contracts.generated.ts'
import { type Sql, sql } from '../../db/db.ts'
import { createKey } from '../../merchant/keys.ts'
import type { PaymentId } from '../../payment/payment.ts'
import { countOpenRefunds } from '../../payment/store/open-refund-store.ts'

const customer = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
let bff: AppFixture
let rate = '2'

beforeAll(async () => {
  bff = await openApp({
    publicUrl: pageOrigin,
    readRates: async () => ({ rates: { USDC: { EUR: rate } }, provider: 'test', asOfMs: 0 }) as never,
  })
})
afterAll(() => bff.close())

type Refund = Record<string, unknown> & { id: string; pageUrl: string }
type Body = { refund: Refund; code?: string; refunds: Refund[]; refundable: string; message?: string; next?: string }

async function ask(path: string, body?: unknown, headers: Record<string, string> = bff.keys.secret) {
  const answer = await bff.call(`/api/v1${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: answer.status, headers: answer.headers, body: answer.body as unknown as Body }
}

/** A payment of 25 that has received the amount. */
async function paid(amount = 25_000_000n, more: object = {}): Promise<PaymentId> {
  const { payment } = (await bff.create({ ...order, ...more }, { 'Idempotency-Key': crypto.randomUUID() })).body
  const id = payment['id'] as PaymentId
  const transfer = transferTo(id, amount)
  await bff.deps.ledger.apply(id, { type: 'transfer.confirmed', transfer, atMs: bff.nowMs() })
  return id
}

const request = (id: string, body: object = {}, headers?: Record<string, string>) =>
  ask(`/payments/${id}/refunds`, body, headers && { ...bff.keys.secret, ...headers })
const codeOf = async (answer: Promise<{ status: number; body: Body }>) => {
  const { status, body } = await answer
  return `${status} ${body.code}`
}
const secretOf = ({ pageUrl }: Refund) => pageUrl.split('#client_secret=')[1]

test('without an amount everything is refunded; the merchant gets the customer’s page', async () => {
  const id = await paid(25_000_000n, { orderId: 'A-17' })
  const { status, body } = await request(id, { reason: 'Sold out' })
  expect(status).toBe(200)
  expect(body.refund).toMatchObject({
    paymentId: id,
    status: 'awaiting_address',
    amount: '25.00',
    remaining: '25.00',
    address: null,
    reason: 'Sold out',
    orderId: 'A-17',
    call: null,
    paymentUri: null,
  })
  expect(body.refund.pageUrl).toBe(`${pageOrigin}/refund/${body.refund.id}#client_secret=${secretOf(body.refund)}`)
  const { payment } = (await ask(`/payments/${id}`)).body as unknown as { payment: Record<string, unknown> }
  expect(payment).toMatchObject({ refundDueByMerchant: '25.00', refunds: [{ id: body.refund.id }], status: 'sweeping' })
  const events = await bff.deps.db.read((tx) =>
    tx.all<{ body: string }>(sql`select body from events where payment_id = ${id} and type = 'refund.requested'`),
  )
  expect(JSON.parse(events[0]?.body ?? '{}')).toMatchObject({
    type: 'refund.requested',
    data: { id, refundDueByMerchant: '25.00', merchantRefund: { id: body.refund.id, amount: '25.00' } },
  })
})

test('of a test link’s payment is read and cancelled with the live key that created the link', async () => {
  const link = (await ask('/links', { amount: '25.00', isTest: true })).body as unknown as { link: { id: string } }
  const choice = { network: order.network, currency: order.currency }
  const made = (await ask(`/links/public/${link.link.id}/create`, choice, {})).body as unknown as {
    payment: { id: PaymentId }
  }
  const { id } = made.payment
  await ask(`/sandbox/payments/${id}/simulate`, { action: 'complete' })
  const { refund } = (await request(id)).body
  expect((await ask(`/refunds/${refund.id}`)).body.refund).toMatchObject({ id: refund.id, isTest: true })
  expect((await ask(`/refunds/${refund.id}/cancel`, {})).body.refund).toMatchObject({ status: 'cancelled' })
})

describe('the amount', () => {
  test('of several partial refunds never exceeds what was received, to the unit', async () => {
    const id = await paid()
    expect((await request(id, { amount: '10.00' })).status).toBe(200)
    expect((await request(id, { amount: '14.999999' })).status).toBe(200)
    expect(await codeOf(request(id, { amount: '0.000002' }))).toBe('409 REFUND_TOO_LARGE')
    expect((await request(id)).body.refund).toMatchObject({ amount: '0.000001' })
    expect(await codeOf(request(id, { amount: '0.000001' }))).toBe('409 NOTHING_TO_REFUND')
  })

  test('holds for parallel requests', async () => {
    const id = await paid()
    const answers = await Promise.all(Array.from({ length: 6 }, () => request(id, { amount: '10.00' })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 409, 409, 409, 409])
    expect((await ask(`/payments/${id}/refunds`)).body.refundable).toBe('5.00')
  })

  test('leaves out the excess, which the service itself returns', async () => {
    const id = await paid(30_000_000n)
    expect(await codeOf(request(id, { amount: '25.01' }))).toBe('409 REFUND_TOO_LARGE')
    expect((await request(id)).body.refund).toMatchObject({ amount: '25.00' })
  })

  test('of an open or failed payment is zero', async () => {
    const { payment } = (await bff.create(order, { 'Idempotency-Key': crypto.randomUUID() })).body
    expect(await codeOf(request(String(payment['id'])))).toBe('409 NOTHING_TO_REFUND')
    await bff.post('/api/v1/payments/fail', { paymentId: payment['id'], status: 'cancelled' })
    expect(await codeOf(request(String(payment['id'])))).toBe('409 NOTHING_TO_REFUND')
  })

  test('is available again after a cancel', async () => {
    const id = await paid()
    const { refund } = (await request(id)).body
    expect((await ask(`/refunds/${refund.id}/cancel`, {})).body.refund).toMatchObject({ status: 'cancelled' })
    expect((await ask(`/refunds/${refund.id}/cancel`, {})).status).toBe(200)
    expect((await request(id)).body.refund).toMatchObject({ amount: '25.00' })
    expect(await codeOf(ask(`/refunds/${refund.id}/address`, { address: customer }))).toBe('409 REFUND_ENDED')
  })
})

/** The number of database reads of one call. */
async function countReads(call: () => Promise<unknown>) {
  const { db } = bff.deps
  const { read } = db
  const counted = { statements: 0, rows: 0 }
  db.read = (work) =>
    read((tx) =>
      work({
        ...tx,
        async get<Row>(statement: Sql) {
          counted.statements += 1
          return await tx.get<Row>(statement)
        },
        async all<Row>(statement: Sql) {
          const rows = await tx.all<Row>(statement)
          counted.statements += 1
          counted.rows += rows.length
          return rows
        },
      }),
    )
  await call()
  db.read = read
  return counted
}

test('cancelled refunds do not count towards the fifty of a payment; including them it has at most two hundred', async () => {
  const id = await paid()
  const fill = (count: number, status: 'cancelled' | 'awaiting_address') =>
    bff.deps.db.write((tx) => {
      const cancelledAtMs = status === 'cancelled' ? 1 : null
      return tx.run(sql`
        with recursive counted(place) as (select 1 union all select place + 1 from counted where place < ${count})
        insert into merchant_refunds (id, payment_id, merchant_id, is_test, network, currency, token_address,
                                      token_decimals, amount, after_block, status, version, created_at_ms,
                                      cancelled_at_ms, request_terms)
        select cast(${crypto.randomUUID()} as text) || ' ' || counted.place, p.id, p.merchant_id, 0, p.network,
               p.currency, p.token_address, p.token_decimals, '1', 0, cast(${status} as text), 1, 1,
               cast(${cancelledAtMs} as integer), '[]'
          from payments p cross join counted where p.id = ${id}`)
    })
  await fill(140, 'cancelled')
  const { refund } = (await request(id, { amount: '1.00' })).body
  await fill(49, 'awaiting_address')
  expect(await codeOf(request(id, { amount: '1.00' }))).toBe('409 TOO_MANY_REFUNDS')
  await ask(`/refunds/${refund.id}/cancel`, {})
  const again = (await request(id, { amount: '1.00' })).body.refund
  await fill(9, 'cancelled')
  await ask(`/refunds/${again.id}/cancel`, {})
  const { status, body } = await request(id, { amount: '1.00' })
  expect([status, body.message]).toEqual([409, expect.stringContaining('200 refunds, cancelled ones included')])

  // Anyone can read it at any rate, and each open page does so with each block.
  const counted = await countReads(() => ask(`/payments/public/${id}`, undefined, {}))
  expect(counted.statements).toBeLessThan(20)
  expect(counted.rows).toBeLessThan(700)
})

test('the metrics count open refunds by network and state', async () => {
  const counted = async () => {
    const rows = await bff.deps.db.read(countOpenRefunds)
    return Object.fromEntries(rows.map(({ network, status, count }) => [`${network} ${status}`, Number(count)]))
  }
  const before = await counted()
  const id = await paid()
  const { refund } = (await request(id, { amount: '1.00', address: customer })).body
  await request(id, { amount: '2.00' })
  const after = await counted()
  for (const state of ['devnet to_pay', 'devnet awaiting_address'])
    expect([state, after[state]]).toEqual([state, (before[state] ?? 0) + 1])
  await ask(`/refunds/${refund.id}/cancel`, {})
  expect((await counted())['devnet to_pay'] ?? 0).toBe(before['devnet to_pay'] ?? 0)
})

test('with only the payment’s id its refunds are read without reason, address or id', async () => {
  const id = await paid()
  const read = async () =>
    ((await ask(`/payments/public/${id}`, undefined, {})).body as unknown as { payment: Body }).payment.refunds
  expect(await read()).toEqual([])
  await request(id, { amount: '1.00', address: customer, reason: 'Sold out' })
  const cancelled = (await request(id, { amount: '2.00' })).body.refund
  await ask(`/refunds/${cancelled.id}/cancel`, {})
  expect(await read()).toEqual([{ status: 'to_pay', amount: '1.00', paid: '0.00', paidAt: null, transactions: [] }])
})

describe('a price', () => {
  test('is converted at the rate of the payment or at the current rate', async () => {
    rate = '2'
    const id = await paid(25_000_000n, { amount: undefined, price: '50.00', priceCurrency: 'EUR' })
    rate = '4'
    const then = (await request(id, { price: '10.00' })).body.refund
    expect(then).toMatchObject({ amount: '5.00', price: '10.00', priceCurrency: 'EUR', rate: '2', rateOf: 'then' })
    expect((await request(id, { price: '10.00', rate: 'now' })).body.refund).toMatchObject({
      amount: '2.50',
      rate: '4',
    })
    // 7.333… is rounded up to a cent; the last part gets exactly the rest.
    for (const price of ['14.67', '14.67']) expect((await request(id, { price })).status).toBe(200)
    expect((await request(id, { price: '5.68' })).body.refund).toMatchObject({ amount: '2.82' })
    expect(await codeOf(request(id))).toBe('409 NOTHING_TO_REFUND')
  })

  test('without a rate of the payment, or beside an amount, is refused with its own code', async () => {
    const id = await paid()
    expect(await codeOf(request(id, { price: '10.00' }))).toBe('400 VALIDATION_FAILED')
    expect(await codeOf(request(id, { price: '10', priceCurrency: 'EUR', rate: 'then' }))).toBe('400 NO_RATE')
    expect(await codeOf(request(id, { price: '10', priceCurrency: 'EUR', amount: '1' }))).toBe('400 VALIDATION_FAILED')
    expect(await codeOf(request(id, { amount: '1', rate: 'now' }))).toBe('400 VALIDATION_FAILED')
    expect(await codeOf(request(id, { rate: 'now' }))).toBe('400 VALIDATION_FAILED')
    expect(await codeOf(request(id, { amount: '-1' }))).toBe('400 VALIDATION_FAILED')
    expect(await codeOf(request(id, { amount: '0.0000001' }))).toBe('400 VALIDATION_FAILED')
  })
})

describe('a repeat', () => {
  test('with the same key returns the same refund; with other terms it is refused', async () => {
    const id = await paid()
    const key = { 'Idempotency-Key': 'refund-1' }
    const first = await request(id, { amount: '10.00' }, key)
    const again = await request(id, { amount: '10.00' }, key)
    expect(again.body.refund.id).toBe(first.body.refund.id)
    expect(again.headers.get('Idempotent-Replayed')).toBe('true')
    expect(await codeOf(request(id, { amount: '11.00' }, key))).toBe('400 IDEMPOTENCY_MISMATCH')
    const parallel = await Promise.all([1, 2, 3].map(() => request(id, { amount: '1.00' }, { 'Idempotency-Key': 'p' })))
    expect(new Set(parallel.map(({ body }) => body.refund.id)).size).toBe(1)
    expect((await ask(`/payments/${id}/refunds`)).body.refunds).toHaveLength(2)
  })
})

describe('the address', () => {
  test('is set once with the page’s secret, and is then the refund’s recipient', async () => {
    const { refund } = (await request(await paid(), { amount: '10.00' })).body
    const name = (address: string, clientSecret = secretOf(refund)) =>
      ask(`/refunds/${refund.id}/address`, { address, clientSecret }, {})
    expect(await codeOf(name(customer, 'cs_wrong'))).toBe('403 CLIENT_SECRET_REQUIRED')
    expect(refund).toMatchObject({ addressNamedAt: null })
    bff.advance(60_000)
    const { refund: named } = (await name(customer.toLowerCase())).body
    expect(named).toMatchObject({ status: 'to_pay', address: customer, addressNamedAt: expect.any(String) })
    expect(Date.parse(String(named['addressNamedAt'])) - Date.parse(String(named['createdAt']))).toBe(60_000)
    expect((await ask(`/refunds/${refund.id}`)).body.refund).toMatchObject({ addressNamedAt: named['addressNamedAt'] })
    const { refund: atOnce } = (await request(await paid(), { amount: '10.00', address: customer })).body
    expect(atOnce).toMatchObject({ addressNamedAt: atOnce['createdAt'] })
    expect((await name(customer)).status).toBe(200)
    expect(await codeOf(name('0x90F79bf6EB2c4f870365E785982E1f101E93b906'))).toBe('409 REFUND_HAS_ADDRESS')
    const payable = (await ask(`/refunds/${refund.id}`)).body.refund
    expect(payable).toMatchObject({
      call: {
        params: { amount: '10000000', paymentId: refund.id, recipient1: customer, recipient1Percentage: 10_000 },
      },
      paymentUri: expect.stringContaining(`address=${customer}&uint256=10000000`),
    })
    const shown = await ask(`/refunds/public/${refund.id}`, undefined, {})
    expect(shown.body.refund).toMatchObject({ status: 'to_pay', merchantName: 'Corner Coffee' })
    expect(Object.keys(shown.body.refund)).not.toContain('pageUrl')
  })

  test('is never a token, a contract of the service, zero, a deposit address or the merchant’s own wallet', async () => {
    const id = await paid()
    const { depositAddress, tokenAddress } = await bff.deps.db.read(async (tx) => {
      const row = await tx.get<{ deposit_address: string; token_address: string }>(
        sql`select deposit_address, token_address from payments where id = ${id}`,
      )
      return { depositAddress: row?.deposit_address, tokenAddress: row?.token_address }
    })
    const wallet = bff.deps.operator
    const refused = [tokenAddress, implementationAddress, `0x${'0'.repeat(40)}`, depositAddress, wallet, '0x12', '']
    for (const address of refused)
      expect([address, await codeOf(request(id, { address }))]).toEqual([address, '400 VALIDATION_FAILED'])
    expect((await ask(`/payments/${id}/refunds`)).body.refunds).toEqual([])
  })
})

test('public keys and agents cannot refund; viewers read refunds without the page’s link; staff needs a passkey', async () => {
  const id = await paid()
  const { refund } = (await request(id, { amount: '1.00' })).body
  expect(await codeOf(ask(`/payments/${id}/refunds`, {}, bff.keys.public))).toBe('403 API_SECRET_REQUIRED')
  expect(await codeOf(ask('/refunds', undefined, bff.keys.public))).toBe('403 API_SECRET_REQUIRED')
  const terms = { kind: 'api', scope: 'agent', agentId: 'bot' } as const
  const agent = await bff.deps.db.write((tx) => createKey(tx, bff.deps.runtime, bff.merchant.merchantId, terms))
  const agentKeys = { 'X-API-Key': agent.key, 'X-API-Secret': agent.secret ?? '' }
  expect(await codeOf(ask(`/payments/${id}/refunds`, {}, agentKeys))).toBe('403 KEY_SCOPE')
  const viewer = await signedIn(bff, 'viewer')
  expect((await viewer.ask('POST', `/payments/${id}/refunds`, {})).status).toBe(403)
  const listed = (await viewer.ask('GET', '/refunds')).body as unknown as Body
  expect(listed.refunds.find((one) => one.id === refund.id)).toMatchObject({ pageUrl: null, amount: '1.00' })
  const staff = await signedIn(bff, 'staff')
  expect((await staff.ask('POST', `/payments/${id}/refunds`, { amount: '1.00' })).body['code']).toBe(
    'CONFIRMATION_REQUIRED',
  )
  const made = await staff.confirm('POST', `/payments/${id}/refunds`, { amount: '1.00' })
  expect(made).toMatchObject({ status: 200, body: { refund: { requestedBy: expect.stringMatching(/./) } } })
  const own = made.body['refund'] as Refund
  expect(own.pageUrl).toBe(`${pageOrigin}/refund/${own.id}#client_secret=${secretOf(own)}`)
  expect((await staff.ask('GET', `/refunds/${own.id}`)).body).toMatchObject({ refund: { id: own.id, pageUrl: null } })
  expect(refund).toMatchObject({ requestedBy: null })
  const shown = (await viewer.ask('GET', '/refunds')).body as unknown as Body
  expect(shown.refunds.map(({ requestedBy }) => requestedBy)).not.toContainEqual(expect.any(String))
})

test('the link comes with the refund that a person requested, and with no repeat', async () => {
  const [id, staff] = [await paid(), await signedIn(bff, 'staff')]
  const askTwice = () =>
    staff.confirm('POST', `/payments/${id}/refunds`, { amount: '1.00' }, { 'Idempotency-Key': `refund-of-${id}` })
  const [first, second] = [await askTwice(), await askTwice()]
  expect(first.body).toMatchObject({ refund: { pageUrl: expect.stringContaining('#client_secret=') } })
  expect(second.headers.get('Idempotent-Replayed')).toBe('true')
  expect(second.body).toMatchObject({ refund: { id: (first.body['refund'] as Refund).id, pageUrl: null } })
})

test('a wallet’s answer is reported without a passkey, only by the session that opened the prompt', async () => {
  const { refund } = (await request(await paid(), { amount: '1.00', address: customer })).body
  const [staff, another] = [await signedIn(bff, 'staff'), await signedIn(bff, 'staff')]
  const asked = { refundIds: [refund.id], account: customer }
  expect((await staff.ask('POST', '/refunds/prompts', asked)).body['code']).toBe('CONFIRMATION_REQUIRED')
  const { body } = await staff.confirm('POST', '/refunds/prompts', asked)
  const path = `/refunds/prompts/${(body['prompt'] as { id: string }).id}`
  expect((await another.ask('POST', path, { isRejected: true })).body['code']).toBe('PROMPT_NOT_FOUND')
  expect((await another.ask('POST', `${path}/release`, {})).body['code']).toBe('CONFIRMATION_REQUIRED')
  expect((await staff.ask('POST', path, { isRejected: true })).status).toBe(200)
  expect((await another.confirm('POST', '/refunds/prompts', asked)).status).toBe(200)
})

test('another merchant, a test key and an unknown id find no refund', async () => {
  const { refund } = (await request(await paid())).body
  const other = { 'X-API-Key': bff.other.apiKey, 'X-API-Secret': bff.other.apiSecret }
  expect(await codeOf(ask(`/refunds/${refund.id}`, undefined, other))).toBe('404 REFUND_NOT_FOUND')
  expect(await codeOf(ask(`/refunds/${refund.id}/cancel`, {}, other))).toBe('404 REFUND_NOT_FOUND')
  expect(await codeOf(ask(`/refunds/${crypto.randomUUID()}`))).toBe('404 REFUND_NOT_FOUND')
  expect((await ask('/refunds', undefined, other)).body.refunds).toEqual([])
})

test('refunds are listed newest first in pages, and by status; an unpaid one needs attention', async () => {
  const id = await paid()
  const first = (await request(id, { amount: '1.00', address: customer })).body.refund
  const second = (await request(id, { amount: '2.00' })).body.refund
  const page = (await ask('/refunds?limit=1')).body
  expect(page.refunds.map((one) => one.id)).toEqual([second.id])
  expect((await ask(`/refunds?limit=1&before=${page.next}`)).body.refunds.map((one) => one.id)).toEqual([first.id])
  expect((await ask('/refunds?status=awaiting_address&limit=1')).body.refunds.map((one) => one.id)).toEqual([second.id])
  expect((await ask('/refunds?status=to_pay&limit=1')).body.refunds.map((one) => one.id)).toEqual([first.id])
  const attention = (await ask('/reports/attention')).body as unknown as {
    payments: { attention: string; newest: { id: string; owed: object[] }[] }[]
  }
  const needs = attention.payments.find((one) => one.attention === 'merchant_refund')
  expect(needs?.newest.find((one) => one.id === id)?.owed).toMatchObject([{ to: 'customer', amount: '3.00' }])
  await ask(`/refunds/${first.id}/cancel`, {})
  await ask(`/refunds/${second.id}/cancel`, {})
  const { payment } = (await ask(`/payments/${id}`)).body as unknown as { payment: Record<string, unknown> }
  expect(payment).toMatchObject({ refundDueByMerchant: '0.00' })
})

test('while a reorg has removed the customer’s money, no call or payment request for the refund is returned', async () => {
  const id = await paid()
  const { refund } = (await request(id, { address: customer })).body
  expect(refund).toMatchObject({ status: 'to_pay', call: expect.anything(), paymentUri: expect.any(String) })
  const transfer = transferTo(id, 25_000_000n)
  await bff.deps.ledger.apply(id, { type: 'transfer.reverted', transfer, atMs: bff.nowMs() })
  expect((await ask(`/refunds/${refund.id}`)).body.refund).toMatchObject({ call: null, paymentUri: null })
  const listed = (await ask('/refunds?status=open')).body.refunds.find((one) => one.id === refund.id)
  expect(listed).toMatchObject({ call: null, paymentUri: null })
  const attention = async () =>
    (
      await bff.deps.db.read((tx) =>
        tx.get<{ attention: string }>(sql`select attention from payments where id = ${id}`),
      )
    )?.attention
  expect(await attention()).not.toBe('merchant_refund')
  await bff.deps.ledger.apply(id, { type: 'transfer.confirmed', transfer, atMs: bff.nowMs() })
  expect((await ask(`/refunds/${refund.id}`)).body.refund).toMatchObject({ call: refund['call'] && expect.anything() })
  expect(await attention()).toBe('merchant_refund')
})
