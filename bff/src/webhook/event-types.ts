import type { WebhookEventType } from '../core/record-codes.ts'
import { refundMessages } from '../payment/refund.ts'
import { crossChainFields, examplePayment, paidFields } from './example-payment.ts'
import { exampleRefundOfEvent } from './example-refund.ts'

type EventType = {
  /** One line of documentation for merchants. */
  description: string
  /** An example of `data`. */
  example: Record<string, unknown>
}

const refundNeeded = {
  state: 'address_needed',
  message: refundMessages.address_needed,
  address: null,
  amount: '0.00',
  amountRefunded: '0.00',
  txHash: null,
}

const unmatchedExample = {
  network: 'polygon',
  networkName: 'Polygon',
  currency: 'USDT',
  tokenAddress: '0xc2132d05d31c914a87c6611c10748aeb04b58e8f',
  amount: '25.00',
  amountRefunded: '0.00',
  transactionHash: '0x5d1a6a1b8f9f1b0c7f3a0c1f6a2e4d8b9c7e5f3a1b2d4c6e8f0a1b3c5d7e9f10',
  refund: {
    state: 'address_needed',
    message: 'It can be sent back: name an address for it.',
    address: null,
    txHash: null,
  },
}

const refundExample = {
  ...paidFields,
  status: 'swept',
  settlement: { state: 'settled', message: "The money is in the merchant's wallet." },
  sweptAt: '2026-11-21T12:03:00.000Z',
  merchantRefund: exampleRefundOfEvent,
}

const example = (sequence: number, changes: Record<string, unknown> = {}) => ({
  ...examplePayment,
  ...changes,
  sequence,
})

/** Every webhook event of a payment. The documentation and the OpenAPI document are made from this list. */
export const eventTypes: Record<WebhookEventType, EventType> = {
  'payment.created': { description: 'The payment was made; nothing has arrived.', example: example(1) },
  'payment.detected': {
    description: 'Money is in a block, with too few confirmations yet.',
    example: example(2, {
      amountDetected: '25.00',
      amountRemaining: '0.00',
      confirmations: 1,
      detectedAt: '2026-11-21T12:01:10.000Z',
    }),
  },
  'payment.underpaid': {
    description: 'Less than the amount arrived; the payment stays open, and completes when the difference arrives.',
    example: example(3, {
      paymentState: 'underpaid',
      amountReceived: '10.00',
      amountDetected: '10.00',
      amountRemaining: '15.00',
      confirmations: 3,
      detectedAt: '2026-11-21T12:01:10.000Z',
    }),
  },
  'payment.completed': { description: 'Paid: ship.', example: example(3, paidFields) },
  'payment.overpaid': {
    description:
      'More than the amount arrived, or the rest after the payout of a payment accepted short; the excess is owed back.',
    example: example(4, {
      ...paidFields,
      paymentState: 'overpaid_refunding',
      amountReceived: '30.00',
      amountDetected: '30.00',
      excessOwed: '5.00',
      refund: { ...refundNeeded, amount: '5.00' },
    }),
  },
  'payment.late': {
    description:
      'Money arrived after the window, or after the payment was ended by hand; it is owed back, unless `outcome` is `paid`.',
    example: example(3, {
      status: 'expired',
      outcome: 'failed',
      isFinal: true,
      isExpired: true,
      paymentState: 'expired_refunding',
      settlement: { state: '', message: 'Nothing was paid, so there is nothing to pay out.' },
      amountReceived: '25.00',
      refund: {
        ...refundNeeded,
        state: 'held',
        message: refundMessages.held,
        amount: '25.00',
      },
      excessOwed: '25.00',
      confirmations: 3,
    }),
  },
  'payment.reorged': {
    description: 'A reorg undid a transfer. Read `outcome`: the payment may have been paid before.',
    example: example(3),
  },
  'payment.expired': {
    description: 'The window ended without the full amount.',
    example: example(2, {
      status: 'expired',
      outcome: 'failed',
      isFinal: true,
      isExpired: true,
      settlement: { state: '', message: 'Nothing was paid, so there is nothing to pay out.' },
    }),
  },
  'payment.cancelled': { description: 'Ended by hand, as cancelled.', example: example(2, ended('cancelled')) },
  'payment.failed': { description: 'Ended by hand, as failed.', example: example(2, ended('failed')) },
  'deposit.swept': {
    description: "The money is in the merchant's wallet.",
    example: example(4, {
      ...paidFields,
      status: 'swept',
      settlement: { state: 'settled', message: "The money is in the merchant's wallet." },
      sweepTxHash: '0x9b1c3f0d6f0b7a52e7b4f7cf1c0a6cbb6a9f3f37a4e6d6bb1f5f0b8a3d2c1e4f',
      sweptAt: '2026-11-21T12:03:00.000Z',
    }),
  },
  'deposit.sweep_failed': {
    description: 'The payout keeps failing and is retried hourly. The payment stays paid.',
    example: example(4, {
      ...paidFields,
      status: 'sweep_failed',
      settlement: {
        state: 'failed',
        message: 'The payout could not be completed yet. The merchant is being contacted.',
      },
    }),
  },
  'deposit.refunded': {
    description: 'Money that was owed back was sent back: `refund` says how much, where to and by which transaction.',
    example: example(6, {
      ...paidFields,
      status: 'swept',
      amountReceived: '30.00',
      amountDetected: '30.00',
      settlement: { state: 'settled', message: "The money is in the merchant's wallet." },
      sweepTxHash: '0x9b1c3f0d6f0b7a52e7b4f7cf1c0a6cbb6a9f3f37a4e6d6bb1f5f0b8a3d2c1e4f',
      sweptAt: '2026-11-21T12:03:00.000Z',
      refund: {
        state: 'refunded',
        message: refundMessages.refunded,
        address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
        amount: '5.00',
        amountRefunded: '5.00',
        txHash: '0x3e0c7d1b5a9f8e2d4c6b1a0f9e8d7c6b5a4f3e2d1c0b9a8f7e6d5c4b3a2f1e0d',
      },
    }),
  },
  'deposit.unmatched_received': {
    description:
      "The deposit address holds money that does not belong to the payment: another token, the chain's own coin, or on another network. `unmatched` lists it; it can be returned.",
    example: example(2, { unmatched: [unmatchedExample] }),
  },
  'deposit.unmatched_refunded': {
    description: 'An unmatched transfer was returned.',
    example: example(3, {
      unmatched: [
        {
          ...unmatchedExample,
          amount: '0.00',
          amountRefunded: '25.00',
          refund: {
            state: 'refunded',
            message: 'It was sent back.',
            address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
            txHash: '0x3e0c7d1b5a9f8e2d4c6b1a0f9e8d7c6b5a4f3e2d1c0b9a8f7e6d5c4b3a2f1e0d',
          },
        },
      ],
    }),
  },
  'bridge.moved': {
    description:
      'The relay of a cross-chain payment reported progress in `bridgeStatus` and its transactions. This is not proof of payment; read `outcome`.',
    example: example(2, crossChainFields),
  },
  'refund.requested': {
    description:
      'A refund was asked for that your own wallet pays: `merchantRefund`. Send its page to the customer, or pay it.',
    example: example(5, { ...refundExample, refundDueByMerchant: '10.00' }),
  },
  'refund.paid': {
    description:
      'The whole refund `merchantRefund` is confirmed on chain, also when it was cancelled before (`cancelledAt`). Again, with `excess`, when more than its amount was paid.',
    example: example(6, {
      ...refundExample,
      refundedByMerchant: '10.00',
      merchantRefund: {
        ...exampleRefundOfEvent,
        status: 'paid',
        paid: '10.00',
        remaining: '0.00',
        transactionHash: '0x3e0c7d1b5a9f8e2d4c6b1a0f9e8d7c6b5a4f3e2d1c0b9a8f7e6d5c4b3a2f1e0d',
        paidAt: '2026-11-22T09:30:00.000Z',
      },
    }),
  },
  'refund.failed': {
    description:
      'A refund will not be paid: it was cancelled; again, with `paid`, when your wallet paid a part of it afterwards. Or a reorg undid one that was paid; then its `status` is `to_pay` again.',
    example: example(6, {
      ...refundExample,
      merchantRefund: { ...exampleRefundOfEvent, status: 'cancelled', cancelledAt: '2026-11-22T09:30:00.000Z' },
    }),
  },
}

function ended(status: 'cancelled' | 'failed') {
  const settlement = { state: '', message: 'Nothing was paid, so there is nothing to pay out.' }
  return { status, outcome: 'failed', isFinal: true, settlement }
}

/** The test event: sent only when a merchant asks for it. */
export const testEvent = {
  type: 'webhook.test',
  description: 'Test event of `POST /webhooks/endpoints/{id}/test`. Belongs to no payment.',
  example: { isTest: true, message: 'Your endpoint works.' },
} as const

export const eventTypeNames = Object.keys(eventTypes) as [WebhookEventType, ...WebhookEventType[]]
