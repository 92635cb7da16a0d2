import {
  accept,
  answerWith,
  heldRuntime,
  type Outbox,
  openOutbox,
  type Receiver,
  startReceiver,
  until,
} from '@stablecoin-checkout/rig/outbox'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { silentLog } from '../../core/log.ts'
import { type Db, sql } from '../../db/db.ts'
import { LeaseLostError } from '../../db/fenced.ts'
import { createDispatcher, type Dispatcher, type Limits } from './dispatcher.ts'

const never = new AbortController().signal
const hourMs = 3_600_000

let runtime: ReturnType<typeof heldRuntime>
let outbox: Outbox
let shop: Receiver
let dispatcher: Dispatcher

beforeEach(async () => {
  runtime = heldRuntime()
  outbox = await openOutbox(runtime)
  shop = await startReceiver()
})

afterEach(async () => {
  await dispatcher.close()
  await shop.close()
  await outbox.close()
})

function start(changes: Partial<Db> = {}, limits: Partial<Limits> = {}): Dispatcher {
  const db = { ...outbox.db, ...changes }
  dispatcher = createDispatcher({ db, vault: outbox.vault, runtime, log: silentLog, targets: 'any', limits })
  return dispatcher
}

/** As a slow receiver: `tookMs` pass between the request and its response. */
const answerAfter = (tookMs: number, respond: Receiver['answer']): Receiver['answer'] => {
  return (call, response) => {
    runtime.advance(tookMs)
    respond(call, response)
  }
}

test('an attempt is recorded with its start, and the next one is due counted from its end', async () => {
  start()
  const id = await outbox.emit(shop.url, 'payment.completed')
  const startedAtMs = runtime.nowMs()
  shop.answer = answerAfter(3_000, answerWith(500))
  await dispatcher.pass(never)
  expect(await outbox.deliveries(id)).toMatchObject([{ state: 'due', dueAtMs: startedAtMs + 3_000 + 5_000 }])
  const attempts = await outbox.db.read((tx) => tx.all(sql`select sent_at_ms as "sentAtMs" from attempts`))
  expect(attempts).toEqual([{ sentAtMs: startedAtMs }])
})

test('deliveries, repeats, abandoned deliveries and disabled endpoints are counted', async () => {
  start()
  await outbox.emit(shop.url, 'payment.completed')
  shop.answer = answerWith(500)
  await dispatcher.pass(never)
  expect(dispatcher.counts).toEqual({ delivered: 0, retried: 1, givenUp: 0, endpointsDisabled: 0 })
  runtime.advance(hourMs)
  shop.answer = accept
  await dispatcher.pass(never)
  expect(dispatcher.counts).toEqual({ delivered: 1, retried: 1, givenUp: 0, endpointsDisabled: 0 })
  await outbox.addEndpoint(shop.url)
  await outbox.emit(null, 'payment.completed')
  shop.answer = answerWith(410)
  await dispatcher.pass(never)
  expect(dispatcher.counts).toEqual({ delivered: 1, retried: 1, givenUp: 1, endpointsDisabled: 1 })
})

test('whoever lost the lease does not try again to store what its attempt gave', async () => {
  let writes = 0
  start({
    write() {
      writes += 1
      return Promise.reject(new LeaseLostError('webhooks'))
    },
  })
  await outbox.emit(shop.url, 'payment.completed')
  expect(await dispatcher.pass(never)).toBe(0)
  expect(writes).toBe(1)
})

test('a stop ends what cannot be stored', async () => {
  let refusals = 0
  const write = () => Promise.reject(new Error(`disk is full ${++refusals}`))
  start({ write }, { finishMs: 10 })
  const id = await outbox.emit(shop.url, 'payment.completed')
  const stop = new AbortController()
  const running = dispatcher.run(stop.signal)
  await until('the result is refused', () => refusals > 0)
  stop.abort()
  await running
  expect(await outbox.deliveries(id)).toMatchObject([{ state: 'due', attempts: 0 }])
})

test('a lost lease drops the attempts at once', async () => {
  shop.answer = () => {}
  start({}, { finishMs: hourMs, attemptTimeoutMs: hourMs })
  await outbox.emit(shop.url, 'payment.completed')
  const stop = new AbortController()
  const running = dispatcher.run(stop.signal)
  await until('it is posted', () => shop.calls.length === 1)
  stop.abort(new LeaseLostError('webhooks'))
  await running
  expect(shop.calls).toHaveLength(1)
})

test('a stop leaves a receiver time to answer', async () => {
  const held: (() => void)[] = []
  shop.answer = (_call, response) => held.push(() => response.writeHead(204).end())
  let hasStopped = false
  const endListening = () => {
    hasStopped = true
  }
  start({ listen: () => endListening }, { finishMs: hourMs })
  await outbox.emit(shop.url, 'payment.completed')
  const stop = new AbortController()
  const running = dispatcher.run(stop.signal)
  await until('it is posted', () => held.length === 1)
  stop.abort()
  await until('only answers are waited for', () => hasStopped)
  held[0]?.()
  await running
  expect(await outbox.count('delivered')).toBe(1)
})
