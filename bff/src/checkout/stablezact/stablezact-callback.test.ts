import { createHmac, timingSafeEqual } from 'node:crypto'
import { devnetFacts } from '@stablecoin-checkout/rig/devnet-facts'
import { newPayment, type Outbox, openOutbox, type Receiver, startReceiver } from '@stablecoin-checkout/rig/outbox'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { silentLog } from '../../core/log.ts'
import type { WebhookEventType } from '../../core/record-codes.ts'
import { systemRuntime } from '../../core/runtime.ts'
import { postTestEvent } from '../../webhook/endpoints/test-event.ts'
import { eventTypes } from '../../webhook/event-types.ts'
import { createDispatcher } from '../../webhook/outbox/dispatcher.ts'
import { sandboxSecret } from '../../webhook/send/sign.ts'
import { createCallbackAdapter } from './stablezact-callback.ts'

const never = new AbortController().signal
const path = '/api/integrations/stablezact/webhook'

const real = { ...devnetFacts, isTestnet: false }
const testnet = { ...devnetFacts, shortName: 'sepolia', isTestnet: true }
const adaptCallback = createCallbackAdapter(new Map([real, testnet].map((network) => [network.shortName, network])))

let outbox: Outbox
let cal: Receiver
/** What `data` of the events is. */
let data: Record<string, unknown> = {}
beforeEach(async () => {
  outbox = await openOutbox(systemRuntime, () => data)
  cal = await startReceiver()
})
afterEach(async () => {
  await cal.close()
  await outbox.close()
})

async function deliver(isOn = true): Promise<void> {
  const { db, vault } = outbox
  const adapted = isOn ? { adaptCallback } : {}
  const dispatcher = createDispatcher({ db, vault, runtime: systemRuntime, log: silentLog, targets: 'any', ...adapted })
  await dispatcher.pass(never)
  await dispatcher.close()
}

/** `verifyWebhookSignature` of the app: hex text against hex text, keyed with the whole text of the secret. */
function isGood({ body, headers }: Receiver['calls'][number], secret: string, name = 'x-stablezact-signature') {
  const digest = createHmac('sha256', secret).update(body).digest('hex')
  const given = Buffer.from(headers[name] ?? '')
  return given.length === digest.length && timingSafeEqual(given, Buffer.from(digest))
}

async function sent(
  type: WebhookEventType,
  changes: Record<string, unknown> = {},
  url = cal.url.replace('/hooks', path),
) {
  data = { ...eventTypes[type].example, ...changes }
  await outbox.emitOf(newPayment(outbox.merchantId, url, Date.now()), type)
  await deliver()
  const call = cal.calls.at(-1)
  if (!call) throw new Error('Nothing was posted.')
  return { call, event: JSON.parse(call.body) as { type: string; data: Record<string, unknown> } }
}

describe('Cal.com’s app receives', () => {
  test.each([
    ['payment.detected', 'payment.pending'],
    ['payment.completed', 'payment.confirmed'],
    ['payment.cancelled', 'payment.failed'],
    ['payment.failed', 'payment.failed'],
    ['payment.expired', 'payment.failed'],
    // The app ignores what it does not know.
    ['payment.created', 'payment.created'],
    ['payment.underpaid', 'payment.underpaid'],
    ['payment.reorged', 'payment.reorged'],
    ['deposit.swept', 'deposit.swept'],
  ] as const)('%s as %s, with a signature that it verifies', async (type, named) => {
    const { call, event } = await sent(type)
    expect(event.type).toBe(named)
    expect(event.data['paymentId'], 'by which it finds the booking').toBe(data['paymentId'])
    expect(isGood(call, outbox.secret)).toBe(true)
    expect(isGood(call, `${outbox.secret}x`)).toBe(false)
  })

  test('why a payment failed', async () => {
    expect((await sent('payment.expired')).event.data).toMatchObject({ reason: 'expired' })
    expect((await sent('payment.failed', { failureReason: 'changed my mind' })).event.data).toMatchObject({
      reason: 'changed my mind',
    })
  })

  test('a whole refund, once it is final, as payment.refunded with its sum and its transaction', async () => {
    const whole = { amount: '25.00', amountReceived: '25.00', refundedByMerchant: '25.00' }
    const { call, event } = await sent('refund.paid', whole)
    const { transactionHash } = eventTypes['refund.paid'].example['merchantRefund'] as Record<string, unknown>
    expect(event).toMatchObject({
      type: 'payment.refunded',
      data: { refundAmount: 25, refundTransactionHash: transactionHash },
    })
    expect(event.data['paymentId'], 'by which it finds the booking').toBe(data['paymentId'])
    expect(isGood(call, outbox.secret)).toBe(true)
    // The service returned what was paid too much.
    const over = { ...whole, amountReceived: '60.00', refund: { state: 'refunded' } }
    expect((await sent('refund.paid', over)).event.type).toBe('payment.refunded')
    // The merchant accepted a little less than the amount.
    const short = { ...whole, amountReceived: '24.90', refundedByMerchant: '24.900000' }
    expect((await sent('refund.paid', short)).event.type).toBe('payment.refunded')
  })

  test.each([
    ['in part', 'refund.paid', { amountReceived: '25.00', refundedByMerchant: '24.999999' }],
    [
      'of what was paid too much',
      'refund.paid',
      { amountReceived: '60.00', refundedByMerchant: '35.00', refund: null },
    ],
    ['of what arrived late', 'refund.paid', { amountReceived: null, refundedByMerchant: '25.00' }],
    ['that is requested', 'refund.requested', { amountReceived: '25.00', refundDueByMerchant: '25.00' }],
    ['that a reorg undid', 'refund.failed', { amountReceived: '25.00', refundedByMerchant: '0.00' }],
    ['of nothing', 'refund.paid', { amountReceived: '25.00', refundedByMerchant: '0.00' }],
  ] as const)(
    'no payment.refunded for a refund %s, because it records the whole as refunded',
    async (_, type, changes) => {
      expect((await sent(type, { amount: '25.00', ...changes })).event.type).toBe(type)
    },
  )

  test('no failure while late money can still pay, because it would cancel the booking', async () => {
    expect((await sent('payment.expired', { isFinal: false })).event.type).toBe('payment.expired')
  })

  test('no confirmation of what is not paid', async () => {
    expect((await sent('payment.completed', { outcome: 'pending' })).event.type).toBe('payment.completed')
  })

  test('no confirmation of a payment with free tokens, on a testnet beside real networks', async () => {
    expect((await sent('payment.completed', { network: 'sepolia' })).event.type).toBe('payment.completed')
  })

  test('the older app a header under its own name', async () => {
    const url = cal.url.replace('/hooks', '/api/integrations/coinley/webhook')
    const { call } = await sent('payment.completed', {}, url)
    expect(isGood(call, outbox.secret, 'x-coinley-signature')).toBe(true)
    expect(call.headers).not.toHaveProperty('x-stablezact-signature')
  })

  test('events at an endpoint that the merchant adds, because the app itself names no callbackUrl of its own', async () => {
    data = eventTypes['payment.completed'].example
    await outbox.addEndpoint(cal.url.replace('/hooks', path))
    await outbox.emit(null, 'payment.completed')
    await deliver()
    const [call] = cal.calls
    expect(JSON.parse(call?.body ?? '')).toMatchObject({ type: 'payment.confirmed' })
    expect(isGood(call as Receiver['calls'][number], outbox.secret)).toBe(true)
  })

  test('a test event of the doctor, signed for it', async () => {
    const { vault, secret } = outbox
    const url = cal.url.replace('/hooks', path)
    const endpoint = { id: 'we_1', url, secret: vault.seal(secret, 'we_1'), dialect: 'standard' as const }
    const merchantId = outbox.merchantId
    const deps = { vault, runtime: systemRuntime, targets: 'any' as const, adaptCallback }
    await postTestEvent(deps, { ...endpoint, merchantId }, 'signed')
    await postTestEvent(deps, { ...endpoint, merchantId }, 'forged')
    expect(cal.calls.map((call) => isGood(call, secret))).toEqual([true, false])
  })

  test('our own signature too, of the same bytes', async () => {
    const { call } = await sent('payment.completed')
    const key = Buffer.from(outbox.secret.slice('whsec_'.length), 'base64')
    const signed = `${call.headers['webhook-id']}.${call.headers['webhook-timestamp']}.${call.body}`
    expect(call.headers['webhook-signature']).toBe(`v1,${createHmac('sha256', key).update(signed).digest('base64')}`)
  })
})

test('a sandbox payment of a public key, which anybody can complete, does not verify with the secret that the app trusts', async () => {
  const payment = newPayment(outbox.merchantId, cal.url.replace('/hooks', path), Date.now())
  data = eventTypes['payment.completed'].example
  await outbox.emitOf({ ...payment, isTest: true, madeWith: 'public' }, 'payment.completed')
  await deliver()
  const call = cal.calls[0] as Receiver['calls'][number]
  expect(isGood(call, outbox.secret)).toBe(false)
  expect(isGood(call, sandboxSecret(outbox.secret))).toBe(true)
})

describe('the event as it is stored is posted', () => {
  const isPlain = (call: Receiver['calls'][number] | undefined) => {
    expect(JSON.parse(call?.body ?? '')).toMatchObject({ type: 'payment.completed' })
    expect(Object.keys(call?.headers ?? {}).filter((name) => /stablezact|coinley/.test(name))).toEqual([])
  }
  beforeEach(() => {
    data = eventTypes['payment.completed'].example
  })

  test('to every other callbackUrl', async () => {
    await outbox.emit(cal.url, 'payment.completed')
    await deliver()
    isPlain(cal.calls[0])
  })

  test('to an endpoint of the merchant at another path', async () => {
    await outbox.addEndpoint(cal.url)
    await outbox.emit(null, 'payment.completed')
    await deliver()
    isPlain(cal.calls[0])
  })

  test('where the part is off', async () => {
    await outbox.emit(cal.url.replace('/hooks', path), 'payment.completed')
    await deliver(false)
    isPlain(cal.calls[0])
  })
})
