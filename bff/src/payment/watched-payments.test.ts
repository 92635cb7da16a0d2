import { openMerchantDatabase } from '@stablecoin-checkout/rig/merchant-database'
import { newContractPayment, newPayment, transferOf, windowEndsAtMs } from '@stablecoin-checkout/rig/new-payment'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Db, sql, type Tx } from '../db/db.ts'
import { bridgeAnswerMaxMs, bridgeWaitMaxMs, newBridge, windowEndOf } from './bridge.ts'
import type { Ledger } from './ledger.ts'
import type { Bridge, BridgeStatus, DepositPayment, Payment, PaymentId } from './payment.ts'
import { loadPayment } from './store/payment-store.ts'
import {
  confirmationsOfEnded,
  depositsAfterWindow,
  type EndedWindow,
  endedLateWindows,
  endedWindows,
  splitsOf,
  transfersToConfirm,
  unconfirmedDeposits,
  watchedPlaces,
} from './store/watched-payments-store.ts'

const network = 'devnet'

let merchants: Awaited<ReturnType<typeof openMerchantDatabase>>
let db: Db
let ledger: Ledger
let count = 0
beforeEach(async () => {
  count = 0
  merchants = await openMerchantDatabase()
  db = merchants.db
  ledger = merchants.ledger
})
afterEach(() => merchants.remove())

const create = async (payment: Payment): Promise<PaymentId> => {
  await db.write((tx) => ledger.createIn(tx, payment))
  return payment.id
}
/** Named by the order of their creation. */
const deposit = (changes: Partial<DepositPayment> = {}) => {
  count += 1
  const id = `deposit ${count}` as PaymentId
  return create(newPayment({ id, sequence: 0, depositAddress: `0x${count}`, ...changes }))
}
const read = <T>(unit: (tx: Tx) => Promise<T>) => db.read(unit)
/** An event of the payment waits to be applied again. */
const fault = (id: PaymentId) =>
  db.write((tx) =>
    tx.run(sql`
        insert into watch_faults (network, payment_id, part, place, error, failures, since_ms, tried_at_ms)
        values (${network}, ${id}, 'window', '', 'full', 1, 1, 1)`),
  )
const ended = async (blockTimeMs: number, of = {}, after?: EndedWindow) =>
  (await read((tx) => endedWindows(tx, network, blockTimeMs, 10, of, after))).map(({ id }) => id)

describe('the windows that ended', () => {
  test('are those of live payments of the network before the time, the oldest first, without those that wait for another try', async () => {
    const later = await deposit({ windowEndsAtMs: 20 })
    const first = await deposit({ windowEndsAtMs: 10 })
    await deposit({ windowEndsAtMs: 10, isTest: true })
    await deposit({ windowEndsAtMs: 10, network: 'polygon' })
    const held = await deposit({ windowEndsAtMs: 10 })
    expect(await ended(11)).toEqual([first, held])
    const [row] = await read((tx) => endedWindows(tx, network, 11, 1))
    expect(await ended(21, {}, row), 'behind the first').toEqual([held, later])
    await fault(held)
    expect([await ended(10), await ended(20), await ended(21)]).toEqual([[], [first], [first, later]])
    expect(await ended(21, { createdAfterMs: 0 })).toEqual([])
    expect([await ended(21, { mode: 'contract' }), await ended(21, { mode: 'deposit' })]).toEqual([[], [first, later]])
  })

  test('to late money are apart from these, and follow the same rule', async () => {
    const late = (acceptedUntilMs: number, changes = {}) => deposit({ acceptedUntilMs, ...changes })
    const [later, first, held] = [await late(20), await late(10), await late(10)]
    await late(10, { isTest: true })
    await late(10, { network: 'polygon' })
    await fault(held)
    const lateEnded = async (blockTimeMs: number, after?: EndedWindow) =>
      (await read((tx) => endedLateWindows(tx, network, blockTimeMs, 10, {}, after))).map(({ id }) => id)
    const [row] = await read((tx) => endedLateWindows(tx, network, 21, 1))
    expect([row?.id, await lateEnded(21, row)]).toEqual([first, [later]])
    expect([await lateEnded(10), await lateEnded(20), await lateEnded(21)]).toEqual([[], [first], [first, later]])
  })

  test('want the confirmations of their payments, beyond those of the network', async () => {
    for (const [confirmations, ends] of [
      [12, 10],
      [20, 10],
      [30, 90],
      [null, 10],
    ] as const)
      await deposit({ confirmations, windowEndsAtMs: ends })
    await deposit({ confirmations: 40, acceptedUntilMs: 10 })
    await deposit({ confirmations: 50, acceptedUntilMs: 90 })
    await deposit({ confirmations: 60, windowEndsAtMs: 10, isTest: true })
    await deposit({ confirmations: 70, windowEndsAtMs: 10, network: 'polygon' })
    const wanted = (blockTimeMs: number, moreThan: number) =>
      read((tx) => confirmationsOfEnded(tx, network, { blockTimeMs, moreThan }))
    expect([await wanted(11, 12), await wanted(11, 11), await wanted(91, 30)]).toEqual([
      [20, 40],
      [12, 20, 40],
      [40, 50],
    ])
  })

  const statuses: BridgeStatus[] = [
    ...(['waiting', 'depositing', 'pending', 'submitted', 'delayed', 'success', 'refund', 'failure'] as const),
  ]
  test.each(statuses)(
    'of a bridge that reports %s are those of the rule by which its events are applied',
    async (status) => {
      const terms = {
        ...{ requestId: '0xrequest', relayDepositAddress: '0xrelay', originChainId: 8453, originName: 'Base' },
        ...{ originExplorerUrl: null, originCurrency: 'USDC', originToken: '0x8335' },
        ...{ originDecimals: 6, amountToSend: '25100000' },
      }
      const bridged = (changes: Partial<Bridge>, lastTxId: string | null) =>
        deposit({ bridge: { ...newBridge(terms), status, ...changes }, lastTxId })
      const ids = [
        await bridged({}, null),
        await bridged({ destinationTxId: '0xdelivery' }, null),
        await bridged({ destinationTxId: '0xdelivery' }, '0xdelivery'),
        await bridged({ destinationTxId: '0xdelivery' }, '0xstranger'),
        await bridged({}, '0xstranger'),
      ]
      const answer = (isAnswered: 0 | 1) =>
        db.write((tx) => tx.run(sql`update bridge_polls set is_answered = ${isAnswered}`))
      await answer(1)
      const payments = await Promise.all(ids.map((id) => read((tx) => loadPayment(tx, id))))
      const ends = payments.map((payment) => (payment ? windowEndOf(payment) : 0))
      for (const blockTimeMs of [windowEndsAtMs, windowEndsAtMs + 1, windowEndsAtMs + bridgeWaitMaxMs + 1]) {
        const over = ids.filter((_, index) => (ends[index] ?? 0) < blockTimeMs)
        expect((await ended(blockTimeMs)).toSorted()).toEqual(over.toSorted())
      }
      // The relay was asked once more because the window is over, and has not said whether the customer paid.
      await answer(0)
      expect(await ended(windowEndsAtMs + bridgeAnswerMaxMs)).toEqual([])
      const over = ids.filter((_, index) => (ends[index] ?? 0) <= windowEndsAtMs)
      expect((await ended(windowEndsAtMs + bridgeAnswerMaxMs + 1)).toSorted()).toEqual(over.toSorted())
    },
  )
})

test('a transfer is confirmed at the confirmations of its payment, those of high value behind others, and faulty ones last', async () => {
  const receive = async (id: PaymentId, blockNumber: number, logIndex = 0) => {
    const transfer = transferOf('7', { txId: `0x${id}`, blockNumber, logIndex, blockTimeMs: 1 })
    await ledger.apply(id, { type: 'transfer.seen', transfer, atMs: 1 })
  }
  const [faulty, high, plain, second] = [
    await deposit(),
    await deposit({ confirmations: 5 }),
    await deposit(),
    await deposit({ network: 'devnet' }),
  ]
  await receive(faulty, 6)
  await receive(high, 6)
  await receive(plain, 8, 2)
  await receive(second, 8, 1)
  await fault(faulty)
  const ready = async (head: number, confirmations = 3) =>
    (await read((tx) => transfersToConfirm(tx, network, head, confirmations, 10))).map((one) => one.paymentId)
  expect([await ready(7), await ready(8), await ready(9)]).toEqual([[], [faulty], [faulty]])
  expect(await ready(10)).toEqual([second, plain, high, faulty])
  // A number below that of the network waits for the network's.
  expect(await ready(12, 7)).toEqual([high, faulty])
  expect(await ready(11, 7)).toEqual([])
  expect(await read((tx) => transfersToConfirm(tx, 'polygon', 100, 1, 10))).toEqual([])
})

const openAccount = (id: PaymentId) =>
  db.write((tx) =>
    tx.run(sql`
        insert into solana_accounts (payment_id, network, address, state, due_at_ms)
        values (${id}, ${network}, ${`account of ${id}`}, 'open', 1)`),
  )

test('on Solana too, so that dust at one address of high value holds up no other payment while a node is down', async () => {
  const ids = [await deposit(), await deposit({ confirmations: 32 }), await deposit()]
  const [faulty, high, plain] = ids
  for (const [index, id] of ids.entries()) {
    await openAccount(id)
    const transfer = transferOf('7', { txId: `tx ${index}`, blockNumber: index, blockTimeMs: 1 })
    await ledger.apply(id, { type: 'transfer.seen', transfer, atMs: 1 })
  }
  if (faulty) await fault(faulty)
  const waiting = await read((tx) => unconfirmedDeposits(tx, network, 10))
  expect(waiting.map(({ id, isHighValue }) => [id, isHighValue])).toEqual([
    [plain, false],
    [high, true],
    [faulty, false],
  ])
})

test('dust that waits to be final delays no transfer to another deposit on Solana, nor the largest one to its own', async () => {
  const [dusted, paid] = [await deposit(), await deposit()]
  const seen = async (id: PaymentId, amount: string, changes: Parameters<typeof transferOf>[1]) =>
    ledger.apply(id, { type: 'transfer.seen', transfer: transferOf(amount, changes), atMs: 1 })
  for (const id of [dusted, paid]) await openAccount(id)
  for (let blockNumber = 1; blockNumber <= 9; blockNumber++)
    await seen(dusted, '9', { txId: `dust ${blockNumber}`, blockNumber })
  await seen(paid, '25000000', { txId: 'paid', blockNumber: 20 })
  await seen(dusted, '10', { txId: 'large', blockNumber: 30 })
  const waiting = await read((tx) => unconfirmedDeposits(tx, network, 4))
  expect(waiting.map(({ transfer }) => transfer.txId)).toEqual(['paid', 'large', 'dust 1', 'dust 2'])
})

describe('what a watcher looks for', () => {
  test('are the newest windows first, so that a full list has those that can still be paid', async () => {
    for (const ends of [20, 40, 30]) await deposit({ windowEndsAtMs: ends, depositAddress: `0xends${ends}` })
    await deposit({ windowEndsAtMs: 50, isTest: true })
    await deposit({ windowEndsAtMs: 50, network: 'polygon' })
    const places = async (endedAfterMs: number, limit: number) =>
      (await read((tx) => watchedPlaces(tx, { network, mode: 'deposit', endedAfterMs }, limit))).map(
        ({ place }) => place,
      )
    expect(await places(0, 2)).toEqual(['0xends40', '0xends30'])
    expect(await places(20, 10)).toEqual(['0xends40', '0xends30'])
  })

  test('are pages of deposits, in which many windows that end at one time are each once', async () => {
    const ids = [await deposit(), await deposit(), await deposit()]
    const seen: PaymentId[] = []
    let after = { windowEndsAtMs: 0, number: 0 }
    for (let page = 0; page < 4; page++) {
      const [next] = await read((tx) => depositsAfterWindow(tx, network, after, 1))
      if (!next) break
      seen.push(next.id)
      after = next
    }
    expect(seen).toEqual(ids)
  })

  test('are wallet payments of its own network by the hashes of their terms', async () => {
    const id = await create(newContractPayment({ id: 'split' as PaymentId, sequence: 0, termsHash: '0xterms' }))
    const found = async (at: string, hash: string) =>
      (await read((tx) => splitsOf(tx, at, [hash]))).map((one) => one.id)
    expect([
      await found(network, '0xterms'),
      await found('polygon', '0xterms'),
      await found(network, '0xother'),
    ]).toEqual([[id], [], []])
  })
})
