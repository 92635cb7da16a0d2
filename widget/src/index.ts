import { StablecoinCheckout } from './stablecoin-checkout.ts'

export type { CheckoutEvents } from './events.ts'
export type { Payment, Stage } from './payment.ts'
export type { StablecoinCheckout } from './stablecoin-checkout.ts'

// A page may load the script twice; defining a name twice throws.
if (!customElements.get('stablecoin-checkout')) customElements.define('stablecoin-checkout', StablecoinCheckout)
