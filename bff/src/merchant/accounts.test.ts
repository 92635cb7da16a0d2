import { createTestDatabase, type TestDatabase } from '@stablecoin-checkout/rig/test-database'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { systemRuntime as runtime } from '../core/runtime.ts'
import type { Db } from '../db/db.ts'
import { createVault } from '../db/vault.ts'
import { createMerchant, listMerchants, setMerchant } from './accounts.ts'
import { defaultSettings } from './merchant-settings.ts'

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

const vault = createVault(new Uint8Array(32), runtime)
const tolerance = { bps: 50, maxMicros: 1_000_000n }
const create = (settings?: object) =>
  createMerchant(
    { db, networks: new Map(), runtime, vault },
    { name: ' Corner Coffee ', wallets: new Map(), webhookSecret: 'whsec_x', ...(settings && { settings }) },
  )

test('a merchant begins with the settings that are given, and the usual others', async () => {
  const { merchantId } = await create({ tolerance })
  const { merchants, hasMore } = await listMerchants(db)
  expect(merchants).toMatchObject([{ merchantId, name: 'Corner Coffee' }])
  expect(merchants[0]?.settings).toEqual({ ...defaultSettings, tolerance })
  expect(hasMore).toBe(false)
  const usual = await create()
  const found = (await listMerchants(db)).merchants.find((one) => one.merchantId === usual.merchantId)
  expect(found?.settings).toEqual(defaultSettings)
})

test('a change of one setting keeps the others, and those of other merchants', async () => {
  const [one, other] = [await create({ tolerance }), await create()]
  const after = await setMerchant(db, one.merchantId, { latePayments: 'accept' })
  expect(after).toEqual({ ...defaultSettings, tolerance, latePayments: 'accept' })
  const found = (await listMerchants(db)).merchants.map(({ merchantId, settings }) => [merchantId, settings])
  expect(Object.fromEntries(found)).toEqual({ [one.merchantId]: after, [other.merchantId]: defaultSettings })
  await expect(setMerchant(db, 'nobody', {})).rejects.toThrow('there is no merchant "nobody"')
})
