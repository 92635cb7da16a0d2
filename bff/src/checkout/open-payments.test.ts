import { type AppFixture, openApp, order, transferTo } from '@stablecoin-checkout/rig/test-app'
import { afterEach, describe, expect, test } from 'vitest'
import { createRateLimits, defaultLimits } from '../access/limits/rate-limit.ts'
import { sql } from '../db/db.ts'
import type { PaymentId } from '../payment/payment.ts'

let fixture: AppFixture
afterEach(() => fixture.close())

/** The bounds under test; the counters of calls go by the real clock, and these tests by a simulated one. */
async function open(perKey: number, perAddress: number) {
  const limits = { ...defaultLimits, creates: 1e6, openPayments: perKey, openPaymentsPerAddress: perAddress }
  fixture = await openApp({ limits: createRateLimits({ limits, trustedProxies: [] }) })
}

async function create(address: string, headers: Record<string, string> = fixture.keys.public) {
  const init = {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(order),
  }
  const from = { incoming: { socket: { remoteAddress: address } } } as never
  const response = await fixture.app.request('/api/v1/deposits/create', init, from)
  const body = (await response.json()) as { code?: string; payment: { id: PaymentId } }
  return { status: response.status, code: body.code, id: body.payment?.id }
}

const statusOf = async (id: PaymentId) => {
  const { body } = await fixture.read(`/api/v1/payments/${id}/status`)
  return body.payment['status']
}

const pay = (id: PaymentId, amount = 25_000_000n) =>
  fixture.deps.ledger.apply(id, {
    type: 'transfer.confirmed',
    transfer: { ...transferTo(id, amount), blockTimeMs: fixture.nowMs() },
    atMs: fixture.nowMs(),
  })

describe('a flood of creates', () => {
  test('from one address, at the pace that the limits allow, locks out no other shopper', async () => {
    await open(200, 20)
    const seen = { 200: 0, 429: 0 }
    // Seventeen minutes of twelve creates.
    for (let index = 0; index < 204; index++) {
      const { status } = await create('192.0.2.66')
      seen[status as 200 | 429]++
      fixture.advance(5_000)
    }
    expect(seen).toEqual({ 200: 20, 429: 184 })
    const shopper = await create('198.51.100.1')
    expect(shopper.status).toBe(200)
    await pay(shopper.id)
    expect(await statusOf(shopper.id)).toBe('sweeping')
  })

  test('from many addresses ends its own oldest payments, and not the one of a shopper who has not paid yet', async () => {
    await open(40, 10)
    const early = await create('198.51.100.1')
    const flood: PaymentId[] = []
    for (let index = 0; index < 100; index++) {
      const { status, id } = await create(`192.0.2.${1 + (index % 20)}`)
      if (status === 200) flood.push(id)
      fixture.advance(1_000)
    }
    const late = await create('198.51.100.2')
    expect([flood.length, late.status]).toEqual([100, 200])
    expect([await statusOf(early.id), await statusOf(late.id)]).toEqual(['pending', 'pending'])
    expect(await statusOf(flood[0] as PaymentId)).toBe('expired')
    for (const { id } of [early, late]) await pay(id)
    expect([await statusOf(early.id), await statusOf(late.id)]).toEqual(['sweeping', 'sweeping'])
  })

  test('from the addresses of one network of IPv6, of which there is no end, ends its own too', async () => {
    await open(40, 10)
    const early = [await create('198.51.100.1'), await create('2001:db8:2:1::1'), await create('2001:db8:2:2::1')]
    const flood: PaymentId[] = []
    for (let index = 0; index < 60; index++) {
      const { status, id } = await create(`2001:db8:1:${index.toString(16)}::1`)
      if (status === 200) flood.push(id)
      fixture.advance(1_000)
    }
    expect(flood.length).toBe(60)
    for (const { id } of early) expect(await statusOf(id)).toBe('pending')
    expect(await statusOf(flood[0] as PaymentId)).toBe('expired')
  })

  test('from one address ends no payment of its neighbours in the same network', async () => {
    await open(10, 8)
    const neighbour = await create('2001:db8:1:1::1')
    for (let index = 0; index < 8; index++) await create('2001:db8:1:2::1')
    for (let index = 0; index < 3; index++) expect((await create(`2001:db8:1:${index + 3}::1`)).status).toBe(200)
    expect(await statusOf(neighbour.id)).toBe('pending')
  })

  test('that sends dust to its payments keeps nobody out, and no payment with money gives way', async () => {
    await open(10, 5)
    const dusted: PaymentId[] = []
    for (let index = 0; index < 20; index++) {
      const { id } = await create(`192.0.2.${1 + (index % 4)}`)
      dusted.push(id)
      await pay(id, 1n)
    }
    const paying = await create('198.51.100.1')
    await pay(paying.id, 10_000_000n)
    for (let index = 0; index < 30; index++) expect((await create(`203.0.113.${index}`)).status).toBe(200)
    for (const id of [...dusted, paying.id]) expect(await statusOf(id)).toBe('pending')
  })

  test('ends no payment whose money a bridge has, and one whose money the bridge has sent back', async () => {
    await open(1, 10)
    const early = await create('192.0.2.66')
    const { db } = fixture.deps
    const key = fixture.merchant.publicKey
    const token = { originCurrency: 'USDC', originToken: '0x5', originDecimals: 6 }
    const origin = { originChainId: 10, originName: 'Ten', originExplorerUrl: null, ...token }
    const terms = JSON.stringify({ requestId: '0x1', relayDepositAddress: '0x2', amountToSend: '25000000', ...origin })
    await db.write((tx) =>
      tx.run(sql`
          insert into bridges (payment_id, bridge_terms, bridge_status) values (${early.id}, ${terms}, 'pending')`),
    )
    expect(await create('198.51.100.1')).toMatchObject({ status: 429, code: 'TOO_MANY_OPEN_PAYMENTS' })
    expect(await statusOf(early.id)).toBe('pending')
    const later = await create('192.0.2.66', fixture.keys.secret)
    await db.write((tx) => tx.run(sql`update payments set public_key = ${key} where id = ${later.id}`))
    expect((await create('198.51.100.1')).status, 'the next one gives way').toBe(200)
    expect(await statusOf(later.id)).toBe('expired')
    await db.write((tx) => tx.run(sql`update bridges set bridge_status = 'refund' where payment_id = ${early.id}`))
    expect((await create('198.51.100.1')).status).toBe(200)
  })

  test('emits an event for each: each payment that gives way is a payment.expired', async () => {
    await open(1, 1)
    const first = await create('192.0.2.1')
    await create('192.0.2.2')
    const { body } = await fixture.read('/api/v1/events', fixture.keys.secret)
    expect(body['events']).toMatchObject([
      { type: 'payment.created', data: { id: first.id } },
      { type: 'payment.expired', data: { id: first.id } },
      { type: 'payment.created' },
    ])
  })

  test('does not touch what the merchant’s server creates, and is no bound for it', async () => {
    await open(3, 2)
    const own = await create('192.0.2.9', fixture.keys.secret)
    for (let index = 0; index < 10; index++) await create(`192.0.2.${index}`)
    expect(await statusOf(own.id)).toBe('pending')
    for (let index = 0; index < 10; index++) {
      expect((await create('192.0.2.9', fixture.keys.secret)).status).toBe(200)
    }
  })
})

describe('the address of a client', () => {
  const stored = () =>
    fixture.deps.db.read((tx) =>
      tx.all<{ id: string; client: string | null }>(sql`select id, client from payments order by number limit 10`),
    )

  test('is stored as a keyed digest only, and only while the payment is open', async () => {
    await open(10, 10)
    const { id } = await create('192.0.2.1')
    await create('192.0.2.1', fixture.keys.secret)
    expect(await stored()).toMatchObject([{ client: expect.stringMatching(/^[\w-]{24}$/) }, { client: null }])
    await pay(id)
    expect((await stored())[0]).toEqual({ id, client: null })
  })
})
