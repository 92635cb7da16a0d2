/** For the rig, benchmarks and the demo. Payments and the ledger that writes them. */
export type { WebhookEventType } from '../core/record-codes.ts'
export type { SignedAuthorization } from '../payment/authorization.ts'
export { newBridge } from '../payment/bridge.ts'
export type { PaymentEvent, StoredTransfer, Transfer } from '../payment/event.ts'
export { createLedger, type Ledger } from '../payment/ledger.ts'
export {
  type BridgeStatus,
  type ContractPayment,
  canBePaidLate,
  type DepositPayment,
  type MerchantId,
  type Outcome,
  outcomeOf,
  outcomeOfStatus,
  type Payment,
  type PaymentId,
  type Status,
} from '../payment/payment.ts'
export { dueKeptOf, refundableOf, refundsOfDue, settledOf } from '../payment/payment-sums.ts'
export { isLateHeld } from '../payment/refund.ts'
export { queueAuthorization } from '../payment/store/authorization-store.ts'
export { type DescribePayment, emitEvent } from '../payment/store/outbox-store.ts'
export { insertPayment, loadPayment } from '../payment/store/payment-store.ts'
export { recordedAddresses } from '../payment/store/token-store.ts'
export { type Step, transition } from '../payment/transition.ts'
