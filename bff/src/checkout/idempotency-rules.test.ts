import { hash } from 'node:crypto'
import { newPayment, transferOf, windowEndsAtMs } from '@stablecoin-checkout/rig/new-payment'
import { createTestDatabase, type TestDatabase } from '@stablecoin-checkout/rig/test-database'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Caller } from '../access/context/caller.ts'
import { type Db, sql } from '../db/db.ts'
import type { PaymentEvent } from '../payment/event.ts'
import { createLedger } from '../payment/ledger.ts'
import type { PaymentId } from '../payment/payment.ts'
import {
  deleteExpiredKeys,
  findResponse,
  type IdempotentRequest,
  idempotencyScope,
  requestDigest,
  saveResponse,
} from './idempotency-store.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const { id, merchantId } = newPayment()

describe('what a request is named by', () => {
  test('belongs to one merchant, one mode, one endpoint and one kind of name', () => {
    const caller = { merchantId, isTest: false, kind: 'api' } as Caller
    const key = { kind: 'header', value: 'k1' } as const
    const scopes = [
      idempotencyScope(caller, 'create', key),
      idempotencyScope({ ...caller, merchantId: 'other' as Caller['merchantId'] }, 'create', key),
      idempotencyScope({ ...caller, isTest: true }, 'create', key),
      idempotencyScope(caller, 'deposits', key),
      idempotencyScope(caller, 'create', { kind: 'order', value: 'k1' }),
      idempotencyScope(caller, 'create', { kind: 'header', value: 'k2' }),
    ]
    expect(new Set(scopes).size).toBe(scopes.length)
    expect(JSON.parse(scopes[0] ?? '')).toEqual([merchantId, 'live', 'create', 'header', 'k1'])
    expect(JSON.parse(scopes[2] ?? '')).toEqual([merchantId, 'test', 'create', 'header', 'k1'])
  })
})

test('the digest is of the money and of everything that comes with it, whatever the order of its fields', () => {
  const all = {
    ...{ orderId: 'o', customerEmail: 'e', callbackUrl: 'c', returnUrl: 'r', agentId: 'a', agentOwner: 'w' },
    ...{ autonomous: true, senderAddress: 's', expiresIn: 60 },
  }
  const digest = requestDigest('t', { ...all, metadata: { a: 1, b: 2 } })
  expect(digest).toMatch(/^[\w-]{43}$/)
  expect(requestDigest('t', { metadata: { b: 2, a: 1 }, ...all })).toBe(digest)
  const others = Object.keys(all).map((name) =>
    requestDigest('t', { ...all, metadata: { a: 1, b: 2 }, [name]: undefined }),
  )
  others.push(
    requestDigest('u', { ...all, metadata: { a: 1, b: 2 } }),
    requestDigest('t', { ...all, metadata: { a: 1 } }),
  )
  expect(new Set([digest, ...others]).size).toBe(12)
  const rest = { ...all, senderAddress: undefined }
  expect(requestDigest('t', { ...rest, senderAddress: '60', expiresIn: undefined })).not.toBe(requestDigest('t', rest))
})

test('the digest of a request without sender and window is that of earlier versions', () => {
  const early = hash('sha256', '["t","o",null,null,null,null,null,null,null]', 'base64url')
  expect(requestDigest('t', { orderId: 'o' })).toBe(early)
})

describe('a stored answer', () => {
  let database: TestDatabase
  let db: Db
  let ledger: ReturnType<typeof createLedger>
  beforeEach(async () => {
    database = await createTestDatabase()
    db = await database.open()
    ledger = createLedger(db, ({ status }) => ({ status }))
    await db.write(async (tx) => {
      await tx.run(sql`
          insert into merchants (id, name, webhook_secret, created_at_ms) values (${merchantId}, 'm', 's', 0)`)
      await ledger.createIn(tx, newPayment({ sequence: 0 }))
    })
  })
  afterEach(async () => {
    await db.close()
    await database.drop()
  })

  const request = (changes: Partial<IdempotentRequest> = {}): IdempotentRequest => ({
    ...{ scope: 's1', kind: 'header', terms: '25 USDC', credential: 'api', nowMs: 0 },
    ...{ client: '', asked: '25.00 USDC on devnet', digest: 'd1', ...changes },
  })
  const save = (
    { windowEndsAtMs = 0, ...changes }: Partial<IdempotentRequest & { windowEndsAtMs: number }> = {},
    answer = '{"id":1}',
    paymentId: PaymentId = id,
  ) =>
    db.write((tx) =>
      saveResponse(tx, { ...request(changes), payment: newPayment({ id: paymentId, windowEndsAtMs }), answer }),
    )
  const find = (changes: Partial<IdempotentRequest> = {}) => db.read((tx) => findResponse(tx, request(changes)))
  const apply = (event: Partial<PaymentEvent> & { type: PaymentEvent['type'] }) =>
    ledger.apply(id, { atMs: 0, ...event } as PaymentEvent)
  const see = (blockTimeMs = 10_000) => ({
    type: 'transfer.confirmed' as const,
    transfer: transferOf('1', { blockTimeMs }),
  })

  test('is given again to the same request, word for word, and to no other', async () => {
    await save()
    expect(await find()).toEqual({ paymentId: id, json: '{"id":1}', isSameClient: true })
    expect(await find({ scope: 's2' })).toBeUndefined()
  })

  test.each([
    ['header', 24 * hourMs],
    ['body', 5 * minuteMs],
  ] as const)('under a %s lives for %d ms, and not one longer', async (kind, lifeMs) => {
    await save({ kind, nowMs: 1_000 })
    expect(await find({ kind, nowMs: 1_000 + lifeMs - 1 })).toBeDefined()
    expect(await find({ kind, nowMs: 1_000 + lifeMs })).toBeUndefined()
  })

  test('under a header lives to the end of a window that is longer than a day, so that a repeat creates no second payment', async () => {
    for (const kind of ['header', 'body'] as const) await save({ kind, scope: kind, windowEndsAtMs: 7 * 24 * hourMs })
    expect(await find({ scope: 'header', nowMs: 7 * 24 * hourMs - 1 })).toBeDefined()
    expect(await find({ scope: 'header', nowMs: 7 * 24 * hourMs })).toBeUndefined()
    expect(await find({ scope: 'body', kind: 'body', nowMs: 5 * minuteMs })).toBeUndefined()
  })

  test('under an order id lives for as long as its payment', async () => {
    await save({ kind: 'order' })
    expect(await find({ kind: 'order', nowMs: 1_000 * 24 * hourMs })).toBeDefined()
  })

  test.each(['expired', 'cancelled', 'failed'] as const)(
    'of a payment that is %s is given under a header only: the same order is paid again',
    async (as) => {
      for (const kind of ['header', 'order', 'body'] as const) await save({ kind, scope: kind })
      await apply({ type: 'payment.closed', as })
      expect(await find({ scope: 'header' })).toBeDefined()
      expect(await find({ scope: 'order', kind: 'order' })).toBeUndefined()
      expect(await find({ scope: 'body', kind: 'body' })).toBeUndefined()
    },
  )

  test.each([
    ['in the window', 10_000],
    ['after it', windowEndsAtMs + 1],
  ])('under a body is given to nobody once money has come %s', async (_, blockTimeMs) => {
    for (const kind of ['header', 'order', 'body'] as const) await save({ kind, scope: kind })
    expect(await find({ scope: 'body', kind: 'body' })).toBeDefined()
    await apply(see(blockTimeMs))
    expect(await find({ scope: 'header' })).toBeDefined()
    expect(await find({ scope: 'order', kind: 'order' })).toBeDefined()
    expect(await find({ scope: 'body', kind: 'body' })).toBeUndefined()
  })

  test.each([
    ['header', 'Idempotency-Key'],
    ['order', 'orderId'],
    ['body', 'Idempotency-Key'],
  ] as const)('under a %s is refused for other money, and names only what is asked now', async (kind, name) => {
    await save({ kind })
    await expect(find({ kind, terms: '24 USDC', asked: '24.00 USDC on devnet' })).rejects.toMatchObject({
      ...{ code: 'IDEMPOTENCY_MISMATCH', status: 400, error: 'Idempotency mismatch' },
      message: `This ${name} was used before for another amount, currency, network or mode than 24.00 USDC on devnet. Use a new one for a new payment.`,
    })
  })

  test('of a public key and one of the server’s know nothing of each other', async () => {
    await save({ credential: 'public' }, '{"id":1}')
    expect(await find({ terms: 'other' })).toBeUndefined()
    await save({}, '{"id":2}')
    expect(await find({ credential: 'public' })).toMatchObject({ json: '{"id":1}' })
    expect(await find()).toMatchObject({ json: '{"id":2}' })
  })

  test('of the server is given whatever else differs, but for the money', async () => {
    for (const kind of ['header', 'order'] as const) {
      await save({ kind, scope: kind })
      expect(await find({ kind, scope: kind, digest: 'd2' })).toMatchObject({ isSameClient: true })
    }
  })

  const asShopper = { credential: 'public', client: '1.1.1.1' } as const

  test('of a public key is given to another address only under a header, and only for exactly the same', async () => {
    for (const kind of ['header', 'order', 'body'] as const) {
      await save({ ...asShopper, kind, scope: kind })
      expect(await find({ ...asShopper, kind, scope: kind })).toMatchObject({ isSameClient: true })
      const elsewhere = { ...asShopper, kind, scope: kind, client: '2.2.2.2' }
      expect((await find(elsewhere))?.isSameClient).toBe(kind === 'header' ? false : undefined)
      expect(await find({ ...elsewhere, digest: 'd2' })).toBeUndefined()
    }
  })

  test('of the server is not given to another client, whoever that is', async () => {
    await save()
    expect(await find({ client: '2.2.2.2' })).toBeUndefined()
  })

  test('of a public key under an order id is given only for exactly the same; under a header the money is enough', async () => {
    for (const kind of ['header', 'order'] as const) await save({ ...asShopper, kind, scope: kind })
    expect(await find({ ...asShopper, scope: 'header', digest: 'd2' })).toBeDefined()
    expect(await find({ ...asShopper, scope: 'order', kind: 'order', digest: 'd2' })).toBeUndefined()
    expect(await find({ ...asShopper, scope: 'order', kind: 'order' })).toBeDefined()
  })

  test('of the client’s own comes before another one’s', async () => {
    await save({ ...asShopper, client: '2.2.2.2' }, '{"id":2}')
    await save(asShopper, '{"id":1}')
    await save({ ...asShopper, client: '0.0.0.0' }, '{"id":0}')
    expect(await find(asShopper)).toMatchObject({ json: '{"id":1}', isSameClient: true })
  })

  test('takes the place of the one before it, with its own life and terms', async () => {
    const second = 'a0000000-0000-4000-8000-000000000000' as PaymentId
    await db.write((tx) => ledger.createIn(tx, newPayment({ id: second, sequence: 0 })))
    await save({ kind: 'order' })
    await apply({ type: 'payment.closed', as: 'failed' })
    const later = { kind: 'header', terms: '30 USDC', digest: 'd2', nowMs: hourMs } as const
    await save(later, '{"id":2}', second)
    expect(await find(later)).toMatchObject({ paymentId: second, json: '{"id":2}' })
    expect(await find({ ...later, nowMs: 25 * hourMs })).toBeUndefined()
  })

  test('is forgotten when it has expired, the oldest first and so many at a time', async () => {
    for (const nowMs of [2, 0, 1]) await save({ scope: `s${nowMs}`, kind: 'body', nowMs })
    await save({ scope: 'order', kind: 'order' })
    const left = () =>
      db.read((tx) => tx.all<{ scope: string }>(sql`select scope from idempotency_keys order by scope`))
    const forget = (nowMs: number, limit: number) => db.write((tx) => deleteExpiredKeys(tx, nowMs, limit))
    expect(await forget(5 * minuteMs + 1, 1)).toBe(1)
    expect((await left()).map(({ scope }) => scope)).toEqual(['order', 's1', 's2'])
    expect(await forget(5 * minuteMs + 1, 10)).toBe(1)
    expect((await left()).map(({ scope }) => scope)).toEqual(['order', 's2'])
  })
})
