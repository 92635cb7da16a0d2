/** Emulates WalletConnect's relay: accepts every subscription and message, and forwards nothing. */
export class EmulatedRelay {
  /** URLs of all connections. */
  readonly opened: string[] = []
  /** Other requests of the page, all of which are refused. */
  readonly fetched: string[] = []
  private readonly webSocketBefore = globalThis.WebSocket
  private readonly fetchBefore = globalThis.fetch

  constructor() {
    const { opened, fetched } = this
    class RelaySocket extends EventTarget {
      readyState = 0
      onopen: ((event: Event) => void) | null = null
      onmessage: ((event: MessageEvent) => void) | null = null
      onclose: ((event: Event) => void) | null = null
      onerror: ((event: Event) => void) | null = null

      constructor(url: string) {
        super()
        opened.push(new URL(url).host)
        queueMicrotask(() => {
          this.readyState = 1
          this.onopen?.(new Event('open'))
        })
      }

      send(text: string): void {
        const { id, method } = JSON.parse(text) as { id: number; method?: string }
        if (!method) return
        const result = /subscribe/i.test(method) ? 'subscription' : true
        const data = JSON.stringify({ id, jsonrpc: '2.0', result })
        queueMicrotask(() => this.onmessage?.(new MessageEvent('message', { data })))
      }

      close(): void {
        this.readyState = 3
        this.onclose?.(new Event('close'))
      }
    }
    Object.assign(globalThis, { WebSocket: RelaySocket })
    globalThis.fetch = async (input) => {
      fetched.push(String(input instanceof Request ? input.url : input))
      return new Response('{}', { status: 503 })
    }
  }

  restore(): void {
    Object.assign(globalThis, { WebSocket: this.webSocketBefore, fetch: this.fetchBefore })
  }
}
