import type { PaymentId } from '@stablecoin-checkout/bff/testing/payment'
import { type DashboardPage, signedIn } from '@stablecoin-checkout/rig/dashboard-stage'
import { type AppFixture, openApp, transferTo } from '@stablecoin-checkout/rig/test-app'
import { answerOf as answer, openTillStage, type Sale } from '@stablecoin-checkout/rig/till-stage'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '../../db/db.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

let bff: AppFixture
let owner: DashboardPage
beforeEach(async () => {
  bff = await openApp()
  owner = await signedIn(bff)
})
afterEach(() => bff.close())

const stage = openTillStage(
  () => bff,
  () => owner,
)
async function makeLink(): Promise<string> {
  const { body } = await owner.ask('POST', '/links', { amount: '12.50' })
  return (body['link'] as { id: string }).id
}

const { makeInTestMode, pair, enter, openTill, sell, read, choose, pay } = stage

describe('a sale', () => {
  test('is paid by its link, and shown as paid only when the service has confirmed it', async () => {
    const device = await openTill()
    const sale = await sell(device)
    expect(sale).toMatchObject({ state: 'open', amount: '12.50', price: null, payment: null, receiptUrl: null })
    expect(sale.url).toBe(`http://localhost/pay/${sale.id}`)
    const id = await choose(sale)
    expect(await read(device, sale)).toMatchObject({ state: 'open', payment: { id } })
    await pay(id, 12_500_000n, 'transfer.seen')
    expect(await read(device, sale)).toMatchObject({ state: 'detected', receiptUrl: null })
    await pay(id, 12_500_000n)
    const paid = await read(device, sale)
    expect(paid).toMatchObject({ state: 'paid', receiptUrl: `http://localhost/pay/${id}/receipt` })
    expect(JSON.stringify(paid)).not.toContain('cs_')
  })

  test('in a currency requests the price, and counts in the day’s total', async () => {
    const device = await openTill({ priceCurrency: 'USD' })
    for (const amount of ['12.50', '0.25']) {
      const sale = await sell(device, amount)
      expect(sale).toMatchObject({ amount: null, price: amount, priceCurrency: 'USD' })
      await pay(await choose(sale), amount === '12.50' ? 12_500_000n : 250_000n)
    }
    await choose(await sell(device, '99'))
    const { body } = await device.ask('GET', `/till/sales?since=${new Date(bff.nowMs() - dayMs).toISOString()}`)
    expect((body['sales'] as Sale[]).map(({ state, price }) => [state, price]).toSorted()).toEqual([
      ['open', '99.00'],
      ['paid', '0.25'],
      ['paid', '12.50'],
    ])
    expect(body['totals']).toEqual([{ currency: 'USD', amount: '12.75', sales: 2 }])
    const later = await device.ask('GET', `/till/sales?since=${new Date(bff.nowMs() + 1).toISOString()}`)
    expect(later.body).toMatchObject({ sales: [], totals: [], isComplete: true })
  })

  test('that is half paid shows the rest, cannot be cancelled, and is paid by the rest', async () => {
    const device = await openTill()
    const sale = await sell(device, '25.00')
    const id = await choose(sale)
    for (const type of ['transfer.seen', 'transfer.confirmed'] as const) {
      await pay(id, 10_000_000n, type)
      const payment = { amountReceived: '10.00', amountRemaining: '15.00' }
      expect([type, await read(device, sale)]).toMatchObject([type, { state: 'partial', payment }])
    }
    const { body } = await device.ask('POST', `/till/sales/${sale.id}/cancel`)
    expect(body['sale']).toMatchObject({ state: 'partial' })
    const rest = { ...transferTo(id, 15_000_000n), logIndex: 1, blockTimeMs: bff.nowMs() }
    await bff.deps.ledger.apply(id, { type: 'transfer.confirmed', transfer: rest, atMs: bff.nowMs() })
    expect((await read(device, sale)).state).toBe('paid')
  })

  test('does not give its payment’s client secret to anyone who guesses the till’s idempotency key', async () => {
    const device = await openTill({ network: 'devnet', currency: 'USDC' })
    const sale = await sell(device)
    for (const guess of [`till ${sale.id}`, sale.id]) {
      const choice = { network: 'devnet', currency: 'USDC' }
      const { body } = await bff.post(`/api/v1/links/public/${sale.id}/create`, choice, { 'Idempotency-Key': guess })
      expect(body.payment).toMatchObject({ id: expect.not.stringMatching(`${sale.payment?.id}`) })
      expect(body.payment['clientSecret']).not.toBe(bff.clientSecretOf(sale.payment?.id))
    }
  })

  test('first requests the till’s token, with an address', async () => {
    const device = await openTill({ network: 'devnet', currency: 'USDC' })
    const sale = await sell(device)
    expect(sale).toMatchObject({ state: 'open', payment: { currency: 'USDC', networkName: 'Devnet', amount: '12.50' } })
    expect(sale.payment?.address).toMatch(/^0x[0-9a-fA-F]{40}$/)
    // The customer may still choose by the link: such a payment counts.
    const chosen = await choose(sale)
    expect(chosen).not.toBe(sale.payment?.id)
    await pay(chosen, 12_500_000n)
    expect(await read(device, sale)).toMatchObject({ state: 'paid', payment: { id: chosen } })
  })

  test('shows the paid payment, or else the one with the most money', async () => {
    const device = await openTill({ network: 'devnet', currency: 'USDC' })
    const sale = await sell(device)
    const [first, second] = [sale.payment?.id as PaymentId, await choose(sale)]
    await pay(first, 9_000_000n, 'transfer.seen')
    expect(await read(device, sale)).toMatchObject({ state: 'partial', payment: { id: first } })
    await pay(second, 11_000_000n, 'transfer.seen')
    expect(await read(device, sale)).toMatchObject({ state: 'partial', payment: { id: second } })
    const rest = { ...transferTo(first, 3_500_000n), logIndex: 1, blockTimeMs: bff.nowMs() }
    await pay(first, 9_000_000n)
    await bff.deps.ledger.apply(first, { type: 'transfer.confirmed', transfer: rest, atMs: bff.nowMs() })
    const more = { ...transferTo(second, 90_000_000n), logIndex: 1, blockTimeMs: bff.nowMs() }
    await bff.deps.ledger.apply(second, { type: 'transfer.seen', transfer: more, atMs: bff.nowMs() })
    expect(await read(device, sale)).toMatchObject({ state: 'paid', payment: { id: first } })
  })

  test('compares money in whole tokens: with 18 decimals a cent has more digits', async () => {
    const device = await openTill({ network: 'devnet', currency: 'USDC' })
    const sale = await sell(device)
    const [cents, most, none] = [sale.payment?.id as PaymentId, await choose(sale), await choose(sale)]
    const set = (id: PaymentId, seen: string, decimals: number) =>
      bff.deps.db.write((tx) =>
        tx.run(sql`
            update payments set seen = ${seen}, token_decimals = ${decimals} where id = ${id}`),
      )
    const shown = async () => (await read(device, sale)).payment?.id
    await set(cents, `50${'0'.repeat(16)}`, 18)
    await set(most, '2000000', 6)
    expect(await shown()).toBe(most)
    await set(most, '0', 6)
    await set(cents, '5', 18)
    expect(await shown()).toBe(cents)
    // The same amount with fewer digits: the newer payment, or else the one with the smaller id.
    await set(cents, '0', 18)
    await set(most, '2000000', 6)
    await set(none, `2${'0'.repeat(18)}`, 18)
    expect(await shown()).toBe([most, none].toSorted()[0])
    await set(none, `2${'0'.repeat(17)}1`, 18)
    expect(await shown()).toBe(none)
    await set(most, '2000001', 6)
    expect(await shown()).toBe(most)
  })

  test('is paid once: the link accepts no payment after that', async () => {
    const device = await openTill()
    const sale = await sell(device)
    await pay(await choose(sale), 12_500_000n)
    const again = await bff.post(`/api/v1/links/public/${sale.id}/create`, { network: 'devnet', currency: 'USDC' })
    expect(again.body['code']).toBe('LINK_CLOSED')
  })

  test('can also lack less than one token', async () => {
    const device = await openTill()
    const sale = await sell(device)
    await pay(await choose(sale), 12_000_000n, 'transfer.seen')
    expect(await read(device, sale)).toMatchObject({ state: 'partial', payment: { amountRemaining: '0.50' } })
  })

  test('is created once, however often the till repeats the same key', async () => {
    const device = await openTill({ network: 'devnet', currency: 'USDC' })
    const first = await sell(device, '12.50', 'key-1')
    const second = await sell(device, '12.50', 'key-1')
    expect([second.id, second.payment?.id]).toEqual([first.id, first.payment?.id])
    const { body } = await device.ask('GET', `/till/sales?since=${new Date(0).toISOString()}`)
    expect(body['sales']).toHaveLength(1)
  })

  test('that cannot be stored leaves no link that could be paid', async () => {
    const device = await openTill()
    await sell(device)
    const { db } = bff.deps
    await db.write((tx) => tx.run(sql`create unique index one_sale on till_sales (till_id)`))
    const { status } = await device.ask('POST', '/till/sales', { amount: '1.00' })
    // The database is handed on to the next test.
    await db.write((tx) => tx.run(sql`drop index one_sale`))
    expect(status).toBe(500)
    expect(await db.read((tx) => tx.all(sql`select id from payment_links`))).toHaveLength(1)
  })

  test('is left out of the list of links that the dashboard shows, however many there are', async () => {
    const device = await openTill()
    const [first, second] = [await makeLink(), await makeLink()]
    for (let sold = 0; sold < 3; sold++) await sell(device)
    const listed = async (query: string) => {
      const { body } = await owner.ask('GET', `/links?${query}`)
      return { ids: (body['links'] as { id: string }[]).map(({ id }) => id), next: body['next'] as string | null }
    }
    const page = await listed('sales=false&limit=1')
    expect(page.ids).toEqual([second])
    expect((await listed(`sales=false&limit=1&before=${page.next}`)).ids).toEqual([first])
    expect((await listed('limit=100')).ids).toHaveLength(5)
  })

  test('is cancelled with its open payments, and then accepts none', async () => {
    const device = await openTill({ network: 'devnet', currency: 'USDC' })
    const sale = await sell(device)
    const { body } = await device.ask('POST', `/till/sales/${sale.id}/cancel`)
    // Money sent to the address from now on would not count for the sale.
    expect(body['sale']).toMatchObject({ state: 'cancelled', payment: { address: null } })
    const status = await bff.read(`/api/v1/payments/${sale.payment?.id}/status`, bff.keys.secret)
    expect(status.body.payment).toMatchObject({ outcome: 'failed' })
    const refused = await bff.post(`/api/v1/links/public/${sale.id}/create`, { network: 'devnet', currency: 'USDC' })
    expect(refused.body['code']).toBe('LINK_CLOSED')
  })

  test('ends after a quarter of an hour', async () => {
    const device = await openTill()
    const sale = await sell(device)
    bff.advance(15 * minuteMs)
    expect((await read(device, sale)).state).toBe('expired')
  })

  test.each(['0', '-1', '1e3', '1,50', '', '1.2345678901'])('of %s is refused', async (amount) => {
    const device = await openTill()
    expect(await answer(device, 'POST', '/till/sales', { amount })).toBe('400 VALIDATION_FAILED')
  })

  test('of a till in test mode moves no money', async () => {
    const device = await pair(await makeInTestMode())
    await enter(device)
    const sale = await sell(device)
    const id = await choose(sale)
    const status = await bff.read(`/api/v1/payments/${id}`, bff.keys.secret)
    expect(status.body.payment).toMatchObject({ isTest: true })
  })

  test('is limited to one in five seconds', async () => {
    const device = await openTill()
    for (let count = 0; count < 180; count++) await sell(device, '1.00')
    expect(await answer(device, 'POST', '/till/sales', { amount: '1.00' })).toBe('429 RATE_LIMITED')
    bff.advance(9 * minuteMs)
    await answer(device, 'GET', `/till/sales?since=${new Date(0).toISOString()}`)
    bff.advance(6 * minuteMs + 1)
    const isComplete = async () =>
      (await device.ask('GET', `/till/sales?since=${new Date(0).toISOString()}`)).body['isComplete']
    for (let count = 181; count < 200; count++) await sell(device, '1.00')
    expect(await isComplete(), '199 of at most 200').toBe(true)
    await sell(device, '1.00')
    expect(await isComplete(), 'there may be more').toBe(false)
  })
})
