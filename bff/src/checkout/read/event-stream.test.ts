import { noRateLimits } from '@stablecoin-checkout/rig/app-defaults'
import { readEvents } from '@stablecoin-checkout/rig/event-reader'
import { type AppFixture, openApp, transferTo } from '@stablecoin-checkout/rig/test-app'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { defaultLimits } from '../../access/limits/rate-limit.ts'
import type { PaymentId } from '../../payment/payment.ts'
import { defaultPace, followPayment, type Snapshot } from './follow-payment.ts'

let fixture: AppFixture
beforeEach(async () => {
  fixture = await openApp({ limits: { ...noRateLimits, streamsPerAddressMax: () => 2 } })
})
afterEach(() => fixture.close())

/** A page that listens. */
const listen = async (id: string, headers: Record<string, string> = {}) =>
  readEvents(await fixture.fetch(`/api/v1/payments/public/${id}/events?include=qr`, { headers }))

const create = async () => String((await fixture.create()).body.payment['id']) as PaymentId
const pay = (id: PaymentId, type: 'transfer.seen' | 'transfer.confirmed') =>
  fixture.deps.ledger.apply(id, { type, transfer: transferTo(id, 25_000_000n), atMs: fixture.nowMs() })
const end = (id: PaymentId) =>
  fixture.deps.ledger.apply(id, {
    type: 'window.ended',
    blockTimeMs: fixture.nowMs() + 1_000_000,
    atMs: fixture.nowMs(),
  })

describe('the events of a payment', () => {
  test('begin with the payment as it is, have each change, and end when it is over', async () => {
    const id = await create()
    const page = await listen(id)
    expect(page.answer.headers.get('Content-Type')).toBe('text/event-stream')
    expect(page.answer.headers.get('Access-Control-Allow-Origin')).toBe('*')
    expect(page.answer.headers.get('X-Accel-Buffering')).toBe('no')
    const first = await page.next()
    const read = (await fixture.call(`/api/v1/payments/public/${id}?include=qr`)).body
    expect(first?.data).toEqual(read)
    await pay(id, 'transfer.seen')
    expect((await page.next())?.data.payment).toMatchObject({ amountDetected: '25.00', outcome: 'pending' })
    await pay(id, 'transfer.confirmed')
    expect((await page.next())?.data.payment).toMatchObject({ outcome: 'paid', settlement: { state: 'settling' } })
    await page.close()
  })

  test('of a payment that is over are sent once, and a client that knows it is asked to stay away', async () => {
    const id = await create()
    await end(id)
    const page = await listen(id)
    const only = await page.next()
    expect(only?.data.payment).toMatchObject({ outcome: 'failed', isFinal: true })
    expect(await page.next()).toBeUndefined()
    const again = await listen(id, { 'Last-Event-ID': only?.id ?? '' })
    expect(again.answer.status).toBe(204)
  })

  test('are taken up where the client has left off', async () => {
    const id = await create()
    const page = await listen(id)
    const first = await page.next()
    await page.close()
    const again = await listen(id, { 'Last-Event-ID': first?.id ?? '' })
    await pay(id, 'transfer.seen')
    expect((await again.next())?.data.payment).toMatchObject({ amountDetected: '25.00' })
    await again.close()
  })

  test('of no payment are an error as everywhere', async () => {
    const { status, body } = await fixture.call('/api/v1/payments/public/7f0f1f4e-6a43-4a2e-9d2b-0a9f6d9d0a11/events')
    expect([status, body['code']]).toEqual([404, 'PAYMENT_NOT_FOUND'])
    expect((await fixture.call('/api/v1/payments/public/seven/events')).status).toBe(400)
  })

  test('are bounded for each address, and a place is free again when a page has gone', async () => {
    expect(defaultLimits.streams).toBe(30)
    const id = await create()
    const [one, two] = [await listen(id), await listen(id)]
    const third = await fixture.call(`/api/v1/payments/public/${id}/events`)
    expect([third.status, third.body['code'], third.headers.get('Retry-After')]).toEqual([429, 'RATE_LIMITED', '30'])
    await one.next()
    await one.close()
    await expect.poll(async () => (await listen(id)).answer.status).toBe(200)
    await two.close()
  })

  test('take no place by HEAD, which reads none', async () => {
    const path = `/api/v1/payments/public/${await create()}/events`
    for (let asked = 0; asked < 3; asked++) {
      expect((await fixture.fetch(path, { method: 'HEAD' })).status).toBe(200)
      const ofMerchant = { method: 'HEAD', headers: fixture.keys.secret }
      expect((await fixture.fetch('/api/v1/payments/events', ofMerchant)).status).toBe(200)
    }
  })
})

describe('a stream', () => {
  const pace = { ...defaultPace, pollMs: 1 }
  const snapshot: Snapshot = { etag: 'a', data: '{}', isOver: false }
  const unchanged = {
    event: 'payment',
    readSnapshot: async () => snapshot,
    listen: () => () => undefined,
  }
  function sink(write: () => Promise<void> = async () => {}) {
    const written: string[] = []
    return {
      written,
      aborted: false,
      writeSSE: async ({ id }: { id: string }) => {
        written.push(id)
        await write()
      },
      write: async (text: string) => written.push(text),
    }
  }

  test('says that it is still there while nothing changes', async () => {
    const to = sink()
    const stopping = new AbortController()
    const following = followPayment(to, unchanged, '', stopping.signal, { ...pace, heartbeatMs: 5 })
    await expect.poll(() => to.written.length).toBeGreaterThan(2)
    stopping.abort()
    await following
    expect(new Set(to.written)).toEqual(new Set(['a', ': still here\n\n']))
  })

  test('ends with the service at once, after its life, and when the client reads no more', async () => {
    const stopping = new AbortController()
    const following = followPayment(sink(), unchanged, '', stopping.signal, { ...pace, pollMs: 60_000 })
    stopping.abort()
    await following
    const { signal } = new AbortController()
    await followPayment(sink(), unchanged, '', signal, { ...pace, lifeMaxMs: 20 })
    const stuck = sink(() => new Promise(() => {}))
    await followPayment(stuck, unchanged, '', signal, { ...pace, writeMaxMs: 10 })
    expect(stuck.written).toEqual(['a'])
  })

  test('ends when its payment is over', async () => {
    const to = sink()
    await followPayment(
      to,
      { ...unchanged, readSnapshot: async () => ({ ...snapshot, isOver: true }) },
      '',
      new AbortController().signal,
      pace,
    )
    expect(to.written).toEqual(['a'])
  })
})
