import { accept, answerWith, type Call } from '@stablecoin-checkout/rig/outbox'
import { openApp, order } from '@stablecoin-checkout/rig/test-app'
import { openWebhookStage, type WebhookStage } from '@stablecoin-checkout/rig/webhook-stage'
import { Webhook } from 'standardwebhooks'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { sql } from '../../db/db.ts'

const hourMs = 3_600_000

let stage: WebhookStage

beforeEach(async () => {
  stage = await openWebhookStage()
})
afterEach(() => stage.close())

type Json = Record<string, unknown>

const readEndpoint = async (id: string) =>
  (await stage.ask('GET', `/webhooks/endpoints/${id}`)).body['endpoint'] as Json

/** As a merchant's server does it when the call arrives. */
function isSignedBy(secret: string, { body, headers }: Call): boolean {
  vi.useFakeTimers({ toFake: ['Date'], now: Number(headers['webhook-timestamp']) * 1_000 })
  try {
    new Webhook(secret).verify(body, headers)
    return true
  } catch {
    return false
  } finally {
    vi.useRealTimers()
  }
}

describe('an endpoint', () => {
  test('gets every payment of its merchant, each signed with its own secret', async () => {
    const { secret } = await stage.addEndpoint()
    const other = await stage.addEndpoint({ url: `${stage.shop.url}/other` })
    const id = await stage.newPayment()
    await stage.pay(id)
    await stage.deliverAll()
    const posted = stage.shop.calls.filter(({ path }) => path === '/hooks')
    expect(posted.map(({ event }) => event.type)).toEqual(['payment.created', 'payment.detected', 'payment.completed'])
    for (const call of posted) {
      expect(isSignedBy(secret, call)).toBe(true)
      expect(isSignedBy(other.secret, call)).toBe(false)
    }
    const ids = (path: string) =>
      stage.shop.calls.filter((call) => call.path === path).map((call) => call.headers['webhook-id'])
    expect(ids('/hooks/other')).toEqual(ids('/hooks'))
  })

  test('gets only the events that it asked for, and never of another merchant or of test payments', async () => {
    await stage.addEndpoint({ eventTypes: ['payment.completed'] })
    await stage.bff.create(order, stage.bff.keys.stranger)
    await stage.bff.create(order, stage.bff.keys.test)
    await stage.pay(await stage.newPayment())
    await stage.deliverAll()
    expect(stage.shop.calls.map(({ event }) => event.type)).toEqual(['payment.completed'])
  })

  test('for test payments gets theirs, and of no live one', async () => {
    await stage.addEndpoint({ isTest: true })
    await stage.newPayment()
    const id = (await stage.bff.create(order, stage.bff.keys.test)).body.payment['id']
    await stage.deliverAll()
    expect(stage.shop.calls.map(({ event }) => event.data)).toMatchObject([{ id, isTest: true }])
  })

  test('gets what was due at its new URL when it moves', async () => {
    const { id } = await stage.addEndpoint({ url: `${stage.shop.url}/old` })
    await stage.newPayment()
    await stage.ask('PATCH', `/webhooks/endpoints/${id}`, { url: `${stage.shop.url}/new`, description: 'moved' })
    await stage.deliverAll()
    expect(stage.shop.calls.map(({ path }) => path)).toEqual(['/hooks/new'])
    expect(await readEndpoint(id)).toMatchObject({ description: 'moved', eventTypes: null, enabled: true })
  })

  test('that is switched off is sent nothing, also not what was due, until it is switched on again', async () => {
    const { id } = await stage.addEndpoint()
    await stage.newPayment()
    const off = await stage.ask('PATCH', `/webhooks/endpoints/${id}`, { enabled: false })
    expect(off.body['endpoint']).toMatchObject({ enabled: false, disabledReason: 'merchant' })
    await stage.newPayment()
    await stage.deliverAll()
    expect(stage.shop.calls).toEqual([])
    const on = await stage.ask('PATCH', `/webhooks/endpoints/${id}`, { enabled: true })
    expect(on.body['endpoint']).toMatchObject({ enabled: true, disabledReason: null, disabledAt: null })
    const last = await stage.newPayment()
    await stage.deliverAll()
    expect(stage.shop.calls.map(({ event }) => event.data.id)).toEqual([last])
  })

  test('that is switched off during an attempt keeps what it received', async () => {
    const { id } = await stage.addEndpoint()
    stage.shop.answer = (call, response) => {
      const off = stage.ask('PATCH', `/webhooks/endpoints/${id}`, { enabled: false })
      off.then(
        () => accept(call, response),
        () => response.destroy(),
      )
    }
    await stage.newPayment()
    await stage.deliverAll()
    const { deliveries } = (await stage.ask('GET', '/webhooks/deliveries')).body
    expect(deliveries).toMatchObject([{ state: 'delivered', attempts: [{ code: 204 }] }])
    expect(await readEndpoint(id)).toMatchObject({ enabled: false, disabledReason: 'merchant' })
  })

  test('that is removed is sent nothing more, its secret is forgotten, and its deliveries stay to be seen', async () => {
    const { id } = await stage.addEndpoint()
    await stage.newPayment()
    expect((await stage.ask('DELETE', `/webhooks/endpoints/${id}`)).status).toBe(200)
    await stage.deliverAll()
    expect(stage.shop.calls).toEqual([])
    expect((await stage.ask('GET', `/webhooks/endpoints/${id}`)).status).toBe(404)
    expect((await stage.ask('GET', '/webhooks/endpoints')).body['endpoints']).toEqual([])
    const { deliveries } = (await stage.ask('GET', `/webhooks/deliveries?endpointId=${id}`)).body
    expect(deliveries).toMatchObject([{ state: 'failed', type: 'payment.created' }])
    const rows = await stage.bff.deps.db.read((tx) => tx.all(sql`select secret from webhook_endpoints`))
    expect(rows).toEqual([{ secret: '' }])
  })

  test('that answers 410 is disabled at once, and the merchant can see why', async () => {
    stage.shop.answer = answerWith(410)
    const { id } = await stage.addEndpoint()
    await stage.newPayment()
    await stage.newPayment()
    await stage.deliverAll()
    expect(stage.shop.calls.length).toBeLessThanOrEqual(2)
    expect(await readEndpoint(id)).toMatchObject({
      enabled: false,
      disabledReason: 'gone',
      disabledAt: expect.any(String),
    })
    expect(stage.dispatcher.counts.endpointsDisabled).toBe(1)
    const failed = (await stage.ask('GET', '/webhooks/deliveries?state=failed')).body['deliveries'] as Json[]
    expect(failed).toHaveLength(2)
  })

  test('that did nothing but fail for five days is disabled; one success in between starts the days anew', async () => {
    stage.shop.answer = answerWith(500)
    const { id } = await stage.addEndpoint()
    const failForHours = async (hours: number) => {
      for (let hour = 0; hour < hours; hour += 6) {
        await stage.newPayment()
        await stage.deliverAll()
        stage.bff.advance(6 * hourMs)
      }
    }
    await failForHours(5 * 24 - 6)
    expect(await readEndpoint(id)).toMatchObject({ enabled: true, failingSince: '2026-11-21T12:00:00.000Z' })
    stage.shop.answer = accept
    await stage.newPayment()
    await stage.deliverAll()
    expect(await readEndpoint(id)).toMatchObject({ enabled: true, failingSince: null })
    stage.shop.answer = answerWith(500)
    await failForHours(5 * 24)
    expect(await readEndpoint(id)).toMatchObject({ enabled: true })
    await stage.newPayment()
    await stage.deliverAll()
    expect(await readEndpoint(id)).toMatchObject({ enabled: false, disabledReason: 'failing' })
  })

  test('can be tried: an event of no payment arrives, and differs from a real one', async () => {
    const { id, secret } = await stage.addEndpoint({ eventTypes: ['payment.completed'] })
    const { status, body } = await stage.ask('POST', `/webhooks/endpoints/${id}/test`)
    expect(status, JSON.stringify(body)).toBe(200)
    expect(body['delivery']).toMatchObject({ type: 'webhook.test', state: 'due', paymentId: null })
    await stage.deliverAll()
    const [call] = stage.shop.calls
    expect(call && isSignedBy(secret, call)).toBe(true)
    expect(call?.event).toMatchObject({ type: 'webhook.test', data: { isTest: true } })
    expect((await stage.ask('GET', '/events')).body['events']).toEqual([])
    expect(await stage.bff.deps.db.read((tx) => tx.all(sql`select is_test from events`))).toEqual([{ is_test: 0 }])
    await stage.ask('PATCH', `/webhooks/endpoints/${id}`, { enabled: false })
    // Another change does not enable it.
    await stage.ask('PATCH', `/webhooks/endpoints/${id}`, { description: 'x' })
    const refused = await stage.ask('POST', `/webhooks/endpoints/${id}/test`)
    expect([refused.status, refused.body['code']]).toEqual([409, 'ENDPOINT_DISABLED'])
  })
})

describe('a secret', () => {
  test('that is replaced signs beside the new one for a day', async () => {
    const { id, secret } = await stage.addEndpoint()
    const { body } = await stage.ask('POST', `/webhooks/endpoints/${id}/rotate-secret`, {})
    const next = String(body['secret'])
    expect(body['endpoint']).toMatchObject({ previousSecretExpiresAt: '2026-11-22T12:00:00.000Z' })
    await stage.newPayment()
    await stage.deliverAll()
    stage.bff.advance(24 * hourMs)
    await stage.newPayment()
    await stage.deliverAll()
    const signedBy = stage.shop.calls.map((call) => [isSignedBy(secret, call), isSignedBy(next, call)])
    expect(signedBy[0]).toEqual([true, true])
    const [, later] = stage.shop.calls
    expect(later?.headers['webhook-signature']?.split(' ')).toHaveLength(1)
    expect(later && [isSignedBy(secret, later), isSignedBy(next, later)]).toEqual([false, true])
  })

  test('that is in wrong hands stops to sign at once', async () => {
    const { id, secret } = await stage.addEndpoint()
    const { body } = await stage.ask('POST', `/webhooks/endpoints/${id}/rotate-secret`, { immediately: true })
    await stage.newPayment()
    await stage.deliverAll()
    const [call] = stage.shop.calls
    expect(call && [isSignedBy(secret, call), isSignedBy(String(body['secret']), call)]).toEqual([false, true])
  })

  test('that is in wrong hands is stored no longer, of an endpoint and of the merchant', async () => {
    const { id } = await stage.addEndpoint()
    const { merchantId } = stage.bff.merchant
    for (const path of [`/webhooks/endpoints/${id}/rotate-secret`, '/webhooks/rotate-secret'])
      for (const immediately of [false, true]) expect((await stage.ask('POST', path, { immediately })).status).toBe(200)
    const kept = await stage.bff.deps.db.read(async (tx) => [
      await tx.get(sql`select previous_secret as secret, previous_secret_until_ms as until from webhook_endpoints`),
      await tx.get(sql`
          select previous_webhook_secret as secret, previous_webhook_secret_until_ms as until
            from merchants where id = ${merchantId}`),
    ])
    expect(kept).toEqual([
      { secret: null, until: null },
      { secret: null, until: null },
    ])
  })

  test('of the merchant, for callbackUrls, is replaced in the same way', async () => {
    const before = await stage.ask('POST', '/webhooks/rotate-secret', { immediately: true })
    const after = await stage.ask('POST', '/webhooks/rotate-secret', {})
    await stage.newPayment({ callbackUrl: stage.shop.url })
    await stage.deliverAll()
    const [call] = stage.shop.calls
    for (const { body } of [before, after]) expect(call && isSignedBy(String(body['secret']), call)).toBe(true)
  })

  test('is nowhere in the database, nor in any answer but the one that made it', async () => {
    const { id, secret } = await stage.addEndpoint()
    const rotated = await stage.ask('POST', `/webhooks/endpoints/${id}/rotate-secret`, {})
    const shown = JSON.stringify([await readEndpoint(id), (await stage.ask('GET', '/webhooks/endpoints')).body])
    const rows = JSON.stringify([
      await stage.bff.deps.db.read((tx) => tx.all(sql`select * from webhook_endpoints`)),
      await stage.bff.deps.db.read((tx) => tx.all(sql`select * from merchants`)),
    ])
    expect(rows).not.toContain('whsec_')
    for (const text of [secret, String(rotated.body['secret'])]) {
      expect(shown + rows).not.toContain(text.slice('whsec_'.length))
    }
  })
})

describe('whoever may not', () => {
  test('a public key sees and changes nothing of webhooks', async () => {
    const { id } = await stage.addEndpoint()
    const calls: [string, string, unknown?][] = [
      ['GET', '/webhooks/endpoints'],
      ['POST', '/webhooks/endpoints', { url: stage.shop.url }],
      ['GET', `/webhooks/endpoints/${id}`],
      ['PATCH', `/webhooks/endpoints/${id}`, { enabled: false }],
      ['DELETE', `/webhooks/endpoints/${id}`],
      ['POST', `/webhooks/endpoints/${id}/rotate-secret`, {}],
      ['POST', `/webhooks/endpoints/${id}/test`],
      ['POST', '/webhooks/rotate-secret', {}],
      ['GET', '/webhooks/deliveries'],
      ['POST', '/webhooks/deliveries/1/redeliver'],
      ['POST', '/webhooks/replay', { since: '2026-11-21T00:00:00Z' }],
      ['GET', '/events'],
    ]
    for (const [method, path, body] of calls) {
      const { keys } = stage.bff
      for (const headers of [keys.public, keys.test, { ...keys.secret, ...keys.public }]) {
        const refused = await stage.ask(method, path, body, headers)
        expect([method, path, refused.status, refused.body['code']]).toEqual([method, path, 403, 'API_SECRET_REQUIRED'])
      }
      expect((await stage.ask(method, path, body, {})).status).toBe(401)
    }
    expect(await readEndpoint(id)).toMatchObject({ enabled: true })
  })

  test('another merchant’s endpoint is not there', async () => {
    const { id } = await stage.addEndpoint()
    const { apiKey, apiSecret } = stage.bff.other
    const stranger = { 'X-API-Key': apiKey, 'X-API-Secret': apiSecret }
    for (const [method, path, body] of [
      ['GET', ''],
      ['PATCH', '', { enabled: false }],
      ['DELETE', ''],
      ['POST', '/rotate-secret', {}],
      ['POST', '/test'],
    ] as const) {
      const { status, body: answered } = await stage.ask(method, `/webhooks/endpoints/${id}${path}`, body, stranger)
      expect([method, path, status, answered['code']]).toEqual([method, path, 404, 'ENDPOINT_NOT_FOUND'])
    }
  })

  test.each([
    [{ url: 'nowhere' }, 'url must be an absolute URL'],
    [{ url: 'ftp://shop.example/' }, 'url must begin with https:// or http://'],
    [{ eventTypes: [] }, 'eventTypes must name at least one'],
    [{ eventTypes: ['payment.teleported'] }, 'must be one of payment.created'],
    [{ secret: 'whsec_mine' }, 'secret'],
    [{ description: 'x'.repeat(201) }, 'description must be at most 200 characters'],
  ])('a wrong field is named: %j', async (body, message) => {
    const refused = await stage.ask('POST', '/webhooks/endpoints', { url: stage.shop.url, ...body })
    expect([refused.status, refused.body['code']]).toEqual([400, 'VALIDATION_FAILED'])
    expect(refused.body['message']).toContain(message)
  })

  test('a merchant has at most twenty endpoints', async () => {
    for (let index = 0; index < 20; index += 1) await stage.addEndpoint()
    const refused = await stage.ask('POST', '/webhooks/endpoints', { url: stage.shop.url })
    expect([refused.status, refused.body['code']]).toEqual([409, 'TOO_MANY_ENDPOINTS'])
  })
})

test('an endpoint inside a private network is refused where only public ones are allowed', async () => {
  const strict = await openApp({ webhookTargets: { ports: [443] } })
  const refused = await strict.call('/api/v1/webhooks/endpoints', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...strict.keys.secret },
    body: JSON.stringify({ url: 'https://169.254.169.254/latest' }),
  })
  expect(refused).toMatchObject({
    status: 400,
    body: { message: expect.stringMatching(/^url must be on the public internet/) },
  })
  await strict.close()
})
