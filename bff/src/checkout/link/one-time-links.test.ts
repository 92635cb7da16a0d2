import { type AppFixture, openApp, transferTo } from '@stablecoin-checkout/rig/test-app'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PaymentEvent } from '../../payment/event.ts'
import type { PaymentId } from '../../payment/payment.ts'

let bff: AppFixture
beforeAll(async () => {
  bff = await openApp()
})
afterAll(() => bff.close())

const headers = { 'Content-Type': 'application/json' }

async function make(amount: unknown = '25.00') {
  const init = { method: 'POST', headers: { ...headers, ...bff.keys.secret }, body: JSON.stringify({ amount }) }
  const { status, body } = await bff.call('/api/v1/links', init)
  return { status, link: body['link'] as { id: string; amount: string } }
}

async function pay(id: string) {
  const init = { method: 'POST', headers, body: JSON.stringify({ network: 'devnet', currency: 'USDC' }) }
  const { status, body } = await bff.call(`/api/v1/links/public/${id}/create`, init)
  return { status, code: body['code'], id: body.payment?.['id'] as PaymentId }
}

const events = (id: PaymentId, amount: bigint) =>
  (['transfer.seen', 'transfer.confirmed'] as const).map(
    (type): PaymentEvent => ({ type, transfer: transferTo(id, amount), atMs: bff.nowMs() }),
  )

async function apply(id: PaymentId, amount: bigint): Promise<void> {
  for (const event of events(id, amount)) await bff.deps.ledger.apply(id, event)
}

const read = async (id: string) => (await bff.read(`/api/v1/links/${id}`, bff.keys.secret)).body['link']

describe('a link for one payment', () => {
  test.each([1n, 9_000_000n, 24_999_999n])('is not held by a part of the amount: %d', async (part) => {
    const { link } = await make()
    const first = await pay(link.id)
    await apply(first.id, part)
    const second = await pay(link.id)
    expect(second.status).toBe(200)
    await apply(second.id, 25_000_000n)
    expect(await read(link.id)).toMatchObject({ state: 'paid', paid: 1 })
  })

  test('is held by the whole amount before its confirmations, of however many digits', async () => {
    for (const [amount, units] of [
      ['25.00', 25_000_000n],
      ['9.99', 10_000_000n],
    ] as const) {
      const { link } = await make(amount)
      const first = await pay(link.id)
      const [seen] = events(first.id, units)
      if (seen) await bff.deps.ledger.apply(first.id, seen)
      expect(await pay(link.id)).toMatchObject({ status: 409, code: 'LINK_CLOSED' })
    }
  })

  test('that two customers pay in one block has both payments, each with its own money, and no third', async () => {
    const { link } = await make()
    const [one, other] = [await pay(link.id), await pay(link.id)]
    await bff.deps.db.write(async (tx) => {
      for (const { id } of [one, other])
        for (const event of events(id, 25_000_000n)) await bff.deps.ledger.applyIn(tx, id, event)
    })
    for (const { id } of [one, other]) {
      const { payment } = (await bff.read(`/api/v1/payments/${id}`, bff.keys.secret)).body
      expect(payment).toMatchObject({ outcome: 'paid', amountReceived: '25.00', excessOwed: '0.00', linkId: link.id })
    }
    expect(await read(link.id)).toMatchObject({ state: 'paid', paid: 2 })
    expect(await pay(link.id)).toMatchObject({ status: 409, code: 'LINK_CLOSED' })
  })

  test('takes the sum of a JavaScript cart for what it means', async () => {
    expect(await make(0.1 + 0.2)).toMatchObject({ status: 200, link: { amount: '0.3' } })
  })
})
