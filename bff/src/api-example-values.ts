import type { ExampleValues } from './access/operation/openapi-examples.ts'
import { examplePayment, paidFields } from './webhook/example-payment.ts'
import { exampleMerchantRefund } from './webhook/example-refund.ts'

export const created = '2026-11-21T12:00:00.000Z'
export const customer = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
export const merchantWallet = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const platformWallet = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
const operator = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
export const splitter = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const usdc = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
export const txId = String(paidFields.transactionHash)
export const publicKey = 'pk_live_4fj2X0mQv7bN1sKz'
const webhookSecret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'

export const paidPayment = { ...examplePayment, ...paidFields }

export const contractPayment = {
  ...examplePayment,
  paymentMode: 'contract',
  depositAddress: null,
  depositMethod: 'wallet',
  paymentUri: null,
  explorer: { address: `https://basescan.org/address/${splitter}`, transaction: null },
  totalAmount: '25.00',
  feeAmount: '0.37',
  contractAddress: splitter,
  splitterPaymentId: '7f0f1f4e-6a43-4a2e-9d2b-0a9f6d9d0a11',
  merchantWallet,
  platformWallet,
  merchantPercentage: 9850,
  platformPercentage: 150,
  chainId: 8453,
  tokenAddress: usdc,
  tokenDecimals: 6,
}

const network = examplePayment['Network'] as Record<string, unknown>
const token = examplePayment['Token'] as Record<string, unknown>
const payableToken = {
  ...token,
  Network: { ...network, chainId: '8453', confirmations: 3, confirmSeconds: 6, feeLevel: 'low' },
}

export const link = {
  id: 'pl_7Qk2mX0vT4bN1sKz',
  amount: null,
  price: '25.00',
  priceCurrency: 'USD',
  network: null,
  currency: null,
  description: 'Table 7',
  returnUrl: 'https://shop.example/thanks',
  expiresAt: null,
  url: 'https://pay.example/pay/pl_7Qk2mX0vT4bN1sKz',
  maxPayments: 1,
  opened: 2,
  paid: 0,
  orderId: 'table-7',
  callbackUrl: null,
  metadata: null,
}

export const policy = {
  agentId: 'shopping-agent-1',
  maxPerTransaction: '50.00',
  dailyBudget: '250.00',
  monthlyBudget: '1000.00',
  allowedNetworks: ['base'],
  allowedCurrencies: ['USDC'],
  expiresAt: null,
  spentToday: '25.00',
  spentThisMonth: '125.00',
}

export const endpoint = {
  id: 'we_5c1d0e7a',
  url: 'https://shop.example/webhooks',
  description: 'Orders',
  eventTypes: ['payment.completed'],
  enabled: true,
  disabledReason: null,
}

const delivery = {
  messageId: 'msg_7f0f1f4e_3',
  type: 'payment.completed',
  sequence: 3,
  endpointId: 'we_5c1d0e7a',
  url: 'https://shop.example/webhooks',
  state: 'delivered',
  attemptCount: 1,
  attempts: {
    number: 1,
    sentAt: '2026-11-21T12:01:17.000Z',
    url: 'https://shop.example/webhooks',
    tookMs: 84,
    code: 200,
    error: null,
    answer: 'ok',
  },
  nextAttemptAt: null,
  doneAt: '2026-11-21T12:01:17.000Z',
}

export const testDelivery = {
  ...delivery,
  messageId: 'msg_test_5c1d0e7a',
  type: 'webhook.test',
  paymentId: null,
  sequence: 0,
  state: 'due',
  attemptCount: 0,
  attempts: [],
  nextAttemptAt: created,
  doneAt: null,
}

export const gas = {
  state: 'ok',
  address: operator,
  balance: '0.042',
  needed: '0.01',
  currency: 'ETH',
  message: 'There is enough for payouts.',
}
export const lowGas = {
  ...gas,
  state: 'low',
  balance: '0.004',
  message: 'Send coins to the address: payouts stop without.',
}

export const day = { network: 'base', currency: 'USDC', decimals: 6 }
export const sums = { created: 4, paid: 3, received: '75000000', refunded: '0', refundedByMerchant: '0' }
export const monthSums = {
  payments: 4,
  paid: 3,
  received: '75000000',
  receivedLate: '0',
  merchantAmount: '73875000',
  platformFee: '1125000',
  paidOut: '73875000',
  refunded: '0',
  refundedByMerchant: '0',
  refundDueByMerchant: '0',
  owedToPayer: '0',
  returned: '0',
}

export const requirements = {
  scheme: 'exact',
  network: 'eip155:8453',
  asset: usdc,
  amount: '25000000',
  payTo: String(examplePayment['depositAddress']),
}

const x402Pending = { transactionHash: txId, message: 'The transfer was sent. Ask again with the same proof.' }
const x402Required = {
  error: 'PAYMENT-SIGNATURE header is required',
  message: 'Payment 7f0f1f4e-6a43-4a2e-9d2b-0a9f6d9d0a11 to Corner Coffee',
  code: 'PAYMENT_REQUIRED',
  accepts: requirements,
  resource: { url: 'https://pay.example/x402/7f0f1f4e-6a43-4a2e-9d2b-0a9f6d9d0a11' },
}

export const x402Examples = {
  listX402Kinds: {
    kinds: { scheme: 'exact', network: 'eip155:8453' },
    extensions: [],
    signers: { 'eip155:*': [operator] },
  },
  settleX402Payment: { transaction: txId, network: 'eip155:8453' },
  createX402Charge: { payment: paidPayment },
  'createX402Charge 202': x402Pending,
  'createX402Charge 402': x402Required,
  payByX402: { payment: paidPayment },
  'payByX402 202': x402Pending,
  'payByX402 402': x402Required,
  postX402Payment: { payment: paidPayment },
  'postX402Payment 202': x402Pending,
  'postX402Payment 402': x402Required,
}
export const person = { id: 'b1f5c7a0-2d0e-4c8f-9a57-3e6f1d2c4b5a', name: 'Ada' }
const wallets = { network: 'base', networkName: 'Base', address: merchantWallet }
export const newKey = { key: 'ak_live_9mXc2VtQ8rLk5wYb', kind: 'api', secret: 'sk_live_1pZ6dH3nJ0sGfR7eUaTq' }
const challenge = { challenge: 'mJ1yWb0Yw7m3g5tq2fHc0Q', timeout: 60_000, rpId: 'pay.example' }

/** Values of the fields of answers, wherever they stand. */
export const exampleFields: ExampleValues = {
  ...examplePayment,
  payment: examplePayment,
  link,
  links: link,
  policy,
  policies: policy,
  endpoint,
  endpoints: endpoint,
  delivery,
  deliveries: delivery,
  networks: network,
  stablecoins: payableToken,
  tokens: payableToken,
  options: challenge,
  person,
  gas,
  gasBalance: gas,
  days: { day: '2026-11-21', ...day },
  totals: day,
  next: null,
  nextAttemptAt: null,
  requestId: '0b7a3f7e-52c1-4b53-8f0e-6a9f0d9c2b41',
  serverTime: created,
  origins: ['https://shop.example'],
  secret: webhookSecret,
  month: '2026-11',
  timeZone: 'Europe/Berlin',
  version: '1.0.0',
  reasons: [],
  host: 'checkout-1',
  wallets,
  settings: { name: 'Corner Coffee' },
  chainId: 8453,
  decimals: 6,
  refunds: exampleMerchantRefund,
  refundable: '15.00',
}
