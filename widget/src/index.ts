import { StablecoinCheckout } from './stablecoin-checkout.ts'
import { SmallElement } from './ui/small-element.ts'

export type { CheckoutEvents } from './events.ts'
export type { Payment, Stage } from './payment.ts'
export type { StablecoinCheckout } from './stablecoin-checkout.ts'

SmallElement.define('stablecoin-checkout', StablecoinCheckout)
