import { EmulatedStream } from './streams.ts'
import { type Wire, wireAnswer } from './wire.ts'

export { address, expired, paid, paymentId, seen, short, type Wire, wireAnswer, wirePayment } from './wire.ts'

export type Asked = { method: string; url: string; headers: Headers; body: Wire; cache: RequestCache | undefined }

/** Fields of the create response in addition to the payment. */
export const clientSecret = 'cs_emulated'

/** Emulates the service: one payment, and every request for it. */
export class EmulatedService {
  readonly asked: Asked[] = []
  /** Overrides for the payment. */
  payment: Wire = {}
  /** The status of all responses until null again; 0 for no response. */
  fault: { status: number; body?: Wire; headers?: Record<string, string> } | null = null
  /** Overrides the response by method and path; null for the default. */
  more: (method: string, path: string, body: Wire) => Response | Promise<Response> | null = () => null
  private held: Promise<void> = Promise.resolve()
  private readonly fetchBefore = globalThis.fetch
  private readonly giveBackStreams = EmulatedStream.takeOver()

  constructor() {
    globalThis.fetch = (input, init) => this.answer(String(input), init)
  }

  get creates(): Asked[] {
    return this.asked.filter(({ method }) => method === 'POST')
  }

  /** Payment requests only: the service's capabilities are read once. */
  get reads(): Asked[] {
    return this.asked.filter(({ method, url }) => method === 'GET' && !url.endsWith('/sources'))
  }

  /** Holds responses until `answer` is called. */
  holdBack(): { answer: () => void } {
    let answer = () => {}
    this.held = new Promise((resolve) => {
      answer = resolve
    })
    return { answer: () => answer() }
  }

  restore(): void {
    globalThis.fetch = this.fetchBefore
    this.giveBackStreams()
  }

  private async answer(url: string, init: RequestInit = {}): Promise<Response> {
    const { method = 'GET', headers, body, cache } = init
    const sent = typeof body === 'string' ? JSON.parse(body) : {}
    this.asked.push({ method, url, headers: new Headers(headers), body: sent, cache })
    await this.held
    if (this.fault?.status === 0) throw new TypeError('Failed to fetch')
    if (this.fault) {
      const { status, body: reason = {}, headers: own = {} } = this.fault
      return new Response(JSON.stringify(reason), { status, headers: own })
    }
    const own = this.more(method, new URL(url).pathname.replace('/api/v1/', ''), sent)
    const created = method === 'POST' ? { clientSecret } : {}
    return own ?? new Response(JSON.stringify(wireAnswer({ ...created, ...this.payment })))
  }
}
