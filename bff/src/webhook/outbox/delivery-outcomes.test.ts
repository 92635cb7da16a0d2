import { type AppFixture, openApp, order } from '@stablecoin-checkout/rig/test-app'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '../../db/db.ts'
import { createKey } from '../../merchant/keys.ts'
import { disableEndpoint } from '../endpoints/endpoint-store.ts'
import { makeDue } from '../reports/delivery-report-store.ts'
import { type Delivery, dueDeliveries, loadDelivery, type Outcome, saveOutcome } from './delivery-store.ts'

let bff: AppFixture
beforeEach(async () => {
  await bff?.close()
  bff = await openApp({ webhookTargets: 'any' })
})
afterAll(() => bff.close())

const headers = () => ({ ...bff.keys.secret, 'Content-Type': 'application/json' })

/** An endpoint, and the delivery of a payment's first event to it. */
async function openDelivery(): Promise<Delivery & { endpointId: string }> {
  const body = JSON.stringify({ url: 'https://books.example/webhooks' })
  expect((await bff.call('/api/v1/webhooks/endpoints', { method: 'POST', headers: headers(), body })).status).toBe(200)
  expect((await bff.create(order)).status).toBe(200)
  const [delivery] = await due()
  if (delivery === undefined || delivery.endpointId === null) throw new Error('Nothing is due to the endpoint')
  return { ...delivery, endpointId: delivery.endpointId }
}
const due = () =>
  bff.deps.db.read(async (tx) => {
    const found: Delivery[] = []
    const bounds = { perReceiverMax: 10, receiversMax: 100, limit: 100 }
    for (const { number } of (await dueDeliveries(tx, bff.nowMs(), bounds)).due) {
      const delivery = await loadDelivery(tx, number)
      if (delivery) found.push(delivery)
    }
    return found
  })

const outcome = (changes: Partial<Outcome>): Outcome => ({
  ...{ state: 'due', dueAtMs: bff.nowMs() + 5_000, code: 500, error: null, answer: '', signature: null },
  ...{ sentAtMs: bff.nowMs(), atMs: bff.nowMs(), ...changes },
})
const save = (delivery: Delivery, changes: Partial<Outcome> = {}) =>
  bff.deps.db.write((tx) => saveOutcome(tx, delivery, outcome(changes)))
const rowOf = ({ number }: Delivery) =>
  bff.deps.db.read((tx) =>
    tx.get<{ state: string; attempts: number; code: number | null }>(sql`
        select state, attempts, last_code as code from deliveries where number = ${number}`),
  )

test('an attempt that ends after its endpoint was disabled revives no delivery, unless the receiver took it', async () => {
  const delivery = await openDelivery()
  await bff.deps.db.write((tx) => disableEndpoint(tx, delivery.endpointId, 'merchant', bff.nowMs()))
  await save(delivery)
  expect(await rowOf(delivery)).toMatchObject({ state: 'failed', attempts: 1 })
  expect(await due()).toEqual([])
  await save({ ...delivery, attempts: 1 }, { state: 'delivered', dueAtMs: null, code: 200 })
  expect(await rowOf(delivery)).toMatchObject({ state: 'delivered', attempts: 2, code: 200 })
})

test('the result of one attempt is stored once, and does not undo a later one', async () => {
  const delivery = await openDelivery()
  await save(delivery)
  await save({ ...delivery, attempts: 1 }, { state: 'delivered', dueAtMs: null, code: 200 })
  await save(delivery)
  expect(await rowOf(delivery)).toEqual({ state: 'delivered', attempts: 2, code: 200 })
  const attempts = await bff.deps.db.read((tx) =>
    tx.all<{ number: number; code: number }>(sql`
        select number, code from attempts where delivery_number = ${delivery.number} order by number`),
  )
  expect(attempts).toEqual([
    { number: 1, code: 500 },
    { number: 2, code: 200 },
  ])
})

test('an endpoint is given up by a 410, and its other deliveries with it', async () => {
  const delivery = await openDelivery()
  expect((await bff.create({ ...order, amount: '1.00' })).status).toBe(200)
  expect(await due()).toHaveLength(2)
  expect(await save(delivery, { state: 'failed', dueAtMs: null, code: 410 })).toBe('gone')
  expect(await due()).toEqual([])
})

test('two merchants whose payments report to one host have limits of their own there', async () => {
  const callbackUrl = 'https://shared.example/hook'
  const { key, secret } = await bff.deps.db.write((tx) =>
    createKey(tx, bff.deps.runtime, bff.other.merchantId, { kind: 'api' }),
  )
  for (const keys of [bff.keys.secret, { 'X-API-Key': key, 'X-API-Secret': secret ?? '' }]) {
    const init = { method: 'POST', headers: { ...keys, 'Content-Type': 'application/json' } }
    const body = JSON.stringify({ ...order, callbackUrl })
    expect((await bff.call('/api/v1/deposits/create', { ...init, body })).status).toBe(200)
  }
  expect(new Set((await due()).map(({ receiverKey }) => receiverKey)).size).toBe(2)
})

test('an attempt is counted since its delivery was queued, and is done only when no other follows', async () => {
  const delivery = await openDelivery()
  const set = (query: ReturnType<typeof sql>) => bff.deps.db.write((tx) => tx.run(query))
  const counted = () =>
    bff.deps.db.read((tx) =>
      tx.get(sql`
          select attempts, attempts_since_queued as "since", done_at_ms as "doneAtMs" from deliveries
           where number = ${delivery.number}`),
    )
  await set(sql`update deliveries set attempts = 10, attempts_since_queued = 0 where number = ${delivery.number}`)
  await save({ ...delivery, attempts: 10, attemptsSinceQueued: 0 })
  expect(await counted()).toEqual({ attempts: 11, since: 1, doneAtMs: null })
  await save({ ...delivery, attempts: 11, attemptsSinceQueued: 1 }, { state: 'failed', dueAtMs: null })
  expect(await counted()).toEqual({ attempts: 12, since: 2, doneAtMs: bff.nowMs() })
  const loaded = await bff.deps.db.read((tx) => loadDelivery(tx, delivery.number))
  expect(loaded, 'a delivery that is done').toBeUndefined()
})

describe('a delivery that is queued again while an attempt of it runs', () => {
  const again = async (outcomeOf: Partial<Outcome>) => {
    const delivery = await openDelivery()
    const { db } = bff.deps
    await db.write((tx) =>
      tx.run(sql`update deliveries set attempts = 9, attempts_since_queued = 9 where number = ${delivery.number}`),
    )
    bff.advance(1_000)
    const queuedAtMs = bff.nowMs()
    await db.write((tx) => makeDue(tx, delivery.number, delivery.url, queuedAtMs))
    bff.advance(1_000)
    await save({ ...delivery, attempts: 9, attemptsSinceQueued: 9 }, outcomeOf)
    const row = await db.read((tx) =>
      tx.get(sql`
          select state, attempts, attempts_since_queued as "since", due_at_ms as "dueAtMs", done_at_ms as "doneAtMs"
            from deliveries where number = ${delivery.number}`),
    )
    return { row, queuedAtMs }
  }

  test.each<[string, Partial<Outcome>]>([
    ['the last', { state: 'failed', dueAtMs: null }],
    ['not the last', { state: 'due' }],
  ])('has all of its attempts before it, at once, also where that one fails as %s', async (_, outcomeOf) => {
    const { row, queuedAtMs } = await again(outcomeOf)
    expect(row).toEqual({ state: 'due', attempts: 10, since: 0, dueAtMs: queuedAtMs, doneAtMs: null })
  })

  test('is done where the receiver took that attempt', async () => {
    const { row } = await again({ state: 'delivered', dueAtMs: null, code: 200 })
    expect(row).toMatchObject({ state: 'delivered', attempts: 10, doneAtMs: bff.nowMs() })
  })
})

describe('a delivery to an endpoint, and one to the callbackUrl of the payment', () => {
  /** With these values of the payment, the merchant and the endpoint. */
  async function both(payment: { isTest: 0 | 1; madeWith: string }, previous: string | null) {
    const { endpointId } = await openDelivery()
    expect((await bff.create({ ...order, callbackUrl: 'https://shop.example/hook' })).status).toBe(200)
    await bff.deps.db.write(async (tx) => {
      await tx.run(sql`update payments set is_test = ${payment.isTest}, made_with = ${payment.madeWith}`)
      await tx.run(
        sql`update merchants set previous_webhook_secret = 'of the merchant', previous_webhook_secret_until_ms = 7`,
      )
      await tx.run(sql`
          update webhook_endpoints set previous_secret = ${previous}, previous_secret_until_ms = 9 where id = ${endpointId}`)
    })
    const found = await due()
    const [toEndpoint, toCallback] = [found.find((one) => one.endpointId), found.find((one) => !one.endpointId)]
    if (!toEndpoint || !toCallback) throw new Error('There are not both')
    return { toEndpoint, toCallback }
  }

  test.each([
    ['of the endpoint', 'of the endpoint'],
    [null, null],
  ])('are signed each with its own previous secret: the endpoint’s is %s', async (previous, expected) => {
    const { toEndpoint, toCallback } = await both({ isTest: 0, madeWith: 'api' }, previous)
    expect(toEndpoint.secrets).toMatchObject({ previous: expected, previousUntilMs: 9, row: toEndpoint.endpointId })
    expect(toCallback.secrets).toMatchObject({ previous: 'of the merchant', previousUntilMs: 7 })
  })

  test.each([
    [1, 'public', true],
    [1, 'test', false],
    [1, 'api', false],
    [0, 'public', false],
  ] as const)(
    'of a payment with test %d that a %s key made: the callback is of a public sandbox: %s',
    async (isTest, madeWith, is) => {
      const { toEndpoint, toCallback } = await both({ isTest, madeWith }, null)
      expect([toCallback.isOfPublicSandbox, toEndpoint.isOfPublicSandbox]).toEqual([is, false])
    },
  )
})
