import { examplePayment, paidFields } from './example-payment.ts'

const customer = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const examplePromptId = '6a1f3c7e-2b9d-4a35-8f10-3d8f0f6b7c21'
const atNine = '2026-11-22T09:00:00.000Z'
const atHalfPastNine = '2026-11-22T09:30:00.000Z'

/** The customer's page of the refund. */
const refundPageUrl =
  'https://pay.example/refund/1b7c9a52-3f0e-4c55-9a0d-51a9d5f0f3e2#client_secret=cs_J0Xl7cB0Qb8l4mPz'

/** A refund that the merchant's wallet pays, as webhook events carry it. For the documentation. */
export const exampleRefundOfEvent = {
  id: '1b7c9a52-3f0e-4c55-9a0d-51a9d5f0f3e2',
  paymentId: examplePayment['id'],
  status: 'to_pay',
  network: 'base',
  currency: 'USDC',
  amount: '10.00',
  price: null,
  priceCurrency: null,
  rate: null,
  rateOf: null,
  reason: 'One of two items was returned',
  address: customer,
  paid: '0.00',
  remaining: '10.00',
  excess: '0.00',
  transactionHash: null,
  isTest: false,
  createdAt: atNine,
  addressNamedAt: atNine,
  paidAt: null,
  cancelledAt: null,
}

/** The same refund as its merchant reads it, before the customer names an address. */
export const exampleMerchantRefund = {
  ...exampleRefundOfEvent,
  status: 'awaiting_address',
  address: null,
  addressNamedAt: null,
  networkName: 'Base',
  transactions: { hash: paidFields.transactionHash, amount: '10.00', confirmations: 3, isFinal: true },
  merchantName: 'Corner Coffee',
  tokenAddress: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  tokenDecimals: 6,
  requestedBy: null,
  orderId: examplePayment['orderId'] ?? null,
  remainingUnits: '10000000',
  pageUrl: refundPageUrl,
  call: null,
  paymentUri: null,
  ownAddressesPay: false,
  wallet: null,
  prompt: null,
}

const named = { address: customer, addressNamedAt: atNine }

const paidRefund = {
  ...exampleMerchantRefund,
  status: 'paid',
  ...named,
  paid: '10.00',
  remaining: '0.00',
  transactionHash: paidFields.transactionHash,
  paidAt: atHalfPastNine,
}

/** The responses of the operations on such refunds. */
export const refundExamples = {
  requestMerchantRefund: { refund: exampleMerchantRefund },
  readMerchantRefund: { refund: exampleMerchantRefund },
  readPublicMerchantRefund: { refund: exampleMerchantRefund },
  nameMerchantRefundAddress: { refund: { ...exampleMerchantRefund, status: 'to_pay', ...named } },
  showRefundLink: { link: refundPageUrl },
  cancelMerchantRefund: { refund: { ...exampleMerchantRefund, status: 'cancelled', cancelledAt: atHalfPastNine } },
  verifyMerchantRefund: { refund: paidRefund },
  promptRefundWallet: {
    prompt: { id: examplePromptId, transaction: null },
    refunds: { ...exampleMerchantRefund, status: 'to_pay', ...named },
  },
}
