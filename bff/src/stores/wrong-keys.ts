import type { Context } from 'hono'
import type { Env } from '../access/env.ts'
import type { RateLimits } from '../access/limits/rate-limit.ts'
import { PaymentError } from '../core/errors.ts'
import type { Runtime } from '../core/runtime.ts'

/** More would be an attack from many addresses at once; the oldest is forgotten, and counted again. */
const addressesMax = 10_000

/** Keys of shops that called: a service has fewer. */
const goodKeysMax = 10_000

/**
 * Bounds what wrong keys of one address cost: once its failures are used up, its calls are refused before the database is
 * read. A key that was good goes on, so that a stranger behind the same address locks no shop out; whether it still is good
 * is read at each call.
 */
export function createWrongKeys(limits: Pick<RateLimits, 'failed' | 'addressOf'>, runtime: Pick<Runtime, 'nowMs'>) {
  /** Until when; oldest first. */
  const refused = new Map<string, { error: PaymentError; untilMs: number }>()
  const goodKeys = new Set<string>()

  function keepNewest(names: Map<string, unknown> | Set<string>, max: number): void {
    const [oldest] = names.keys()
    if (names.size > max && oldest !== undefined) names.delete(oldest)
  }

  return {
    /** @param hash - Null: what was sent can be no key. @throws {PaymentError} 429 while the address is refused. */
    verify(c: Context<Env>, hash: string | null): void {
      const address = limits.addressOf(c)
      const found = refused.get(address)
      if (found && found.untilMs <= runtime.nowMs()) refused.delete(address)
      else if (found && !(hash !== null && goodKeys.has(hash))) throw found.error
    },

    noteGood(hash: string): void {
      goodKeys.delete(hash)
      goodKeys.add(hash)
      keepNewest(goodKeys, goodKeysMax)
    },

    /** Of a key that is not good, or not any more. @throws {PaymentError} 429 when the address has used up its failures. */
    async count(c: Context<Env>, hash: string | null): Promise<void> {
      if (hash !== null) goodKeys.delete(hash)
      try {
        await limits.failed(c)
      } catch (error) {
        if (error instanceof PaymentError && error.retryAfterSeconds !== undefined) {
          refused.set(limits.addressOf(c), { error, untilMs: runtime.nowMs() + error.retryAfterSeconds * 1000 })
          keepNewest(refused, addressesMax)
        }
        throw error
      }
    },
  }
}
