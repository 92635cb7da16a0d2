import { createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { systemRuntime } from '../../core/runtime.ts'
import type { PaymentId } from '../../payment/payment.ts'
import { messageId, newWebhookSecret, sandboxSecret, signWebhook } from './sign.ts'

const vectorSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const body = '{"test": 2432232314}'

test('the specification’s own example has the specification’s own signature', () => {
  const signature = signWebhook(vectorSecret, 'msg_p5jXN8AQM9LWM0D4loKWxJek', 1614265330, body)
  expect(signature).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')
})

test('a merchant verifies with the Standard Webhooks library, and a changed body, id or secret is refused', () => {
  const secret = newWebhookSecret(systemRuntime)
  const sentAtSeconds = Math.floor(Date.now() / 1_000)
  const headers = {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(sentAtSeconds),
    'webhook-signature': signWebhook(secret, 'msg_1', sentAtSeconds, body),
  }
  const merchant = new Webhook(secret)
  expect(merchant.verify(body, headers)).toEqual({ test: 2432232314 })
  expect(() => merchant.verify(body.replace('2432232314', '1'), headers)).toThrow()
  expect(() => merchant.verify(body, { ...headers, 'webhook-id': 'msg_2' })).toThrow()
  expect(() => new Webhook(newWebhookSecret(systemRuntime)).verify(body, headers)).toThrow()
})

test('a new secret is 32 random bytes', () => {
  const secret = newWebhookSecret(systemRuntime)
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  expect(newWebhookSecret(systemRuntime)).not.toBe(secret)
})

test('an id or time with a dot is not signed, because two messages could share the signature', () => {
  expect(() => signWebhook(vectorSecret, 'msg.1', 1614265330, body)).toThrow(RangeError)
  expect(() => signWebhook(vectorSecret, 'msg_1', 1614265330.5, body)).toThrow(RangeError)
  for (const id of ['', 'msg 1', 'msg_1\n'])
    expect(() => signWebhook(vectorSecret, id, 1614265330, body)).toThrow(RangeError)
})

test.each([24, 64])('a secret of %i bytes signs', (length) => {
  const secret = `whsec_${Buffer.alloc(length, 7).toString('base64')}`
  expect(signWebhook(secret, 'msg_1', 1614265330, body)).toMatch(/^v1,/)
})

test('the id of a message is that of its event in its payment, and of a test event its number', () => {
  expect(messageId('payment' as PaymentId, 3, 7)).toBe('msg_payment_3')
  expect(messageId(null, 3, 7)).toBe('msg_test_7')
})

test.each([
  ['no prefix', 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
  ['another prefix', 'other_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
  ['not base64', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLa-w'],
  ['23 bytes', `whsec_${Buffer.alloc(23, 7).toString('base64')}`],
  ['65 bytes', `whsec_${Buffer.alloc(65, 7).toString('base64')}`],
  ['empty', 'whsec_'],
])('a secret that is malformed (%s) is refused without being quoted', (_, secret) => {
  const key = secret.replace(/^(whsec|other)_/, '') || 'whsec_'
  let message = ''
  try {
    signWebhook(secret, 'msg_1', 1614265330, body)
  } catch (error) {
    message = String(error)
  }
  expect(message).toMatch(/^RangeError/)
  expect(key.length > 6 && message.includes(key)).toBe(false)
})

test('the secret of sandbox callbacks is derived as the documents say, and is another one', () => {
  const derived = createHmac('sha256', Buffer.from(vectorSecret.slice('whsec_'.length), 'base64')).update('sandbox')
  expect(sandboxSecret(vectorSecret)).toBe(`whsec_${derived.digest('base64')}`)
  expect(() => sandboxSecret('sandbox')).toThrow(RangeError)
})
