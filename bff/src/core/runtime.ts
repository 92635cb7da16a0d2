import { randomFillSync, randomUUID } from 'node:crypto'

/** The clock and the source of randomness, injected so that tests control them. */
export type Runtime = {
  /** Unix milliseconds. */
  nowMs(): number
  newUuid(): string
  /** Cryptographically strong. */
  randomBytes(count: number): Uint8Array
}

/** One large read of the kernel's random source costs a tenth of many small ones. */
const poolBytes = 8_192
const pool = Buffer.alloc(poolBytes)
let poolUsed = poolBytes

function pooledBytes(count: number): Uint8Array {
  if (count > poolBytes) return randomFillSync(new Uint8Array(count))
  if (poolUsed + count > poolBytes) {
    randomFillSync(pool)
    poolUsed = 0
  }
  const bytes = Uint8Array.from(pool.subarray(poolUsed, poolUsed + count))
  // Overwrites the returned bytes, which may be a secret.
  pool.fill(0, poolUsed, poolUsed + count)
  poolUsed += count
  return bytes
}

export const systemRuntime: Runtime = {
  nowMs: () => Date.now(),
  newUuid: () => randomUUID(),
  randomBytes: pooledBytes,
}

/** Unix milliseconds as ISO 8601 in UTC; null stays null. */
export function iso(ms: number): string
export function iso(ms: number | null): string | null
export function iso(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString()
}
