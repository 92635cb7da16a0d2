import { newContractPayment, newPayment } from '@stablecoin-checkout/rig/new-payment'
import { expect, test } from 'vitest'
import { formatDepositTerms } from '../../chain/evm/deposit/deposit-terms.ts'
import { formatSolanaSplitTerms } from '../../chain/solana/facts/solana-split-terms.ts'
import { baseUnits } from '../../core/money.ts'
import type { Payment } from '../../payment/payment.ts'
import { paymentColumns, paymentRow } from './payment-row.ts'

const address = '0x00000000000000000000000000000000000000aa'
const due = baseUnits('33333333')

const common = {
  due,
  least: due,
  orderId: 'A-1',
  linkId: 'plink_1',
  seen: due,
  received: due,
  lastTxId: '0xpaid',
  createdAtMs: 1_000,
  expiresAtMs: 901_000,
  detectedAtMs: 2_000,
  confirmedAtMs: 3_000,
}
const deposit = newPayment({
  ...common,
  status: 'swept',
  received: baseUnits('40000000'),
  late: baseUnits('1000000'),
  price: { amount: '30.00', currency: 'EUR', rate: '0.9', rateAtMs: 500 },
  sweep: 'confirmed',
  sweepTxId: '0xswept',
  sweptAtMs: 4_000,
  sweptAmount: due,
  refundTxId: '0xback',
  refunded: baseUnits('2000000'),
  refundedByMerchant: baseUnits('3000000'),
  refundDueByMerchant: baseUnits('1500000'),
  depositTerms: formatDepositTerms({
    chainId: 1,
    token: address,
    amount: due,
    least: due,
    merchant: address,
    platform: address,
    feeBps: 150,
    deadlineSeconds: 1,
    operator: address,
    factory: address,
    salt: `0x${'07'.repeat(32)}`,
  }),
})
const solanaTerms = { genesisHash: 'cluster', mint: '5'.repeat(43), merchant: '6'.repeat(43), platform: '7'.repeat(43) }
const wallet = newContractPayment({
  ...common,
  status: 'completed',
  isTest: true,
  splitTerms: formatSolanaSplitTerms({
    ...solanaTerms,
    family: 'solana',
    decimals: 6,
    paymentId: newPayment().id,
    amount: due,
    feeBps: 150,
    deadlineSeconds: 1,
  }),
})

const row = (payment: Payment) =>
  Object.fromEntries(paymentRow(payment).map((cell, index) => [paymentColumns[index], cell]))

/** What both payments have. */
const shared = {
  id: deposit.id,
  createdAt: '1970-01-01T00:00:01.000Z',
  merchantId: deposit.merchantId,
  merchantName: 'Corner Coffee',
  orderId: 'A-1',
  linkId: 'plink_1',
  network: 'devnet',
  currency: 'USDC',
  outcome: 'paid',
  amount: '33.333333',
  merchantAmount: '32.833334',
  platformFee: '0.499999',
  platformFeeBps: '150',
  paymentTransaction: '0xpaid',
  expiresAt: '1970-01-01T00:15:01.000Z',
  detectedAt: '1970-01-01T00:00:02.000Z',
  confirmedAt: '1970-01-01T00:00:03.000Z',
  tokenAddress: deposit.tokenAddress,
}

test('a deposit shows its sweep, its refunds and what is owed back, to the last unit', () => {
  expect(row(deposit)).toEqual({
    ...shared,
    mode: 'deposit',
    status: 'swept',
    paymentState: 'overpaid_refunding',
    price: '30.00',
    priceCurrency: 'EUR',
    rate: '0.9',
    rateAt: '1970-01-01T00:00:00.500Z',
    received: '40.00',
    receivedLate: '1.00',
    refunded: '2.00',
    owedToPayer: '5.666667',
    refundedByMerchant: '3.00',
    refundDueByMerchant: '1.50',
    payoutTransaction: '0xswept',
    refundTransaction: '0xback',
    paidOutAt: '1970-01-01T00:00:04.000Z',
    depositAddress: deposit.depositAddress,
    isTest: 'false',
  })
})

test('a wallet payment is paid out by its own transaction, and is never refunded', () => {
  expect(row(wallet)).toEqual({
    ...shared,
    mode: 'contract',
    status: 'completed',
    paymentState: 'completed',
    price: '',
    priceCurrency: '',
    rate: '',
    rateAt: '',
    received: '33.333333',
    receivedLate: '0.00',
    refunded: '0.00',
    owedToPayer: '0.00',
    refundedByMerchant: '0.00',
    refundDueByMerchant: '0.00',
    payoutTransaction: '0xpaid',
    refundTransaction: '',
    paidOutAt: '1970-01-01T00:00:03.000Z',
    depositAddress: '',
    isTest: 'true',
  })
})

test('what has not happened is an empty cell', () => {
  const open = newPayment({ depositTerms: deposit.depositTerms })
  const { orderId, linkId, paymentTransaction, payoutTransaction, refundTransaction, detectedAt, paidOutAt } = row(open)
  expect([orderId, linkId, paymentTransaction, payoutTransaction, refundTransaction, detectedAt, paidOutAt]).toEqual(
    Array.from({ length: 7 }, () => ''),
  )
})
