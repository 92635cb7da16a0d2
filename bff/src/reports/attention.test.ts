import { openMerchantDatabase } from '@stablecoin-checkout/rig/merchant-database'
import { newPayment, transferOf, windowEndsAtMs } from '@stablecoin-checkout/rig/new-payment'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Caller } from '../access/context/caller.ts'
import { baseUnits } from '../core/money.ts'
import { type Db, sql } from '../db/db.ts'
import type { PaymentEvent } from '../payment/event.ts'
import type { Ledger } from '../payment/ledger.ts'
import { initialRefund, type MerchantRefund, type MerchantRefundId } from '../payment/merchant-refund.ts'
import type { PaymentId } from '../payment/payment.ts'
import { createAttention } from './attention.ts'

let db: Db
let ledger: Ledger
let remove: () => Promise<void>
beforeEach(async () => {
  ;({ db, ledger, remove } = await openMerchantDatabase())
})
afterEach(() => remove())

const { id, merchantId } = newPayment()
const apply = (event: PaymentEvent) => ledger.apply(id, event)

type Place = { network: string; token: string }
const usdt = { network: 'polygon', token: '0x02' }
const dai = { network: 'base', token: '0x03' }
const coin = { network: 'sepolia', token: '0x04' }

const measure = (place: Place, currency: string, decimals: number, balance: string) =>
  apply({
    ...{ type: 'unmatched.measured', ...place, currency, decimals, balance: baseUnits(balance), block: 10 },
    txId: '0x57',
    atMs: 0,
  })

async function needs() {
  const gasBalances = { get: () => undefined }
  const deps = { db, networks: new Map(), health: {}, gasBalances } as unknown as Parameters<typeof createAttention>[0]
  const caller = { merchantId, wallets: new Map() } as unknown as Caller
  return (await createAttention(deps)(caller, false)).payments
}

async function owed() {
  return (await needs()).map(({ attention, newest }) => [
    attention,
    ...newest.flatMap(({ owed: sums }) =>
      sums.map(({ to, amount, currency, network }) => `${amount} ${currency} on ${network} to ${to}`),
    ),
  ])
}

const refundOf = (refundId: string, amount: string): MerchantRefund => ({
  ...{ merchantId, isTest: false, network: 'devnet', currency: 'USDC', tokenAddress: '0x01', tokenDecimals: 6 },
  ...{ ...initialRefund, paymentId: id, id: refundId as MerchantRefundId, amount: baseUnits(amount) },
  ...{ price: null, reason: null, confirmations: null, afterBlock: 0, createdAtMs: 1 },
})
const place = { address: `0x${'bb'.repeat(20)}`, splitter: null, termsHash: null, splitTerms: null }

test('of unmatched money only what waits for the action is named, in its own decimals and on its own network', async () => {
  await db.write((tx) => ledger.createIn(tx, newPayment()))
  await measure(usdt, 'USDT', 6, '3000000')
  await measure(dai, 'DAI', 18, '4000000000000000000')
  await measure(coin, 'ETH', 18, '5000000000000000000')
  await measure(coin, 'ETH', 18, '0')
  expect(await owed()).toEqual([['unmatched', '4.00 DAI on base to customer', '3.00 USDT on polygon to customer']])
  await apply({ type: 'refund.requested', network: usdt.network, address: `0x${'bb'.repeat(20)}`, atMs: 1 })
  expect(await owed(), 'without that whose address is known').toEqual([['unmatched', '4.00 DAI on base to customer']])
  await apply({ type: 'unmatched.return_failed', ...usdt, as: 'failed', atMs: 2 })
  expect(await owed(), 'that whose return failed').toEqual([['return_failed', '3.00 USDT on polygon to customer']])
})

test('a payment awaits an address while the customer has named none for its refunds, and the merchant can pay nothing', async () => {
  await db.write((tx) => ledger.createIn(tx, newPayment()))
  await apply({ type: 'transfer.confirmed', transfer: transferOf('25000000', {}), atMs: 0 })
  const { merchantRefunds } = ledger
  const awaits = async () => (await needs()).flatMap(({ newest }) => newest.map(({ awaitsAddress }) => awaitsAddress))
  await db.write((tx) => merchantRefunds.createIn(tx, refundOf('one', '1000000'), { key: null, terms: '' }))
  expect(await awaits()).toEqual([true])
  await db.write((tx) => merchantRefunds.createIn(tx, refundOf('two', '1000000'), { key: null, terms: '' }))
  await db.write((tx) => merchantRefunds.applyIn(tx, 'two', { type: 'address.named', place, atMs: 2 }))
  expect(await awaits(), 'one of two can be paid').toEqual([false])
  await db.write((tx) => merchantRefunds.applyIn(tx, 'two', { type: 'refund.cancelled', atMs: 3 }))
  expect(await awaits()).toEqual([true])
})

test('of late money that the merchant can accept, a refund names only what goes back now', async () => {
  await db.write((tx) => ledger.createIn(tx, newPayment()))
  const pay = (amount: string, blockTimeMs: number) =>
    apply({ type: 'transfer.confirmed', transfer: transferOf(amount, { txId: `0x${amount}`, blockTimeMs }), atMs: 0 })
  await pay('5000000', 10_000)
  await apply({ type: 'window.ended', blockTimeMs: windowEndsAtMs + 1_000, atMs: 1 })
  await pay('25000000', windowEndsAtMs + 10_000)
  expect(await owed(), 'without an address').toEqual([['refund_address', '5.00 USDC on devnet to customer']])
  await apply({ type: 'refund.requested', address: `0x${'bb'.repeat(20)}`, atMs: 2 })
  await apply({ type: 'refund.failed', isGivenUp: true, atMs: 3 })
  expect(await owed()).toEqual([['refund_failed', '5.00 USDC on devnet to customer']])
})

test('money that exceeds what is owed at the merchant’s own address is named with its sum, until the merchant has refunded it', async () => {
  await db.write((tx) => ledger.createIn(tx, newPayment({ isDirect: true })))
  await apply({ type: 'transfer.confirmed', transfer: transferOf('28000000', {}), atMs: 0 })
  expect(await owed()).toEqual([['excess_owed', '3.00 USDC on devnet to customer']])
  const refund = refundOf('one', '2000000')
  const { merchantRefunds } = ledger
  await db.write((tx) => merchantRefunds.createIn(tx, refund, { key: null, terms: '' }))
  expect(await owed()).toEqual([['merchant_refund', '2.00 USDC on devnet to customer']])
  await db.write((tx) => merchantRefunds.applyIn(tx, 'one', { type: 'address.named', place, atMs: 2 }))
  const transfer = transferOf('2000000', { txId: '0x5a', blockNumber: 20 })
  await db.write((tx) => merchantRefunds.applyIn(tx, 'one', { type: 'transfer.confirmed', transfer, atMs: 3 }))
  expect(await owed(), 'a part is refunded').toEqual([['excess_owed', '1.00 USDC on devnet to customer']])
  await db.write((tx) => merchantRefunds.createIn(tx, refundOf('two', '1000000'), { key: null, terms: '' }))
  await db.write((tx) => merchantRefunds.applyIn(tx, 'two', { type: 'address.named', place, atMs: 4 }))
  const rest = transferOf('1000000', { txId: '0x5b', blockNumber: 21 })
  await db.write((tx) => merchantRefunds.applyIn(tx, 'two', { type: 'transfer.confirmed', transfer: rest, atMs: 5 }))
  expect(await owed()).toEqual([])
})

test('of many payments with one need the newest five are named, and all are counted', async () => {
  const ids = Array.from({ length: 7 }, (_, nth) => `00000000-0000-4000-8000-00000000000${nth}` as PaymentId)
  await db.write(async (tx) => {
    for (const one of ids) {
      await ledger.createIn(tx, { ...newPayment(), id: one, depositAddress: `0x${one.slice(-1).repeat(40)}` })
      await tx.run(sql`update payments set attention = 'unmatched' where id = ${one}`)
    }
  })
  const [need] = await needs()
  expect(need).toMatchObject({ attention: 'unmatched', count: 7 })
  expect(need?.newest.map((payment) => payment.id)).toEqual(ids.slice(2).reverse())
})
