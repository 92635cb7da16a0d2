import { type AppFixture, openApp, order, transferTo } from '@stablecoin-checkout/rig/test-app'
import { afterAll, beforeEach, expect, test } from 'vitest'
import type { PaymentId } from '../../payment/payment.ts'
import { dueDeliveries, loadDelivery, saveOutcome } from './delivery-store.ts'

let bff: AppFixture
beforeEach(async () => {
  await bff?.close()
  bff = await openApp({ webhookTargets: 'any' })
})
afterAll(() => bff.close())

const bounds = { perReceiverMax: 10, receiversMax: 100, limit: 100 }
const callbackUrl = 'https://shop.example/webhooks'

/** Two receivers of every event: the payment's callback URL, and an endpoint. */
async function openPayment(): Promise<PaymentId> {
  const init = { method: 'POST', headers: { ...bff.keys.secret, 'Content-Type': 'application/json' } }
  const endpoint = { ...init, body: JSON.stringify({ url: 'https://books.example/webhooks' }) }
  expect((await bff.call('/api/v1/webhooks/endpoints', endpoint)).status).toBe(200)
  const created = await bff.call('/api/v1/deposits/create', {
    ...init,
    body: JSON.stringify({ ...order, callbackUrl }),
  })
  const id = created.body.payment['id'] as PaymentId
  await bff.deps.ledger.apply(id, { type: 'transfer.seen', transfer: transferTo(id, 25_000_000n), atMs: bff.nowMs() })
  return id
}

/** What may be posted now, by receiver. */
async function due(nowMs: number): Promise<Record<string, string[]>> {
  const receivers: Record<string, string[]> = {}
  await bff.deps.db.read(async (tx) => {
    for (const { number } of (await dueDeliveries(tx, nowMs, bounds)).due) {
      const delivery = await loadDelivery(tx, number)
      if (delivery) receivers[delivery.url] = [...(receivers[delivery.url] ?? []), delivery.type]
    }
  })
  return receivers
}

/** The attempt at the receiver's next delivery. @param retryAtMs - Undefined: it was accepted. */
async function attempt(url: string, nowMs: number, retryAtMs?: number): Promise<void> {
  await bff.deps.db.write(async (tx) => {
    for (const { number } of (await dueDeliveries(tx, nowMs, bounds)).due) {
      const delivery = await loadDelivery(tx, number)
      if (delivery?.url !== url) continue
      const isAccepted = retryAtMs === undefined
      await saveOutcome(tx, delivery, {
        ...{ state: isAccepted ? 'delivered' : 'due', dueAtMs: retryAtMs ?? null, code: isAccepted ? 200 : 500 },
        ...{ error: null, answer: '', signature: null, sentAtMs: nowMs, atMs: nowMs },
      })
      return
    }
    throw new Error(`Nothing is due for ${url}`)
  })
}

const books = 'https://books.example/webhooks'

test('a receiver that fails holds up its own later events of the payment, and no other receiver’s', async () => {
  await openPayment()
  const nowMs = bff.nowMs()
  expect(await due(nowMs)).toEqual({ [callbackUrl]: ['payment.created'], [books]: ['payment.created'] })
  await attempt(callbackUrl, nowMs, nowMs + 60_000)
  expect(await due(nowMs)).toEqual({ [books]: ['payment.created'] })
  await attempt(books, nowMs)
  expect(await due(nowMs)).toEqual({ [books]: ['payment.detected'] })
  await attempt(books, nowMs)
  expect(await due(nowMs + 59_999)).toEqual({})
  expect(await due(nowMs + 60_000)).toEqual({ [callbackUrl]: ['payment.created'] })
  await attempt(callbackUrl, nowMs + 60_000)
  expect(await due(nowMs + 60_000)).toEqual({ [callbackUrl]: ['payment.detected'] })
})

test('a receiver that did not take the first event yet does not hold up one that is ahead of it', async () => {
  await openPayment()
  const nowMs = bff.nowMs()
  await attempt(books, nowMs)
  expect(await due(nowMs)).toEqual({ [callbackUrl]: ['payment.created'], [books]: ['payment.detected'] })
})

test('behind the first of a receiver, too, a payment waits for its own events at that receiver alone', async () => {
  await openPayment()
  // A second payment, whose first event another receiver has not taken.
  const init = { method: 'POST', headers: { ...bff.keys.secret, 'Content-Type': 'application/json' } }
  const body = JSON.stringify({ ...order, callbackUrl })
  const second = (await bff.call('/api/v1/deposits/create', { ...init, body })).body.payment['id'] as PaymentId
  const nowMs = bff.nowMs()
  const later = nowMs + 61_000
  // The books refuse the first payment's first event for a minute, and take the second payment's.
  await attempt(books, nowMs, nowMs + 60_000)
  await attempt(books, nowMs)
  await bff.deps.ledger.apply(second, { type: 'transfer.seen', transfer: transferTo(second, 1_000_000n), atMs: later })
  expect(await due(later)).toEqual({
    [callbackUrl]: ['payment.created', 'payment.created'],
    [books]: ['payment.created', 'payment.detected'],
  })
})

test('callbackUrls at hosts without number, which whoever has a public key names, keep no endpoint and no other merchant waiting', async () => {
  const named = (host: string) => bff.post('/api/v1/deposits/create', { ...order, callbackUrl: `https://${host}/` })
  for (let nth = 0; nth < 6; nth++) expect((await named(`${nth}.flood.example`)).status).toBe(200)
  bff.advance(1)
  const ofOther = { ...order, callbackUrl: 'https://other.example/' }
  expect((await bff.post('/api/v1/deposits/create', ofOther, bff.keys.stranger)).status).toBe(200)
  await openPayment()
  const read = await bff.deps.db.read((tx) => dueDeliveries(tx, bff.nowMs(), { ...bounds, limit: 4 }))
  const urls = await bff.deps.db.read(async (tx) => {
    const found = []
    for (const { number } of read.due) found.push((await loadDelivery(tx, number))?.url)
    return found
  })
  expect(urls).toEqual(['https://0.flood.example/', 'https://1.flood.example/', 'https://other.example/', books])
})

test('a read steps through all endpoints, and through a bounded number of the origins that failed, each in its turn', async () => {
  const named = (host: string) => bff.post('/api/v1/deposits/create', { ...order, callbackUrl: `https://${host}/` })
  for (let nth = 0; nth < 6; nth++) expect((await named(`${nth}.flood.example`)).status).toBe(200)
  await openPayment()
  const nowMs = bff.nowMs()
  for (let nth = 0; nth < 5; nth++) await attempt(`https://${nth}.flood.example/`, nowMs, nowMs + 60_000)
  const reads: string[][] = []
  let after = ''
  for (let nth = 0; nth < 4; nth++) {
    const asked = { ...bounds, receiversMax: 3 }
    const { due: found, next } = await bff.deps.db.read((tx) => dueDeliveries(tx, nowMs, asked, after))
    reads.push(
      found.map(
        ({ receiverKey }) =>
          receiverKey
            .replace(/^we_.*/, 'endpoint')
            .split(' ')
            .at(-1) ?? '',
      ),
    )
    after = next
  }
  const pages = [
    ['endpoint'],
    ['https://5.flood.example', 'endpoint'],
    ['https://shop.example', 'endpoint'],
    ['endpoint'],
  ]
  expect(reads.map((urls) => urls.toSorted())).toEqual(pages.map((urls) => urls.toSorted()))
})
