import {
  answerWith,
  heldRuntime,
  type Outbox,
  openOutbox,
  type Receiver,
  startReceiver,
} from '@stablecoin-checkout/rig/outbox'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { silentLog } from '../../core/log.ts'
import { sql } from '../../db/db.ts'
import { createDispatcher } from './dispatcher.ts'
import { runPruning } from './prune-deliveries.ts'
import { pruneEvents } from './prune-store.ts'

const dayMs = 24 * 60 * 60 * 1000

let runtime: ReturnType<typeof heldRuntime>
let outbox: Outbox
let receiver: Receiver
beforeEach(async () => {
  runtime = heldRuntime()
  outbox = await openOutbox(runtime)
  receiver = await startReceiver()
})
afterEach(async () => {
  await outbox.close()
  await receiver.close()
})

async function deliver(): Promise<void> {
  const { db, vault } = outbox
  const dispatcher = createDispatcher({ db, runtime, log: silentLog, vault, targets: 'any' })
  const { signal } = new AbortController()
  while ((await dispatcher.pass(signal)) > 0);
  await dispatcher.close()
}

const count = async (table: 'events' | 'deliveries' | 'attempts'): Promise<number> => {
  const statement = {
    events: sql`select count(*) as count from events`,
    deliveries: sql`select count(*) as count from deliveries`,
    attempts: sql`select count(*) as count from attempts`,
  }[table]
  return (await outbox.db.read((tx) => tx.get<{ count: number }>(statement)))?.count ?? 0
}
const counts = async () => [await count('events'), await count('deliveries'), await count('attempts')]
const prune = (limit = 100) => outbox.db.write((tx) => pruneEvents(tx, runtime.nowMs() - 90 * dayMs, limit))

test('what is older than it is kept for is forgotten with its deliveries and attempts, and nothing younger', async () => {
  await outbox.emit(receiver.url, 'payment.created', 'payment.completed')
  await deliver()
  runtime.advance(50 * dayMs)
  await outbox.emit(receiver.url, 'payment.created')
  await deliver()
  runtime.advance(40 * dayMs)
  expect(await prune()).toBe(0)
  runtime.advance(1)
  expect(await prune()).toBe(2)
  expect(await counts()).toEqual([1, 1, 1])
})

test('what is still to be delivered stays, and so does what came after it', async () => {
  await outbox.emit(receiver.url, 'payment.created')
  await deliver()
  const broken = await startReceiver(answerWith(500))
  await outbox.emit(broken.url, 'payment.created')
  await outbox.emit(receiver.url, 'payment.created')
  await deliver()
  await broken.close()
  runtime.advance(100 * dayMs)
  await outbox.emit(receiver.url, 'payment.created')
  expect(await prune()).toBe(1)
  expect(await count('events')).toBe(3)
})

test('numbers go on where they were, however quiet it was', async () => {
  await outbox.emit(receiver.url, 'payment.created', 'payment.completed')
  await deliver()
  runtime.advance(400 * dayMs)
  await prune()
  await outbox.emit(receiver.url, 'payment.created')
  const numbers = await outbox.db.read((tx) =>
    tx.all<{ number: number }>(sql`select number from events order by number`),
  )
  expect(numbers).toEqual([{ number: 2 }, { number: 3 }])
})

test('a commit deletes no more than its bound', async () => {
  for (let index = 0; index < 5; index++) await outbox.emit(null, 'payment.created')
  runtime.advance(400 * dayMs)
  expect([await prune(2), await prune(2), await prune(2)]).toEqual([2, 2, 0])
})

test('the service keeps events for the days of its setting, and no longer', async () => {
  await outbox.emit(null, 'payment.created')
  runtime.advance(2 * dayMs)
  await outbox.emit(null, 'payment.created')
  runtime.advance(dayMs - 1)
  // The newest is kept in any case: the next number follows it.
  await outbox.emit(null, 'payment.created')
  const stopping = new AbortController()
  const run = runPruning({ db: outbox.db, runtime, log: silentLog, keepDays: 1 }, stopping.signal)
  await expect.poll(() => count('events')).toBe(2)
  stopping.abort()
  await run
  expect(await count('events')).toBe(2)
})

test('the event of the newest delivery stays, also where newer events went to nobody', async () => {
  for (let index = 0; index < 2; index++) await outbox.emit(null, 'payment.created')
  await outbox.emit(receiver.url, 'payment.created')
  await deliver()
  for (let index = 0; index < 2; index++) await outbox.emit(null, 'payment.created')
  runtime.advance(400 * dayMs)
  expect(await prune()).toBe(2)
  expect(await counts()).toEqual([3, 1, 1])
})
