import type { ReactiveController, ReactiveControllerHost } from 'lit'
import type { PaymentCounts } from '../../src/api-types.ts'
import { request } from '../api/client.ts'
import { formatCount } from './format.ts'

/** The service counts no further: this number stands for itself and all above. */
const countMax = 100

/**
 * How many payments each chip holds. The last numbers stay until the next are read. Without an answer there are none, and the page is as
 * good without them.
 */
export class ChipCounts implements ReactiveController {
  counts: PaymentCounts | null = null
  private readonly host: ReactiveControllerHost
  private reading: AbortController | null = null

  constructor(host: ReactiveControllerHost) {
    this.host = host
    host.addController(this)
  }

  /** Reads the numbers again. A later reading's result replaces an earlier one's, never the reverse. */
  async refresh(): Promise<void> {
    this.reading?.abort()
    const reading = new AbortController()
    this.reading = reading
    const answer = await request<{ counts: PaymentCounts }>('payments/counts', { signal: reading.signal }).catch(
      () => null,
    )
    if (reading.signal.aborted) return
    this.counts = answer?.counts ?? null
    this.host.requestUpdate()
  }

  hostDisconnected(): void {
    this.reading?.abort()
  }
}

/** In the reader's digits; from a hundred on `99+`. */
export const chipCount = (count: number): string =>
  count < countMax ? formatCount(count) : `${formatCount(countMax - 1)}+`
