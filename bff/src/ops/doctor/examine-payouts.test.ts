import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts'
import type { Db } from '../../db/db.ts'
import { postponeShare, saveParkedShare } from '../../payout/parked-share-store.ts'
import { examinePayouts } from './examine-payouts.ts'

const hourMs = 60 * 60 * 1000
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

test('shares of the platform that wait are a warning with their number, age and reason; without any nothing is said', async () => {
  const nowMs = () => 3 * hourMs
  expect(await examinePayouts(db, { nowMs })).toEqual([])
  const share = { network: 'devnet', token: '0x01', recipient: '0x02', paymentId: null, amount: 5n }
  await db.write(async (tx) => {
    await saveParkedShare(tx, { ...share, place: '0x0a' }, hourMs)
    await saveParkedShare(tx, { ...share, place: '0x0b' }, 2 * hourMs)
    await postponeShare(tx, { ...share, place: '0x0a' }, { dueAtMs: 4 * hourMs, reason: 'the wallet is blocked' })
  })
  expect(await examinePayouts(db, { nowMs })).toMatchObject([
    {
      ...{ check: 'platform shares', subject: 'devnet', state: 'warning' },
      says: '2 shares of the platform wait where the money came to, the oldest for 2 hours: the wallet is blocked',
    },
  ])
})
