export type { CheckoutEvents } from './events.ts'
export type { Payment, Stage } from './payment.ts'

/** Undefined where there is no document, as on a server. */
export const StablecoinCheckout = globalThis.customElements
  ? (await import('./stablecoin-checkout.ts')).StablecoinCheckout
  : undefined
