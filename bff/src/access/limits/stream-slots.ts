import type { Context } from 'hono'
import { PaymentError } from '../../core/errors.ts'
import type { Env } from '../context/env.ts'
import type { RateLimits } from './rate-limit.ts'

/** Streams of one process: each holds a socket, and reads the database once a second. */
const streamsMax = 1_000

/** A refused client polls instead, and may retry the stream after this time. */
const retryAfterSeconds = 30

export type StreamSlots = {
  /**
   * Call before a stream begins.
   * @returns a function that frees the slot, to be called once.
   * @throws {PaymentError} when one address, or all addresses together, have too many streams.
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
        throw new PaymentError('RATE_LIMITED', `At most ${ownMax} streams are open to one address.`, {
          error: 'Too many streams',
          retryAfterSeconds,
        })
      if (total >= totalMax)
        throw new PaymentError('TOO_MANY_STREAMS', `At most ${totalMax} streams are open at once.`, {
          retryAfterSeconds,
        })
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
