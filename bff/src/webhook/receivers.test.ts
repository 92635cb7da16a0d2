import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { times } from '@stablecoin-checkout/rig/nightly'
import {
  accept,
  answerWith,
  type Outbox,
  openOutbox,
  type Receiver,
  startReceiver,
  until,
} from '@stablecoin-checkout/rig/outbox'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { silentLog } from '../core/log.ts'
import { systemRuntime } from '../core/runtime.ts'
import { createDispatcher, type Dispatcher, type Limits } from './outbox/dispatcher.ts'

/** Receivers as the world has them: broken, hostile, slow. In real time. */

const never = new AbortController().signal
/** For attempts that nobody answers. The others may take as long as in the service, because a busy machine answers late. */
const attemptTimeoutMs = 1_500

let outbox: Outbox
let dispatcher: Dispatcher
let receivers: Receiver[]

beforeEach(async () => {
  outbox = await openOutbox()
  receivers = []
  dispatcher = start({})
})

afterEach(async () => {
  await dispatcher.close()
  await Promise.all(receivers.map((receiver) => receiver.close()))
  await outbox.close()
})

function start(limits: Partial<Limits>): Dispatcher {
  return createDispatcher({
    db: outbox.db,
    vault: outbox.vault,
    runtime: systemRuntime,
    log: silentLog,
    targets: 'any',
    limits,
  })
}

/** The dispatcher of the test, with other limits. */
async function restart(limits: Partial<Limits>): Promise<void> {
  await dispatcher.close()
  dispatcher = start(limits)
}

async function receiver(answer?: Parameters<typeof startReceiver>[0]): Promise<Receiver> {
  const started = await startReceiver(answer)
  receivers.push(started)
  return started
}

test.each([
  [500, 'due'],
  [503, 'due'],
  [404, 'due'],
  [410, 'failed'],
])('an answer of %d leaves it %s, with the code for the merchant to see', async (code, state) => {
  const shop = await receiver(answerWith(code))
  const id = await outbox.emit(shop.url, 'payment.completed')
  await dispatcher.pass(never)
  expect(await outbox.deliveries(id)).toMatchObject([{ state, attempts: 1, code, error: null }])
})

test.each([301, 302, 303, 307, 308])('a redirect (%d) is a failure and is not followed', async (code) => {
  const inside = await receiver()
  const shop = await receiver(answerWith(code, { location: inside.url }))
  const id = await outbox.emit(shop.url, 'payment.completed')
  await dispatcher.pass(never)
  expect(inside.calls).toHaveLength(0)
  expect(await outbox.deliveries(id)).toMatchObject([{ state: 'due', attempts: 1, code }])
})

test('a receiver that is not there is tried again in 5 s', async () => {
  const id = await outbox.emit('http://127.0.0.1:1/hooks', 'payment.completed')
  const beforeMs = Date.now()
  await dispatcher.pass(never)
  const afterMs = Date.now()
  const [delivery] = await outbox.deliveries(id)
  expect(delivery).toMatchObject({ state: 'due', attempts: 1, code: null, error: 'ECONNREFUSED' })
  expect(delivery?.dueAtMs).toBeGreaterThan(beforeMs + 3_000)
  expect(delivery?.dueAtMs).toBeLessThan(afterMs + 6_500)
})

test('a receiver that never answers costs one bounded try', async () => {
  await restart({ attemptTimeoutMs })
  const shop = await receiver(() => {})
  const id = await outbox.emit(shop.url, 'payment.completed')
  await dispatcher.pass(never)
  expect(await outbox.deliveries(id)).toMatchObject([{ state: 'due', attempts: 1, error: 'no answer within 1.5 s' }])
})

test('a receiver that drips its headers is cut off as one that never answers', async () => {
  await restart({ attemptTimeoutMs })
  const drip = createServer((_, response) => {
    const socket = response.socket
    socket?.write('HTTP/1.1 200 OK\r\n')
    const timer = setInterval(() => socket?.write('x-drip: 1\r\n'), 50)
    socket?.on('error', () => {}).on('close', () => clearInterval(timer))
  })
  await new Promise<void>((resolve) => drip.listen(0, '127.0.0.1', resolve))
  const id = await outbox.emit(`http://127.0.0.1:${(drip.address() as AddressInfo).port}/`, 'payment.completed')
  await dispatcher.pass(never)
  expect(await outbox.deliveries(id)).toMatchObject([{ state: 'due', attempts: 1, error: 'no answer within 1.5 s' }])
  drip.closeAllConnections()
  await new Promise((resolve) => drip.close(resolve))
})

test('a receiver that says 200 and drips its answer is taken at its word, and cut off', async () => {
  let isClosed = false
  const shop = await receiver((_, response) => {
    response.writeHead(200)
    const timer = setInterval(() => response.write('x'), 50)
    response.on('close', () => {
      clearInterval(timer)
      isClosed = true
    })
  })
  const id = await outbox.emit(shop.url, 'payment.completed')
  await dispatcher.pass(never)
  expect(await outbox.deliveries(id)).toMatchObject([{ state: 'delivered', attempts: 1, code: 200 }])
  await until('the connection is closed', () => isClosed)
})

test('a receiver that answers with a gigabyte is read for 64 kB and cut off', async () => {
  let sentBytes = 0
  let isClosed = false
  const piece = Buffer.alloc(64 * 1024)
  const shop = await receiver((_, response) => {
    response.writeHead(200, { 'content-length': String(2 ** 30) })
    response.on('close', () => {
      isClosed = true
    })
    const more = (): void => {
      while (!isClosed && sentBytes < 2 ** 30) {
        sentBytes += piece.length
        if (!response.write(piece)) return void response.once('drain', more)
      }
    }
    more()
  })
  const id = await outbox.emit(shop.url, 'payment.completed')
  await dispatcher.pass(never)
  expect(await outbox.deliveries(id)).toMatchObject([{ state: 'delivered', attempts: 1, code: 200 }])
  await until('the connection is closed', () => isClosed)
  // What the kernel's buffers hold is sent without being read.
  expect(sentBytes).toBeLessThan(64 * 1024 * 1024)
})

test('a receiver that breaks the connection is tried again', async () => {
  const shop = await receiver((_, response) => response.socket?.destroy())
  const id = await outbox.emit(shop.url, 'payment.completed')
  await dispatcher.pass(never)
  expect(await outbox.deliveries(id)).toMatchObject([
    { state: 'due', attempts: 1, code: null, error: 'UND_ERR_SOCKET' },
  ])
})

test('a hanging receiver with a long queue delays fifty others not at all', async () => {
  const hanging = await receiver(() => {})
  const stop = new AbortController()
  await restart({ finishMs: 0 })
  for (let index = 0; index < 100; index += 1) await outbox.emit(hanging.url, 'payment.created', 'payment.completed')
  const others = await Promise.all(Array.from({ length: 50 }, () => receiver(accept)))
  const running = dispatcher.run(stop.signal)
  await until('it hangs', () => hanging.calls.length === 8)
  await Promise.all(others.map(({ url }) => outbox.emit(url, 'payment.created', 'payment.completed')))
  await until('the others have theirs', () => others.every(({ calls }) => calls.length === 2))
  // Two events one after the other, for fifty receivers, before one of the eight attempts has ended: a ninth would follow it.
  expect(hanging.calls).toHaveLength(8)
  stop.abort()
  await running
})

test('a receiver that left eight attempts unanswered gets one at a time, until it answers', async () => {
  const attempts = new Set<ServerResponse>()
  let most = 0
  const shop = await receiver((_, response) => {
    attempts.add(response)
    most = Math.max(most, attempts.size)
    response.on('close', () => attempts.delete(response))
  })
  for (let index = 0; index < 40; index += 1) await outbox.emit(shop.url, 'payment.completed')
  for (const count of [8, 1]) {
    most = 0
    const passing = dispatcher.pass(never)
    await until('the attempts are there', () => attempts.size === count)
    for (const { socket } of attempts) socket?.destroy()
    expect(await passing).toBe(count)
    await until('all are closed', () => attempts.size === 0)
    expect(most).toBe(count)
  }
  shop.answer = accept
  expect(await dispatcher.pass(never)).toBe(1)
  expect(await dispatcher.pass(never)).toBe(8)
})

test('many hanging receivers together do not take up every place', async () => {
  await restart({ attemptsMax: 40, attemptTimeoutMs, finishMs: 0 })
  const hanging = await Promise.all(Array.from({ length: 8 }, () => receiver(() => {})))
  for (const { url } of hanging) {
    for (let index = 0; index < 40; index += 1) await outbox.emit(url, 'payment.created')
  }
  const stop = new AbortController()
  const running = dispatcher.run(stop.signal)
  const isSilent = () => hanging.every(({ calls }) => calls.length >= 9)
  await until('all of them are known to be silent', isSilent)
  const shop = await receiver()
  for (let index = 0; index < 20; index += 1) await outbox.emit(shop.url, 'payment.created')
  await until('the shop has all', () => shop.calls.length >= 20)
  // What has been due for longer goes first: without a place that is free, all of the others' would have been posted before.
  for (const { calls } of hanging) expect(calls.length).toBeLessThan(30)
  stop.abort()
  await running
})

test('many events arrive, each payment’s in order', async () => {
  const shops = await Promise.all([receiver(), receiver(), receiver(), receiver()])
  const events = Array.from({ length: times(60, 250) }, (_, index) => {
    const url = shops[index % shops.length]?.url ?? ''
    return outbox.emit(url, 'payment.created', 'payment.detected', 'payment.completed', 'deposit.swept')
  })
  const ids = await Promise.all(events)
  const stop = new AbortController()
  const running = dispatcher.run(stop.signal)
  await until('all are delivered', async () => (await outbox.count('delivered')) === 4 * ids.length, 90_000)
  stop.abort()
  await running
  const calls = shops.flatMap((shop) => shop.calls)
  expect(calls).toHaveLength(4 * ids.length)
  for (const id of ids) {
    const sequences = calls.filter(({ event }) => event.data.id === id).map(({ event }) => event.data.sequence)
    expect(sequences).toEqual([1, 2, 3, 4])
  }
})
