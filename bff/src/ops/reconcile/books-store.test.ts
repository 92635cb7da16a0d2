import { openMerchantDatabase } from '@stablecoin-checkout/rig/merchant-database'
import { newPayment } from '@stablecoin-checkout/rig/new-payment'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql, type Tx } from '../../db/db.ts'
import type { PaymentId } from '../../payment/payment.ts'
import { accountsAfter, loadBooks, paymentNetworks } from './books-store.ts'

let merchants: Awaited<ReturnType<typeof openMerchantDatabase>>
beforeAll(async () => {
  merchants = await openMerchantDatabase()
  await merchants.db.write(async (tx) => {
    for (const [name, isTest, network] of [
      ['live', false, 'devnet'],
      ['test', true, 'testnet'],
      ['next', false, 'devnet'],
    ] as const)
      await merchants.ledger.createIn(tx, newPayment({ id: name as PaymentId, depositAddress: name, isTest, network }))
  })
})
afterAll(() => merchants.remove())

const transaction = (tx: Tx, id: string, txId: string, state: string, createdAtMs: number) =>
  tx.run(sql`
      insert into outgoing_transactions (id, network, sender, nonce, tx_id, raw, state, created_at_ms)
      values (${id}, 'devnet', '0xaa', 0, ${txId}, '0x', ${state}, ${createdAtMs})`)
const payout = (tx: Tx, id: string, paymentId: string, state: string) =>
  tx.run(sql`
      insert into outgoing_payouts (transaction_id, kind, payment_id, network, token, address, amount, state)
      values (${id}, 'refund', ${paymentId}, 'devnet', '0x01', '0xbb', '5', ${state})`)

test('books are of live payments alone, in the order of their creation', async () => {
  const found = await merchants.db.read(async (tx) => ({
    books: [...(await loadBooks(tx, 0, 10)).keys()],
    accounts: (await accountsAfter(tx, 0, 10)).map(({ id }) => id),
    networks: await paymentNetworks(tx),
  }))
  expect(found).toEqual({ books: ['live', 'next'], accounts: ['live', 'next'], networks: ['devnet'] })
})

test('each payout has every version of its transaction, and which of them may still be mined', async () => {
  await merchants.db.write(async (tx) => {
    await transaction(tx, 'one', '0x1', 'replaced', 1)
    await transaction(tx, 'one', '0x2', 'stored', 2)
    await payout(tx, 'one', 'live', 'sent')
    await transaction(tx, 'two', '0x3', 'failed', 3)
    await transaction(tx, 'two', '0x4', 'confirmed', 4)
    await payout(tx, 'two', 'next', 'confirmed')
    // Without a transaction of ours.
    await payout(tx, '0x5', 'next', 'confirmed')
  })
  const books = await merchants.db.read((tx) => loadBooks(tx, 0, 10))
  const versionsOf = (id: string) =>
    books
      .get(id as PaymentId)
      ?.payouts.map(({ amount, transactions }) => [
        amount,
        ...transactions.map(({ txId, isOpen }) => (isOpen ? `${txId} open` : txId)),
      ])
      .toSorted()
  expect(versionsOf('live')).toEqual([[5n, '0x1 open', '0x2 open']])
  expect(versionsOf('next')).toEqual([
    [5n, '0x3', '0x4'],
    [5n, '0x5'],
  ])
})
