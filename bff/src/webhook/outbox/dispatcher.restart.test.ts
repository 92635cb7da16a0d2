import {
  accept,
  heldRuntime,
  type Outbox,
  openOutbox,
  type Receiver,
  startReceiver,
  until,
} from '@stablecoin-checkout/rig/outbox'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { silentLog } from '../../core/log.ts'
import type { Db } from '../../db/db.ts'
import { createDispatcher, type Dispatcher, type Limits } from './dispatcher.ts'

const never = new AbortController().signal

let runtime: ReturnType<typeof heldRuntime>
let outbox: Outbox
let shop: Receiver
let dispatcher: Dispatcher

beforeEach(async () => {
  runtime = heldRuntime()
  outbox = await openOutbox(runtime)
  shop = await startReceiver()
  dispatcher = start()
})

afterEach(async () => {
  await dispatcher.close()
  await shop.close()
  await outbox.close()
})

function start(db: Db = outbox.db, limits: Partial<Limits> = {}): Dispatcher {
  return createDispatcher({ db, vault: outbox.vault, runtime, log: silentLog, targets: 'any', limits })
}

test('an event is delivered within moments of its commit, with a notification of the change or without', async () => {
  await dispatcher.close()
  const listeners = new Set<Parameters<Db['listen']>[0]>()
  const listening: Db = {
    ...outbox.db,
    listen(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
  dispatcher = start(listening)
  const stop = new AbortController()
  const running = dispatcher.run(stop.signal)
  await outbox.emit(shop.url, 'payment.created')
  await until('the poll finds it', () => shop.calls.length === 1)
  await outbox.emit(shop.url, 'payment.completed')
  expect(listeners.size).toBe(1)
  for (const listener of listeners) listener('any')
  await until('the notified dispatcher finds it', () => shop.calls.length === 2)
  stop.abort()
  await running
  expect(listeners.size).toBe(0)
})

test('a restart delivers what was due, and nothing twice that was done', async () => {
  const ids: string[] = []
  for (let index = 0; index < 30; index += 1)
    ids.push(await outbox.emit(shop.url, 'payment.created', 'payment.completed'))
  await dispatcher.pass(never)
  const before = shop.calls.length
  expect(before).toBeGreaterThan(0)
  expect(before).toBeLessThan(60)
  await dispatcher.close()
  await outbox.reopen()
  dispatcher = start()
  while ((await dispatcher.pass(never)) > 0);
  expect(shop.calls).toHaveLength(60)
  expect(await outbox.count('delivered')).toBe(60)
  for (const id of ids) {
    const sequences = shop.calls.filter(({ event }) => event.data.id === id).map(({ event }) => event.data.sequence)
    expect(sequences).toEqual([1, 2])
  }
})

test('without its lease it posts nothing of what it has read, and does not count it; whoever has the lease posts it', async () => {
  await dispatcher.close()
  let isHeld = false
  const { db, vault } = outbox
  // A try that was not made gives its place back.
  const limits = { perReceiverMax: 1 }
  dispatcher = createDispatcher({ db, vault, runtime, log: silentLog, targets: 'any', limits, isHeld: () => isHeld })
  await outbox.emit(shop.url, 'payment.created')
  expect([await dispatcher.pass(never), shop.calls.length]).toEqual([0, 0])
  isHeld = true
  expect([await dispatcher.pass(never), shop.calls.length]).toEqual([1, 1])
})

test('a stop waits for the answer in hand and starts nothing more', async () => {
  const stop = new AbortController()
  const held: (() => void)[] = []
  shop.answer = (_call, response) => held.push(() => response.writeHead(204).end())
  const id = await outbox.emit(shop.url, 'payment.created', 'payment.completed')
  await dispatcher.close()
  dispatcher = start(outbox.db, { finishMs: 60_000 })
  const running = dispatcher.run(stop.signal)
  await until('the first is in hand', () => held.length === 1)
  stop.abort()
  held[0]?.()
  await running
  expect(await outbox.deliveries(id)).toMatchObject([
    { state: 'delivered', attempts: 1 },
    { state: 'due', attempts: 0 },
  ])
  expect(shop.calls).toHaveLength(1)
})

test('a stop drops what is not answered in time, and that try is not counted', async () => {
  const stop = new AbortController()
  shop.answer = () => {}
  const id = await outbox.emit(shop.url, 'payment.completed')
  await dispatcher.close()
  // The stop does not wait for the end of an attempt, which comes later than the end of the test.
  dispatcher = start(outbox.db, { finishMs: 100, attemptTimeoutMs: 3_600_000 })
  const running = dispatcher.run(stop.signal)
  await until('it is in hand', () => shop.calls.length === 1)
  stop.abort()
  await running
  expect(await outbox.deliveries(id)).toMatchObject([{ state: 'due', attempts: 0, code: null, error: null }])

  shop.answer = accept
  expect(await dispatcher.pass(never)).toBe(1)
  expect(shop.calls.map(({ headers }) => headers['webhook-id'])).toEqual([`msg_${id}_1`, `msg_${id}_1`])
})

test('an outcome that cannot be stored at once is stored later, and the merchant is not notified twice', async () => {
  const id = await outbox.emit(shop.url, 'payment.completed')
  await dispatcher.close()
  let faults = 1
  const full: Db = {
    ...outbox.db,
    write: (unit) => (faults-- > 0 ? Promise.reject(new Error('disk is full')) : outbox.db.write(unit)),
  }
  dispatcher = start(full)
  const stop = new AbortController()
  const running = dispatcher.run(stop.signal)
  await until('it is stored', async () => (await outbox.count('delivered')) === 1)
  stop.abort()
  await running
  expect(shop.calls.map(({ headers }) => headers['webhook-id'])).toEqual([`msg_${id}_1`])
})

test('a fault while reading what is due does not end the deliveries', async () => {
  const id = await outbox.emit(shop.url, 'payment.completed')
  await dispatcher.close()
  let faults = 2
  const busy: Db = {
    ...outbox.db,
    read: (unit) => (faults-- > 0 ? Promise.reject(new Error('database is locked')) : outbox.db.read(unit)),
  }
  dispatcher = start(busy)
  const stop = new AbortController()
  const running = dispatcher.run(stop.signal)
  await until('it is posted all the same', () => shop.calls.length === 1)
  stop.abort()
  await running
  expect(faults).toBeLessThan(0)
  expect(await outbox.deliveries(id)).toMatchObject([{ state: 'delivered', attempts: 1, code: 204 }])
})

test('while no outcome can be stored, only so many are posted, and none of them twice', async () => {
  for (let index = 0; index < 40; index += 1) await outbox.emit(shop.url, 'payment.completed')
  await dispatcher.close()
  let isFull = true
  let refusals = 0
  const full: Db = {
    ...outbox.db,
    write: (unit) => (isFull ? Promise.reject(new Error(`disk is full ${++refusals}`)) : outbox.db.write(unit)),
  }
  dispatcher = start(full, { attemptsMax: 8, perReceiverMax: 8 })
  const stop = new AbortController()
  const running = dispatcher.run(stop.signal)
  // Each outcome was refused twice, a second apart: whoever wanted to post more had the time for it.
  await until('the outcomes are refused', () => refusals >= 32)
  expect(shop.calls).toHaveLength(16)
  isFull = false
  await until('all are stored', async () => (await outbox.count('delivered')) === 40)
  stop.abort()
  await running
  expect(new Set(shop.calls.map(({ headers }) => headers['webhook-id'])).size).toBe(40)
  expect(shop.calls).toHaveLength(40)
})
