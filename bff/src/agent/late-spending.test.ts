import { openMerchantDatabase } from '@stablecoin-checkout/rig/merchant-database'
import { newPayment, windowEndsAtMs } from '@stablecoin-checkout/rig/new-payment'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Db } from '../db/db.ts'
import type { Ledger } from '../payment/ledger.ts'
import { type DepositPayment, lateWindowMs } from '../payment/payment.ts'
import { parseDollars, periodsOf } from './policy.ts'
import { loadSpent } from './policy-store.ts'

const { id, merchantId } = newPayment()
const nowMs = Date.parse('2026-11-21T12:00:00Z')
const acceptedUntilMs = windowEndsAtMs + lateWindowMs

let db: Db
let ledger: Ledger
let remove: () => Promise<void>
beforeEach(async () => {
  ;({ db, ledger, remove } = await openMerchantDatabase())
})
afterEach(() => remove())

/** 25 dollars of an agent, which late money pays for a week. */
const create = (changes: Partial<DepositPayment> = {}) =>
  db.write((tx) =>
    ledger.createIn(
      tx,
      newPayment({
        sequence: 0,
        agentId: 'shopper',
        agentOwner: 'me',
        createdAtMs: nowMs,
        acceptedUntilMs,
        ...changes,
      }),
    ),
  )
const spent = () => db.read((tx) => loadSpent(tx, { merchantId, isTest: false, agentId: 'shopper' }, nowMs))
const endWindow = (blockTimeMs: number) => ledger.apply(id, { type: 'window.ended', blockTimeMs, atMs: nowMs })

test('an expired payment that late money can still pay is promised, until that time is over', async () => {
  await create()
  await endWindow(acceptedUntilMs)
  expect(await spent()).toMatchObject({ today: parseDollars('25'), thisMonth: parseDollars('25') })
  await endWindow(acceptedUntilMs + 1)
  expect(await spent()).toMatchObject({ today: 0n, thisMonth: 0n })
})

test('a payment that was ended by hand is promised no more, because late money does not pay it', async () => {
  await create()
  await ledger.apply(id, { type: 'payment.closed', as: 'expired', atMs: nowMs })
  expect(await spent()).toMatchObject({ today: 0n, thisMonth: 0n })
})

test('a payment whose late money is only reported is given back with its window', async () => {
  await create({ acceptedUntilMs: null })
  await endWindow(windowEndsAtMs + 1)
  expect(await spent()).toMatchObject({ today: 0n, thisMonth: 0n })
})

test.each(['America/Los_Angeles', 'Pacific/Kiritimati', 'Asia/Kolkata'])(
  'budgets are of the UTC day and month on a machine whose clock shows the time of %s',
  (timeZone) => {
    const before = process.env['TZ']
    try {
      process.env['TZ'] = timeZone
      const written = (atMs: number) => Object.values(periodsOf(atMs)).map((ms) => new Date(ms).toISOString())
      const [firstOfMonth, firstOfNext] = ['2026-11-01T00:00:00.000Z', '2026-12-01T00:00:00.000Z']
      const firstDay = [firstOfMonth, '2026-11-02T00:00:00.000Z', firstOfMonth, firstOfNext]
      expect(written(Date.parse('2026-11-01T00:30:00Z'))).toEqual(firstDay)
      const lastDay = ['2026-11-30T00:00:00.000Z', firstOfNext, firstOfMonth, firstOfNext]
      expect(written(Date.parse('2026-11-30T23:30:00Z'))).toEqual(lastDay)
    } finally {
      // A deleted variable leaves the zone as it was set last.
      process.env['TZ'] = before ?? 'UTC'
      if (before === undefined) delete process.env['TZ']
    }
  },
)
