import type { Following } from './checkout.ts'
import type { CheckoutController } from './checkout-controller.ts'
import type { CheckoutSettings } from './checkout-settings.ts'
import type { CheckoutEvents } from './events.ts'

/** The element, as its parts see it. */
export type CheckoutHost = CheckoutSettings & {
  /** A wallet is asked for the payment: nothing else may take its place. */
  readonly isPaying: boolean
}

/** Draws or does one thing of the element. */
export abstract class Part {
  protected readonly host: CheckoutHost
  protected readonly controller: CheckoutController

  constructor(host: CheckoutHost, controller: CheckoutController) {
    this.host = host
    this.controller = controller
  }

  /** The payment on screen; null before there is one. */
  protected get following(): Following | null {
    const { checkout } = this.controller
    return checkout.phase === 'following' ? checkout : null
  }

  protected emit<Name extends keyof CheckoutEvents>(name: Name, detail: CheckoutEvents[Name]): void {
    this.host.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }))
  }
}
