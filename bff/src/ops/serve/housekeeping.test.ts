import { openMerchantDatabase } from '@stablecoin-checkout/rig/merchant-database'
import { expect, test } from 'vitest'
import { silentLog } from '../../core/log.ts'
import { systemRuntime } from '../../core/runtime.ts'
import { sql } from '../../db/db.ts'
import { type DeleteExpired, runHousekeeping } from './housekeeping.ts'

test('a table whose rows cannot be deleted lets no other one grow', async () => {
  const { db, remove } = await openMerchantDatabase()
  const stopping = new AbortController()
  let isReached = false
  const failing: DeleteExpired = (tx) => {
    // The pass that has begun is finished, and is the only one.
    stopping.abort()
    return tx.run(sql`delete from no_such_table`)
  }
  const next: DeleteExpired = async () => {
    isReached = true
    return 0
  }
  await runHousekeeping({ db, runtime: systemRuntime, log: silentLog, ofParts: [failing, next] }, stopping.signal)
  expect(isReached).toBe(true)
  await remove()
})
