import type { Payment, Stage } from './payment.ts'

/** The element's events; all bubble and cross shadow roots. Fulfil orders only on the merchant's server. */
export type CheckoutEvents = {
  /** A payment is on screen: created, continued after a reload, or followed by its id. */
  'sc-ready': { payment: Payment }
  /** The service answered a create request. */
  'sc-payment-created': { payment: Payment }
  /** Any visible change. */
  'sc-status-change': { payment: Payment; stage: Stage; previousStage: Stage | null }
  /** Less than the amount was detected; emitted again each time `remaining` changes. */
  'sc-underpaid': { payment: Payment; remaining: string }
  /** The customer's wallet has sent the payment. Not confirmed yet: the transaction may still fail. */
  'sc-transaction-sent': { payment: Payment; transactionHash: string }
  /** The payment is paid. Emitted again after a reload. */
  'sc-paid': { payment: Payment }
  /** The window ended before the payment was paid. */
  'sc-expired': { payment: Payment }
  /** The dialog was opened. */
  'sc-open': Record<string, never>
  /** The dialog was closed; the payment is still followed. */
  'sc-close': Record<string, never>
  /**
   * The tag is invalid, the service refused, or the service is unreachable; `retryable`: the element retries
   * automatically.
   */
  'sc-error': { code: string; message: string; retryable: boolean }
}

declare global {
  interface GlobalEventHandlersEventMap {
    'sc-ready': CustomEvent<CheckoutEvents['sc-ready']>
    'sc-payment-created': CustomEvent<CheckoutEvents['sc-payment-created']>
    'sc-status-change': CustomEvent<CheckoutEvents['sc-status-change']>
    'sc-underpaid': CustomEvent<CheckoutEvents['sc-underpaid']>
    'sc-transaction-sent': CustomEvent<CheckoutEvents['sc-transaction-sent']>
    'sc-paid': CustomEvent<CheckoutEvents['sc-paid']>
    'sc-expired': CustomEvent<CheckoutEvents['sc-expired']>
    'sc-open': CustomEvent<CheckoutEvents['sc-open']>
    'sc-close': CustomEvent<CheckoutEvents['sc-close']>
    'sc-error': CustomEvent<CheckoutEvents['sc-error']>
  }
}
