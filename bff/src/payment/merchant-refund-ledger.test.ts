import { openMerchantDatabase } from '@stablecoin-checkout/rig/merchant-database'
import { newPayment, transferOf, windowEndsAtMs } from '@stablecoin-checkout/rig/new-payment'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { baseUnits } from '../core/money.ts'
import { sql } from '../db/db.ts'
import type { Transfer } from './event.ts'
import { initialRefund, type MerchantRefund, type MerchantRefundId } from './merchant-refund.ts'
import type { Payment, PaymentId } from './payment.ts'
import { loadMerchantRefund } from './store/merchant-refund-store.ts'
import { loadPayment } from './store/payment-store.ts'

let merchants: Awaited<ReturnType<typeof openMerchantDatabase>>
beforeEach(async () => {
  merchants = await openMerchantDatabase()
})
afterEach(() => merchants.remove())

/** A refund of 10 USDC of the payment, to be paid. */
function refundOf(payment: Payment): MerchantRefund {
  const { merchantId, isTest, network, currency, tokenAddress, tokenDecimals } = payment
  return {
    ...{ ...initialRefund, merchantId, isTest, network, currency, tokenAddress, tokenDecimals },
    ...{ id: 'refund' as MerchantRefundId, paymentId: payment.id, amount: baseUnits('10000000') },
    ...{ price: null, reason: null, confirmations: null, afterBlock: 0, createdAtMs: 1 },
    ...{ place: { address: '0xcustomer', splitter: null, termsHash: null, splitTerms: null }, status: 'to_pay' },
  }
}

test.each([[false], [true]])(
  'a payment that a reorg and an open refund left short is paid once the refund is cancelled; its window has ended: %o',
  async (isEnded) => {
    const { db, ledger } = merchants
    const payment = newPayment({ isDirect: true, sequence: 0 })
    await db.write((tx) => ledger.createIn(tx, payment))
    const apply = (type: 'transfer.confirmed' | 'transfer.reverted', amount: string, blockNumber: number) =>
      ledger.apply(payment.id, { type, transfer: transferOf(amount, { blockNumber }), atMs: 2 })
    await apply('transfer.confirmed', '10000000', 10)
    await apply('transfer.confirmed', '25000000', 10)
    const refund = refundOf(payment)
    await db.write((tx) => ledger.merchantRefunds.createIn(tx, refund, { key: null, terms: '' }))
    await apply('transfer.reverted', '25000000', 10)
    await apply('transfer.reverted', '10000000', 10)
    await apply('transfer.confirmed', '25000000', 11)
    if (isEnded) await ledger.apply(payment.id, { type: 'window.ended', blockTimeMs: windowEndsAtMs + 1, atMs: 3 })
    const status = async () => (await db.read((tx) => loadPayment(tx, payment.id)))?.status
    expect(await status()).toBe(isEnded ? 'expired' : 'pending')
    await db.write((tx) => ledger.merchantRefunds.applyIn(tx, refund.id, { type: 'refund.cancelled', atMs: 4 }))
    expect(await status()).toBe('swept')
    const types = await db.read((tx) => tx.all<{ type: string }>(sql`select type from events order by number`))
    expect(types.slice(-3).map(({ type }) => type)).toEqual(['refund.failed', 'payment.completed', 'deposit.swept'])
  },
)

test('a reorg that takes the newest part of a refund leaves the one before it in the books, and in what is shown', async () => {
  const { db, ledger } = merchants
  const payment = newPayment({ status: 'swept' })
  const refund = refundOf(payment)
  await db.write(async (tx) => {
    await ledger.createIn(tx, payment)
    await ledger.merchantRefunds.createIn(tx, refund, { key: null, terms: '' })
  })
  const apply = (type: 'transfer.seen' | 'transfer.reverted', transfer: Transfer) =>
    ledger.apply(refund.id as string as PaymentId, { type, transfer, atMs: 2 })
  const stored = () => db.read((tx) => loadMerchantRefund(tx, refund.id))
  const [first, second] = [transferOf('4000000', { blockNumber: 10 }), transferOf('6000000', { blockNumber: 12 })]
  await apply('transfer.seen', first)
  await apply('transfer.seen', second)
  expect(await stored()).toMatchObject({ status: 'confirming', seen: 10_000_000n, lastTxId: second.txId })
  await apply('transfer.reverted', second)
  expect(await stored()).toMatchObject({ status: 'to_pay', seen: 4_000_000n, lastTxId: first.txId })
  const third = transferOf('1000000', { blockNumber: 11 })
  await apply('transfer.seen', third)
  expect(await stored()).toMatchObject({ seen: 5_000_000n, lastTxId: third.txId })
})
