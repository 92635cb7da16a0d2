import type { ExampleValues } from './access/operation/openapi-examples.ts'
import { tillRequests } from './api-dashboard-examples.ts'
import { customer, merchantWallet, requirements, txId } from './api-example-values.ts'
import { examplePayment } from './webhook/example-payment.ts'

const order = { amount: '25.00', currency: 'USDC', network: 'base', orderId: 'A-1042' }
const proof = {
  paymentRequirements: requirements,
  paymentPayload: {
    accepted: requirements,
    payload: { authorization: { from: customer, value: '25000000' }, signature: '0x5a2f…' },
  },
}
/** What a browser makes of a passkey. */
const passkey = {
  id: 'Qk2mX0vT4bN1sKz',
  rawId: 'Qk2mX0vT4bN1sKz',
  response: {
    clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIn0',
    attestationObject: 'o2NmbXRkbm9uZQ',
    authenticatorData: 'SZYN5YgOjGh0NBcP',
    signature: 'MEUCIQDzXQ',
  },
}
const invitation = 'mJ1yWb0Yw7m3g5tq2fHc0QmJ1yWb0Yw7m3g5tq2fHc0'

/** Values of the bodies of requests, by the id of their operation. */
export const exampleRequests: Readonly<Record<string, ExampleValues>> = {
  createDeposit: order,
  createContractPayment: order,
  createSandboxPayment: order,
  createCrossChainPayment: { ...order, originChainId: 42_161, originCurrency: 'USDC' },
  ...tillRequests,
  createX402Charge: { amount: '0.05', resource: 'https://api.example/report', client: 'client-7' },
  createSolanaPayTransaction: { account: '9B5XszUGdMaxCZ7uSQhPzdks5ZQSmWxrmzCSvtJ6Ns6g' },
  processPayment: { transactionHash: txId },
  authorizePayment: {
    authorization: {
      from: customer,
      to: String(examplePayment['depositAddress']),
      value: '25000000',
      validAfter: '0',
      validBefore: '1795263000',
      nonce: `0x${'5a2f'.repeat(16)}`,
    },
    signature: `0x${'3c'.repeat(64)}1b`,
  },
  verifyX402Payment: proof,
  settleX402Payment: proof,
  requestRefund: { address: customer },
  requestMerchantRefund: { amount: '10.00', reason: 'One of two items was returned' },
  nameMerchantRefundAddress: { address: customer },
  verifyMerchantRefund: { transactionHash: txId },
  failPayment: { status: 'cancelled' },
  setAgentPolicy: { maxPerTransaction: '20', dailyBudget: '100', allowedNetworks: ['base'] },
  updateWebhookEndpoint: { eventTypes: ['payment.completed'] },
  createWebhookEndpoint: { description: 'Shop' },
  addNoticeChannel: { kind: 'email', email: 'ada@shop.example', kinds: ['paid', 'trouble'], language: 'en' },
  signIn: { response: passkey },
  addPasskey: { response: passkey },
  namePasskey: { name: 'Blue stick' },
  createInvitationChallenge: { token: invitation },
  acceptInvitation: { token: invitation, response: passkey },
  signInToDemo: { token: invitation },
  createConfirmationChallenge: { body: '{"kind":"public"}' },
  updatePerson: { role: 'staff' },
  createInvitation: { name: 'Grace', role: 'staff' },
  rotateKey: { overlapHours: 24 },
  updateSettings: { latePayments: 'accept' },
  createWalletProof: { address: merchantWallet },
  setWallet: { address: merchantWallet, nonce: 'mJ1yWb0Yw7m3g5tq2fHc0Q', signature: `0x${'3c'.repeat(64)}1b` },
}
