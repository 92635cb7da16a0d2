import type { Context } from 'hono'
import type { Env } from '../access/context/env.ts'
import type { RateLimits } from '../access/limits/rate-limit.ts'
import { PaymentError } from '../core/errors.ts'
import type { Runtime } from '../core/runtime.ts'
import type { Db } from '../db/db.ts'
import { activeKeyHashes } from './store-key-store.ts'

/** More would be an attack from many addresses at once; the oldest is forgotten, and counted again. */
const addressesMax = 10_000

/** Keys of shops that are known here: a service has fewer. */
const goodKeysMax = 10_000

/** How long they are believed. A shop that is paired meanwhile waits for it, where a stranger has its address. */
const goodKeysMs = 10_000

type Deps = { db: Db; limits: Pick<RateLimits, 'failed' | 'addressOf'>; runtime: Pick<Runtime, 'nowMs'> }

/**
 * Bounds what wrong keys of one address cost: once its failures are used up, its calls are refused without asking the
 * database for each. Good keys go on, also those that have never called here, so that a stranger behind the same address
 * locks no shop out; whether a key still is good is read at each call.
 */
export function createWrongKeys({ db, limits, runtime }: Deps) {
  /** Until when; oldest first. */
  const refused = new Map<string, { error: PaymentError; untilMs: number }>()
  let good = { hashes: Promise.resolve(new Set<string>()), untilMs: 0 }

  function goodKeys(): Promise<Set<string>> {
    if (good.untilMs > runtime.nowMs()) return good.hashes
    const hashes = db.read(async (tx) => new Set(await activeKeyHashes(tx, goodKeysMax)))
    good = { hashes, untilMs: runtime.nowMs() + goodKeysMs }
    return hashes
  }

  return {
    /** @param hash - Null: what was sent can be no key. @throws {PaymentError} 429 while the address is refused. */
    async verify(c: Context<Env>, hash: string | null): Promise<void> {
      const address = limits.addressOf(c)
      const found = refused.get(address)
      if (found && found.untilMs <= runtime.nowMs()) refused.delete(address)
      else if (found && !(hash !== null && (await goodKeys()).has(hash))) throw found.error
    },

    /** Of a key that is not good, or not any more. @throws {PaymentError} 429 when the address has used up its failures. */
    async count(c: Context<Env>, hash: string | null): Promise<void> {
      if (hash !== null) (await good.hashes).delete(hash)
      try {
        await limits.failed(c)
      } catch (error) {
        if (error instanceof PaymentError && error.retryAfterSeconds !== undefined) {
          refused.set(limits.addressOf(c), { error, untilMs: runtime.nowMs() + error.retryAfterSeconds * 1000 })
          const [oldest] = refused.keys()
          if (refused.size > addressesMax && oldest !== undefined) refused.delete(oldest)
        }
        throw error
      }
    },
  }
}
