import { openMerchantDatabase } from '@stablecoin-checkout/rig/merchant-database'
import { newContractPayment, newPayment, transferOf } from '@stablecoin-checkout/rig/new-payment'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { baseUnits } from '../../core/money.ts'
import { sql, type Tx } from '../../db/db.ts'
import { initialRefund, type MerchantRefund, type MerchantRefundId } from '../../payment/merchant-refund.ts'
import type { PaymentId } from '../../payment/payment.ts'
import { insertMerchantRefund } from '../../payment/store/merchant-refund-store.ts'
import { accountsAfter, loadBooks, paymentNetworks } from './books-store.ts'
import { refundBooksAfter } from './refund-books-store.ts'

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
const payout = (tx: Tx, id: string, paymentId: string, state: string, kind = 'refund', amount: string | null = '5') =>
  tx.run(sql`
      insert into outgoing_payouts (transaction_id, kind, payment_id, network, token, address, amount, state)
      values (${id}, ${kind}, ${paymentId}, 'devnet', '0x01', '0xbb', ${amount}, ${state})`)

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

test('books and accounts are read in pages: after a number up to a limit, and from a number to another, both inclusive', async () => {
  const { db } = merchants
  const accounts = (after: number, limit: number) =>
    db.read(async (tx) => (await accountsAfter(tx, after, limit)).map(({ id }) => id))
  expect([await accounts(0, 1), await accounts(1, 1), await accounts(3, 1)]).toEqual([['live'], ['next'], []])
  const books = (from: number, to: number) => db.read(async (tx) => [...(await loadBooks(tx, from, to)).keys()])
  expect([await books(1, 1), await books(2, 2), await books(3, 3)]).toEqual([['live'], [], ['next']])
})

test('the sweeps of one transaction are one for each payment, without an amount; versions are in the order of their making', async () => {
  await merchants.db.write(async (tx) => {
    await transaction(tx, 'batch', '0x9', 'replaced', 11)
    await transaction(tx, 'batch', '0x8', 'confirmed', 12)
    for (const id of ['live', 'next']) await payout(tx, 'batch', id, 'confirmed', 'sweep', null)
    await payout(tx, 'batch', 'live', 'confirmed', 'return', '3')
  })
  const books = await merchants.db.read((tx) => loadBooks(tx, 0, 10))
  const batchOf = (id: string) =>
    books
      .get(id as PaymentId)
      ?.payouts.map(({ kind, amount, transactions }) => [kind, amount, ...transactions.map(({ txId }) => txId)])
      .filter(([, , first]) => first === '0x9')
  expect(batchOf('live')).toEqual([
    ['return', 3n, '0x9', '0x8'],
    ['sweep', null, '0x9', '0x8'],
  ])
  expect(batchOf('next')).toEqual([['sweep', null, '0x9', '0x8']])
})

test('transfers are in chain order, and a payment read account by account has its cursor', async () => {
  await merchants.db.write(async (tx) => {
    for (const [block, logIndex] of [
      [11, 0],
      [10, 5],
      [10, 2],
    ] as const) {
      const { network, payer, blockHash, blockTimeMs } = transferOf('7', { blockNumber: block })
      await tx.run(sql`
          insert into transfers (network, tx_id, log_index, payment_id, payer, amount, block_number, block_hash, block_time_ms, state, is_late)
          values (${network}, ${`0x${block}`}, ${logIndex}, 'live', ${payer}, '7', ${block}, ${blockHash}, ${blockTimeMs}, 'seen', 0)`)
    }
    await tx.run(sql`
        insert into solana_accounts (payment_id, network, address, state, due_at_ms, read_to)
        values ('live', 'devnet', 'account', 'open', 0, 'signature')`)
  })
  const books = await merchants.db.read((tx) => loadBooks(tx, 0, 10))
  const live = books.get('live' as PaymentId)
  expect(live?.transfers.map(({ blockNumber, logIndex }) => [blockNumber, logIndex])).toEqual([
    [10, 2],
    [10, 5],
    [11, 0],
  ])
  expect(live?.readTo).toBe('signature')
  expect(books.get('next' as PaymentId)?.readTo).toBeUndefined()
})

test('the account of a wallet payment is its terms', async () => {
  const wallet = newContractPayment({ id: 'wallet' as PaymentId, termsHash: '0xhash', splitTerms: '{"a":1}' })
  await merchants.db.write((tx) => merchants.ledger.createIn(tx, wallet))
  const accounts = await merchants.db.read((tx) => accountsAfter(tx, 3, 10))
  const { splitter, tokenAddress: token } = wallet
  expect(accounts).toMatchObject([
    { id: 'wallet', mode: 'contract', place: '0xhash', terms: '{"a":1}', splitter, token },
  ])
})

test('the refunds of a network to an address are read in the order of their requests, with when each had ended', async () => {
  const { merchantId, currency, tokenAddress, tokenDecimals } = newPayment()
  const insert = (id: string, changes: Partial<MerchantRefund> = {}) =>
    merchants.db.write(async (tx) =>
      insertMerchantRefund(
        tx,
        {
          ...{ ...initialRefund, merchantId, isTest: false, network: 'devnet', currency, tokenAddress, tokenDecimals },
          ...{ id: id as MerchantRefundId, paymentId: 'live' as PaymentId, amount: baseUnits('10'), status: 'to_pay' },
          ...{ price: null, reason: null, confirmations: null, afterBlock: 0, createdAtMs: 1 },
          place: { address: `0x${id}`, splitter: null, termsHash: null, splitTerms: null },
          ...changes,
        },
        { key: null, terms: '' },
      ),
    )
  const named = { address: '0xnamed', splitter: '0x5', termsHash: '0x6', splitTerms: '{}' }
  await insert('named', { place: named, seen: baseUnits('4'), paid: baseUnits('3') })
  await insert('paid', { status: 'paid', paidAtMs: 20 })
  await insert('cancelled', { status: 'cancelled', cancelledAtMs: 30 })
  await insert('without', { place: null, status: 'awaiting_address' })
  await insert('test', { isTest: true })
  await insert('elsewhere', { network: 'devnet-b' })
  const read = (after: number, limit: number) => merchants.db.read((tx) => refundBooksAfter(tx, 'devnet', after, limit))
  const all = await read(0, 10)
  expect(all.map(({ account, isNamed, endedAtMs }) => [account.id, account.place, isNamed, endedAtMs])).toEqual([
    ['named', '0x6', true, null],
    ['paid', '', false, 20],
    ['cancelled', '', false, 30],
  ])
  expect(all[0]).toMatchObject({ paymentId: 'live', seen: 4n, paid: 3n, account: { terms: '0xnamed', mode: 'refund' } })
  const [first] = all
  const next = await read(first?.account.number ?? 0, 1)
  expect(next.map(({ account }) => account.id)).toEqual(['paid'])
})
