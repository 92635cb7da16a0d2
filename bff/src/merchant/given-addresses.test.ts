import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newPayment } from '@stablecoin-checkout/rig/new-payment'
import { createTestDatabase, type TestDatabase } from '@stablecoin-checkout/rig/test-database'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { systemRuntime } from '../core/runtime.ts'
import { backUp } from '../db/backup.ts'
import { type Db, sql } from '../db/db.ts'
import { restore } from '../db/restore.ts'
import { openSqlite } from '../db/sqlite/open-sqlite.ts'
import type { PaymentId } from '../payment/payment.ts'
import { insertPayment } from '../payment/store/payment-store.ts'
import { addSource, takeNumber } from './address-source-store.ts'
import { givenAddresses, longestUnpaidRun, namedSources, newestAddresses } from './given-address-store.ts'
import { saveWallet } from './merchant-store.ts'

const { merchantId } = newPayment()
const numberMax = 1_000_000

let database: TestDatabase
let db: Db
beforeEach(async () => {
  database = await createTestDatabase()
  db = await database.open()
  await db.write(async (tx) => {
    await tx.run(sql`
        insert into merchants (id, name, webhook_secret, created_at_ms) values (${merchantId}, 'Corner Coffee', 's', 0)`)
    for (const network of ['devnet', 'elsewhere'])
      await saveWallet(tx, merchantId, { network, address: '0xFirst', source: 'account' })
  })
})
afterEach(async () => {
  await db.close()
  await database.drop()
})

/** A payment with the next address, as a create stores it. */
async function give(
  changes: Partial<ReturnType<typeof newPayment>> = {},
  max = numberMax,
): Promise<number | undefined> {
  const id = systemRuntime.newUuid() as PaymentId
  return await db.write(async (tx) => {
    const payment = newPayment({ id, depositAddress: `0x${id}`, isDirect: true, ...changes })
    const taken = await takeNumber(tx, payment, max)
    if (taken) await insertPayment(tx, payment)
    return taken?.number
  })
}

const paid = { received: newPayment().due }

test('numbers begin at one, go on over networks that name the same source, and none is given twice', async () => {
  const numbers = await Promise.all([give(), give(), give({ network: 'elsewhere' }), give()])
  expect(numbers.toSorted()).toEqual([1, 2, 3, 4])
})

test('a payment that is not stored takes no number, and a number of a stored one is never given again', async () => {
  const failing = db.write(async (tx) => {
    await takeNumber(tx, newPayment(), numberMax)
    throw new Error('refused')
  })
  await expect(failing).rejects.toThrow('refused')
  expect(await give()).toBe(1)
  // A count that fell by mistake is refused by the key.
  await db.write((tx) => tx.run(sql`update address_sources set next_number = 1 where source = 'account'`))
  await expect(give()).rejects.toThrow()
})

test('nothing is given beyond the largest number, or without a source', async () => {
  expect([await give({}, 1), await give({}, 1)]).toEqual([1, undefined])
  await db.write((tx) => saveWallet(tx, merchantId, { network: 'devnet', address: '0xPlain', source: null }))
  expect(await give()).toBeUndefined()
})

test('a source that is named again goes on where it was', async () => {
  expect([await give(), await give()]).toEqual([1, 2])
  await db.write((tx) => saveWallet(tx, merchantId, { network: 'devnet', address: '0xPlain', source: null }))
  await db.write((tx) => saveWallet(tx, merchantId, { network: 'devnet', address: '0xFirst', source: 'account' }))
  expect(await give()).toBe(3)
})

test('a source that is named after a backup was restored does not begin at its first address', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'checkout-addresses-'))
  const [file, backup] = [join(folder, 'live.sqlite'), join(folder, 'copy.sqlite')]
  await openSqlite(file).close()
  await backUp(file, backup)
  // Named after the backup: customers have its first addresses, and the backup does not know it.
  await restore({ database: file, backup, nowMs: 0 }, async () => undefined)
  const restored = openSqlite(file)
  await restored.write((tx) => addSource(tx, 'account'))
  const row = await restored.read((tx) =>
    tx.get<{ next: number }>(sql`select next_number as "next" from address_sources where source = 'account'`),
  )
  await restored.close()
  rmSync(folder, { recursive: true })
  expect(row?.next).toBe(100_001)
})

test('the addresses of a network are listed in the order of their numbers, page by page', async () => {
  await give(paid)
  await give({ network: 'elsewhere' })
  await give()
  const whose = { merchantId, network: 'devnet' }
  const first = await db.read((tx) => givenAddresses(tx, whose, { source: '', number: 0 }, 1))
  expect(first).toMatchObject([{ source: 'account', number: 1, received: 25_000_000n, currency: 'USDC' }])
  const next = await db.read((tx) => givenAddresses(tx, whose, { source: 'account', number: 1 }, 5))
  expect(next.map(({ number, received }) => [number, received])).toEqual([[3, 0n]])
  expect(await db.read((tx) => namedSources(tx, 10))).toEqual([
    { merchant: 'Corner Coffee', network: 'devnet', source: 'account' },
    { merchant: 'Corner Coffee', network: 'elsewhere', source: 'account' },
  ])
})

test('the addresses of every source that the merchant has named are listed, whatever the numbers of the one before', async () => {
  for (let given = 0; given < 3; given++) await give()
  await db.write((tx) => saveWallet(tx, merchantId, { network: 'devnet', address: '0xSecond', source: 'later' }))
  await give({ ...paid, late: newPayment().due })
  const whose = { merchantId, network: 'devnet' }
  const listed = await db.read((tx) => givenAddresses(tx, whose, { source: 'account', number: 2 }, 5))
  expect(listed.map(({ source, number, received }) => [source, number, received])).toEqual([
    ['account', 3, 0n],
    ['later', 1, 50_000_000n],
  ])
})

test('a page of addresses has those of its own network alone', async () => {
  await give()
  await give({ network: 'elsewhere' })
  await give()
  const whose = { merchantId, network: 'devnet', source: 'account' }
  const { addresses } = await db.read((tx) => newestAddresses(tx, whose, null, 5))
  expect(addresses.map(({ number }) => number)).toEqual([3, 1])
})

test('late money ends a run without money, as a wallet that searches by itself sees it', async () => {
  await give()
  await give({ late: newPayment().due })
  await give()
  expect(await db.read((tx) => longestUnpaidRun(tx, 'account'))).toBe(1)
})

test('the longest run without money is found at the end, between payments, and over numbers that were skipped', async () => {
  const run = () => db.read((tx) => longestUnpaidRun(tx, 'account'))
  expect(await run()).toBe(0)
  await give()
  await give()
  expect(await run()).toBe(2)
  await give(paid)
  await give()
  expect(await run()).toBe(2)
  await db.write((tx) => tx.run(sql`update address_sources set next_number = next_number + 10`))
  expect(await run()).toBe(11)
  await give(paid)
  expect(await run()).toBe(11)
})

test('a page of as many addresses as one statement reads leads to the older ones', async () => {
  const count = 501
  await db.write(async (tx) => {
    for (let given = 0; given < count; given++) {
      const id = systemRuntime.newUuid() as PaymentId
      const payment = newPayment({ id, depositAddress: `0x${id}`, isDirect: true })
      await takeNumber(tx, payment, numberMax)
      await insertPayment(tx, payment)
    }
  })
  const whose = { merchantId, network: 'devnet', source: 'account' }
  const page = (before: number | null) => db.read((tx) => newestAddresses(tx, whose, before, count - 1))
  const first = await page(null)
  expect([first.addresses.length, first.next]).toEqual([count - 1, 2])
  const last = await page(first.next)
  expect([last.addresses.map(({ number }) => number), last.next]).toEqual([[1], null])
})
