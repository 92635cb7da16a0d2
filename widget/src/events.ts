import type { Payment, Stage } from './payment.ts'

/** What the element emits; all events bubble and cross shadow roots. Fulfilment belongs to the merchant's server. */
export type CheckoutEvents = {
  /** A payment is on screen: created, continued after a reload, or followed by its id. */
  'sc-ready': { payment: Payment }
  /** The service answered a create request. */
  'sc-payment-created': { payment: Payment }
  /** Anything a customer could notice has changed. */
  'sc-status-change': { payment: Payment; stage: Stage; previousStage: Stage | null }
  /** Less than the amount was detected; emitted again each time `remaining` changes. */
  'sc-underpaid': { payment: Payment; remaining: string }
  /** The customer's wallet has sent the payment. Not yet confirmed: it may still fail. */
  'sc-transaction-sent': { payment: Payment; transactionHash: string }
  /** The payment is paid. Emitted again after a reload. */
  'sc-paid': { payment: Payment }
  /** The window ended before the payment was paid. */
  'sc-expired': { payment: Payment }
  /** The dialog was opened. */
  'sc-open': Record<string, never>
  /** The dialog was closed; the payment is still followed. */
  'sc-close': Record<string, never>
  /** The tag is wrong, the service refused, or it cannot be reached; `retryable`: the element retries by itself. */
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
