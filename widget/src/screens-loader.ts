import type { Checkout } from './checkout.ts'
import type { CheckoutController } from './checkout-controller.ts'
import type { Screens, ScreensHost } from './screens/screens.ts'
import type { Speaker } from './speaker.ts'
import { loadScreens } from './wallet-loader.ts'

/** Gets the screens that come after the first one. Until they are there, the element says the little that matters. */
export class ScreensLoader {
  screens: Screens | null = null
  private attempts = 0
  private isLoading = false
  private asked: Checkout | null = null

  /** Once for each thing that the checkout has learned, so that a file that is missing is asked for no faster than the payment. */
  async want(checkout: Checkout, host: ScreensHost, controller: CheckoutController, speaker: Speaker): Promise<void> {
    if (this.screens || this.isLoading || checkout === this.asked) return
    this.asked = checkout
    this.isLoading = true
    try {
      const { Screens } = await loadScreens(this.attempts++)
      this.screens = new Screens(host, controller, speaker)
      speaker.learn(Screens.english, 'screens')
    } catch {
      // What is on screen without it says how the payment stands; the next answer of the service brings the next try.
    }
    this.isLoading = false
  }
}
