import { devnetFacts } from '@stablecoin-checkout/rig/devnet-facts'
import { newPayment } from '@stablecoin-checkout/rig/new-payment'
import { createTestDatabase, type TestDatabase } from '@stablecoin-checkout/rig/test-database'
import { HDKey } from 'viem/accounts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { EvmNetwork } from '../../core/families.ts'
import { systemRuntime } from '../../core/runtime.ts'
import { type Db, sql } from '../../db/db.ts'
import { takeNumber } from '../../merchant/address-source-store.ts'
import { saveWallet } from '../../merchant/merchant-store.ts'
import type { PaymentId } from '../../payment/payment.ts'
import { insertPayment } from '../../payment/store/payment-store.ts'
import { examineAddresses } from './examine-addresses.ts'

const { merchantId } = newPayment()
const account = HDKey.fromMasterSeed(systemRuntime.randomBytes(32)).derive("m/44'/60'/0'").publicExtendedKey
const networksOf = (deposits: EvmNetwork['deposits']) =>
  new Map([['devnet', { ...devnetFacts, name: 'Devnet', deposits }]])

let database: TestDatabase
let db: Db
beforeEach(async () => {
  database = await createTestDatabase()
  db = await database.open()
  await db.write((tx) =>
    tx.run(sql`
        insert into merchants (id, name, webhook_secret, created_at_ms) values (${merchantId}, 'Corner Coffee', 's', 0)`),
  )
})
afterEach(async () => {
  await db.close()
  await database.drop()
})

const name = (source: string | null) =>
  db.write((tx) => saveWallet(tx, merchantId, { network: 'devnet', address: '0xFirst', source }))

/** Payments with the next addresses, as creates store them. */
async function give(count: number, changes: Partial<ReturnType<typeof newPayment>> = {}): Promise<void> {
  for (let given = 0; given < count; given++) {
    const id = systemRuntime.newUuid() as PaymentId
    const payment = newPayment({ id, depositAddress: `0x${id}`, isDirect: true, ...changes })
    await db.write(async (tx) => {
      await takeNumber(tx, payment, 1_000)
      await insertPayment(tx, payment)
    })
  }
}

test('a wallet that would stop its search is a warning with the number, from the first address that it would miss', async () => {
  await name(account)
  await give(20)
  expect(await examineAddresses(db, networksOf('xpub'))).toEqual([])
  await give(1)
  expect(await examineAddresses(db, networksOf('xpub'))).toEqual([
    {
      ...{ check: 'addresses', subject: 'Devnet, Corner Coffee', place: null, state: 'warning' },
      ...{ code: 'addresses.gap', values: ['21', '20'] },
      says: '21 addresses in a row have no money: a wallet that stops after 20 does not show what came later',
      fix: 'Raise the gap limit of the wallet above 21, or import the list of "wallets addresses".',
    },
  ])
  // The money is behind the gap, so the warning stays.
  await give(1, { received: newPayment().due })
  expect(await examineAddresses(db, networksOf('xpub'))).toMatchObject([
    { code: 'addresses.gap', values: ['21', '20'] },
  ])
})

test('money between the addresses ends a gap, and other kinds of address have none', async () => {
  await name(account)
  await give(15)
  await give(1, { received: newPayment().due })
  await give(15)
  expect(await examineAddresses(db, networksOf('xpub'))).toEqual([])
  await give(30)
  expect(await examineAddresses(db, networksOf('forwarder'))).toEqual([])
})

test('a plain wallet, or one of another kind, is bad where payments need an account: nothing can be paid there', async () => {
  const none = {
    ...{ check: 'addresses', subject: 'Devnet, Corner Coffee', place: null, state: 'bad' },
    ...{ code: 'addresses.none', values: [] },
    says: 'is a plain wallet, and payments need an account of it: nothing can be paid there',
    fix: `Run "wallets set" with the account's extended public key, @, and its first address.`,
  }
  expect(await examineAddresses(db, networksOf('xpub'))).toEqual([])
  await name(null)
  expect(await examineAddresses(db, networksOf('xpub'))).toEqual([none])
  await name('0x58e21090')
  expect(await examineAddresses(db, networksOf('xpub'))).toEqual([none])
  await name(account)
  expect(await examineAddresses(db, networksOf('xpub'))).toEqual([])
})

test('a wallet of virtual addresses searches nothing, so no number of unpaid ones is a warning', async () => {
  await name('0x12345678')
  await give(21)
  expect(await examineAddresses(db, networksOf('virtual'))).toEqual([])
})
