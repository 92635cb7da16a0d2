import { newContractPayment, newPayment, transferOf, windowEndsAtMs } from '@stablecoin-checkout/rig/new-payment'
import { createTestDatabase, type TestDatabase } from '@stablecoin-checkout/rig/test-database'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { baseUnits } from '../core/money.ts'
import { type Db, sql } from '../db/db.ts'
import { newBridge } from './bridge.ts'
import type { PaymentEvent } from './event.ts'
import { initialStateOf } from './initial-state.ts'
import { createLedger, type Ledger } from './ledger.ts'
import type { Payment, PaymentId } from './payment.ts'
import { loadPayment } from './store/payment-store.ts'

const full = transferOf('25000000')
const payer = '0x00000000000000000000000000000000000000aa'
const at = { atMs: 7 }
const confirmed: PaymentEvent = { type: 'transfer.confirmed', transfer: full, ...at }
const reverted: PaymentEvent = { type: 'transfer.reverted', transfer: full, ...at }
const unmatched = { network: 'devnet', token: '0x0000000000000000000000000000000000000002' }
const measured: PaymentEvent = {
  ...{
    type: 'unmatched.measured',
    ...unmatched,
    currency: 'USDT',
    decimals: 6,
    balance: baseUnits('5'),
    block: 10,
    txId: '0x57',
    ...at,
  },
}
const bridgeTerms = {
  ...{ requestId: 'r', relayDepositAddress: '0x1', originChainId: 8453, originName: 'Base', originExplorerUrl: null },
  ...{ originCurrency: 'USDC', originToken: '0x2', originDecimals: 6, amountToSend: '1' },
}

let database: TestDatabase
let db: Db
let ledger: Ledger
const moves: [PaymentEvent['type'], Payment['status']][] = []
beforeEach(async () => {
  moves.length = 0
  database = await createTestDatabase()
  db = await database.open()
  ledger = createLedger(
    db,
    ({ status, sequence }) => ({ status, sequence }),
    ({ status }, { type }) => void moves.push([type, status]),
  )
  const { merchantId, merchantName } = newPayment()
  await db.write((tx) =>
    tx.run(sql`
        insert into merchants (id, name, webhook_secret, created_at_ms) values (${merchantId}, ${merchantName}, 's', 0)`),
  )
})
afterEach(async () => {
  await db.close()
  await database.drop()
})

const create = (payment: Payment = newPayment({ sequence: 0 })) => db.write((tx) => ledger.createIn(tx, payment))
const load = (id: PaymentId) => db.read((tx) => loadPayment(tx, id))
const rows = {
  sweeps: () =>
    db.read((tx) => tx.all(sql`select payment_id, network, state, due_at_ms from payouts where kind = 'sweep'`)),
  refunds: () =>
    db.read((tx) => tx.all(sql`select payment_id, network, state, due_at_ms from payouts where kind = 'refund'`)),
  returns: () =>
    db.read((tx) =>
      tx.all(sql`select payment_id, network, token, state, due_at_ms from payouts where kind = 'return'`),
    ),
}
const effects = () =>
  db.read((tx) =>
    tx.all<{ type: string; sequence: number; body: string | null }>(
      sql`select type, sequence, body from events order by number`,
    ),
  )

describe('an event', () => {
  test('is stored with the payment, its transfer, its webhook and the payout that it makes due', async () => {
    const { id } = await create()
    const next = await ledger.apply(id, confirmed)
    expect(next).toMatchObject({ status: 'sweeping', received: 25_000_000n, sequence: 3 })
    expect(await load(id)).toEqual(next)
    expect(await rows.sweeps()).toEqual([{ payment_id: id, network: 'devnet', state: 'queued', due_at_ms: 7 }])
    expect((await effects()).map(({ type, sequence }) => [type, sequence])).toEqual([
      ['payment.created', 1],
      ['payment.detected', 2],
      ['payment.completed', 3],
    ])
    expect(JSON.parse((await effects())[2]?.body ?? '')).toMatchObject({ data: { status: 'sweeping', sequence: 3 } })
    expect(moves).toEqual([['transfer.confirmed', 'sweeping']])
  })

  test('that changes nothing writes nothing and emits nothing', async () => {
    const { id } = await create()
    const paid = await ledger.apply(id, confirmed)
    moves.length = 0
    expect(await ledger.apply(id, confirmed)).toEqual(paid)
    expect(moves).toEqual([])
    expect(await effects()).toHaveLength(3)
  })

  test('of no payment that is known is none', async () => {
    expect(await ledger.apply('nobody' as PaymentId, confirmed)).toBeUndefined()
    expect(await ledger.apply('nobody' as PaymentId, { type: 'late.accepted', ...at })).toBeUndefined()
  })

  test('reaches an observer after its commit, and to none when that fails', async () => {
    const { id } = await create()
    const failing = db.write(async (tx) => {
      await ledger.applyIn(tx, id, confirmed)
      expect(moves).toEqual([])
      throw new Error('killed')
    })
    await expect(failing).rejects.toThrow('killed')
    expect(moves).toEqual([])
    expect(await load(id)).toMatchObject({ status: 'pending', received: 0n })
    expect(await rows.sweeps()).toEqual([])
  })

  test('needs nobody who observes', async () => {
    const { id } = await create()
    expect(await createLedger(db, () => ({})).apply(id, confirmed)).toMatchObject({ status: 'sweeping' })
  })

  test('of a transfer that pays another payment is refused', async () => {
    const [first, second] = [newPayment({ sequence: 0 }), newPayment({ id: 'other' as PaymentId, sequence: 0 })]
    await create(first)
    await create(second)
    await ledger.apply(first.id, confirmed)
    await expect(ledger.apply(second.id, confirmed)).rejects.toThrow(/belongs to/)
    expect(await load(second.id)).toMatchObject({ status: 'pending', received: 0n })
  })

  test('shows the newest of what is still there when a transfer is taken back', async () => {
    const { id } = await create()
    const older = transferOf('1000000', { blockNumber: 9 })
    await ledger.apply(id, { type: 'transfer.seen', transfer: older, ...at })
    await ledger.apply(id, confirmed)
    expect(await load(id)).toMatchObject({ lastBlock: 10, lastTxId: full.txId })
    await ledger.apply(id, reverted)
    expect(await load(id)).toMatchObject({ lastBlock: 9, lastTxId: older.txId })
  })
})

describe('a payout', () => {
  const expired: PaymentEvent = { type: 'window.ended', blockTimeMs: windowEndsAtMs + 1, ...at }
  const requested: PaymentEvent = { type: 'refund.requested', address: payer, ...at }
  const short: PaymentEvent = { ...confirmed, transfer: transferOf('10000000') }

  test('of a sweep is called off by a reorg that takes the money away', async () => {
    const { id } = await create()
    await ledger.apply(id, confirmed)
    await ledger.apply(id, reverted)
    expect(await rows.sweeps()).toEqual([])
    expect(await load(id)).toMatchObject({ status: 'pending' })
  })

  test('of a refund is queued when somebody says where to, and called off by a reorg', async () => {
    const { id } = await create()
    for (const event of [short, expired, requested]) await ledger.apply(id, event)
    expect(await rows.refunds()).toEqual([{ payment_id: id, network: 'devnet', state: 'queued', due_at_ms: 7 }])
    await ledger.apply(id, { ...reverted, transfer: short.transfer } as PaymentEvent)
    expect(await rows.refunds()).toEqual([])
  })

  test('of what was not asked for is queued and called off like it', async () => {
    const { id } = await create()
    for (const event of [measured, requested]) await ledger.apply(id, event)
    expect(await rows.returns()).toEqual([{ payment_id: id, ...unmatched, state: 'queued', due_at_ms: 7 }])
    expect(await load(id)).toMatchObject({ unmatched: [{ ...unmatched, balance: 5n, refund: 'queued' }] })
    await ledger.apply(id, { ...measured, balance: baseUnits('0'), block: 11 } as PaymentEvent)
    expect(await rows.returns()).toEqual([])
  })

  test('is not made of a test payment: nothing real is there', async () => {
    const { id } = await create(newPayment({ sequence: 0, isTest: true }))
    await ledger.apply(id, confirmed)
    expect(await load(id)).toMatchObject({ status: 'sweeping' })
    expect(await rows.sweeps()).toEqual([])
    const other = await create(newPayment({ id: 'other' as PaymentId, sequence: 0, isTest: true }))
    const transfer = transferOf('10000000', { txId: '0x2' })
    for (const event of [{ ...confirmed, transfer } as PaymentEvent, expired, requested])
      await ledger.apply(other.id, event)
    expect(await load(other.id)).toMatchObject({ refund: 'queued' })
    expect(await rows.refunds()).toEqual([])
  })
})

describe('what a creation emits', () => {
  const facts: PaymentEvent[] = [
    { type: 'transfer.confirmed', transfer: transferOf('26000000'), ...at },
    {
      type: 'transfer.confirmed',
      transfer: transferOf('1000000', { txId: '0xe', blockTimeMs: windowEndsAtMs + 9 }),
      ...at,
    },
    { type: 'window.ended', blockTimeMs: windowEndsAtMs * 10, ...at },
    { type: 'sweep.waiting', isWaiting: true, ...at },
    { type: 'sweep.confirmed', txId: '0x5e', ...at },
    { type: 'refund.requested', address: payer, ...at },
    { type: 'refund.sent', amount: baseUnits('1000000'), ...at },
    { type: 'refund.confirmed', amount: baseUnits('1000000'), txId: '0x4e', ...at },
    { type: 'refund.sent', amount: baseUnits('7'), ...at },
    measured,
    {
      type: 'bridge.moved',
      report: { status: 'success', originTxId: '0x1', destinationTxId: '0x2', refundTxId: '0x3', reason: 'r' },
      ...at,
    },
  ]

  test.each([
    ['a deposit', newPayment({ sequence: 0, acceptedUntilMs: windowEndsAtMs * 2 })],
    ['a deposit from another chain', newPayment({ sequence: 0, bridge: newBridge(bridgeTerms) })],
    ['a wallet payment', newContractPayment({ sequence: 0 })],
  ])('is %s as it was, whatever has happened to it since', async (_, payment) => {
    const created = await create(payment)
    for (const event of facts) await ledger.apply(created.id, event)
    const now = await load(created.id)
    if (!now) throw new Error('no payment')
    expect(now.version).toBeGreaterThan(2)
    expect(initialStateOf(now)).toEqual(created)
  })

  test('is that of one that was ended by hand, or taken late, too', async () => {
    const created = await create()
    await ledger.apply(created.id, { type: 'payment.closed', as: 'failed', ...at })
    await ledger.apply(created.id, confirmed)
    await ledger.apply(created.id, { type: 'late.accepted', ...at })
    const now = await load(created.id)
    expect(now).toMatchObject({ closedAs: 'failed', lateTaken: true, status: 'sweeping' })
    expect(now && initialStateOf(now)).toEqual(created)
  })
})
