import type { Context } from 'hono'
import { PaymentError } from '../../core/errors.ts'
import type { Env } from '../env.ts'
import type { RateLimits } from './rate-limit.ts'

/** Streams of one process: each holds a socket, and reads the database once a second. */
const streamsMax = 1_000

/** A refused client polls instead, and may retry the stream after this time. */
const retryAfterSeconds = 30

class NoStreamError extends PaymentError {
  constructor(message: string, status: 429 | 503) {
    const headers = { 'Retry-After': String(retryAfterSeconds) }
    super(status === 429 ? 'RATE_LIMITED' : 'TOO_MANY_STREAMS', message, { status, error: 'Too many streams', headers })
  }
}

export type StreamSlots = {
  /**
   * Call before a stream begins.
   * @returns a function that frees the slot, to be called once.
   * @throws {NoStreamError} when one address, or all addresses together, have too many streams.
   */
  take(c: Context<Env>): () => void
}

/** Counts the streams that are open now. */
export function createStreamSlots({ addressOf, streamsPerAddressMax }: RateLimits, totalMax = streamsMax): StreamSlots {
  const openStreams = new Map<string, number>()
  let total = 0
  return {
    take(c) {
      const address = addressOf(c)
      const ownMax = streamsPerAddressMax()
      const own = openStreams.get(address) ?? 0
      if (ownMax !== null && own >= ownMax)
        throw new NoStreamError(`At most ${ownMax} streams are open to one address.`, 429)
      if (total >= totalMax) throw new NoStreamError(`At most ${totalMax} streams are open at once.`, 503)
      openStreams.set(address, own + 1)
      total++
      return () => {
        total--
        const left = (openStreams.get(address) ?? 1) - 1
        if (left > 0) openStreams.set(address, left)
        else openStreams.delete(address)
      }
    },
  }
}
