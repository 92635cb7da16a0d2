import type { CheckoutController } from './checkout-controller.ts'
import type { Offer, OfferHost } from './offer/offer.ts'
import { Poller } from './poll.ts'
import type { Controller } from './ui/small-element.ts'
import { loadOffer } from './wallet-loader.ts'
import type { Words } from './words/say.ts'

/** A page that cannot get the file asks for it again this often, while it is looked at. */
const retryMs = 3000

/** Gets what stands before or around the card, where the tag asks for a button, a dialog or a price. */
export class OfferLoader implements Controller {
  offer: Offer | null = null
  /** The page has called `open()`, which waits for the file. */
  private isOpenWanted = false
  private attempts = 0
  private readonly host: OfferHost
  private readonly poller: Poller

  /** @param renew - Makes the element ask the offer for its wish. */
  constructor(host: OfferHost, controller: CheckoutController, renew: (words?: Words) => void) {
    this.host = host
    host.addController(this)
    this.poller = new Poller(async () => {
      try {
        const { Offer } = await loadOffer(this.attempts++)
        this.offer ??= new Offer(host, controller, renew)
        renew(Offer.english)
        if (this.isOpenWanted) this.open()
        return null
      } catch {
        return retryMs
      }
    })
  }

  /** The tag asks for something that only the offer can do. */
  get isWanted(): boolean {
    return this.host.display !== 'inline' || this.host.price !== ''
  }

  /** @returns nothing to be asked for yet. */
  load(): null {
    this.poller.start()
    return null
  }

  open(): void {
    this.isOpenWanted = true
    void this.offer?.open()
  }

  hostConnected(): void {
    if (this.isWanted && !this.offer) this.load()
  }

  hostDisconnected(): void {
    this.poller.stop()
  }
}
