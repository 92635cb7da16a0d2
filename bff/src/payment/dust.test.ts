import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { createMemoryLedger, newPayment, transferOf, windowEndsAtMs } from '@stablecoin-checkout/rig/new-payment'
import { times } from '@stablecoin-checkout/rig/nightly'
import { makeDatabaseFolder, writeDatabaseFile } from '@stablecoin-checkout/rig/test-database'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { baseUnits } from '../core/money.ts'
import { type Db, sql } from '../db/db.ts'
import { openSqlite } from '../db/sqlite/open-sqlite.ts'
import { createLedger } from './ledger.ts'
import type { PaymentId } from './payment.ts'
import { loadPayment } from './store/payment-store.ts'

const drops = times(600, 10_000)
/** As much as a watcher's pass applies in one commit. */
const passDrops = 200

let folder: string
let db: Db
beforeEach(async () => {
  folder = makeDatabaseFolder()
  const path = join(folder, 'test.sqlite')
  await writeDatabaseFile(path)
  db = openSqlite(path)
})
afterEach(async () => {
  await db.close()
  rmSync(folder, { recursive: true, force: true })
})

const count = async (table: 'transfers' | 'events' | 'deliveries') => {
  const query = {
    transfers: sql`select count(*) as count from transfers`,
    events: sql`select count(*) as count from events`,
    deliveries: sql`select count(*) as count from deliveries`,
  }[table]
  return (await db.read((tx) => tx.get<{ count: number }>(query)))?.count
}

/** Many drops of the very token: seen, then confirmed, in the window or after it. */
async function rain(blockTimeMs: number) {
  const ledger = createLedger(db, ({ status }) => ({ status }))
  const payment = newPayment({ sequence: 0, callbackUrl: 'https://shop.example/webhooks' })
  await db.write(async (tx) => {
    await tx.run(sql`
        insert into merchants (id, name, webhook_secret, created_at_ms) values (${payment.merchantId}, 'm', 's', 0)`)
    await ledger.createIn(tx, payment)
  })
  for (let first = 0; first < drops; first += passDrops) {
    await db.write(async (tx) => {
      for (let drop = first; drop < first + passDrops; drop++) {
        const transfer = transferOf('1', { txId: `0x${drop}`, blockNumber: 10 + drop, blockTimeMs })
        await ledger.applyIn(tx, payment.id, { type: 'transfer.seen', transfer, atMs: 0 })
        await ledger.applyIn(tx, payment.id, { type: 'transfer.confirmed', transfer, atMs: 0 })
      }
    })
  }
  return await db.read((tx) => loadPayment(tx, payment.id as PaymentId))
}

test('many drops in the window are counted to the unit, and are three webhooks', async () => {
  expect(await rain(1_000)).toMatchObject({ received: baseUnits(String(drops)), late: 0n, status: 'pending' })
  expect(await count('transfers')).toBe(drops)
  // Created, detected, underpaid.
  expect([await count('events'), await count('deliveries')]).toEqual([3, 3])
})

test('many drops after the window are counted to the unit, and are a handful of webhooks', async () => {
  expect(await rain(windowEndsAtMs + 1)).toMatchObject({ received: 0n, late: baseUnits(String(drops)) })
  // Created, and each time that the sum of them had doubled.
  expect(await count('events')).toBe(1 + Math.ceil(Math.log2(drops)))
})

test('what is of size is effects, however much there is, and so is every reorg that undoes a payment', () => {
  const ledger = createMemoryLedger(newPayment())
  const due = 25_000_000
  const pay = (amount: number, txId: string) => {
    const transfer = transferOf(String(amount), { txId })
    ledger.apply({ type: 'transfer.confirmed', transfer, atMs: 0 })
    return transfer
  }
  pay(due - 1, '0x1')
  const drop = pay(1, '0x2')
  ledger.effects.length = 0
  ledger.apply({ type: 'transfer.reverted', transfer: drop, atMs: 0 })
  expect(ledger.effects).toContain('payment.reorged')
  pay(1, '0x3')
  pay(10 * due, '0x4')
  ledger.effects.length = 0
  pay(due / 100, '0x5')
  pay(due / 100 - 1, '0x6')
  expect(ledger.effects).toEqual(['payment.overpaid'])
})
