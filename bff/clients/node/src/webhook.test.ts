import { createHmac } from 'node:crypto'
import { signWebhook } from '@stablecoin-checkout/bff/testing/webhook'
import { afterEach, expect, test, vi } from 'vitest'
import { verifyWebhook, WebhookVerificationError } from './index.ts'

afterEach(() => vi.useRealTimers())

const secret = `whsec_${createHmac('sha256', 'of the test').digest('base64')}`
const nowMs = Date.parse('2026-11-21T12:00:00Z')
const body = JSON.stringify({
  type: 'payment.completed',
  timestamp: '2026-11-21T12:00:00.000Z',
  data: { id: '7f0f1f4e-6a43-4a2e-9d2b-0a9f6d9d0a11', outcome: 'paid', sequence: 3 },
})

/** Headers as the service signs them. */
function signed(text = body, sentAtMs = nowMs) {
  vi.useFakeTimers({ now: nowMs, toFake: ['Date'] })
  const seconds = sentAtMs / 1_000
  return {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(seconds),
    'webhook-signature': signWebhook(secret, 'msg_1', seconds, text),
  }
}

test('an event is returned with the type of its data', () => {
  const event = verifyWebhook({ secret, body, headers: signed() })
  if (event.type === 'webhook.test') return expect.unreachable()
  expect([event.type, event.data.outcome, event.data.sequence]).toEqual(['payment.completed', 'paid', 3])
})

test('bytes, and the headers of a request', () => {
  const bytes = new TextEncoder().encode(body)
  expect(verifyWebhook({ secret, body: bytes, headers: new Headers(signed()) }).type).toBe('payment.completed')
})

test('one signature of several, as while a secret is replaced', () => {
  const headers = signed()
  const several = { ...headers, 'webhook-signature': `v1,AAAA ${headers['webhook-signature']}` }
  expect(verifyWebhook({ secret, body, headers: several }).type).toBe('payment.completed')
})

test.each([
  ['another body', { body: body.replace('paid', 'open') }],
  ['another secret', { secret: `whsec_${Buffer.alloc(32, 1).toString('base64')}` }],
  ['no headers', { headers: {} }],
  ['six minutes old', { headers: signed(body, nowMs - 360_000) }],
])('%s: refused', (_, changes) => {
  expect(() => verifyWebhook({ secret, body, headers: signed(), ...changes })).toThrow(WebhookVerificationError)
})

test.each([
  ['a body that was parsed', { body: JSON.parse(body) }, 'body must be the raw body'],
  ['no body', { body: undefined }, 'body must be the raw body'],
  ['no secret, as of a variable that is not set', { secret: '' }, 'secret must be a webhook secret'],
  ['an API secret', { secret: 'sk_4fj2X0mQv7bN1sKz' }, 'secret must be a webhook secret'],
])('%s: a fault of the program, which names the field', (_, changes, message) => {
  expect(() => verifyWebhook({ secret, body, headers: signed(), ...changes })).toThrow(new RegExp(`^${message}`))
})
