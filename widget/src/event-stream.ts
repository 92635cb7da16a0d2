import type { ReactiveController } from 'lit'
import type { Following } from './checkout.ts'
import type { CheckoutController } from './checkout-controller.ts'
import { type CheckoutHost, Part } from './part.ts'

/** Asked no more often than this while a stream reports the changes; it may be lost without an error. */
const liveFloorMs = 30_000

/** Polls for one event, and the time between them. More would not help: the screen may be newer than the event. */
const pollsMax = 5
const pollAgainMs = 1000

/** Of one page: over HTTP/1.1 a browser opens six connections to the service, and some must be left for asking. */
const streamsMax = 2
let streams = 0

/**
 * Polls as soon as the service's stream reports a change of the payment. What is shown comes from the poll alone, so
 * a stream that is missing, blocked or wrong costs only time. Closed while the page is hidden.
 */
export class EventStream extends Part implements ReactiveController {
  private source: EventSource | null = null
  private timer: ReturnType<typeof setTimeout> | undefined
  private url = ''

  constructor(host: CheckoutHost, controller: CheckoutController) {
    super(host, controller)
    host.addController(this)
    host.addEventListener('sc-status-change', this.update)
    this.hostConnected()
  }

  hostConnected(): void {
    document.addEventListener('visibilitychange', this.update)
    this.update()
  }

  hostDisconnected(): void {
    document.removeEventListener('visibilitychange', this.update)
    this.stop()
  }

  /** Opens the stream of the payment on screen, while it can change and the page is seen. */
  private readonly update = (): void => {
    const url = document.hidden ? '' : urlOf(this.following)
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

  /** A poll that is under way may bring an older answer, and a poll may fail: polls until the screen shows what was reported. */
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

  /** After a stream has broken, polls at once; the browser opens it again by itself. */
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

/** Whether the event differs from what is on screen: the first one does not. */
function isChanged(following: Following | null, data: string): boolean {
  if (!following) return false
  try {
    const { payment } = JSON.parse(data) as { payment: object }
    return JSON.stringify({ ...payment, qr: 0 }) !== JSON.stringify({ ...following.answer.wire, qr: 0 })
  } catch {
    return true
  }
}
