import type { ReactiveController, ReactiveControllerHost } from 'lit'
import { urlOf } from '../api/client.ts'
import { isTestMode } from '../api/mode.ts'

/** Between the tabs of this browser: what a wallet answers in one of them is no event of the service's stream. */
const channelName = 'payments'

export function notifyTabs(): void {
  const channel = new BroadcastChannel(channelName)
  channel.postMessage(null)
  channel.close()
}

/**
 * Calls back when the shop's payments have changed, while the host is on the page. The browser reconnects by itself.
 * `isFirst`: the stream has started, and the page's data may be older.
 */
export class PaymentChanges implements ReactiveController {
  private stream: EventSource | null = null
  private tabs: BroadcastChannel | null = null
  private known: string | null = null
  private readonly onChange: (isFirst: boolean) => void

  constructor(host: ReactiveControllerHost, onChange: (isFirst: boolean) => void) {
    this.onChange = onChange
    host.addController(this)
  }

  hostConnected(): void {
    // A browser's event stream cannot send custom headers.
    this.stream = new EventSource(urlOf('payments/events', { mode: isTestMode() ? 'test' : null }))
    this.stream.addEventListener('payments', ({ lastEventId }) => {
      const before = this.known
      this.known = lastEventId
      if (lastEventId !== before) this.onChange(before === null)
    })
    this.tabs = new BroadcastChannel(channelName)
    this.tabs.onmessage = () => this.onChange(false)
  }

  hostDisconnected(): void {
    this.stream?.close()
    this.stream = null
    this.tabs?.close()
    this.tabs = null
    this.known = null
  }
}
