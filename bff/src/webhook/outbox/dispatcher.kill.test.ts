import { accept, type Outbox, openOutbox, type Receiver, startReceiver } from '@stablecoin-checkout/rig/outbox'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { silentLog } from '../../core/log.ts'
import { systemRuntime } from '../../core/runtime.ts'
import { type Db, sql } from '../../db/db.ts'
import { LeaseLostError } from '../../db/fenced.ts'
import { createDispatcher } from './dispatcher.ts'

let outbox: Outbox
let shop: Receiver
beforeEach(async () => {
  outbox = await openOutbox()
  shop = await startReceiver()
})
afterEach(async () => {
  await shop.close()
  await outbox.close()
})

const never = new Promise<never>(() => {})

/**
 * Runs a dispatcher until the step is reached for the nth time, and stops it there for ever: nothing that it asks of the database is
 * done any more, and its connections break. `test/crash.test.ts` kills processes.
 */
async function dieAt(step: string, nth: number): Promise<void> {
  let left = nth
  let isDead = false
  let die = () => {}
  const death = new Promise<void>((resolve) => {
    die = () => {
      isDead = true
      resolve()
    }
  })
  const reach = async (reached: string) => {
    if (reached === step) left -= 1
    if (reached === step && left === 0) die()
    if (isDead) await never
  }
  const { db, vault } = outbox
  const mortal: Db = {
    ...db,
    async read(unit) {
      await reach('before it is read')
      const value = await db.read(unit)
      await reach('after it was read')
      return value
    },
    async write(unit) {
      await reach('before its outcome is stored')
      const value = await db.write(unit)
      await reach('after its outcome was stored')
      return value
    },
  }
  if (step === 'before it is answered') {
    // From there on nobody is answered: what was posted hangs in the air.
    shop.answer = (call, response) => {
      left -= 1
      if (left > 0) accept(call, response)
      if (left === 0) die()
    }
  }
  const dispatcher = createDispatcher({ db: mortal, vault, runtime: systemRuntime, log: silentLog, targets: 'any' })
  const stop = new AbortController()
  // It does not end: it waits for the database.
  void dispatcher.run(stop.signal)
  await death
  // Starts no attempt and repeats none.
  stop.abort(new LeaseLostError('dispatcher'))
  await dispatcher.close()
  // What it had handed to the database by then is stored, before another dispatcher reads what is due.
  await db.write(async () => undefined)
  shop.answer = accept
}

test('a dispatcher that dies at every step of a delivery loses no event, and its log says what was sent', async () => {
  const payments: string[] = []
  for (let index = 0; index < 50; index += 1) {
    payments.push(
      await outbox.emit(shop.url, 'payment.created', 'payment.detected', 'payment.completed', 'deposit.swept'),
    )
  }
  const steps: [string, number][] = [
    ['before it is read', 1],
    ['after it was read', 2],
    ['before it is answered', 3],
    ['before its outcome is stored', 1],
    ['after its outcome was stored', 1],
    ['before it is read', 40],
    ['after it was read', 40],
    ['before it is answered', 30],
    ['before its outcome is stored', 20],
    ['after its outcome was stored', 20],
  ]
  for (const [step, nth] of steps) await dieAt(step, nth)
  expect(shop.calls.length).toBeGreaterThan(0)
  expect(await outbox.count('delivered')).toBeGreaterThan(0)
  expect(await outbox.count('delivered')).toBeLessThan(200)

  const { db, vault } = outbox
  const dispatcher = createDispatcher({ db, vault, runtime: systemRuntime, log: silentLog, targets: 'any' })
  while ((await dispatcher.pass(new AbortController().signal)) > 0);
  await dispatcher.close()

  expect(await outbox.count('delivered')).toBe(200)
  const ids = payments.flatMap((id) => [1, 2, 3, 4].map((sequence) => `msg_${id}_${sequence}`))
  const received = shop.calls.map(({ headers }) => headers['webhook-id'])
  expect(new Set(received)).toEqual(new Set(ids))
  // Posted twice is only what was under way when it was killed: eight for each receiver each time.
  expect(received.length).toBeLessThanOrEqual(200 + 8 * steps.length)
  for (const id of payments) {
    const sequences = shop.calls.filter(({ event }) => event.data.id === id).map(({ event }) => event.data.sequence)
    expect([...sequences].sort()).toEqual(sequences)
  }
  const log = await db.read((tx) =>
    tx.all<{ id: string; code: number }>(sql`
        select 'msg_' || d.payment_id || '_' || d.sequence as id, a.code
          from attempts a join deliveries d on d.number = a.delivery_number`),
  )
  expect(log.map(({ code }) => code)).toEqual(Array(200).fill(204))
  expect(new Set(log.map(({ id }) => id))).toEqual(new Set(ids))
})
