import { createHmac } from 'node:crypto'
import { openStoreStage, type StoreStage } from '@stablecoin-checkout/rig/store-stage'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Notified, sql } from '../db/db.ts'
import type { PaymentId } from '../payment/payment.ts'
import { signBtcpay } from '../webhook/send/sign.ts'
import { dueInvoices, loadCursor } from './invoice-store.ts'
import { createInvoiceWorker } from './invoice-worker.ts'

let shop: StoreStage
beforeEach(async () => {
  shop = await openStoreStage()
})
afterEach(() => shop.bff.close())

type Body = Record<string, unknown>

const minute = 60_000

/** Events of no payment. */
const storeEvents = (count: number) =>
  shop.bff.deps.db.write(async (tx) => {
    for (let sequence = 1; sequence <= count; sequence++)
      tx.write(sql`insert into events (merchant_id, is_test, sequence, type, body, created_at_ms)
          values (${shop.merchantId}, 0, ${sequence}, 'test', '{}', ${shop.bff.nowMs()})`)
  })

describe('webhooks', () => {
  test('are registered with the secret that was sent, read, changed and removed', async () => {
    const all = `${shop.store}/webhooks`
    const made = await shop.hook()
    expect(made).toEqual({
      id: expect.stringMatching(/^\w+$/),
      enabled: true,
      automaticRedelivery: true,
      url: 'https://shop.example/hook',
      authorizedEvents: { everything: true, specificEvents: [] },
      secret: 'shop-secret',
    })
    expect((await shop.hook({ url: 'https://shop.example/b' })).secret).toMatch(/^[\w-]{27}$/)
    const { secret: _, ...shown } = made
    expect((await shop.ask('GET', all)).body).toContainEqual(shown)
    expect((await shop.ask('GET', `${all}/${made.id}`)).body).toEqual(shown)
    const terms = {
      url: 'https://shop.example/c',
      secret: null,
      authorizedEvents: { everything: false, specificEvents: ['InvoiceSettled'] },
    }
    const { authorizedEvents, url } = terms
    expect((await shop.ask('PUT', `${all}/${made.id}`, terms)).body).toEqual({ ...shown, url, authorizedEvents })
    expect(await shop.ask('DELETE', `${all}/${made.id}`)).toEqual({ status: 200, body: {} })
    expect(await shop.ask('GET', `${all}/${made.id}`)).toMatchObject({
      status: 404,
      body: { code: 'webhook-not-found' },
    })
    for (const url of ['ftp://x', 'x', '', null])
      expect(await shop.ask('POST', all, { url })).toMatchObject({ status: 422, body: [{ path: 'url' }] })
  })

  test('of plug-ins are not among the merchant’s own, nor the other way round', async () => {
    const { id } = await shop.hook()
    const { body } = await shop.bff.read('/api/v1/webhooks/endpoints', shop.bff.keys.secret)
    expect(body['endpoints']).toEqual([])
    expect((await shop.bff.read(`/api/v1/webhooks/endpoints/${id}`, shop.bff.keys.secret)).status).toBe(404)
    const payment = await shop.choose(await shop.invoice())
    await shop.pay(payment, 25_000_000n)
    const { db } = shop.bff.deps
    const rows = await db.read((tx) => tx.all(sql`select type from deliveries where type like 'payment.%'`))
    expect(rows).toEqual([])
    await shop.reports()
    const feed = (await shop.bff.read('/api/v1/events', shop.bff.keys.secret)).body['events'] as { type: string }[]
    expect(feed.filter(({ type }) => type.startsWith('Invoice'))).toEqual([])
  })

  test('report a payment in BTCPay’s order, and the invoice is already in the new state', async () => {
    const { id: webhookId } = await shop.hook()
    const id = await shop.invoice()
    expect(await shop.types()).toEqual(['Created'])
    const payment = await shop.choose(id)
    await shop.pay(payment, 25_000_000n, { isSeen: true })
    const paying = await shop.reports()
    expect(paying.map(({ type }) => type)).toEqual(['InvoiceReceivedPayment', 'InvoiceProcessing'])
    await shop.pay(payment, 25_000_000n)
    const [paid, settled] = await shop.reports()
    expect(paid?.body).toEqual({
      deliveryId: `${id}.4`,
      webhookId,
      originalDeliveryId: `${id}.4`,
      isRedelivery: false,
      type: 'InvoicePaymentSettled',
      timestamp: Math.floor(shop.bff.nowMs() / 1000),
      storeId: shop.merchantId,
      invoiceId: id,
      metadata: { orderId: '1000' },
      afterExpiration: false,
      paymentMethodId: 'USDC-devnet',
      payment: expect.objectContaining({ value: '25.00', status: 'Settled', fee: '0' }),
    })
    expect(settled?.body).toMatchObject({ type: 'InvoiceSettled', manuallyMarked: false, overPaid: false })
    expect(await shop.types()).toEqual([])
  })

  test('report a short, a late and a marked invoice', async () => {
    await shop.hook()
    const id = await shop.invoice()
    const payment = await shop.choose(id)
    await shop.pay(payment, 5_000_000n)
    shop.bff.advance(16 * minute)
    await shop.end(payment)
    const short = await shop.reports()
    expect(short.map(({ type }) => type)).toEqual([
      'InvoiceCreated',
      'InvoiceReceivedPayment',
      'InvoicePaymentSettled',
      'InvoiceExpired',
    ])
    expect(short.at(-1)?.body).toMatchObject({ partiallyPaid: true })
    await shop.pay(payment, 20_000_000n, { isLate: true, nth: 1 })
    const late = await shop.reports()
    expect(late.map(({ body }) => [body['type'], body['afterExpiration']])).toEqual([
      ['InvoiceReceivedPayment', true],
      ['InvoicePaymentSettled', true],
    ])
    await shop.apply(payment, { type: 'late.accepted', atMs: shop.bff.nowMs() })
    expect(await shop.types()).toEqual(['Settled'])
    const marked = await shop.invoice()
    await shop.ask('POST', `${shop.store}/invoices/${marked}/status`, { status: 'Invalid' })
    expect((await shop.reports()).at(-1)?.body).toMatchObject({ type: 'InvoiceInvalid', manuallyMarked: true })
  })

  test('report that an invoice was marked after its creation was reported, though the note of the change was lost', async () => {
    await shop.hook()
    const id = await shop.invoice()
    expect(await shop.types()).toEqual(['Created'])
    await shop.ask('POST', `${shop.store}/invoices/${id}/status`, { status: 'Invalid' })
    expect(await shop.types()).toEqual(['Invalid'])
    expect(await shop.types()).toEqual([])
  })

  test('report an expiry that nothing else brings about', async () => {
    await shop.hook()
    const id = await shop.invoice()
    expect(await shop.types()).toEqual(['Created'])
    shop.bff.advance(15 * minute)
    expect(await shop.types()).toEqual(['Expired'])
    expect(await shop.status(id)).toEqual(['Expired', 'None'])
    shop.bff.advance(15 * minute)
    expect(await shop.types()).toEqual([])
  })

  test('go to those who registered for the event, while they are enabled', async () => {
    const only = { everything: false, specificEvents: ['InvoiceExpired'] }
    await shop.hook({ url: 'https://shop.example/a', authorizedEvents: only })
    await shop.hook({ url: 'https://shop.example/b', enabled: false })
    await shop.invoice()
    expect(await shop.types()).toEqual([])
    shop.bff.advance(15 * minute)
    expect(await shop.types()).toEqual(['Expired'])
  })

  test('are listed with their request, and sent again as another delivery of the same event', async () => {
    const { id: webhookId } = await shop.hook()
    const id = await shop.invoice()
    await shop.reports()
    const all = `${shop.store}/webhooks/${webhookId}/deliveries`
    const [first] = (await shop.ask('GET', `${all}?count=5`)).body as { id: string }[]
    expect(first).toEqual({
      id: `${id}.1`,
      timestamp: expect.any(Number),
      httpCode: null,
      errorMessage: null,
      status: 'Failed',
    })
    expect((await shop.ask('GET', `${all}/${id}.1`)).body).toEqual(first)
    const request = (await shop.ask('GET', `${all}/${id}.1/request`)).body as Body
    expect(request).toMatchObject({ type: 'InvoiceCreated', deliveryId: `${id}.1`, isRedelivery: false })
    expect(await shop.ask('POST', `${all}/${id}.1/redeliver`)).toEqual({ status: 200, body: `${id}.2` })
    const again = (await shop.ask('GET', `${all}/${id}.2/request`)).body
    expect(again).toEqual({ ...request, deliveryId: `${id}.2`, isRedelivery: true })
    for (const bad of ['x', `${id}.9`, 'pl_x.1'])
      expect(await shop.ask('POST', `${all}/${bad}/redeliver`)).toMatchObject({ status: 404 })
  })

  test('are sent again as often as asked, each with a number of its own, and not while they are disabled', async () => {
    const { id: webhookId } = await shop.hook()
    const id = await shop.invoice()
    await shop.reports()
    const one = `${shop.store}/webhooks/${webhookId}`
    const again = () => shop.ask('POST', `${one}/deliveries/${id}.1/redeliver`)
    expect([(await again()).body, (await again()).body]).toEqual([`${id}.2`, `${id}.3`])
    await shop.pay(await shop.choose(id), 25_000_000n)
    expect((await shop.reports()).map(({ body }) => body['deliveryId'])).toContain(`${id}.4`)
    await shop.ask('PUT', one, { url: 'https://shop.example/hook', enabled: false })
    expect(await again()).toMatchObject({ status: 400, body: { code: 'webhook-disabled' } })
    await shop.ask('PUT', one, { url: 'https://shop.example/hook', enabled: true })
    expect(await again()).toMatchObject({ status: 200 })
  })

  test('show no delivery of another webhook, and send none of another again', async () => {
    const [one, other] = [await shop.hook(), await shop.hook({ url: 'https://shop.example/other' })]
    const id = await shop.invoice()
    await shop.reports()
    const deliveriesOf = async (hook: string) =>
      (await shop.ask('GET', `${shop.store}/webhooks/${hook}/deliveries`)).body as { id: string }[]
    const [[own], [foreign]] = [await deliveriesOf(one.id), await deliveriesOf(other.id)]
    expect([own?.id, foreign?.id].sort()).toEqual([`${id}.1`, `${id}.2`])
    const path = `${shop.store}/webhooks/${one.id}/deliveries`
    expect((await shop.ask('GET', `${path}/${own?.id}`)).status).toBe(200)
    const missing = { status: 404, body: { code: 'delivery-not-found' } }
    expect(await shop.ask('GET', `${path}/${foreign?.id}`)).toMatchObject(missing)
    expect(await shop.ask('GET', `${path}/${foreign?.id}/request`)).toMatchObject(missing)
    expect(await shop.ask('POST', `${path}/${foreign?.id}/redeliver`)).toMatchObject(missing)
  })

  test('that failed for days are not switched off by the next failure once they are enabled again', async () => {
    const { id } = await shop.hook()
    const { db } = shop.bff.deps
    await db.write((tx) =>
      tx.run(sql`
          update webhook_endpoints set disabled_reason = 'failing', disabled_at_ms = 2, failing_since_ms = 1 where id = ${id}`),
    )
    const terms = { url: 'https://shop.example/hook', enabled: true }
    expect((await shop.ask('PUT', `${shop.store}/webhooks/${id}`, terms)).body).toMatchObject({ enabled: true })
    const row = await db.read((tx) =>
      tx.get(sql`select disabled_reason, disabled_at_ms, failing_since_ms from webhook_endpoints where id = ${id}`),
    )
    expect(row).toEqual({ disabled_reason: null, disabled_at_ms: null, failing_since_ms: null })
  })

  test('leave no secret behind when they are removed', async () => {
    const { id } = await shop.hook()
    const secretOf = () =>
      shop.bff.deps.db.read((tx) =>
        tx.get<{ secret: string }>(sql`select secret from webhook_endpoints where id = ${id}`),
      )
    expect((await secretOf())?.secret).not.toBe('')
    await shop.ask('DELETE', `${shop.store}/webhooks/${id}`)
    expect(await secretOf()).toEqual({ secret: '' })
  })

  test('keep their secret from other keys of the merchant, also when they are changed', async () => {
    const { id } = await shop.hook()
    const { apiKey } = await shop.pair()
    const one = `${shop.store}/webhooks/${id}`
    const terms = { url: 'https://collector.example/taken' }
    for (const [method, path, body] of [
      ['GET', `${shop.store}/webhooks`],
      ['GET', one],
      ['PUT', one, terms],
      ['PUT', one, { ...terms, secret: '' }],
    ] as const) {
      const answer = await shop.ask(method, path, body, apiKey)
      expect(answer.status).toBe(200)
      expect(JSON.stringify(answer.body)).not.toContain('secret')
    }
  })

  test('end with the last pairing', async () => {
    await shop.hook()
    const { body } = await shop.owner.ask('GET', '/dashboard/stores')
    for (const { id } of body['stores'] as { id: string }[])
      await shop.owner.confirm('DELETE', `/dashboard/stores/${id}`)
    expect((await shop.owner.ask('GET', '/dashboard/stores')).body['webhooks']).toEqual([])
  })

  test('end with the key that registered or took them over, unless the same shop has another key', async () => {
    const { apiKey } = await shop.pair()
    const all = `${shop.store}/webhooks`
    const register = (url: string, key: string) => shop.ask('POST', all, { url }, key)
    await register('https://shop.example/kept', apiKey)
    await register('https://collector.example/all', apiKey)
    const { id } = await shop.hook({ url: 'https://second.example/hook' })
    await shop.hook({ url: 'https://third.example/hook' })
    await shop.ask('PUT', `${all}/${id}`, { url: 'https://collector.example/taken' }, apiKey)
    expect((await shop.ask('DELETE', '/api-keys/current', undefined, apiKey)).status).toBe(200)
    const left = (await shop.ask('GET', all)).body as { url: string }[]
    expect(left.map(({ url }) => url).sort()).toEqual(['https://shop.example/kept', 'https://third.example/hook'])
    await shop.ask('DELETE', '/api-keys/current')
    expect((await shop.owner.ask('GET', '/dashboard/stores')).body['webhooks']).toEqual([])
  })

  test('are signed as BTCPay signs, over the bytes that are sent', () => {
    const expected = createHmac('sha256', 'any text').update('{"a":1}').digest('hex')
    expect(signBtcpay('any text', '{"a":1}')).toBe(`sha256=${expected}`)
    expect(signBtcpay('another', '{"a":1}')).not.toBe(`sha256=${expected}`)
  })

  test('an invoice that cannot be read holds up no other, and is reported once it can', async () => {
    await shop.hook()
    const [broken, well] = [await shop.invoice(), await shop.invoice()]
    await shop.reports()
    const payments = [await shop.choose(broken), await shop.choose(well)]
    const setMetadata = (metadata: string | null) =>
      shop.bff.deps.db.write((tx) =>
        tx.run(sql`update payments set metadata = ${metadata} where id = ${payments[0] ?? null}`),
      )
    for (const payment of payments) await shop.pay(payment, 25_000_000n)
    await setMetadata('{')
    const paid = ['InvoiceReceivedPayment', 'InvoiceProcessing', 'InvoicePaymentSettled', 'InvoiceSettled']
    expect((await shop.reports()).map(({ type, body }) => [type, body['invoiceId']])).toEqual(
      paid.map((type) => [type, well]),
    )
    await setMetadata(null)
    shop.bff.advance(minute)
    expect((await shop.reports()).map(({ type, body }) => [type, body['invoiceId']])).toEqual(
      paid.map((type) => [type, broken]),
    )
  })

  test('a worker that was killed reports nothing twice, and nothing is lost that changed meanwhile', async () => {
    await shop.hook()
    const id = await shop.invoice()
    await shop.reports()
    const payment = (await shop.choose(id)) as PaymentId
    await shop.pay(payment, 25_000_000n)
    const { db, runtime, log } = shop.bff.deps
    const killed = createInvoiceWorker({
      db: { ...db, write: () => Promise.reject(new Error('killed')) },
      runtime,
      log,
    })
    await expect(killed.pass()).rejects.toThrow('killed')
    expect(await shop.types()).toEqual(['ReceivedPayment', 'Processing', 'PaymentSettled', 'Settled'])
    expect(await shop.types()).toEqual([])
  })

  test('a worker whose commit failed goes on from the events before it', async () => {
    await shop.hook()
    const payment = await shop.choose(await shop.invoice())
    const { db, runtime, log } = shop.bff.deps
    let isDown = false
    const write: typeof db.write = (work) => (isDown ? Promise.reject(new Error('down')) : db.write(work))
    const worker = createInvoiceWorker({ db: { ...db, write }, runtime, log })
    while (await worker.pass());
    await shop.pay(payment, 25_000_000n)
    isDown = true
    await expect(worker.pass()).rejects.toThrow('down')
    isDown = false
    await worker.pass()
    // Read here: another worker would begin at the cursor in the database.
    const rows = await db.read((tx) => tx.all(sql`select type from events where type = 'InvoiceSettled'`))
    expect(rows).toHaveLength(1)
  })

  test('a change that is notified is reported before a day’s events that are no store’s', async () => {
    await shop.hook()
    const payment = await shop.choose(await shop.invoice())
    await shop.reports()
    const { db, runtime, log } = shop.bff.deps
    let notify: (ids: Notified) => void = () => undefined
    const listen: typeof db.listen = (heard) => {
      notify = heard
      return () => undefined
    }
    const worker = createInvoiceWorker({ db: { ...db, listen }, runtime, log })
    await worker.run(AbortSignal.abort())
    await storeEvents(500)
    await shop.pay(payment, 25_000_000n, { isSeen: true })
    notify(new Set([payment]))
    await worker.pass()
    const rows = await db.read((tx) => tx.all(sql`select type from events where type = 'InvoiceProcessing'`))
    expect(rows).toHaveLength(1)
  })

  test('a worker that starts again reads none of the events that are no store’s a second time, but for the last few', async () => {
    await shop.reports()
    const { db, runtime, log } = shop.bff.deps
    const worker = createInvoiceWorker({ db, runtime, log })
    const [before] = [await db.write(loadCursor), await storeEvents(501)]
    expect([await worker.pass(), await worker.pass()]).toEqual([true, false])
    expect(await db.write(loadCursor)).toBe(before + 500)
  })

  test('a paid invoice is not looked at again when its time ends', async () => {
    await shop.hook()
    const id = await shop.invoice()
    await shop.reports()
    const { db } = shop.bff.deps
    const due = () => db.read((tx) => dueInvoices(tx, Number.MAX_SAFE_INTEGER, 10))
    expect(await due()).toEqual([id])
    await shop.pay(await shop.choose(id), 25_000_000n)
    await shop.reports()
    expect(await due()).toEqual([])
  })

  test('more invoices than one commit reports are all reported, whatever else happens after them', async () => {
    const ids: string[] = []
    for (let nth = 0; nth < 51; nth++) ids.push(await shop.invoice())
    const payments = await Promise.all(ids.map((id) => shop.choose(id)))
    await shop.reports()
    await shop.hook()
    for (const payment of payments) await shop.pay(payment, 25_000_000n, { isSeen: true })
    await shop.pay(payments[0] as PaymentId, 25_000_000n)
    const paid = (await shop.reports()).filter(({ type }) => type === 'InvoiceProcessing')
    expect(paid.map(({ body }) => body['invoiceId']).sort()).toEqual([...ids].sort())
  })
})
