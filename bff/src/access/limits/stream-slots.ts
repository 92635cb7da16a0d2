import type { Context } from 'hono'
import { PaymentError } from '../../core/errors.ts'
import type { MerchantId } from '../../payment/payment.ts'
import type { Env } from '../context/env.ts'
import { networkOf } from '../http/client-address.ts'
import type { RateLimits } from './rate-limit.ts'

/** Streams of one process. Each holds a socket, and reads the database once a second. */
const streamsMax = 1_000

/** One merchant's part of these: three quarters, so that a flood at one shop leaves streams for the pages of others. */
const merchantPart = 0.75

/** Streams of a whole IPv6 network, as a multiple of one address's: a stranger may have all of its 65,536 addresses. */
const networkFactor = 4

/** A refused client polls instead, and may retry the stream after this time. */
const retryAfterSeconds = 30

export type StreamSlots = {
  /**
   * Call before a stream begins.
   * @param merchantId - Whose payments are followed.
   * @returns a function that frees the slot, to be called once.
   * @throws {PaymentError} when one address or network, one merchant's readers, or all together, have too many streams.
   */
  take(c: Context<Env>, merchantId: MerchantId): () => void
}

/** Counts the streams that are open now. */
export function createStreamSlots({ addressOf, streamsPerAddressMax }: RateLimits, totalMax = streamsMax): StreamSlots {
  const openStreams = new Map<string, number>()
  const openOf = (name: string): number => openStreams.get(name) ?? 0

  function refuseAt(max: number, names: readonly string[], of: string): void {
    if (names.every((name) => openOf(name) < max)) return
    throw new PaymentError('RATE_LIMITED', `At most ${max} streams are open to one ${of}.`, {
      error: 'Too many streams',
      retryAfterSeconds,
    })
  }

  return {
    take(c, merchantId) {
      const address = addressOf(c)
      const network = networkOf(address)
      const networks = network === address ? [] : [network]
      const ownMax = streamsPerAddressMax()
      if (ownMax !== null) {
        refuseAt(ownMax, [address], 'address')
        refuseAt(networkFactor * ownMax, networks, 'network')
      }
      const merchant = `merchant ${merchantId}`
      if (openOf('all') >= totalMax || openOf(merchant) >= merchantPart * totalMax)
        throw new PaymentError('TOO_MANY_STREAMS', `At most ${totalMax} streams are open at once.`, {
          retryAfterSeconds,
        })
      const names = ['all', merchant, address, ...networks]
      for (const name of names) openStreams.set(name, openOf(name) + 1)
      return () => {
        for (const name of names) {
          if (openOf(name) > 1) openStreams.set(name, openOf(name) - 1)
          else openStreams.delete(name)
        }
      }
    },
  }
}
