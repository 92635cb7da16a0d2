import type { Context } from 'hono'
import type { Env } from '../access/context/env.ts'
import type { RateLimits } from '../access/limits/rate-limit.ts'
import { PaymentError } from '../core/errors.ts'
import type { Runtime } from '../core/runtime.ts'
import type { Db } from '../db/db.ts'
import { activeKeyHashes } from './store-key-store.ts'

/** More would be an attack from many addresses at once. The oldest address is then dropped, and counted from zero again. */
const addressesMax = 10_000

/** Good keys that are cached. A service has fewer. */
const goodKeysMax = 10_000

/** How long the cached keys are used. Behind a stranger's refused address, a newly paired shop is refused for up to this long. */
const goodKeysMs = 10_000

type Deps = { db: Db; limits: Pick<RateLimits, 'failed' | 'addressOf'>; runtime: Pick<Runtime, 'nowMs'> }

/**
 * Bounds the cost of wrong keys from one address: once its failures are used up, its calls are refused without a database
 * query for each. Good keys still pass, even if never used before, so a stranger behind the same address cannot lock out
 * a shop; each call verifies that its key is still active.
 */
export function createWrongKeys({ db, limits, runtime }: Deps) {
  /** Until when each address is refused, oldest first. */
  const refused = new Map<string, { error: PaymentError; untilMs: number }>()
  let good = { hashes: Promise.resolve(new Set<string>()), untilMs: 0 }

  function goodKeys(): Promise<Set<string>> {
    if (good.untilMs > runtime.nowMs()) return good.hashes
    const hashes = db.read(async (tx) => new Set(await activeKeyHashes(tx, goodKeysMax)))
    good = { hashes, untilMs: runtime.nowMs() + goodKeysMs }
    return hashes
  }

  return {
    /** @param hash - Null when the text sent cannot be a key. @throws {PaymentError} 429 while the address is refused. */
    async verify(c: Context<Env>, hash: string | null): Promise<void> {
      const address = limits.addressOf(c)
      const found = refused.get(address)
      if (found && found.untilMs <= runtime.nowMs()) refused.delete(address)
      else if (found && !(hash !== null && (await goodKeys()).has(hash))) throw found.error
    },

    /** Counts an unknown or revoked key. @throws {PaymentError} 429 when the address has used up its failures. */
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
