import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { bundlePrograms } from '../../../../demo/programs.mjs'
import { accept, type Outbox, openOutbox, type Receiver, startReceiver } from '../../../test/outbox.ts'
import { silentLog } from '../../core/log.ts'
import { systemRuntime } from '../../core/runtime.ts'
import { sql } from '../../db/db.ts'
import { createDispatcher } from './dispatcher.ts'

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))
const programs = path('../../../../test/.results/kill-worker')

let outbox: Outbox
let shop: Receiver
let child: ChildProcess | undefined

beforeAll(() => bundlePrograms({ worker: path('../../../test/kill-worker.ts') }, programs))
beforeEach(async () => {
  outbox = await openOutbox()
  shop = await startReceiver()
})
afterEach(async () => {
  child?.kill('SIGKILL')
  await shop.close()
  await outbox.close()
})

/** Runs the dispatcher until the step is reached for the nth time, and kills it there. */
async function killAt(step: string, nth: number): Promise<void> {
  const process = fork(`${programs}/worker.js`, [outbox.location, step, String(nth)], { execArgv: [] })
  child = process
  const ended = once(process, 'exit')
  if (step === 'before it is answered') {
    let left = nth
    await new Promise<void>((resolve) => {
      // From there on nobody is answered: what was posted hangs in the air.
      shop.answer = (call, response) => {
        left -= 1
        if (left > 0) accept(call, response)
        if (left === 0) resolve()
      }
    })
  } else {
    const ends = ended.then(() => Promise.reject(new Error(`it ended before: ${step}`)))
    await Promise.race([once(process, 'message'), ends])
  }
  process.kill('SIGKILL')
  await ended
  shop.answer = accept
}

test('a process that is killed at every step of a delivery loses no event, and its log says what was sent', async () => {
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
  for (const [step, nth] of steps) await killAt(step, nth)
  const atKills = shop.calls.length
  expect(atKills).toBeGreaterThan(0)
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
