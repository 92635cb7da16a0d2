import { beforeEach, expect, test } from 'vitest'
import { silentLog as log } from '../../../core/log.ts'
import type { Db, Tx } from '../../../db/db.ts'
import type { PaymentId } from '../../../payment/payment.ts'
import { stillUnconfirmed, TransactionRefused, unknownTransaction } from '../../refusal.ts'
import { createSplitVerifications, unverifiedForMs } from './split-verifications.ts'

const { signal } = new AbortController()
const id = 'payment' as PaymentId
const minuteMs = 60_000

let nowMs: number
let isServing: boolean
/** What is wrong with each transaction; without an entry, it pays. */
let refusals: Map<string, Error>
/** Stored as detected. */
let seen: string[]
let verified: string[]
let verifications: ReturnType<typeof createSplitVerifications>
beforeEach(() => {
  ;[nowMs, isServing, refusals, seen, verified] = [1_000, true, new Map(), [], []]
  const tx = { all: async () => seen.map((txId) => ({ id, txId })) } as unknown as Tx
  verifications = createSplitVerifications({
    db: { read: async (unit: (tx: Tx) => Promise<unknown>) => await unit(tx) } as unknown as Db,
    network: { shortName: 'solana' },
    async verifySubmission({ txId }) {
      verified.push(txId)
      const refusal = refusals.get(txId)
      if (refusal) throw refusal
    },
    isServing: () => isServing,
    runtime: { nowMs: () => nowMs } as Parameters<typeof createSplitVerifications>[0]['runtime'],
    log,
  })
})

const missing = unknownTransaction('not yet')
const fault = new Error('the node answers nonsense')

test('a transaction that no node has is given up a minute after it was found, whenever it was tried', async () => {
  refusals.set('tx', missing)
  await verifications.verify(id, 'tx', signal)
  for (const laterMs of [minuteMs / 2, minuteMs / 2 - 1]) {
    nowMs += laterMs
    await verifications.verifyUnsettled(signal)
    expect(await verifications.unverifiedPayments()).toEqual(new Set([id]))
  }
  nowMs += 1
  await verifications.verifyUnsettled(signal)
  expect(await verifications.unverifiedPayments()).toEqual(new Set())
  expect(verified).toHaveLength(4)
})

test('a transaction that is refused for good is not tried again, one that waits for its block is', async () => {
  refusals.set('wrong', new TransactionRefused('ALREADY_USED', 'pays another payment'))
  refusals.set('young', stillUnconfirmed('not finalized'))
  for (const txId of ['wrong', 'young', 'good']) await verifications.verify(id, txId, signal)
  verified = []
  nowMs += 2 * minuteMs
  await verifications.verifyUnsettled(signal)
  expect(verified).toEqual(['young'])
  expect(await verifications.unverifiedPayments()).toEqual(new Set([id]))
})

test('what nodes cannot say is given up after ten minutes in which they answer, never while they do not', async () => {
  refusals.set('tx', fault)
  await verifications.verify(id, 'tx', signal)
  isServing = false
  nowMs += unverifiedForMs
  expect(await verifications.unverifiedPayments()).toEqual(new Set([id]))
  isServing = true
  nowMs -= 1
  expect(await verifications.unverifiedPayments()).toEqual(new Set([id]))
  nowMs += 1
  expect(await verifications.unverifiedPayments()).toEqual(new Set())
})

test('a transaction that is stored as detected holds up no window: the ledger has it', async () => {
  refusals.set('tx', missing)
  await verifications.verify(id, 'tx', signal)
  seen = ['tx']
  expect(await verifications.unverifiedPayments()).toEqual(new Set())
  await verifications.verifyUnsettled(signal)
  seen = []
  expect(await verifications.unverifiedPayments()).toEqual(new Set())
})

test('of too many transactions that cannot be verified the next is refused, and those that wait are tried again', async () => {
  for (let index = 0; index <= 1_000; index++) refusals.set(`tx ${index}`, fault)
  for (let index = 0; index < 1_000; index++) expect(await verifications.verify(id, `tx ${index}`, signal)).toBe(true)
  expect(await verifications.verify(id, 'tx 1000', signal)).toBe(false)
  expect(await verifications.verify(id, 'tx 7', signal)).toBe(true)
  refusals.delete('tx 7')
  await verifications.verify(id, 'tx 7', signal)
  expect(await verifications.verify(id, 'tx 1000', signal)).toBe(true)
})

test('once the service ends no further transaction is verified', async () => {
  const stopping = new AbortController()
  for (const txId of ['a', 'b', 'c']) {
    refusals.set(txId, fault)
    await verifications.verify(id, txId, signal)
  }
  verified = []
  stopping.abort()
  await verifications.verifyUnsettled(stopping.signal)
  expect(verified).toEqual([])
})
