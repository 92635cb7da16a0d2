import { openMerchantDatabase } from '@stablecoin-checkout/rig/merchant-database'
import { newPayment, transferOf } from '@stablecoin-checkout/rig/new-payment'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { baseUnits } from '../core/money.ts'
import type { Transfer } from './event.ts'
import { initialRefund, type MerchantRefund, type MerchantRefundId } from './merchant-refund.ts'
import type { PaymentId } from './payment.ts'

let merchants: Awaited<ReturnType<typeof openMerchantDatabase>>
beforeEach(async () => {
  merchants = await openMerchantDatabase()
})
afterEach(() => merchants.remove())

test('a reorg that takes the newest part of a refund leaves the one before it in the books, and in what is shown', async () => {
  const { db, ledger } = merchants
  const payment = newPayment({ status: 'swept' })
  const { merchantId, isTest, network, currency, tokenAddress, tokenDecimals } = payment
  const refund: MerchantRefund = {
    ...{ ...initialRefund, merchantId, isTest, network, currency, tokenAddress, tokenDecimals },
    ...{ id: 'refund' as MerchantRefundId, paymentId: payment.id, amount: baseUnits('10000000') },
    ...{ price: null, reason: null, confirmations: null, afterBlock: 0, createdAtMs: 1 },
    ...{ place: { address: '0xcustomer', splitter: null, termsHash: null, splitTerms: null }, status: 'to_pay' },
  }
  await db.write(async (tx) => {
    await ledger.createIn(tx, payment)
    await ledger.merchantRefunds.createIn(tx, refund, { key: null, terms: '' })
  })
  const apply = (type: 'transfer.seen' | 'transfer.reverted', transfer: Transfer) =>
    ledger.apply(refund.id as string as PaymentId, { type, transfer, atMs: 2 })
  const stored = () => db.read((tx) => ledger.merchantRefunds.load(tx, refund.id))
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
