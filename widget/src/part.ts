import type { Following } from './checkout.ts'
import type { CheckoutController } from './checkout-controller.ts'
import type { CheckoutSettings } from './checkout-settings.ts'
import type { CheckoutEvents } from './events.ts'

/** The element's interface for its parts. */
export type CheckoutHost = CheckoutSettings & {
  /** A wallet prompt for the payment is open: nothing may replace the screen. */
  readonly isPaying: boolean
}

/** Renders or does one thing for the element. */
export abstract class Part {
  protected readonly host: CheckoutHost
  protected readonly controller: CheckoutController

  constructor(host: CheckoutHost, controller: CheckoutController) {
    this.host = host
    this.controller = controller
  }

  /** The payment on screen; null until there is one. */
  protected get following(): Following | null {
    const { checkout } = this.controller
    return checkout.phase === 'following' ? checkout : null
  }

  protected emit<Name extends keyof CheckoutEvents>(name: Name, detail: CheckoutEvents[Name]): void {
    this.host.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }))
  }
}
