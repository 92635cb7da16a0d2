import type { ReactiveController } from 'lit'
import type { Following } from './checkout.ts'
import type { CheckoutController } from './checkout-controller.ts'
import { type CheckoutHost, Part } from './part.ts'

/** Poll interval while a stream reports changes; a stream may break without an error. */
const liveFloorMs = 30_000

/**
 * Polls for one event, and the time between them. More would not help: the screen may already be newer than the event.
 */
const pollsMax = 5
const pollAgainMs = 1000

/** Per page: over HTTP/1.1 a browser opens six connections to the service, and some must be left for requests. */
const streamsMax = 2
let streams = 0

/**
 * Polls as soon as the service's stream reports a change of the payment. Only poll responses are shown, so a missing,
 * blocked or wrong stream costs only time. Closed while the page is hidden.
 */
export class EventStream extends Part implements ReactiveController {
  private source: EventSource | null = null
  private timer: ReturnType<typeof setTimeout> | undefined
  private url = ''

  constructor(host: CheckoutHost, controller: CheckoutController) {
    super(host, controller)
    host.addController(this)
    host.addEventListener('sc-status-change', this.update)
  }

  hostConnected(): void {
    document.addEventListener('visibilitychange', this.update)
    this.update()
  }

  hostDisconnected(): void {
    document.removeEventListener('visibilitychange', this.update)
    this.stop()
  }

  /** Opens the stream of the payment on screen, while it can change and is visible. */
  private readonly update = (): void => {
    const url = document.hidden || !this.host.isConnected ? '' : urlOf(this.following)
    if (url === this.url) return
    this.stop()
    if (!url || streams >= streamsMax || typeof EventSource === 'undefined') return
    this.url = url
    streams++
    const source = new EventSource(url)
    this.source = source
    source.addEventListener('open', () => this.setLive(true))
    source.addEventListener('error', () => this.setLive(false))
    source.addEventListener('payment', ({ data }) => this.pollFor(data, pollsMax))
  }

  /**
   * A poll under way may return an older response, and a poll may fail: polls until the screen shows the reported
   * change.
   */
  private pollFor(data: string, left: number): void {
    clearTimeout(this.timer)
    if (left === 0 || !isChanged(this.following, data)) return
    this.controller.pollNow()
    this.timer = setTimeout(() => this.pollFor(data, left - 1), pollAgainMs)
  }

  private stop(): void {
    clearTimeout(this.timer)
    if (this.source) streams--
    this.source?.close()
    this.source = null
    this.url = ''
    this.controller.floorMs = 0
  }

  /** Polls at once after a stream has broken; the browser reconnects by itself. */
  private setLive(isLive: boolean): void {
    const wasLive = this.controller.floorMs > 0
    this.controller.floorMs = isLive ? liveFloorMs : 0
    if (wasLive && !isLive) this.controller.pollNow()
  }
}

function urlOf(following: Following | null): string {
  if (!following) return ''
  const { id, isFinal, settlement } = following.answer.payment
  const isOver = isFinal && settlement.state !== 'settling' && settlement.state !== 'delayed'
  return isOver ? '' : `${following.intent.apiBase}/api/v1/payments/public/${encodeURIComponent(id)}/events`
}

/** Whether the event differs from the screen: the first one does not. */
function isChanged(following: Following | null, data: string): boolean {
  if (!following) return false
  try {
    const { payment } = JSON.parse(data) as { payment: object }
    return JSON.stringify({ ...payment, qr: 0 }) !== JSON.stringify({ ...following.answer.wire, qr: 0 })
  } catch {
    return true
  }
}
