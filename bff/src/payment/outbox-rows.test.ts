import { newPayment } from '@stablecoin-checkout/rig/new-payment'
import { createTestDatabase, type TestDatabase } from '@stablecoin-checkout/rig/test-database'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { WebhookEventType } from '../core/record-codes.ts'
import { type Db, sql, type Tx } from '../db/db.ts'
import { createLedger } from './ledger.ts'
import {
  deliveryNumber,
  emitEvent,
  endpointTarget,
  enqueuePayout,
  insertDelivery,
  removePayout,
} from './store/outbox-store.ts'

const payment = newPayment({ sequence: 0 })
const atMs = 5_000

let database: TestDatabase
let db: Db
beforeEach(async () => {
  database = await createTestDatabase()
  db = await database.open()
  await db.write(async (tx) => {
    await tx.run(sql`
        insert into merchants (id, name, webhook_secret, created_at_ms) values (${payment.merchantId}, 'm', 's', 0)`)
    await createLedger(db, () => ({})).createIn(tx, payment)
    await tx.run(sql`delete from events`)
  })
})
afterEach(async () => {
  await db.close()
  await database.drop()
})

describe('the payouts of a payment', () => {
  const payouts = () =>
    db.read((tx) =>
      tx.all(sql`
        select kind, state, due_at_ms as "dueAtMs", failures, transaction_id as "transactionId" from payouts order by kind`),
    )
  const row = (kind: string, changes: object = {}) => ({
    ...{ kind, state: 'queued', dueAtMs: atMs, failures: 0, transactionId: null, ...changes },
  })
  const key = (kind: 'sweep' | 'refund') => ({ kind, network: payment.network, token: payment.tokenAddress })
  const enqueue = (kind: 'sweep' | 'refund', dueAtMs = atMs) =>
    db.write(async (tx) => enqueuePayout(tx, payment.id, key(kind), dueAtMs))
  const remove = (kind: 'sweep' | 'refund') => db.write(async (tx) => removePayout(tx, payment.id, key(kind)))
  /** As if a transaction had been sent for it, after some in vain. */
  const send = () =>
    db.write((tx) => tx.run(sql`update payouts set state = 'sent', failures = 3, transaction_id = 'x'`))

  test('are queued once each: a sweep that is queued again keeps its failures, a refund begins anew', async () => {
    await enqueue('sweep')
    await enqueue('refund')
    expect(await payouts()).toEqual([row('refund'), row('sweep')])
    await send()
    await enqueue('sweep', atMs + 1)
    await enqueue('refund', atMs + 2)
    expect(await payouts()).toEqual([
      row('refund', { dueAtMs: atMs + 2 }),
      row('sweep', { dueAtMs: atMs + 1, failures: 3 }),
    ])
  })

  test('are removed each by itself', async () => {
    await enqueue('sweep')
    await enqueue('refund')
    await remove('sweep')
    expect(await payouts()).toEqual([row('refund')])
    await enqueue('sweep')
    await remove('refund')
    expect(await payouts()).toEqual([row('sweep')])
  })
})

describe('an event', () => {
  const addEndpoint = (id: string, types: string[] | null = null) =>
    db.write((tx) =>
      tx.run(sql`
        insert into webhook_endpoints (id, merchant_id, is_test, url, description, types, secret, created_at_ms, updated_at_ms)
        values (${id}, ${payment.merchantId}, 0, ${`https://${id}.example`}, '', ${types && JSON.stringify(types)}, 's', 0, 0)`),
    )
  const emit = (type: WebhookEventType, callbackUrl: string | null = null) =>
    db.write((tx) => emitEvent(tx, { ...payment, callbackUrl }, type, ({ id }) => ({ id }), atMs))
  const events = () =>
    db.read((tx) => tx.all<{ type: string; body: string | null }>(sql`select type, body from events order by number`))
  const receivers = async () => {
    const rows = await db.read((tx) =>
      tx.all<{ receiverKey: string; state: string; dueAtMs: number }>(sql`
        select receiver_key as "receiverKey", state, due_at_ms as "dueAtMs" from deliveries order by number`),
    )
    for (const { state, dueAtMs } of rows) expect([state, dueAtMs]).toEqual(['due', atMs])
    return rows.map(({ receiverKey }) => receiverKey)
  }
  const body = (type: string) =>
    JSON.stringify({ type, timestamp: '1970-01-01T00:00:05.000Z', data: { id: payment.id } })

  test('of a new payment is stored without a body while nobody is to be told, any other with one', async () => {
    await emit('payment.created')
    await emit('payment.completed')
    expect(await events()).toEqual([
      { type: 'payment.created', body: null },
      { type: 'payment.completed', body: body('payment.completed') },
    ])
    expect(await receivers()).toEqual([])
  })

  test('of a new payment has its body where a callback or an endpoint receives it', async () => {
    await emit('payment.created', 'https://shop.example/hook?order=1')
    await addEndpoint('we_1')
    await emit('payment.created')
    expect(await events()).toEqual(Array(2).fill({ type: 'payment.created', body: body('payment.created') }))
    expect(await receivers()).toEqual([`${payment.merchantId} https://shop.example`, 'we_1'])
  })

  test('goes to the endpoints that asked for its type, and what customers read of a failing payout to every one', async () => {
    await addEndpoint('we_all')
    await addEndpoint('we_paid', ['payment.completed'])
    await addEndpoint('we_none', [])
    await emit('payment.completed')
    expect(await receivers()).toEqual(['we_all', 'we_paid'])
    await db.write((tx) => tx.run(sql`delete from deliveries`))
    await emit('deposit.sweep_failed')
    expect((await receivers()).sort()).toEqual(['we_all', 'we_none', 'we_paid'])
  })

  test('whose callback is no URL keeps a limit of its own', async () => {
    await emit('payment.completed', 'no url')
    expect(await receivers()).toEqual([`${payment.merchantId} no url`])
  })

  test('that is sent again to a receiver is due there as if it were new, at the receiver’s present URL', async () => {
    await addEndpoint('we_1')
    await emit('payment.completed')
    await db.write((tx) =>
      tx.run(sql`
          update deliveries set state = 'failed', attempts = 9, attempts_since_queued = 9, due_at_ms = 1, done_at_ms = 1`),
    )
    const { number } = (await db.read((tx) => tx.get<{ number: number }>(sql`select number from events`))) ?? {}
    const { merchantId, id: paymentId, isTest } = payment
    const event = { merchantId, isTest, paymentId, sequence: 0, type: 'payment.completed' }
    const target = endpointTarget('we_1', 'https://moved.example')
    await db.write(async (tx) => insertDelivery(tx, number ?? 0, event, target, atMs))
    const rows = await db.read((tx) =>
      tx.all(sql`
          select state, attempts, attempts_since_queued as "sinceQueued", due_at_ms as "dueAtMs", url,
                 done_at_ms as "doneAtMs"
            from deliveries`),
    )
    const due = { state: 'due', sinceQueued: 0, dueAtMs: atMs, url: 'https://moved.example', doneAtMs: null }
    expect(rows).toEqual([{ ...due, attempts: 9 }])
  })

  test('has one delivery for a receiver, whose number is known, and no other', async () => {
    await addEndpoint('we_1')
    await emit('payment.completed')
    const { number } = (await db.read((tx) => tx.get<{ number: number }>(sql`select number from events`))) ?? {}
    const of = (tx: Tx, id: string) => deliveryNumber(tx, number ?? 0, endpointTarget(id, 'https://shop.example'))
    const stored = await db.read((tx) => tx.get<{ number: number }>(sql`select number from deliveries`))
    expect(await db.read((tx) => of(tx, 'we_1'))).toBe(stored?.number)
    await expect(db.read((tx) => of(tx, 'we_2'))).rejects.toThrow('The delivery has no number')
  })
})
