import { accept, answerWith } from '@stablecoin-checkout/rig/outbox'
import { openWebhookStage, type WebhookStage } from '@stablecoin-checkout/rig/webhook-stage'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '../../db/db.ts'
import type { PaymentId } from '../../payment/payment.ts'

const noon = '2026-11-21T12:00:00.000Z'

let stage: WebhookStage

beforeEach(async () => {
  stage = await openWebhookStage()
})
afterEach(() => stage.close())

type Json = Record<string, unknown>

const deliveries = async (query = '') =>
  (await stage.ask('GET', `/webhooks/deliveries${query}`)).body['deliveries'] as (Json & {
    id: string
    attempts: Json[]
  })[]
const events = async (query = '') => {
  const { status, body } = await stage.ask('GET', `/events${query}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body as Json as { events: (Json & { timestamp: string; data: Json })[]; next: string; hasMore: boolean }
}
const replay = async (body: Json) => {
  const answered = await stage.ask('POST', '/webhooks/replay', body)
  expect(answered.status, JSON.stringify(answered.body)).toBe(200)
  return answered.body as { replayed?: number; next?: string | null }
}
const addEndpoint = async (body?: Json) => (await stage.addEndpoint(body)).id
const posted = () => stage.shop.calls.map(({ event }) => event.type)

describe('the deliveries', () => {
  test('show every try with its code, time and the first 2 kB of the answer', async () => {
    stage.shop.answer = (_call, response) => response.writeHead(500).end(`<h1>Oops</h1>${'x'.repeat(5_000)}\0`)
    const id = await stage.newPayment({ callbackUrl: stage.shop.url })
    await stage.deliverAll()
    stage.bff.advance(10_000)
    stage.shop.answer = (_call, response) => response.writeHead(200).end('nul \0 ends here')
    await stage.deliverAll()
    const [delivery, ...others] = await deliveries()
    expect(others).toEqual([])
    expect(delivery).toMatchObject({
      messageId: `msg_${id}_1`,
      type: 'payment.created',
      paymentId: id,
      sequence: 1,
      endpointId: null,
      url: stage.shop.url,
      state: 'delivered',
      attemptCount: 2,
      nextAttemptAt: null,
      doneAt: '2026-11-21T12:00:10.000Z',
      attempts: [
        { number: 1, sentAt: noon, code: 500, error: null },
        { number: 2, sentAt: '2026-11-21T12:00:10.000Z', code: 200, answer: 'nul \ufffd ends here' },
      ],
    })
    expect(String(delivery?.attempts[0]?.['answer'])).toHaveLength(2_048)
    expect(delivery?.attempts[0]?.['answer']).toMatch(/^<h1>Oops<\/h1>xxx/)
  })

  test('say why there was no answer, and when the next try is', async () => {
    await stage.newPayment({ callbackUrl: 'http://127.0.0.1:1/' })
    await stage.deliverAll()
    expect(await deliveries()).toMatchObject([
      {
        state: 'due',
        attempts: [{ code: null, error: 'ECONNREFUSED', answer: '' }],
        nextAttemptAt: expect.any(String),
      },
    ])
  })

  test('are listed newest first, page by page, and by endpoint, payment, type, state and time', async () => {
    const endpoint = await addEndpoint()
    const ids: string[] = []
    for (let index = 0; index < 5; index += 1) ids.push(await stage.newPayment())
    await stage.pay(ids[0] ?? '')
    const first = await stage.ask('GET', '/webhooks/deliveries?limit=3')
    const second = await stage.ask('GET', `/webhooks/deliveries?limit=50&before=${first.body['next']}`)
    const page = (body: Json) => (body['deliveries'] as Json[]).map(({ type, paymentId }) => [type, paymentId])
    expect([...page(first.body), ...page(second.body)]).toEqual([
      ['payment.completed', ids[0]],
      ['payment.detected', ids[0]],
      ...ids.reverse().map((id) => ['payment.created', id]),
    ])
    expect(second.body['next']).toBeNull()
    expect(await deliveries(`?paymentId=${ids.at(-1)}`)).toHaveLength(3)
    expect(await deliveries('?type=payment.completed')).toHaveLength(1)
    expect(await deliveries(`?endpointId=${endpoint}&state=due`)).toHaveLength(7)
    expect(await deliveries('?state=failed')).toEqual([])
    expect(await deliveries('?isTest=true')).toEqual([])
    expect(await deliveries('?since=2026-11-21T12:00:00Z&limit=50')).toHaveLength(7)
    expect(await deliveries('?since=2026-11-21T12:00:00.001Z')).toEqual([])
  })

  test('show the request as the receiver got it: each body to the byte, each attempt with its signature, no secret', async () => {
    stage.shop.answer = answerWith(500)
    const { id: endpointId, secret } = await stage.addEndpoint()
    await stage.newPayment({ metadata: { note: 'Grüße ☕', list: '"quoted"' } })
    const [{ id } = { id: '' }] = await deliveries(`?endpointId=${endpointId}`)
    const request = async () => (await stage.ask('GET', `/webhooks/deliveries/${id}/request`)).body['request'] as Json
    const before = await request()
    expect(before).toMatchObject({ method: 'POST', url: stage.shop.url, isCut: false, attempts: [] })
    await stage.deliverAll()
    stage.bff.advance(10_000)
    stage.shop.answer = accept
    await stage.deliverAll()
    const shown = await request()
    const calls = stage.shop.calls
    expect(calls).toHaveLength(2)
    expect(shown['body']).toBe(before['body'])
    expect(shown['bodyBytes']).toBe(Buffer.byteLength(String(shown['body'])))
    const attempts = shown['attempts'] as { headers: Record<string, string> }[]
    for (const [index, { body, headers }] of calls.entries()) {
      expect(body).toBe(shown['body'])
      expect(headers).toMatchObject({ ...(shown['headers'] as Json), ...attempts[index]?.headers })
    }
    expect(attempts[0]?.headers['webhook-timestamp']).not.toBe(attempts[1]?.headers['webhook-timestamp'])
    expect(JSON.stringify(shown)).not.toContain(secret.slice('whsec_'.length))
  })

  test('show no signature of an attempt that posted nothing, and a long body as far as the bound', async () => {
    const endpointId = await addEndpoint()
    const paymentId = await stage.newPayment()
    await stage.bff.deps.db.write(async (tx) => {
      await tx.run(sql`update deliveries set url = 'ftp://shop.example/' where endpoint_id = ${endpointId}`)
      await tx.run(sql`update events set body = ${'ü'.repeat(65_537)} where payment_id = ${paymentId}`)
    })
    await stage.deliverAll()
    const [{ id } = { id: '' }] = await deliveries(`?endpointId=${endpointId}`)
    const { body } = await stage.ask('GET', `/webhooks/deliveries/${id}/request`)
    expect(body['request']).toMatchObject({ bodyBytes: 131_074, isCut: true, attempts: [{ number: 1, headers: null }] })
    expect((body['request'] as Json)['body']).toBe('ü'.repeat(65_536))
  })

  test('show where each attempt was sent, also after the endpoint has moved', async () => {
    stage.shop.answer = answerWith(500)
    const endpointId = await addEndpoint()
    await stage.newPayment()
    await stage.deliverAll()
    const moved = `${stage.shop.url}/moved`
    const patched = await stage.ask('PATCH', `/webhooks/endpoints/${endpointId}`, { url: moved })
    expect(patched.status, JSON.stringify(patched.body)).toBe(200)
    const [{ id } = { id: '' }] = await deliveries()
    await stage.ask('POST', `/webhooks/deliveries/${id}/redeliver`)
    await stage.deliverAll()
    const sent = [
      { number: 1, url: stage.shop.url },
      { number: 2, url: moved },
    ]
    expect(await deliveries()).toMatchObject([{ url: moved, attempts: sent }])
    const { body } = await stage.ask('GET', `/webhooks/deliveries/${id}/request`)
    expect(body['request']).toMatchObject({ url: moved, attempts: sent })
    await stage.bff.deps.db.write((tx) => tx.run(sql`update attempts set url = null where number = 1`))
    expect(await deliveries(), 'of a version before URLs were kept').toMatchObject([
      { attempts: [{ number: 1, url: null }, { url: moved }] },
    ])
  })

  test('of another merchant cannot be seen or sent again', async () => {
    await stage.newPayment({ callbackUrl: stage.shop.url })
    const [delivery] = await deliveries()
    const { apiKey, apiSecret } = stage.bff.other
    const stranger = { 'X-API-Key': apiKey, 'X-API-Secret': apiSecret }
    expect((await stage.ask('GET', '/webhooks/deliveries', undefined, stranger)).body['deliveries']).toEqual([])
    const refused = await stage.ask('POST', `/webhooks/deliveries/${delivery?.id}/redeliver`, undefined, stranger)
    expect([refused.status, refused.body['code']]).toEqual([404, 'DELIVERY_NOT_FOUND'])
    const unseen = await stage.ask('GET', `/webhooks/deliveries/${delivery?.id}/request`, undefined, stranger)
    expect([unseen.status, unseen.body['code']]).toEqual([404, 'DELIVERY_NOT_FOUND'])
  })
})

describe('sending again', () => {
  test('one that was given up comes again, under its id, and with ten tries before it', async () => {
    stage.shop.answer = answerWith(410)
    await stage.newPayment({ callbackUrl: stage.shop.url })
    await stage.deliverAll()
    const [given] = await deliveries('?state=failed')
    stage.shop.answer = answerWith(500)
    const { body } = await stage.ask('POST', `/webhooks/deliveries/${given?.id}/redeliver`)
    expect(body['delivery']).toMatchObject({ state: 'due', doneAt: null, attemptCount: 1 })
    for (let hour = 0; hour < 100; hour += 1) {
      await stage.deliverAll()
      stage.bff.advance(3_600_000)
    }
    expect(stage.shop.calls).toHaveLength(11)
    expect(new Set(stage.shop.calls.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    const [last] = await deliveries('?state=failed')
    expect(last).toMatchObject({ attemptCount: 11 })
    expect(last?.attempts.map(({ number }) => number)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
  })

  test('everything since a time goes to an endpoint that was not there yet, in order', async () => {
    const early = await stage.newPayment()
    await stage.pay(early)
    stage.bff.advance(3_600_000)
    const late = await stage.newPayment()
    await stage.pay(late)
    const endpointId = await addEndpoint({ eventTypes: ['payment.created', 'payment.completed'] })
    const since = '2026-11-21T12:30:00Z'
    expect(await replay({ since, endpointId })).toMatchObject({ replayed: 2, next: null })
    await stage.deliverAll()
    expect(stage.shop.calls.map(({ event }) => [event.type, event.data.id])).toEqual([
      ['payment.created', late],
      ['payment.completed', late],
    ])
    // What was posted to nobody at the time is posted as it was then.
    expect(stage.shop.calls[0]?.event.data).toMatchObject({
      outcome: 'pending',
      amountReceived: null,
      status: 'pending',
    })
    expect(await replay({ since, endpointId, only: 'undelivered' })).toMatchObject({ replayed: 0 })
    expect(await replay({ since, until: '2026-11-21T12:45:00Z', endpointId })).toMatchObject({ replayed: 0 })
    expect(await replay({ since: noon, endpointId })).toMatchObject({ replayed: 4 })
  })

  test('everything that was owed since a time goes again to where it was owed, what is disabled left out', async () => {
    stage.shop.answer = answerWith(410)
    const endpointId = await addEndpoint()
    await stage.newPayment({ callbackUrl: `${stage.shop.url}/callback` })
    await stage.deliverAll()
    expect(await deliveries('?state=failed')).toHaveLength(2)
    stage.shop.answer = accept
    stage.shop.calls.length = 0
    expect(await replay({ since: noon, only: 'undelivered' })).toMatchObject({ replayed: 1, next: null })
    await stage.deliverAll()
    expect(stage.shop.calls.map(({ path }) => path)).toEqual(['/hooks/callback'])
    expect((await stage.ask('POST', '/webhooks/replay', { since: noon, endpointId })).body['code']).toBe(
      'ENDPOINT_DISABLED',
    )
    await stage.ask('PATCH', `/webhooks/endpoints/${endpointId}`, { enabled: true })
    expect(await replay({ since: noon, only: 'undelivered' })).toMatchObject({ replayed: 1 })
    expect(await replay({ since: noon })).toMatchObject({ replayed: 2 })
  })

  test('a long time is replayed in bounded parts, each event once', async () => {
    const endpointId = await addEndpoint()
    for (let index = 0; index < 1_100; index += 50) {
      await Promise.all(Array.from({ length: 50 }, () => stage.newPayment()))
    }
    await stage.bff.deps.db.write((tx) => tx.run(sql`update deliveries set state = 'delivered'`))
    for (const order of [{ since: noon, endpointId }, { since: noon }]) {
      const parts: (number | undefined)[] = []
      let after: string | null | undefined
      do {
        const { replayed, next }: Awaited<ReturnType<typeof replay>> = await replay({
          ...order,
          ...(after && { after }),
        })
        parts.push(replayed)
        after = next
      } while (after)
      expect(parts).toEqual([500, 500, 100])
    }
  })

  test('a time that is none, and one that ends before it begins, are refused', async () => {
    for (const body of [{}, { since: 'yesterday' }, { since: noon, until: noon }, { since: noon, after: '-1' }]) {
      expect((await stage.ask('POST', '/webhooks/replay', body)).status).toBe(400)
    }
    expect((await stage.ask('POST', '/webhooks/replay', { since: noon, endpointId: 'we_nobody' })).status).toBe(404)
  })
})

describe('the feed', () => {
  test('has every event of a merchant who receives no calls, in order, exactly once', async () => {
    const ids = [await stage.newPayment({ metadata: { cart: 7 } }), await stage.newPayment()]
    await stage.pay(ids[1] ?? '')
    await stage.newPayment({}, stage.bff.keys.stranger)
    await stage.newPayment({}, stage.bff.keys.test)
    const seen: (readonly [unknown, unknown, unknown])[] = []
    let after = '0'
    for (let page = 0; page < 4; page += 1) {
      const answered = await events(`?limit=1&after=${after}`)
      for (const { type, data } of answered.events) seen.push([type, data['id'], data['sequence']])
      expect(answered.hasMore).toBe(true)
      after = answered.next
    }
    expect(seen).toEqual([
      ['payment.created', ids[0], 1],
      ['payment.created', ids[1], 1],
      ['payment.detected', ids[1], 2],
      ['payment.completed', ids[1], 3],
    ])
    expect(await events(`?after=${after}`)).toMatchObject({ events: [], next: after, hasMore: false })
    expect((await events('?types=payment.completed,payment.detected')).events).toHaveLength(2)
    expect((await events('?isTest=true')).events).toMatchObject([{ data: { isTest: true } }])
    expect((await stage.ask('GET', '/events?types=nothing')).status).toBe(400)
  })

  test('shows what was posted: the same id, and the same content, whether or not anybody was called', async () => {
    const [silentId, toldId] = [
      await stage.newPayment({ orderId: 'a' }),
      await stage.newPayment({ orderId: 'b', callbackUrl: stage.shop.url }),
    ]
    for (const id of [silentId, toldId]) await stage.pay(id)
    const id = toldId as PaymentId
    await stage.bff.deps.ledger.apply(id, { type: 'sweep.confirmed', txId: '0xaa', atMs: stage.bff.nowMs() })
    await stage.deliverAll()
    const { events: all } = await events('?limit=100')
    const ofTold = all.filter(({ data }) => data['id'] === toldId)
    expect(ofTold.map(({ id: messageId, type, data }) => ({ messageId, type, data }))).toEqual(
      stage.shop.calls.map(({ headers, event }) => ({
        messageId: headers['webhook-id'],
        type: event.type,
        data: event.data,
      })),
    )
    // The event of a creation that was posted to nobody is made when it is asked for: as it would have been sent then.
    const created = (orderId: string) =>
      all.find(({ type, data }) => type === 'payment.created' && data['orderId'] === orderId)
    const own = (payment: Json | undefined) => {
      const kept = Object.entries(payment ?? {}).filter(
        ([name]) =>
          !['id', 'paymentId', 'orderId', 'callbackUrl', 'depositAddress', 'explorer', 'paymentUri'].includes(name),
      )
      return Object.fromEntries(kept)
    }
    expect(own(created('a')?.data)).toEqual(own(created('b')?.data))
    expect(created('a')?.timestamp).toBe(noon)
  })

  test('keeps an event that happens while it is being read', async () => {
    const { next } = await events()
    const id = await stage.newPayment()
    expect((await events(`?after=${next}`)).events).toMatchObject([{ data: { id } }])
  })
})

test('what has arrived is listed in the order in which it happened', async () => {
  await addEndpoint()
  await stage.pay(await stage.newPayment())
  await stage.deliverAll()
  expect(posted()).toEqual(['payment.created', 'payment.detected', 'payment.completed'])
})
