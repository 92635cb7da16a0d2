import { createTestDatabase, type TestDatabase } from '@stablecoin-checkout/rig/test-database'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { silentLog as log } from '../core/log.ts'
import { systemRuntime as runtime } from '../core/runtime.ts'
import { type Db, sql, type Tx } from '../db/db.ts'
import { DatabaseUnavailableError } from '../db/unavailable.ts'
import type { PaymentEvent } from '../payment/event.ts'
import type { Ledger } from '../payment/ledger.ts'
import type { PaymentId } from '../payment/payment.ts'
import { createIsolatedApplier, type PaymentStep, withArriving } from './apply-isolated.ts'

const network = 'devnet'

let database: TestDatabase
let db: Db
beforeEach(async () => {
  database = await createTestDatabase()
  db = await database.open()
})
afterEach(async () => {
  await db.close()
  await database.drop()
})

const step = (id: string, type: 'transfer.seen' | 'transfer.reverted'): PaymentStep => ({
  id: id as PaymentId,
  part: 'transfers',
  place: '7',
  event: { type, transfer: { txId: id, amount: 1n } } as PaymentEvent,
})

/** An applier whose ledger fails as told, and what its ledger was asked for. */
function openApplier(fail: (id: string, type: string) => unknown) {
  const asked: string[] = []
  const ledger = {
    async applyIn(_: Tx, id: string, { type }: PaymentEvent) {
      asked.push(`${id} ${type.replace('transfer.', '')}`)
      const error = fail(id, type)
      if (error !== undefined) throw error
    },
  } as unknown as Ledger
  return { asked, apply: createIsolatedApplier({ db, ledger, network, runtime, log }) }
}

const faults = () => db.read((tx) => tx.all<{ id: string }>(sql`select payment_id as id from watch_faults order by id`))

const broken = new Error('cannot be read')

test('after a failure, what a reorg took is taken back from every payment before any takes something new', async () => {
  const { asked, apply } = openApplier((id) => (id === 'broken' ? broken : undefined))
  await apply([step('broken', 'transfer.seen'), step('a', 'transfer.seen'), step('b', 'transfer.reverted')])
  expect(asked).toEqual(['broken seen', 'b reverted', 'broken seen', 'a seen'])
  expect(await faults()).toEqual([{ id: 'broken' }])
})

test('a revert names what arrives of the payment’s replaced transactions, and nothing else', () => {
  const of = (type: string, id: string, txId: string, amount = 0n) =>
    ({ id: id as PaymentId, event: { type, transfer: { txId, amount } } as PaymentEvent }) as const
  const steps = withArriving([
    ...['0x1', '0x2'].map((txId) => of('transfer.reverted', 'a', txId)),
    of('transfer.reverted', 'b', '0x1'),
    of('transfer.seen', 'a', '0x1', 4n),
    of('transfer.confirmed', 'a', '0x1', 4n),
    of('transfer.seen', 'a', '0x1', 6n),
    of('transfer.seen', 'a', '0x3', 1n),
    of('transfer.seen', 'b', '0x2', 1n),
  ])
  const arriving = steps.flatMap(({ id, event }) => (event.type === 'transfer.reverted' ? [[id, event.arriving]] : []))
  expect(arriving).toEqual([
    ['a', 10n],
    ['a', 10n],
    ['b', 0n],
  ])
})

test('a payment that keeps a replaced transfer takes no new one, and both are tried again', async () => {
  const { asked, apply } = openApplier((_, type) => (type === 'transfer.reverted' ? broken : undefined))
  const failed: string[] = []
  await apply([step('a', 'transfer.reverted'), step('a', 'transfer.seen')], async (_, found) => {
    failed.push(...found.keys())
  })
  expect(asked).toEqual(['a reverted', 'a reverted'])
  expect(failed).toEqual(['a'])
})

test('a failure is stored in the commit that moves the cursor, or neither is', async () => {
  const { apply } = openApplier(() => broken)
  const moving = apply([step('a', 'transfer.seen')], async () => {
    throw new Error('the cursor stays')
  })
  await expect(moving).rejects.toThrow('the cursor stays')
  expect(await faults()).toEqual([])
})

test('a failure of the database is recorded for no payment', async () => {
  let calls = 0
  const { apply } = openApplier(() => (calls++ === 0 ? broken : new DatabaseUnavailableError(broken)))
  let isMoved = false
  const moving = apply([step('a', 'transfer.seen')], async () => {
    isMoved = true
  })
  await expect(moving).rejects.toThrow(DatabaseUnavailableError)
  expect([await faults(), isMoved]).toEqual([[], false])
})
