import { openMerchantDatabase } from '@stablecoin-checkout/rig/merchant-database'
import { newPayment } from '@stablecoin-checkout/rig/new-payment'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { baseUnits } from '../core/money.ts'
import { sql } from '../db/db.ts'
import { enqueuePayout, removePayout } from './store/outbox-store.ts'
import { unmatchedAbove } from './store/unmatched-store.ts'

const payment = newPayment({ sequence: 0 })
const here = { network: 'devnet', token: '0xa' }

let merchants: Awaited<ReturnType<typeof openMerchantDatabase>>
beforeEach(async () => {
  merchants = await openMerchantDatabase()
  await merchants.db.write((tx) => merchants.ledger.createIn(tx, payment))
})
afterEach(() => merchants.remove())

const returns = () =>
  merchants.db.read((tx) =>
    tx.all(sql`
        select network, token, state, failures, due_at_ms as "dueAtMs", transaction_id as "transactionId" from payouts
         order by network, token`),
  )

test('a return that is queued again begins anew, and is removed on its own network for its own token', async () => {
  const others = [
    { network: 'devnet', token: '0xb' },
    { network: 'polygon', token: '0xa' },
  ]
  const queued = { state: 'queued', failures: 0, dueAtMs: 1, transactionId: null }
  await merchants.db.write(async (tx) => {
    for (const key of [here, ...others]) enqueuePayout(tx, payment.id, { kind: 'return', ...key }, 1)
  })
  await merchants.db.write((tx) =>
    tx.run(sql`update payouts set state = 'sent', failures = 6, transaction_id = 'x' where token = '0xa'`),
  )
  await merchants.db.write(async (tx) => enqueuePayout(tx, payment.id, { kind: 'return', ...here }, 2))
  expect(await returns()).toEqual([
    { ...here, ...queued, dueAtMs: 2 },
    { ...others[0], ...queued },
    { ...others[1], ...queued, state: 'sent', failures: 6, transactionId: 'x' },
  ])
  await merchants.db.write(async (tx) => removePayout(tx, payment.id, { kind: 'return', ...here }))
  expect(await returns()).toMatchObject(others)
})

test('what a reorg down to a block may change are the balances of its network that were read above it', async () => {
  for (const [token, block, network] of [
    ['0xa', 10, 'devnet'],
    ['0xb', 12, 'devnet'],
    ['0xc', 11, 'devnet'],
    ['0xd', 11, 'polygon'],
  ] as const)
    await merchants.ledger.apply(payment.id, {
      ...{ type: 'unmatched.measured', network, token, currency: 'USDT', decimals: 6, balance: baseUnits('7'), block },
      ...{ txId: null, atMs: 1 },
    })
  const above = async (network: string, block: number, limit = 10) =>
    (await merchants.db.read((tx) => unmatchedAbove(tx, network, block, limit))).map(({ token }) => token)
  expect([await above('devnet', 9), await above('devnet', 10), await above('devnet', 9, 1)]).toEqual([
    ['0xa', '0xc', '0xb'],
    ['0xc', '0xb'],
    ['0xa'],
  ])
  expect(await above('polygon', 0)).toEqual(['0xd'])
})
