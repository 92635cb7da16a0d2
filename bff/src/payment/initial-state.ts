import { zero } from '../core/money.ts'
import { newBridge } from './bridge.ts'
import type { Payment } from './payment.ts'

/** The fields that events change, before the first event. */
export const initialProgress = {
  seen: zero,
  received: zero,
  late: zero,
  lastBlock: null,
  lastTxId: null,
  windowEnded: false,
  lateEnded: false,
  lateTaken: false,
  refundedByMerchant: zero,
  refundDueByMerchant: zero,
  refundedOfDue: zero,
  confirmedOfDue: zero,
  closedAs: null,
  closeReason: null,
  status: 'pending',
  version: 1,
  detectedAtMs: null,
  confirmedAtMs: null,
} as const

/** The further fields of a deposit that events change. */
export const initialPayouts = {
  sweep: 'none',
  sweepWaits: false,
  sweepTxId: null,
  sweptAtMs: null,
  sweptAmount: null,
  refund: 'none',
  refundAddress: null,
  refunded: zero,
  refunding: zero,
  lateReturned: false,
  refundTxId: null,
  unmatched: [],
} as const

/** The payment as it was created. Used for the body of `payment.created` when it was not stored. */
export function initialStateOf(payment: Payment): Payment {
  const created = { ...initialProgress, sequence: 1 }
  if (payment.mode !== 'deposit') return { ...payment, ...created }
  const bridge = payment.bridge ? { bridge: newBridge(payment.bridge.terms) } : {}
  return { ...payment, ...created, ...initialPayouts, ...bridge }
}
