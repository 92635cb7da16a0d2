import { zero } from '../core/money.ts'
import { newBridge } from './bridge.ts'
import type { Payment } from './payment.ts'

/**
 * The payment as it was at the moment of its creation: with everything that moves set back, and what never changes left.
 * So the news of a creation need not be stored for those who may never ask for it.
 */
export function asCreated(payment: Payment): Payment {
  const facts = {
    seen: zero,
    received: zero,
    late: zero,
    lastBlock: null,
    lastTxId: null,
    windowEnded: false,
    lateEnded: false,
    lateTaken: false,
    closedAs: null,
    status: 'pending',
    version: 1,
    sequence: 1,
    detectedAtMs: null,
    confirmedAtMs: null,
  } as const
  if (payment.mode !== 'deposit') return { ...payment, ...facts }
  const refund = {
    refund: 'none',
    refundAddress: null,
    refunded: zero,
    refunding: zero,
    lateReturned: false,
    refundTxId: null,
    strays: [],
  } as const
  const bridge = payment.bridge ? { bridge: newBridge(payment.bridge.terms) } : {}
  return {
    ...payment,
    ...facts,
    ...refund,
    ...bridge,
    sweep: 'none',
    sweepWaits: false,
    sweepTxId: null,
    sweptAtMs: null,
  }
}
