import { createHmac } from 'node:crypto'
import {
  accept,
  answerWith,
  type Call,
  heldRuntime,
  newPayment,
  type Outbox,
  openOutbox,
  type Receiver,
  startReceiver,
  until,
} from '@stablecoin-checkout/rig/outbox'
import { Webhook } from 'standardwebhooks'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { silentLog } from '../../core/log.ts'
import { attemptsMax } from './delivery-retry.ts'
import { createDispatcher, type Dispatcher, type Limits } from './dispatcher.ts'

const never = new AbortController().signal
const hourMs = 3_600_000

let runtime: ReturnType<typeof heldRuntime>
let outbox: Outbox
let shop: Receiver
let dispatcher: Dispatcher
let logged: object[]

beforeEach(async () => {
  runtime = heldRuntime()
  outbox = await openOutbox(runtime)
  shop = await startReceiver()
  logged = []
  dispatcher = start()
})

afterEach(async () => {
  await dispatcher.close()
  await shop.close()
  await outbox.close()
})

function start(limits: Partial<Limits> = {}): Dispatcher {
  const keep = (fields: object, message: string) => logged.push({ ...fields, message })
  const log = { debug: keep, info: keep, warn: keep, error: keep }
  return createDispatcher({
    db: outbox.db,
    vault: outbox.vault,
    runtime,
    log,
    targets: 'any',
    // Attempts may take as long as they may in the service: a busy machine answers some of them late.
    limits: { finishMs: 300, ...limits },
  })
}

/** As a merchant's server does it, at that moment. */
function verifyAt(nowMs: number, { body, headers }: Call, secret = outbox.secret): unknown {
  vi.useFakeTimers({ toFake: ['Date'], now: nowMs })
  try {
    return new Webhook(secret).verify(body, headers)
  } finally {
    vi.useRealTimers()
  }
}

const types = () => shop.calls.map(({ event }) => event.type)

test('a merchant gets the event as JSON with a signature that the Standard Webhooks library accepts', async () => {
  const id = await outbox.emit(shop.url, 'payment.completed')
  expect(await dispatcher.pass(never)).toBe(1)
  const [call] = shop.calls
  expect(call && verifyAt(runtime.nowMs(), call)).toMatchObject({
    type: 'payment.completed',
    data: { id, sequence: 1 },
  })
  expect(call?.headers).toMatchObject({
    'content-type': 'application/json',
    'user-agent': 'stablecoin-checkout',
    'webhook-id': `msg_${id}_1`,
  })
  expect(await outbox.deliveries(id)).toMatchObject([{ state: 'delivered', attempts: 1, code: 204, error: null }])
  expect(await dispatcher.pass(never)).toBe(0)
})

test('every try has the id and body of the first, and a time and signature of its own', async () => {
  shop.answer = answerWith(500)
  const id = await outbox.emit(shop.url, 'payment.completed')
  const sentAtMs: number[] = []
  for (const waitMs of [0, 5_000, 300_000, 1_800_000]) {
    runtime.advance(waitMs)
    sentAtMs.push(runtime.nowMs())
    expect(await dispatcher.pass(never)).toBe(1)
    expect(await dispatcher.pass(never)).toBe(0)
  }
  expect(new Set(shop.calls.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([`msg_${id}_1`]))
  expect(new Set(shop.calls.map(({ body }) => body)).size).toBe(1)
  expect(new Set(shop.calls.map(({ headers }) => headers['webhook-signature'])).size).toBe(4)
  for (const [index, call] of shop.calls.entries()) {
    expect(call.headers['webhook-timestamp']).toBe(String(Math.floor((sentAtMs[index] ?? 0) / 1_000)))
    expect(verifyAt(sentAtMs[index] ?? 0, call)).toMatchObject({ type: 'payment.completed' })
  }
})

test('after ten tries over three days it is given up, and kept', async () => {
  shop.answer = answerWith(500)
  const id = await outbox.emit(shop.url, 'payment.completed')
  let tries = 0
  for (let hours = 0; hours < 100; hours += 1) {
    tries += await dispatcher.pass(never)
    runtime.advance(hourMs)
  }
  expect(tries).toBe(attemptsMax)
  expect(shop.calls).toHaveLength(attemptsMax)
  expect(await outbox.deliveries(id)).toMatchObject([{ state: 'failed', attempts: attemptsMax, code: 500 }])
  expect(logged.at(-1)).toMatchObject({ message: 'Webhook abandoned after its last attempt', try: attemptsMax })
})

test('a receiver that is down for three days gets everything when it is back, in order', async () => {
  shop.answer = (_call, response) => response.socket?.destroy()
  const id = await outbox.emit(shop.url, 'payment.completed', 'deposit.swept')
  for (let hours = 0; hours < 72; hours += 1) {
    await dispatcher.pass(never)
    runtime.advance(hourMs)
  }
  expect(await outbox.count('due')).toBe(2)
  shop.answer = accept
  shop.calls.length = 0
  for (let hours = 0; hours < 24; hours += 1) {
    while ((await dispatcher.pass(never)) > 0);
    runtime.advance(hourMs)
  }
  expect(types()).toEqual(['payment.completed', 'deposit.swept'])
  expect(await outbox.deliveries(id)).toMatchObject([{ state: 'delivered' }, { state: 'delivered', attempts: 1 }])
})

test('two receivers at one host do not hold each other up: a merchant’s own endpoint has a limit to itself', async () => {
  await dispatcher.close()
  // Longer than the wait below: what waits for one of the attempts that nobody answers fails the test.
  dispatcher = start({ attemptTimeoutMs: 3_600_000 })
  await outbox.addEndpoint(`${shop.url}/dead`)
  await outbox.addEndpoint(`${shop.url}/well`)
  shop.answer = ({ path }, response) => (path.endsWith('dead') ? undefined : response.writeHead(204).end())
  for (let index = 0; index < 20; index += 1) await outbox.emit(null, 'payment.completed')
  const stop = new AbortController()
  const running = dispatcher.run(stop.signal)
  await until(
    'the one that answers has everything',
    () => shop.calls.filter(({ path }) => path.endsWith('well')).length === 20,
  )
  stop.abort()
  await running
  expect([await outbox.count('delivered'), await outbox.count('due')]).toEqual([20, 20])
  expect(shop.calls.filter(({ path }) => path.endsWith('dead')).length).toBeLessThanOrEqual(8)
})

test('one payment’s events keep their order while its first fails, and another payment’s pass by', async () => {
  const stuck = await outbox.emit(shop.url, 'payment.created', 'payment.detected', 'payment.completed')
  shop.answer = ({ event }, response) => response.writeHead(event.data.id === stuck ? 500 : 204).end()
  const other = await outbox.emit(shop.url, 'payment.created', 'payment.expired')
  while ((await dispatcher.pass(never)) > 0);
  const posted = (id: string) => shop.calls.filter(({ event }) => event.data.id === id).map(({ event }) => event.type)
  expect(posted(stuck)).toEqual(['payment.created'])
  expect(posted(other)).toEqual(['payment.created', 'payment.expired'])

  shop.answer = accept
  runtime.advance(5_000)
  while ((await dispatcher.pass(never)) > 0);
  expect(posted(stuck)).toEqual(['payment.created', 'payment.created', 'payment.detected', 'payment.completed'])
})

test('what comes behind a failed event is posted once that one is given up', async () => {
  shop.answer = ({ event }, response) => response.writeHead(event.type === 'payment.created' ? 410 : 204).end()
  const id = await outbox.emit(shop.url, 'payment.created', 'payment.completed')
  while ((await dispatcher.pass(never)) > 0);
  expect(types()).toEqual(['payment.created', 'payment.completed'])
  expect(await outbox.deliveries(id)).toMatchObject([
    { state: 'failed', attempts: 1, code: 410 },
    { state: 'delivered', attempts: 1 },
  ])
})

test('a receiver that asks for rest gets it, for an hour at the most', async () => {
  shop.answer = answerWith(503, { 'retry-after': '120' })
  const polite = await outbox.emit(shop.url, 'payment.completed')
  await dispatcher.pass(never)
  shop.answer = answerWith(503, { 'retry-after': '999999' })
  const endless = await outbox.emit(shop.url, 'payment.completed')
  await dispatcher.pass(never)
  expect(await outbox.deliveries(polite)).toMatchObject([{ dueAtMs: runtime.nowMs() + 120_000 }])
  expect(await outbox.deliveries(endless)).toMatchObject([{ dueAtMs: runtime.nowMs() + hourMs }])
})

test('a URL on a private address is a failed try without a connection, when only public ones are allowed', async () => {
  const id = await outbox.emit(shop.url.replace('http:', 'https:'), 'payment.completed')
  await dispatcher.close()
  dispatcher = createDispatcher({
    db: outbox.db,
    vault: outbox.vault,
    runtime,
    log: silentLog,
    targets: { ports: [443] },
  })
  await dispatcher.pass(never)
  expect(shop.calls).toHaveLength(0)
  expect(await outbox.deliveries(id)).toMatchObject([
    { state: 'due', attempts: 1, error: expect.stringMatching(/^callbackUrl must be on the public internet/) },
  ])
})

test('the log has every attempt, and never the secret, the body, or the path of the URL', async () => {
  shop.answer = answerWith(500)
  await outbox.emit(`${shop.url}/token-in-path?key=secret-in-query`, 'payment.completed')
  await dispatcher.pass(never)
  expect(logged).toMatchObject([
    {
      message: 'Webhook attempt failed; retrying',
      type: 'payment.completed',
      try: 1,
      code: 500,
      host: `127.0.0.1:${shop.port}`,
    },
  ])
  const text = JSON.stringify(logged)
  for (const hidden of [outbox.secret, outbox.secret.slice(6), 'token-in-path', 'secret-in-query', 'v1,', '"data"']) {
    expect(text).not.toContain(hidden)
  }
})

/**
 * Anybody can take a live public key from a shop's page, create a sandbox payment with the shop's own URL and order id, and complete it.
 */
test('the callback of a sandbox payment that a live public key made does not verify as one of a sale', async () => {
  const made = { isTest: true, madeWith: 'public' } as const
  await outbox.emitOf({ ...newPayment(outbox.merchantId, shop.url, runtime.nowMs()), ...made }, 'payment.completed')
  await dispatcher.pass(never)
  const [call] = shop.calls
  if (!call) throw new Error('Nothing was posted')
  expect(() => verifyAt(runtime.nowMs(), call)).toThrow('No matching signature')
  // As docs/webhooks.md says.
  const key = Buffer.from(outbox.secret.slice('whsec_'.length), 'base64')
  const sandboxSecret = `whsec_${createHmac('sha256', key).update('sandbox').digest('base64')}`
  expect(verifyAt(runtime.nowMs(), call, sandboxSecret)).toMatchObject({ type: 'payment.completed' })
})

test.each([
  { isTest: true, madeWith: 'test' },
  { isTest: true, madeWith: 'api' },
  { isTest: false, madeWith: 'public' },
] as const)('the callback of %j is signed with the webhook secret', async (made) => {
  await outbox.emitOf({ ...newPayment(outbox.merchantId, shop.url, runtime.nowMs()), ...made }, 'payment.created')
  await dispatcher.pass(never)
  const [call] = shop.calls
  expect(call && verifyAt(runtime.nowMs(), call)).toMatchObject({ type: 'payment.created' })
})
