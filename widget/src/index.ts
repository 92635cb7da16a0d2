export type { CheckoutEvents } from './events.ts'
export type { Payment, Stage } from './payment.ts'

/** Undefined without a document, as on a server. */
export const StablecoinCheckout = globalThis.customElements
  ? (await import('./stablecoin-checkout.ts')).StablecoinCheckout
  : undefined
