import type { ReactiveController } from 'lit'
import type { Checkout } from './checkout.ts'
import type { CheckoutController } from './checkout-controller.ts'
import type { CheckoutHost } from './host.ts'

/** Asked no more often than this while the service tells by itself; a stream may be lost without a word. */
const liveFloorMs = 30_000

/** Of one page: over HTTP/1.1 a browser opens six connections to the service, and some must be left for asking. */
const streamsMax = 2
let streams = 0

/**
 * Hears from the service when the payment has changed, and looks at it at once. What is shown comes from that look alone, so
 * a stream that is missing, blocked or wrong costs time and nothing else. Rests while the page is hidden.
 */
export class EventStream implements ReactiveController {
  private readonly controller: CheckoutController
  private source: EventSource | null = null
  private url = ''

  constructor(host: CheckoutHost, controller: CheckoutController) {
    this.controller = controller
    host.addController(this)
    host.addEventListener('sc-status-change', this.tune)
    this.hostConnected()
  }

  hostConnected(): void {
    document.addEventListener('visibilitychange', this.tune)
    this.tune()
  }

  hostDisconnected(): void {
    document.removeEventListener('visibilitychange', this.tune)
    this.stop()
  }

  /** Listens to the payment on screen, while it can change and is looked at. */
  private readonly tune = (): void => {
    const url = document.hidden ? '' : urlOf(this.controller.checkout)
    if (url === this.url) return
    this.stop()
    if (!url || streams >= streamsMax || typeof EventSource === 'undefined') return
    this.url = url
    streams++
    const source = new EventSource(url)
    this.source = source
    source.addEventListener('open', () => this.setLive(true))
    source.addEventListener('error', () => this.setLive(false))
    source.addEventListener('payment', ({ data }) => {
      if (isNews(this.controller.checkout, data)) this.controller.pollNow()
    })
  }

  private stop(): void {
    if (this.source) streams--
    this.source?.close()
    this.source = null
    this.url = ''
    this.controller.floorMs = 0
  }

  /** A stream that has ended by surprise is made up for at once; the browser tries to open it again. */
  private setLive(isLive: boolean): void {
    const wasLive = this.controller.floorMs > 0
    this.controller.floorMs = isLive ? liveFloorMs : 0
    if (wasLive && !isLive) this.controller.pollNow()
  }
}

function urlOf(checkout: Checkout): string {
  if (checkout.phase !== 'following') return ''
  const { id, isFinal, settlement } = checkout.answer.payment
  const isOver = isFinal && settlement.state !== 'settling' && settlement.state !== 'delayed'
  return isOver ? '' : `${checkout.intent.apiBase}/api/v1/payments/public/${encodeURIComponent(id)}/events`
}

/** The first event tells what is on screen already. */
function isNews(checkout: Checkout, data: string): boolean {
  if (checkout.phase !== 'following') return false
  try {
    const { payment } = JSON.parse(data) as { payment: object }
    return JSON.stringify({ ...payment, qr: 0 }) !== JSON.stringify({ ...checkout.answer.wire, qr: 0 })
  } catch {
    return true
  }
}
