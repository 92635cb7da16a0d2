import { zero } from '../core/money.ts'
import { newBridge } from './bridge.ts'
import type { Payment } from './payment.ts'

/** What events change of any payment, as it is before the first one. */
export const initialProgress = {
  seen: zero,
  received: zero,
  late: zero,
  lastBlock: null,
  lastTxId: null,
  windowEnded: false,
  lateEnded: false,
  lateTaken: false,
  closedAs: null,
  closeReason: null,
  status: 'pending',
  version: 1,
  detectedAtMs: null,
  confirmedAtMs: null,
} as const

/** What events change of a deposit besides. */
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

/** The payment at the moment of its creation. The body of `payment.created` is made from it when it was not stored. */
export function initialStateOf(payment: Payment): Payment {
  const created = { ...initialProgress, sequence: 1 }
  if (payment.mode !== 'deposit') return { ...payment, ...created }
  const bridge = payment.bridge ? { bridge: newBridge(payment.bridge.terms) } : {}
  return { ...payment, ...created, ...initialPayouts, ...bridge }
}
