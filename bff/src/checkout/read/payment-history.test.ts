import { newPayment } from '@stablecoin-checkout/rig/new-payment'
import { createTestDatabase } from '@stablecoin-checkout/rig/test-database'
import { expect, test } from 'vitest'
import type { BaseUnits } from '../../core/money.ts'
import { sql } from '../../db/db.ts'
import { createLedger } from '../../payment/ledger.ts'
import { readHistory } from './payment-history.ts'

test('what happened within one millisecond stands in the order in which it happened', async () => {
  const database = await createTestDatabase()
  const db = await database.open()
  const payment = newPayment({ createdAtMs: 1_700_000_000_900 })
  const ledger = createLedger(db, () => ({}))
  const transfer = (logIndex: number, amount: bigint) => ({
    ...{ network: payment.network, txId: '0xa', logIndex, payer: '0xb', amount: amount as BaseUnits },
    ...{ blockNumber: 1, blockHash: '0xc', blockTimeMs: 1_700_000_000_900 },
  })
  await db.write(async (tx) => {
    await tx.run(
      sql`insert into merchants (id, name, webhook_secret, created_at_ms) values (${payment.merchantId}, 'm', 's', 0)`,
    )
    await ledger.createIn(tx, payment)
    for (const [logIndex, amount] of [1n, payment.due - 1n].entries()) {
      const event = {
        type: 'transfer.confirmed',
        transfer: transfer(logIndex, amount),
        atMs: 1_700_000_000_900,
      } as const
      await ledger.applyIn(tx, payment.id, event)
    }
  })
  const history = await readHistory(db, payment)
  const events = history.filter(({ kind }) => kind === 'event').map(({ says }) => says)
  expect(events).toEqual(['payment.created', 'payment.late', 'payment.late'])
  // What came before what it caused.
  expect(history.map(({ kind }) => kind)).toEqual(['event', 'transfer', 'transfer', 'event', 'event'])
  expect(history.filter(({ kind }) => kind === 'transfer').map((one) => one['logIndex'])).toEqual([0, 1])
  await db.close()
  await database.drop()
})

test('money that came within the second of the creation stands after it', async () => {
  const database = await createTestDatabase()
  const db = await database.open()
  const payment = newPayment({ createdAtMs: 1_700_000_000_900 })
  const transfer = {
    ...{ network: payment.network, txId: '0xa', logIndex: 0, payer: '0xb', amount: payment.due as BaseUnits },
    ...{ blockNumber: 1, blockHash: '0xc', blockTimeMs: 1_700_000_000_000 },
  }
  const ledger = createLedger(db, () => ({}))
  await db.write(async (tx) => {
    await tx.run(
      sql`insert into merchants (id, name, webhook_secret, created_at_ms) values (${payment.merchantId}, 'm', 's', 0)`,
    )
    await ledger.createIn(tx, payment)
    await ledger.applyIn(tx, payment.id, { type: 'transfer.seen', transfer, atMs: 1_700_000_001_000 })
  })
  const history = await readHistory(db, payment)
  expect(history.map(({ kind, says }) => (kind === 'event' ? says : kind))).toEqual(['payment.created', 'transfer'])
  expect(history.map(({ sentence }) => sentence)).toEqual([
    { code: 'event.payment.created', values: [] },
    { code: 'lateTransfer.seen', values: [expect.stringMatching(/^\d+\.\d+ USD[CT]$/), '0xb', '0xa'] },
  ])
  expect(history[1]?.at).toBe('2023-11-14T22:13:20.000Z')
  await db.close()
  await database.drop()
})
