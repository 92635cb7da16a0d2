import type { Examples } from './access/operation/openapi-examples.ts'
import { dashboardExamples } from './api-dashboard-examples.ts'
import { exampleRequests } from './api-example-requests.ts'
import {
  contractPayment,
  created,
  customer,
  day,
  endpoint,
  exampleFields,
  gas,
  link,
  lowGas,
  merchantWallet,
  monthSums,
  newKey,
  paidPayment,
  person,
  policy,
  publicKey,
  splitter,
  sums,
  testDelivery,
  txId,
  x402Examples,
} from './api-example-values.ts'
import { crossChainFields, examplePayment, paidFields } from './webhook/example-payment.ts'
import { refundExamples } from './webhook/example-refund.ts'

/**
 * What the examples of the OpenAPI document are made of. A text that an answer requires and that has no value here, by its name or
 * for its operation, fails `openapi.test.ts`.
 */
export const examples: Examples = {
  fields: exampleFields,
  requests: exampleRequests,
  operations: {
    createInvitationChallenge: { invitation: { name: 'Grace', role: 'staff', merchantName: 'Corner Coffee' } },
    readSession: { session: { merchant: { name: 'Corner Coffee' }, operations: ['get /payments'] } },
    listPeople: { people: { ...person, role: 'owner' } },
    listInvitations: {
      invitations: {
        id: '4c1f4c1f4c1f4c1f4c1f4c1f4c1f4c1f4c1f4c1f4c1f4c1f4c1f4c1f4c1f4c1f',
        name: 'Grace',
        role: 'staff',
        isDemo: false,
        replacesPasskey: false,
        invitedBy: 'Ada',
      },
    },
    listSessions: { sessions: { id: 'a3c1', address: '203.0.113.7', browser: 'Firefox on Linux' } },
    listKeys: { keys: { key: publicKey, kind: 'public', endsAt: null } },
    createKey: newKey,
    rotateKey: newKey,
    createWalletProof: {
      address: merchantWallet,
      nonce: 'mJ1yWb0Yw7m3g5tq2fHc0Q',
      message: `Corner Coffee is paid on base at ${merchantWallet}. Nonce: mJ1yWb0Yw7m3g5tq2fHc0Q`,
    },
    ...dashboardExamples,
    listAuditEntries: {
      entries: {
        number: 12,
        action: 'wallet.changed',
        subject: 'base',
        before: customer,
        after: merchantWallet,
        outcome: 'done',
        address: '203.0.113.7',
      },
    },
    readAgentPolicy: { policy, message: 'The policy of shopping-agent-1.' },
    setAgentPolicy: { message: 'The policy was saved.' },
    removeAgentPolicy: { message: 'The policy was removed.' },
    listAgentDecisions: { decisions: { sequence: 7, isAllowed: false, rule: 'daily_budget', paymentId: null } },
    listRates: { provider: 'parity' },
    listDepositChains: {
      networks: { name: 'Base', shortName: 'base', tokens: ['USDC'] },
      chains: { chainId: 8453, name: 'Base', shortName: 'base', confirmations: 3 },
    },
    ...refundExamples,
    endLink: { link: { ...link, state: 'ended', endedAt: '2026-11-21T12:30:00.000Z' } },
    listCrossChainSources: {
      sources: {
        chainId: 42_161,
        name: 'Arbitrum',
        currencies: ['USDC'],
        tokens: { symbol: 'USDC', address: '0xaf88d065e77c8cC2239327C5EDb3A432268e5831', decimals: 6 },
      },
      destinations: [{ chainId: 8453, network: 'base', name: 'Base', currencies: ['USDC'] }],
      message: 'Chains that a customer can pay from.',
    },
    readPaymentHealth: { networks: { shortName: 'base', healthy: true, reason: null, gasBalance: gas } },
    readContract: {
      contractInfo: {
        address: splitter,
        abi: { type: 'function', name: 'splitPayment', stateMutability: 'nonpayable', inputs: [], outputs: [] },
        chainId: 8453,
      },
    },
    createContractPayment: { amount: 25, payment: contractPayment },
    readSolanaPayRequest: { label: 'Corner Coffee', icon: 'https://pay.example/logos/tokens/usdc.svg' },
    createSolanaPayTransaction: { transaction: 'AQAAAAAAAAAAAAAAAAAAAAAA', message: '25.00 USDC to Corner Coffee' },
    processPayment: {
      message: 'The payment is verified.',
      isAlreadyCompleted: false,
      payment: { ...contractPayment, ...paidFields, status: 'completed' },
    },
    authorizePayment: { transactionHash: txId, message: 'The transaction is in a block.' },
    'authorizePayment 202': { state: 'pending', message: 'The transaction was sent. Ask again.' },
    createCrossChainPayment: { payment: { ...examplePayment, ...crossChainFields } },
    readCrossChainStatus: { payment: { ...examplePayment, ...crossChainFields } },
    failPayment: { message: 'The payment was marked as cancelled.', status: 'cancelled', skipped: false },
    acceptLatePayment: { payment: { ...paidPayment, isExpired: true, sequence: 4 } },
    listMerchantPayments: {
      payments: { data: paidPayment, totalCount: 1, totalPages: 1, currentPage: 1 },
      filters: { currencies: ['USDC'], statuses: ['pending', 'swept'] },
    },
    readMerchantStats: {
      stats: {
        totalPayments: 4,
        completedPayments: 3,
        pendingPayments: 1,
        failedPayments: 0,
        agentPayments: 0,
        totalAmount: '75.00',
        averageAmount: '25.00',
        isNairaMerchant: false,
      },
    },
    readSystem: {
      networks: {
        network: 'base',
        name: 'Base',
        isTestnet: false,
        block: 38_211_904,
        lagSeconds: 2,
        nodes: { name: 'node 1', host: 'mainnet.base.org', replica: null },
      },
      queues: { name: 'sweeps', count: 2, failing: 0, deferred: 1 },
      replicas: { silentSeconds: 1, leases: ['base', '*'] },
      backup: { ageSeconds: 3600, bytes: 4_194_304 },
    },
    runDoctor: {
      findings: { check: 'gas', subject: 'base', state: 'good', says: 'There is enough for payouts.', fix: null },
    },
    deployContracts: { network: 'base', state: 'deployed' },
    retryPayouts: { count: 2 },
    readSummaryReport: {
      from: '2026-11-01',
      to: '2026-11-30',
      days: { day: '2026-11-21', ...day, ...sums },
      totals: { ...day, ...sums },
      created: 4,
      paid: 3,
      conversionBps: 7500,
    },
    readAttentionReport: {
      payments: {
        attention: 'refund_address',
        count: 1,
        newest: { ...examplePayment, owed: { to: 'customer', amount: '5.00' } },
      },
      endpoints: { ...endpoint, disabledReason: 'failing', disabledAt: created, failingSince: created },
      gas: { ...lowGas, qr: { size: 21, modules: '1111111001011011111110' } },
      networks: { network: 'polygon', name: 'Polygon', reason: 'no node answers' },
      setup: { networks: 2, wallets: 2, endpoints: 1 },
    },
    readMonthReport: {
      days: { day: '2026-11-21', ...day, ...monthSums },
      totals: { ...day, ...monthSums },
      progress: { read: 250_000, payments: 1_000_000 },
    },
    exportMonthReport:
      'day,network,currency,payments,paid,received,receivedLate,merchantAmount,platformFee,paidOut,refunded,owedToPayer,returned\r\n2026-11-21,base,USDC,4,3,75.00,0.00,73.875,1.125,73.875,0.00,0.00,0.00\r\n',
    listRefusedCalls: {
      errors: {
        method: 'POST',
        route: '/deposits/create',
        status: 400,
        code: 'VALIDATION_FAILED',
        field: 'amount',
      },
    },
    createSandboxPayment: {
      message: 'Nothing of it is real.',
      payment: { ...examplePayment, isTest: true, sandbox: true, feeAmount: '0.37' },
    },
    simulatePayment: {
      message: 'The customer has paid.',
      payment: { ...paidPayment, isTest: true, sandbox: true },
    },
    removeWebhookEndpoint: { message: 'The endpoint we_5c1d0e7a was removed.' },
    rotateCallbackSecret: { previousSecretExpiresAt: '2026-11-22T12:00:00.000Z' },
    testWebhookEndpoint: { delivery: testDelivery },
    readDeliveryRequest: {
      request: {
        url: 'https://shop.example/webhooks',
        headers: { 'webhook-id': 'msg_7f0f1f4e_3', 'content-type': 'application/json' },
        body: '{"type":"payment.completed"}',
        bodyBytes: 28,
        isCut: false,
        attempts: {
          number: 1,
          url: 'https://shop.example/webhooks',
          sentAt: '2026-11-21T12:01:17.000Z',
          headers: { 'webhook-timestamp': '1795262477', 'webhook-signature': 'v1,K5oZfzN95Z9U' },
        },
      },
    },
    replayWebhooks: { replayed: 3 },
    listEvents: {
      events: { cursor: '1795262476000-3', type: 'payment.completed', data: paidPayment },
      next: '1795262476000-3',
      hasMore: false,
    },
    followPayment: 'event: payment\nid: 3\ndata: {"success":true,"payment":{"outcome":"paid"}}\n\n',
    followPayments: 'event: payments\ndata: {"newest":"1795262476000-3"}\n\n',
    countPayments: { counts: { all: 100, paid: 84, partly_paid: 1, overpaid: 2, late: 0, refunded: 3, to_do: 2 } },
    searchPayments: { payments: { ...paidPayment, amountRefunded: '0.00', attention: null }, isCut: false },
    readPaymentHistory: {
      shares: { merchant: '24.63', fee: '0.37' },
      history: {
        at: '2026-11-21T12:01:16.000Z',
        kind: 'event',
        says: 'payment.completed',
        sentence: { code: 'event.payment.completed', values: [] },
      },
    },
    verifyQrCode: {
      verified: true,
      error: null,
      message: 'The payment is paid.',
      payment: paidPayment,
      onChainData: { transactionHash: txId, from: customer },
    },
    readDepositBalance: { balance: '25.00', isComplete: true },
    ...x402Examples,
    readReadiness: { ready: true, reasons: [] },
    listVersions: { versions: { version: 'v1', status: 'current' }, current: 'v1', resolved: 'v1' },
  },
}
