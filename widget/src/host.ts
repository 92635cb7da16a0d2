import type { CheckoutSettings } from './checkout-settings.ts'

/** The element, as its parts see it. */
export type CheckoutHost = CheckoutSettings & {
  /** A wallet is asked for the payment: nothing else may take its place. */
  readonly isPaying: boolean
}
