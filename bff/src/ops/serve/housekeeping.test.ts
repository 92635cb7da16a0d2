import { openMerchantDatabase } from '@stablecoin-checkout/rig/merchant-database'
import { newPayment } from '@stablecoin-checkout/rig/new-payment'
import { expect, test } from 'vitest'
import { decisionsKeptMs } from '../../agent/decision-store.ts'
import { silentLog } from '../../core/log.ts'
import { systemRuntime } from '../../core/runtime.ts'
import { sql } from '../../db/db.ts'
import { insertPayment } from '../../payment/store/payment-store.ts'
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

test('expired counts, keys and decisions are deleted, and no others', async () => {
  const { db, remove } = await openMerchantDatabase()
  const nowMs = 2 * decisionsKeptMs
  const payment = newPayment()
  await db.write(async (tx) => {
    await insertPayment(tx, payment)
    for (const [name, endsAtMs] of [
      ['ended', nowMs],
      ['open', nowMs + 1],
    ] as const) {
      await tx.run(sql`insert into rate_limits (key, points, expire) values (${name}, 1, ${endsAtMs})`)
      await tx.run(sql`
          insert into idempotency_keys (scope, credential, client, terms, request_digest, payment_id, answer, expires_at_ms)
          values (${name}, 'api', '', '', '', ${payment.id}, '', ${endsAtMs})`)
      await tx.run(sql`
          insert into agent_decisions (merchant_id, is_test, agent_id, sequence, decided_at_ms, action, is_allowed, rule,
                                       amount, token_decimals, currency, network)
          values (${payment.merchantId}, 0, ${name}, 1, ${endsAtMs - decisionsKeptMs - 1}, 'pay', 1, '', '1', 6, 'USDC', 'base')`)
    }
  })
  const stopping = new AbortController()
  // Called last in the pass.
  const part: DeleteExpired = async () => {
    stopping.abort()
    return 0
  }
  const runtime = { ...systemRuntime, nowMs: () => nowMs }
  await runHousekeeping({ db, runtime, log: silentLog, ofParts: [part] }, stopping.signal)
  const left = await db.read((tx) =>
    tx.all(sql`
        select 'counts' as kind, key as name from rate_limits
         union all select 'keys', scope from idempotency_keys
         union all select 'decisions', agent_id from agent_decisions order by 1, 2`),
  )
  expect(left).toEqual([
    { kind: 'counts', name: 'open' },
    { kind: 'decisions', name: 'open' },
    { kind: 'keys', name: 'open' },
  ])
  await remove()
})

test('a pass that deletes as many rows as it may is followed by the next at once', async () => {
  const { db, remove } = await openMerchantDatabase()
  const stopping = new AbortController()
  let passes = 0
  const part: DeleteExpired = async (_, __, rowsMax) => {
    passes += 1
    if (passes === 2) stopping.abort()
    return rowsMax
  }
  const running = runHousekeeping({ db, runtime: systemRuntime, log: silentLog, ofParts: [part] }, stopping.signal)
  await expect.poll(() => passes, { interval: 5 }).toBe(2)
  await running
  await remove()
})
